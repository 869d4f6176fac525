// Shares of linear modes in the motion of spectral beams, which have no mass matrix.
#include "masing/analysis/frequency_response.hpp"
#include "masing/analysis/internal_resonance.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/linear.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/structure/finite_element_beam.hpp"
#include "masing/structure/natural_frequencies.hpp"
#include "masing/structure/spectral_beam.hpp"
#include "support/models.hpp"
#include "unit/structure/rubbed_beam.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <complex>

using namespace masing;
using test::joint;
using test::load;

namespace {

constexpr double length = 0.5, modulus = 210e9, density = 7850.0, area = 2e-4, inertia = 1.7e-9, loss = 0.03;

BeamSection section() {
  return {.end = length,
          .youngs_modulus = modulus,
          .density = density,
          .area = area,
          .inertia = inertia,
          .loss_factor = loss};
}

ResponseBranch response(const Model& model, double from, double to, std::vector<int> harmonics, double level = 1.0) {
  FrequencyResponseRequest ask;
  ask.from = from;
  ask.to = to;
  ask.levels = {level};
  ask.observables = {{.name = "first", .coordinate = 0}};
  ask.balance = {.harmonics = std::move(harmonics), .samples = 128};
  return frequency_response(model, ask).branches.front();
}

double share(const ResponseBranch& branch, std::size_t point, Index harmonic, Index mode) {
  return branch.points[point].modal_share[harmonic * std::ssize(branch.header.modes) + mode];
}

}  // namespace

TEST_CASE("modal shares of a pinned beam under a point force are those of its series of sines", "[internal]") {
  const double at = 0.3 * length;
  const auto beam = std::make_shared<SpectralBeam>(
      Beam{.theory = BeamTheory::euler_bernoulli,
           .sections = {section()},
           .points = {{"drive", at}},
           .supports = {{.at = 0.0, .fixed = {true, true, false}}, {.at = length, .fixed = {true, true, false}}},
           .masses = {},
           .springs = {}});
  const Index drive = beam->find("drive.w");
  Model model{.structure = beam, .loads = {load(beam->size(), drive, 1.0), load(beam->size(), drive, 0.5, 2)}};
  // A joint that does nothing worth mentioning: the modes stay sin(n pi x/L).
  model.joints = {joint("none", make_element(LinearSpring(1e-6)), beam->size(), {{{drive, 1.0}}})};
  const double first = std::pow(pi / length, 2) * std::sqrt(modulus * inertia / (density * area));
  const ResponseBranch branch = response(model, 0.5 * first / (2.0 * pi), 1.5 * first / (2.0 * pi), {1, 2});
  REQUIRE(branch.end.complete);
  REQUIRE(branch.points.size() > 5);
  for (std::size_t m = 0; m < 4; ++m) {
    const double n = static_cast<double>(m) + 1.0;
    CHECK(branch.header.modes[m] == Approx(n * n * first / (2.0 * pi)).epsilon(1e-9));
  }
  for (std::size_t i = 0; i < branch.points.size(); i += 3) {
    CAPTURE(branch.points[i].frequency);
    for (const int k : {1, 2}) {
      const double omega = k * 2.0 * pi * branch.points[i].frequency;
      // w = sum of phi_n(x) phi_n(at) F/(omega_n^2 (1 + i eta) - omega^2): the n-th term falls with n^-4, its square is nothing
      // beyond a hundred terms.
      const auto term = [&](int n) {
        const Complex stiffness = std::pow(n * n * first, 2) * Complex(1.0, loss);
        return std::norm(std::sin(n * pi * at / length) / (stiffness - omega * omega));
      };
      double all = 0.0;
      for (int n = 1; n <= 100; ++n) all += term(n);
      // Exact fields, quadrature to rounding; Newton's method leaves 1e-9. The eighth mode is along the axis.
      for (int n = 1; n <= 7; ++n) CHECK(share(branch, i, k - 1, n - 1) == Approx(term(n) / all).margin(1e-8));
    }
  }
}

namespace {

// A cantilever with masses, whose tip rubs: the joint feels the motion along the axis and the rotation. A cubic spring of the
// tip feeds the third harmonic.
template <class MakeStructure>
ResponseBranch rubbed_beam(const MakeStructure& make, BeamTheory theory) {
  const Beam beam{.theory = theory,
                  .sections = {section()},
                  .points = {{"middle", 0.31}, {"tip", length}},
                  .supports = {{.at = 0.0, .fixed = {true, true, true}}},
                  .masses = {{.at = 0.31, .mass = 0.05, .rotary_inertia = 1e-5}},
                  .springs = {}};
  const std::shared_ptr<const Structure> structure = make(beam);
  const Index size = structure->size(), u = structure->find("tip.u"), w = structure->find("tip.w"),
              phi = structure->find("tip.phi");
  Model model{.structure = structure, .loads = {load(size, structure->find("middle.w"), 1.0)}};
  model.joints = {
      joint("rub", make_element(Jenkins({.stiffness = 2e7, .slip_force = 20.0})), size, {{{u, 1.0}, {phi, 0.005}}}),
      joint("stop", make_element(CubicSpring({.cubic_stiffness = 1e8})), size, {{{w, 1.0}}})};
  return response(model, 28.0, 42.0, {1, 2, 3}, 6.0);
}

}  // namespace

TEST_CASE("modal shares and secant modes of a spectral beam are those of its finite elements", "[internal]") {
  const BeamTheory theory = GENERATE(BeamTheory::euler_bernoulli, BeamTheory::timoshenko);
  const ResponseBranch exact =
      rubbed_beam([](const Beam& beam) { return std::make_shared<SpectralBeam>(beam); }, theory);
  REQUIRE(exact.end.complete);
  double softer = 0.0, third = 0.0;
  for (const ResponsePoint& point : exact.points) {
    softer = std::max(softer, 1.0 - point.mode_frequency[0] / exact.header.modes[0]);
    third = std::max(third, point.harmonic_share[2]);
  }
  CHECK(softer > 0.05);  // the joint slips
  CHECK(third > 0.05);   // the cubic spring matters
  const ResponseBranch elements =
      rubbed_beam([](const Beam& beam) { return finite_element_beam(beam, {.elements = 60}); }, theory);
  REQUIRE(exact.header.modes.size() == elements.header.modes.size());
  REQUIRE(exact.points.size() == elements.points.size());
  for (std::size_t i = 0; i < exact.points.size(); ++i) {
    const ResponsePoint &a = exact.points[i], &b = elements.points[i];
    CAPTURE(a.frequency, b.frequency);
    // Elements err by (kh)^2/12 in what the axis and shear do, kh = 0.06 in the third harmonic: 3e-4 of a part that is itself
    // below 1e-2.
    CHECK((a.modal_share - b.modal_share).cwiseAbs().maxCoeff() < 3e-6);
    // Both are found among 60 stuck modes, the upper of which elements do not have right: they add to what the space lacks.
    CHECK((a.mode_frequency.head(3).array() / b.mode_frequency.head(3).array() - 1.0).abs().maxCoeff() < 2e-4);
  }
}

namespace {

constexpr double cubic = 3e7;

// A tip mass puts the second bending mode at 6.3 times the first; a cubic spring at the tip feeds odd harmonics.
Beam tip_mass(double spring) {
  return {.theory = BeamTheory::euler_bernoulli,
          .sections = {section()},
          .points = {{"tip", length}},
          .supports = {{.at = 0.0, .fixed = {true, true, true}}, {.at = length, .stiffness = {0.0, spring, 0.0}}},
          .masses = {{.at = length, .mass = 0.025}},
          .springs = {}};
}

Model hardening_beam() {
  const auto beam = std::make_shared<SpectralBeam>(tip_mass(0.0));
  const Index tip = beam->find("tip.w");
  Model model{.structure = beam, .loads = {load(beam->size(), tip, 1.0)}};
  model.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = cubic})), beam->size(), {{{tip, 1.0}}})};
  return model;
}

}  // namespace

TEST_CASE("a harmonic of a spectral beam that meets a second mode is told as an internal resonance", "[internal]") {
  const Model model = hardening_beam();
  const ResponseBranch branch = response(model, 20.0, 60.0, {1, 3, 5, 7}, 5.0);
  REQUIRE(branch.end.complete);
  const std::vector<InternalResonance> found = internal_resonances(model, branch);
  REQUIRE(found.size() == 1);
  INFO(to_text(found[0]));
  CHECK(found[0].harmonic == 5);
  CHECK(found[0].mode == 2);
  CHECK(found[0].driving_mode == 1);
  CHECK(found[0].modal_share > 0.95);
  // Within the width of the second mode, half of it the loss factor.
  CHECK(5.0 * found[0].frequency == Approx(found[0].mode_frequency).epsilon(0.5 * loss));
  CHECK_THAT(to_text(found[0]), Catch::Matchers::Contains("harmonic 5 resonates with mode 2"));
}

TEST_CASE("secant modes of a spectral beam are those with a spring of that stiffness", "[internal]") {
  const Model model = hardening_beam();
  const Index tip = model.structure->find("tip.w");
  FrequencyResponseRequest ask;
  ask.from = 20.0;
  ask.to = 60.0;
  ask.levels = {5.0};
  ask.observables = {{.name = "tip", .coordinate = tip}};
  ask.balance = {.harmonics = {1}, .samples = 32};
  const ResponseBranch branch = frequency_response(model, ask).branches.front();
  double stiffest = 0.0;
  for (std::size_t i = 0; i < branch.points.size(); i += 4) {
    const ResponsePoint& point = branch.points[i];
    const double spring = 0.75 * cubic * std::pow(point.observations[0].amplitude[0], 2);
    const std::vector<double> exact = lowest_natural_frequencies(SpectralBeam(tip_mass(spring)), 3);
    for (Index m = 0; m < 3; ++m) {
      const double ratio = 2.0 * pi * point.mode_frequency[m] / exact[static_cast<std::size_t>(m)];
      // Among the stuck modes they are found too high. Each of those left out, 60 and more, is missing with its flexibility of
      // less than 1/omega^2: all together some 1e-6 of the static one at the tip.
      CHECK(ratio > 1.0 - 1e-9);
      CHECK(ratio < 1.0 + 1e-5);
    }
    stiffest = std::max(stiffest, point.mode_frequency[0] / branch.header.modes[0]);
  }
  CHECK(stiffest > 1.2);
}

TEST_CASE("a beam with all shapes of its stretch has the shares of the beam itself", "[internal]") {
  const test::Rubbed rubbed(0.02);
  const auto shares = [&](const std::shared_ptr<const Structure>& structure, const SparseMatrix& to_full) {
    const SparseMatrix felt = to_full.transpose() * rubbed.directions;
    Model model{.structure = structure,
                .loads = {{.name = "force", .shape = to_full.transpose() * rubbed.drive, .harmonic = 1}}};
    for (Index i = 0; i < felt.cols(); ++i) {
      model.joints.push_back(
          {fmt::format("joint {}", i),
           i % 2 == 0 ? make_element(Jenkins({.stiffness = 1e6, .slip_force = 0.5})) : make_element(LinearSpring(1e6)),
           felt.col(i)});
    }
    return response(model, 40.0, 70.0, {1, 2, 3}, 5.0);
  };
  const auto small = std::make_shared<GalerkinBeam>(rubbed.beam, rubbed.options(2 * test::points, false));
  SparseMatrix identity(rubbed.beam->size(), rubbed.beam->size());
  identity.setIdentity();
  const ResponseBranch full = shares(rubbed.beam, identity), reduced = shares(small, small->shapes());
  REQUIRE(full.end.complete);
  REQUIRE(full.points.size() == reduced.points.size());
  for (std::size_t i = 0; i < full.points.size(); ++i) {
    // The same motion in other coordinates; where the steps of both fell apart by rounding, so do the shares.
    CHECK((full.points[i].modal_share - reduced.points[i].modal_share).cwiseAbs().maxCoeff() < 1e-6);
    CHECK((full.points[i].mode_frequency - reduced.points[i].mode_frequency).norm() <
          1e-6 * full.points[i].mode_frequency.norm());
  }
}
