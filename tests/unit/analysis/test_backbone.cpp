#include "backbone_request.hpp"
#include "masing/analysis/backbone.hpp"
#include "masing/analysis/frequency_response.hpp"
#include "masing/contact/backbones.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/slip_slap.hpp"
#include "masing/core/error.hpp"
#include "masing/structure/finite_element_beam.hpp"
#include "masing/structure/lumped.hpp"
#include "masing/structure/matrix_structure.hpp"
#include "masing/structure/spectral_beam.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace masing;
using test::backbone_request;
using test::joint;
using test::load;
using test::only;

namespace {

constexpr double hertz = 1.0 / (2.0 * pi);

Model duffing(double damping) {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = damping}), .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = 0.5})), 1, {{{0, 1.0}}})};
  return model;
}

Model jenkins_oscillator() {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0}), .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("damper", make_element(Jenkins({.stiffness = 0.5, .slip_force = 0.1})), 1, {{{0, 1.0}}})};
  return model;
}

constexpr double iwan_stiffness = 4e5;

constexpr FourParameters iwan_parameters{.stiffness = 2e5, .slip_force = 20.0, .chi = -0.5, .beta = 0.5};

BackbonePointer iwan_backbone() { return four_parameter_backbone(iwan_parameters); }

Model iwan_oscillator() {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = iwan_stiffness, .damping_ratio = 0.0005}),
              .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("joint", make_iwan(iwan_backbone()), 1, {{{0, 1.0}}})};
  return model;
}

/// Four masses; a Jenkins element at the second one only, so that the others are eliminated; loss factor and dashpots.
Model chain_with_one_joint(bool keep_all) {
  Model model{.structure = chain({.masses = {1.0, 2.0, 1.0, 0.5},
                                  .stiffnesses = {1.0, 2.0, 1.0, 1.5},
                                  .dampings = {0.01, 0.0, 0.02, 0.01},
                                  .further_damping = {.loss_factor = 0.01}}),
              .loads = {load(4, 3, 1.0)}};
  model.joints = {joint("damper", make_element(Jenkins({.stiffness = 0.5, .slip_force = 0.1})), 4, {{{1, 1.0}}})};
  for (Index i = 0; keep_all && i < 4; ++i) {  // joints that do nothing make the balance keep their coordinates
    model.joints.push_back(joint("nothing", make_element(CubicSpring({.cubic_stiffness = 0.0})), 4, {{{i, 1.0}}}));
  }
  return model;
}

double quantity(const ResponseBranch& branch, const ResponsePoint& point, const std::string& name) {
  const Index i = branch.header.find_quantity(name);
  REQUIRE(i >= 0);
  return point.quantities[i];
}

}  // namespace

TEST_CASE("conservative backbone of Duffing's oscillator with one harmonic is the closed form") {
  const ResponseBranch branch =
      only(backbone(duffing(0.04), backbone_request(BackboneMethod::conservative, 1e-3, 10.0, {1})));
  for (const ResponsePoint& point : branch.points) {
    const double a = point.observations[0].amplitude[0];
    // One-term balance: ω² = 1 + ¾ γ a²; Newton stops at 1e-9 of the forces, of which ω² is a part.
    CHECK(point.frequency == Approx(std::sqrt(1.0 + 0.375 * a * a) * hertz).epsilon(2e-9));
    CHECK(quantity(branch, point, "modal_amplitude") == Approx(a).epsilon(1e-8));
    CHECK(std::abs(quantity(branch, point, "damping_ratio")) < 1e-9);
    // At t = 0 the motion is at its turning point, a.
    CHECK(quantity(branch, point, "mechanical_energy") == Approx(0.5 * a * a + 0.125 * std::pow(a, 4)).epsilon(1e-6));
  }
}

TEST_CASE("EPMC without damping is the conservative backbone, and both find Duffing's exact frequency") {
  const std::vector<int> harmonics = {1, 3, 5, 7, 9, 11};
  const ResponseBranch free =
      only(backbone(duffing(0.0), backbone_request(BackboneMethod::epmc, 1e-2, 3.0, harmonics)));
  const ResponseBranch conservative =
      only(backbone(duffing(0.04), backbone_request(BackboneMethod::conservative, 1e-2, 3.0, harmonics)));
  REQUIRE(free.points.size() == conservative.points.size());
  for (std::size_t i = 0; i < free.points.size(); ++i) {
    CHECK(free.points[i].frequency == Approx(conservative.points[i].frequency).epsilon(1e-12));
  }
  // x'' + x + x^3/2 = 0 released at A: period 4 K(m)/sqrt(1 + A^2/2), m = (A^2/4)/(1 + A^2/2). The truncated series of an
  // analytic motion converges geometrically; harmonic 13 would be below 1e-8 of the first.
  const ResponsePoint& last = conservative.points.back();
  const double released = last.observations[0].peak;
  const double omega = std::sqrt(1.0 + 0.5 * released * released);
  const double modulus = 0.5 * released / omega;
  CHECK(last.frequency == Approx(omega / (4.0 * std::comp_ellint_1(modulus))).epsilon(1e-7));
}

TEST_CASE("EPMC of one Jenkins element in gross slip: frequency and damping are those of the describing function") {
  const double k = 0.5, slip = 0.1;
  const ResponseBranch branch =
      only(backbone(jenkins_oscillator(), backbone_request(BackboneMethod::epmc, 1e-2, 50.0, {1})));
  int slipping = 0;
  for (const ResponsePoint& point : branch.points) {
    const double a = quantity(branch, point, "modal_amplitude");
    const double omega = 2.0 * pi * point.frequency;
    if (a <= slip / k) {
      CHECK(omega * omega == Approx(1.5).epsilon(1e-8));
      CHECK(std::abs(quantity(branch, point, "damping_ratio")) < 1e-9);
      continue;
    }
    ++slipping;
    const double theta = std::acos(1.0 - 2.0 * slip / (k * a));
    CHECK(omega * omega == Approx(1.0 + k / pi * (theta - 0.5 * std::sin(2.0 * theta))).epsilon(1e-8));
    const double area = 4.0 * slip * (a - slip / k);
    CHECK(quantity(branch, point, "damping_ratio") == Approx(area / (2.0 * pi * omega * omega * a * a)).epsilon(1e-6));
    CHECK(point.joint_energy[0] == Approx(area).epsilon(1e-6));
    CHECK(quantity(branch, point, "energy_residual") < 1e-6);
  }
  CHECK(slipping > 10);
}

TEST_CASE("EPMC of an Iwan oscillator over four decades: damping from the area of Masing's loop") {
  auto ask = backbone_request(BackboneMethod::epmc, 1e-7, 1e-3, {1});
  ask.balance.samples = 1024;
  const ResponseBranch branch = only(backbone(iwan_oscillator(), ask));
  for (const ResponsePoint& point : branch.points) {
    const double a = quantity(branch, point, "modal_amplitude");
    const double omega = 2.0 * pi * point.frequency;
    const double viscous = 2.0 * 0.0005 * std::sqrt(iwan_stiffness) * pi * omega * a * a;
    const double exact = (iwan_backbone()->loop_energy(a) + viscous) / (2.0 * pi * omega * omega * a * a);
    // Sampling a loop whose stiffness has a kink at the reversals errs by 1/N^2 of the force, a part of the whole.
    CHECK(quantity(branch, point, "damping_ratio") == Approx(exact).epsilon(1e-4));
  }
  // All stuck, but for sliders of the share (A/A_macroslip)^(chi + 1) = 0.024 of a joint that is a third of the stiffness.
  CHECK(branch.points.front().frequency == Approx(std::sqrt(6e5) * hertz).epsilon(0.5 * 0.024 / 3.0));
}

TEST_CASE("EPMC of an Iwan oscillator: the describing function, and the quasi-static secant") {
  auto ask = backbone_request(BackboneMethod::epmc, 1e-7, 1e-3, {1});
  ask.balance.samples = 1024;
  const ResponseBranch branch = only(backbone(iwan_oscillator(), ask));
  const double stuck = iwan_stiffness + 2e5;
  int small = 0;
  for (const ResponsePoint& point : branch.points) {
    const double a = quantity(branch, point, "modal_amplitude");
    const double omega = 2.0 * pi * point.frequency;
    if (a > iwan_backbone()->macroslip()) continue;  // the closed form is that of microslip
    const Complex joint_stiffness = four_parameter_describing_function(iwan_parameters, a);
    // Sampling errs by 1/N² of the joint's force, a third of the whole; its lag is a small part of that.
    CHECK(omega * omega == Approx(iwan_stiffness + joint_stiffness.real()).epsilon(2e-6));
    const double lag = joint_stiffness.imag() + 2.0 * 0.0005 * std::sqrt(iwan_stiffness) * omega;
    CHECK(quantity(branch, point, "damping_ratio") == Approx(0.5 * lag / (omega * omega)).epsilon(1e-4));
    // The secant of the loop's tips, F̂(a)/a, loses stiffness with the same power of the amplitude as the first harmonic
    // does; in microslip the two losses differ by a factor that depends on chi alone, not far from one.
    const double secant = iwan_stiffness + iwan_backbone()->at(a).force / a;
    if (a > 1e-5) continue;
    ++small;
    CHECK((stuck - omega * omega) / (stuck - secant) == Approx(1.0).margin(0.15));
    CHECK(omega == Approx(std::sqrt(secant)).epsilon(0.15 * 0.5 * (1.0 - secant / stuck)));
  }
  CHECK(small > 5);
}

TEST_CASE("the energy of a linear mode is half of omega squared times the modal amplitude squared") {
  Model model{.structure = chain({.masses = {1.0, 2.0}, .stiffnesses = {3.0, 1.0}})};
  model.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = 0.5})), 2, {{{0, 1.0}}})};
  for (const int mode : {1, 2}) {
    auto ask = backbone_request(BackboneMethod::conservative, 1e-2, 2e-2, {1, 3});
    ask.mode = mode;
    const ResponseBranch branch = only(backbone(model, ask));
    // [4 −1; −1 1] − ω² diag(1, 2): 2 ω⁴ − 9 ω² + 3 = 0.
    const double omega = std::sqrt((9.0 + (mode == 1 ? -1.0 : 1.0) * std::sqrt(57.0)) / 4.0);
    for (const ResponsePoint& point : branch.points) {
      const double a = quantity(branch, point, "modal_amplitude");
      // The spring adds at most 3/8 a² to ω², which is 0.36 or more: 1.05 a² of it, half as much of the frequency.
      CHECK(point.frequency == Approx(omega * hertz).epsilon(0.53 * a * a));
      CHECK(quantity(branch, point, "mechanical_energy") == Approx(0.5 * omega * omega * a * a).epsilon(1.05 * a * a));
      CHECK(quantity(branch, point, "kinetic_energy") == Approx(0.5 * omega * omega * a * a).epsilon(1.05 * a * a));
    }
  }
}

TEST_CASE("a conservative backbone begins at any small amplitude, also where a mass is eliminated") {
  // The stiffness that the spring sees vanishes at the mode: what is left of it is the rounding error of the frequency.
  Model model{.structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {1.0, 1.0, 1.0}, .ground = ChainGround::both})};
  model.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = 0.5})), 2, {{{0, 1.0}}})};
  for (const double amplitude : {1e-9, 1e-6, 1e-3}) {
    for (const int mode : {1, 2}) {
      auto ask = backbone_request(BackboneMethod::conservative, amplitude, 1.0, {1, 3, 5});
      ask.mode = mode;
      const ResponseBranch branch = only(backbone(model, ask));
      CAPTURE(amplitude, mode);
      const double omega = mode == 1 ? 1.0 : std::sqrt(3.0), a = amplitude * std::sqrt(0.5);
      // ω² grows by ¾ of the cubic stiffness times a² times the square of the shape, to first order; then comes its square.
      const double squared = omega * omega + 0.75 * 0.5 * a * a * 0.5;
      CHECK(branch.points.front().frequency == Approx(std::sqrt(squared) * hertz).epsilon(1e-12 + a * a * a * a));
      CHECK(branch.points.back().frequency > 1.005 * omega * hertz);
    }
  }
}

TEST_CASE("phase resonance is EPMC for one harmonic of one oscillator, and close to it with more") {
  const auto compare = [](const std::vector<int>& harmonics) {
    auto free = backbone_request(BackboneMethod::epmc, 1e-6, 3e-4, harmonics);
    auto forced = backbone_request(BackboneMethod::phase_resonance, 1e-6, 3e-4, harmonics);
    forced.controlled = Quantity::displacement;
    forced.drive = Vector::Ones(1);
    const ResponseBranch one = only(backbone(iwan_oscillator(), free));
    const ResponseBranch other = only(backbone(iwan_oscillator(), forced));
    const ResponsePoint &a = one.points.back(), &b = other.points.back();
    CHECK(b.observations[0].phase[0] == Approx(-0.5 * pi).epsilon(1e-8));  // lags
    CHECK(b.observations[0].amplitude[0] == Approx(3e-4).epsilon(1e-8));
    return std::pair{b.frequency / a.frequency - 1.0,
                     quantity(other, b, "damping_ratio") / quantity(one, a, "damping_ratio") - 1.0};
  };
  const auto [frequency, damping] = compare({1});
  // The same equations: Newton's tolerance. The energy balance takes the loop from twice the samples, which differ by 1/N².
  CHECK(std::abs(frequency) < 1e-8);
  CHECK(std::abs(damping) < 2.0 / (128.0 * 128.0));
  // Artificial damping acts on the higher harmonics, a force on the first alone; they hold a few thousandths here.
  const auto [more_frequency, more_damping] = compare({1, 3, 5});
  CHECK(std::abs(more_frequency) < 1e-4);
  CHECK(std::abs(more_frequency) > 1e-12);
  CHECK(std::abs(more_damping) < 1e-2);
}

TEST_CASE("the backbone goes through the peaks of 12 frequency responses of an Iwan oscillator") {
  FrequencyResponseRequest peaks;
  peaks.from = 95.0;
  peaks.to = 130.0;
  peaks.levels.clear();
  for (int i = 0; i < 12; ++i) peaks.levels.push_back(0.1 * std::pow(20.0, i / 11.0));
  peaks.balance = {.harmonics = {1, 3, 5}, .samples = 128};
  peaks.observables = {{.name = "x", .coordinate = 0}};
  const FrequencyResponse response = frequency_response(iwan_oscillator(), peaks);
  for (const ResponseBranch& branch : response.branches) {
    const double level = branch.header.level;
    const ResponseBranch resonance = only(
        backbone(iwan_oscillator(), backbone_request(BackboneMethod::phase_resonance, 0.01 * level, level, {1, 3, 5})));
    const Resonance& peak = branch.end.resonances[0];
    const ResponsePoint& end = resonance.points.back();
    const double damping = quantity(resonance, end, "damping_ratio");
    // One harmonic: F² = a² [(K(a) − Ω²)² + D(a, Ω)²]. At a given force a is largest where the right-hand side is smallest over Ω:
    // K − Ω² = D D_Ω/2Ω. What joints dissipate does not depend on Ω; of D = d(a) + cΩ only the viscous part does:
    // 1 − Ω²/K = 2 ζ_v ζ with ζ_v = c/2Ω, ζ = D/2Ω². There F = a D(a) (1 − ζ_v²/2), and a D(a) grows with the power n of a.
    // Harmonic 3, a few thousandths of the motion, depends on Ω as well: 9/4 of that share of ζ² at most.
    const double viscous = 0.0005 * std::sqrt(iwan_stiffness) / (2.0 * pi * peak.frequency);
    CHECK(end.frequency / peak.frequency - 1.0 == Approx(viscous * damping).margin(0.005 * damping * damping));
    // n is between that of microslip, 2 + χ = 1.5, and the 2 of a dashpot; Newton's method leaves 1e-9.
    const double larger = peak.amplitude / end.observations[0].amplitude[0] - 1.0;
    CHECK(larger > 0.25 * viscous * viscous - 1e-8);
    CHECK(larger < 0.5 * viscous * viscous / 1.5 + 1e-8);
  }
}

TEST_CASE("eliminating the coordinates that no joint moves changes no backbone") {
  for (const int mode : {1, 2}) {
    auto ask = backbone_request(BackboneMethod::epmc, 1e-2, 10.0, {0, 1, 2, 3});
    ask.mode = mode;
    ask.observables = {{.name = "end", .coordinate = 3}};
    const ResponseBranch condensed = only(backbone(chain_with_one_joint(false), ask));
    const ResponseBranch all = only(backbone(chain_with_one_joint(true), ask));
    const ResponsePoint &a = condensed.points.back(), &b = all.points.back();
    CHECK(a.coefficients.size() == 7);
    CHECK(b.coefficients.size() == 28);
    // Both are solutions to 1e-9 of the forces.
    CHECK(a.frequency == Approx(b.frequency).epsilon(1e-7));
    CHECK(quantity(condensed, a, "damping_ratio") == Approx(quantity(all, b, "damping_ratio")).epsilon(1e-6));
    CHECK(a.observations[0].amplitude[1] == Approx(b.observations[0].amplitude[1]).epsilon(1e-6));
    for (const ResponsePoint& point : condensed.points) CHECK(quantity(condensed, point, "energy_residual") < 1e-6);
  }
}

TEST_CASE("phase resonance of a spectral beam is that of its finite elements") {
  Beam beam{.sections = {{.end = 0.6,
                          .youngs_modulus = 210e9,
                          .density = 7850,
                          .area = 2e-4,
                          .inertia = 4.2e-10,
                          .loss_factor = 0.002}},
            .points = {{"tip", 0.6}},
            .supports = {{.fixed = {true, true, true}}}};
  const auto run = [](const std::shared_ptr<const Structure>& structure, double near = 0.0) {
    const Index tip = structure->find("tip.w"), size = structure->size();
    Model model{.structure = structure, .loads = {load(size, tip, 1.0)}};
    model.joints = {joint("stop", make_element(Jenkins({.stiffness = 2e3, .slip_force = 1.0})), size, {{{tip, 1.0}}})};
    auto ask = backbone_request(BackboneMethod::phase_resonance, 1e-2, 5.0, {1, 3});
    ask.observables = {{.name = "tip", .coordinate = tip}};
    ask.near = near;
    return only(backbone(model, ask));
  };
  const ResponseBranch spectral = run(std::make_shared<SpectralBeam>(beam));
  const ResponseBranch elements = run(finite_element_beam(beam, {.elements = 20}));
  const ResponsePoint &a = spectral.points.back(), &b = elements.points.back();
  // Frequencies of Euler-Bernoulli elements err by about 1e-4 (λ h)^4 with λ h = 0.1 … 0.3 in the first and third harmonic.
  CHECK(a.frequency == Approx(b.frequency).epsilon(1e-6));
  CHECK(quantity(spectral, a, "damping_ratio") == Approx(quantity(elements, b, "damping_ratio")).epsilon(1e-5));
  for (const ResponsePoint& point : spectral.points) CHECK(quantity(spectral, point, "energy_residual") < 1e-6);
  // The first mode is the resonance near 17 Hz; bisection ends at 1e-11.
  CHECK(run(std::make_shared<SpectralBeam>(beam), 17.0).points.front().frequency ==
        Approx(spectral.points.front().frequency).epsilon(1e-9));
}

TEST_CASE("a backbone that was interrupted goes on with the very same numbers") {
  const auto ask = backbone_request(BackboneMethod::epmc, 1e-2, 10.0, {0, 1, 2, 3});
  const ResponseBranch whole = only(backbone(chain_with_one_joint(true), ask));
  REQUIRE(whole.points.size() > 6);
  BranchRestart restart;
  restart.points.assign(whole.points.begin(), whole.points.begin() + 5);
  const ResponseBranch resumed = only(backbone(chain_with_one_joint(true), ask, nullptr, {}, {restart}));
  REQUIRE(resumed.points.size() == whole.points.size());
  for (std::size_t i = 0; i < whole.points.size(); ++i) {
    CHECK(resumed.points[i].unknowns == whole.points[i].unknowns);
    CHECK(resumed.points[i].quantities == whole.points[i].quantities);
  }
}

TEST_CASE("backbones refuse what does not fit") {
  CHECK_THROWS_WITH(backbone(jenkins_oscillator(), backbone_request(BackboneMethod::conservative, 1.0, 2.0, {1})),
                    Catch::Contains("joint 'damper' has friction"));
  CHECK_THROWS_WITH(backbone(iwan_oscillator(), backbone_request(BackboneMethod::conservative, 1.0, 2.0, {1})),
                    Catch::Contains("joint 'joint' has friction"));
  CHECK_THROWS_WITH(backbone(duffing(0.0), backbone_request(BackboneMethod::epmc, 1.0, 1.0, {1})),
                    Catch::Contains("differ"));
  CHECK_THROWS_WITH(backbone(duffing(0.0), backbone_request(BackboneMethod::epmc, 1.0, 2.0, {3})),
                    Catch::Contains("harmonic 1"));
  auto second = backbone_request(BackboneMethod::epmc, 1.0, 2.0, {1});
  second.mode = 2;
  CHECK_THROWS_WITH(backbone(duffing(0.0), second), Catch::Contains("has only 1"));
}

TEST_CASE("phase resonance of a slip/slap contact under a static load begins at its stick stiffness") {
  // The load closes the contact, or the contact holds it already: then only rounding is left to balance at rest.
  const double approach = GENERATE(0.0, std::pow(12.0 / 4.0, 1.0 / 1.01));
  SlipSlap::Parameters law{.normal_exponent = 1.01,
                           .friction_exponent = 1.16,
                           .normal_coefficient = 4.0,
                           .friction_coefficient = 0.26,
                           .unloading_rate = 0.5,
                           .stiffness_ratio = 0.7,
                           .approach = approach};
  SparseMatrix identity(2, 2);
  identity.setIdentity();
  Model model{
      .structure = std::make_shared<MatrixStructure>(MatrixStructureOptions{
          .mass = identity, .stiffness = identity, .damping = {.loss_factor = 0.02}, .coordinates = {"u", "w"}}),
      .joints = {joint("contact", make_slip_slap(law), 2, {{{0, 1.0}}, {{1, 1.0}}})},
      .loads = {load(2, 1, 12.0, 0), load(2, 0, 1.0)}};
  double w = 2.0;  // w − approach + 4 w^1.01 = 12
  for (int i = 0; i < 50; ++i) w -= (w - approach + 4.0 * std::pow(w, 1.01) - 12.0) / (1.0 + 4.04 * std::pow(w, 0.01));
  const ResponseBranch branch =
      only(backbone(model, backbone_request(BackboneMethod::phase_resonance, 1e-4, 10.0, {0, 1, 2, 3})));
  // k_T C_Q P^m = n C_k P / w. The motion of 1e-3 is small, but a share of it slips at once: some 1e-3 in frequency.
  const double stick = 1.01 * 0.7 * 4.0 * std::pow(w, 0.01);
  CHECK(branch.points.front().frequency == Approx(std::sqrt(1.0 + stick) * hertz).epsilon(2e-3));
  // In the end it slides: friction of some 4.6 N is 2 % of the spring's force at the amplitude of 250, half of that in
  // frequency, and mostly in quadrature.
  CHECK(branch.points.back().frequency == Approx(hertz).epsilon(1e-2));
}

TEST_CASE("the energy balance closes for a joint that feels a quadratic motion") {
  // A slider that feels x₁ − ½ G x₂²: the loop is that of the whole relative motion, twice the harmonics included.
  Model model{
      .structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {1.0, 1.0}, .dampings = {0.02, 0.02}}),
      .joints = {joint("slider", make_element(Jenkins({.stiffness = 0.5, .slip_force = 0.1})), 2, {{{0, 1.0}}})},
      .loads = {load(2, 1, 1.0)}};
  SparseMatrix matrix(2, 2);
  matrix.insert(1, 1) = 0.4;
  model.joints[0].quadratic = {{.input = 0, .matrix = matrix}};
  auto ask = backbone_request(BackboneMethod::phase_resonance, 1e-2, 0.1, {0, 1, 2, 3, 4, 5});
  const ResponseBranch branch = only(backbone(model, ask));
  REQUIRE(branch.points.size() > 5);
  // Events are located, so what is left is what Newton's method leaves: 1e-9 of the forces.
  for (const ResponsePoint& point : branch.points) CHECK(quantity(branch, point, "energy_residual") < 1e-7);
  // The slider takes a good part of it.
  CHECK(quantity(branch, branch.points.back(), "damping_ratio") >
        1.5 * quantity(branch, branch.points.front(), "damping_ratio"));
}
