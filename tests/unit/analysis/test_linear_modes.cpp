// Modes with linearised joints: stuck, free, at the preload.
#include "masing/analysis/linear_modes.hpp"

#include "masing/contact/friction.hpp"
#include "masing/contact/hertz_spring.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/linear.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/slip_slap.hpp"
#include "masing/contact/unilateral.hpp"
#include "masing/core/error.hpp"
#include "masing/structure/finite_element_beam.hpp"
#include "masing/structure/lumped.hpp"
#include "masing/structure/reduction.hpp"
#include "masing/structure/spectral_beam.hpp"
#include "support/models.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace masing;
using Catch::Matchers::Contains;

namespace {

constexpr double accurate = 1e-9;  // of the static equilibrium: 1e-11 of the load

double first_frequency(const Model& model, JointState state) {
  const std::vector<ModeSet> sets = linear_modes(model, {.states = {state}});
  REQUIRE(sets.size() == 1);
  INFO(sets[0].message);
  REQUIRE(sets[0].complete);
  REQUIRE_FALSE(sets[0].modes.empty());
  CHECK(sets[0].modes[0].mode.kind == ModeKind::vibrating);
  return sets[0].modes[0].mode.omega;
}

/// A mass of 2 kg on a spring, with one joint to the ground and a static load.
Model resting(double stiffness, std::shared_ptr<const ContactElement> law, double load) {
  return {.structure = oscillator({.mass = 2.0, .stiffness = stiffness}),
          .joints = {test::joint("joint", std::move(law), 1, {{{0, 1.0}}})},
          .loads = {test::load(1, 0, load, 0), test::load(1, 0, 3.0, 1)}};
}

}  // namespace

TEST_CASE("a body that only a Hertz contact holds", "[linear-modes]") {
  // N = k u^1.5: dN/du = 1.5 k^(2/3) N^(1/3)
  const double load = GENERATE(1e-3, 1.0, 400.0);
  const Model model = resting(0.0, make_element(HertzSpring({.stiffness = 1e9})), load);
  const double stiffness = 1.5 * std::pow(1e9, 2.0 / 3.0) * std::cbrt(load);
  CHECK(first_frequency(model, JointState::preload) == Approx(std::sqrt(stiffness / 2.0)).epsilon(accurate));
  const std::vector<ModeSet> sets = linear_modes(model, {});
  REQUIRE(sets.size() == 2);  // an open contact is no contact
  CHECK(sets[0].state == JointState::stuck);
  CHECK(sets[0].same == std::vector{JointState::free});
  CHECK(sets[0].modes[0].mode.kind == ModeKind::rigid);
  CHECK(sets[1].state == JointState::preload);
  CHECK(sets[1].equilibrium[0] == Approx(std::pow(load / 1e9, 2.0 / 3.0)).epsilon(accurate));
}

TEST_CASE("a cubic spring at a static offset", "[linear-modes]") {
  // 100 u + 4e6 u³ = 5: u = 0.01
  const Model model = resting(100.0, make_element(CubicSpring({.cubic_stiffness = 4e6})), 5.0);
  const double u = linear_modes(model, {.states = {JointState::preload}})[0].equilibrium[0];
  CHECK(100.0 * u + 4e6 * u * u * u == Approx(5.0).epsilon(accurate));
  CHECK(u == Approx(0.01).epsilon(accurate));
  CHECK(first_frequency(model, JointState::preload) == Approx(std::sqrt((100.0 + 1200.0) / 2.0)).epsilon(accurate));
  CHECK(first_frequency(model, JointState::stuck) == Approx(std::sqrt(50.0)).epsilon(accurate));
  CHECK(first_frequency(model, JointState::free) == Approx(std::sqrt(50.0)).epsilon(accurate));
}

TEST_CASE("a slider has its stick stiffness also where the static load makes it slip", "[linear-modes]") {
  const double load = GENERATE(0.0, 5.0, 60.0);
  const Model model = resting(1e4, make_element(Jenkins({.stiffness = 3e4, .slip_force = 10.0})), load);
  const std::vector<ModeSet> sets = linear_modes(model, {});
  REQUIRE(sets.size() == 2);
  CHECK(sets[0].same == std::vector{JointState::preload});
  CHECK(sets[0].modes[0].mode.omega == Approx(std::sqrt(2e4)).epsilon(accurate));
  CHECK(sets[1].modes[0].mode.omega == Approx(std::sqrt(5e3)).epsilon(accurate));
  const double expected = load < 10.0 ? load / 4e4 : (load - 10.0) / 1e4;
  CHECK(sets[0].equilibrium[0] == Approx(expected).margin(1e-12));
}

TEST_CASE("a stop that presses without any load", "[linear-modes]") {
  const Model pressed = resting(1e4, make_element(Unilateral({.stiffness = 3e4, .gap = -1e-3})), 0.0);
  CHECK(first_frequency(pressed, JointState::preload) == Approx(std::sqrt(2e4)).epsilon(accurate));
  const Model pulled = resting(1e4, make_element(Unilateral({.stiffness = 3e4, .gap = -1e-3})), -20.0);
  CHECK(first_frequency(pulled, JointState::preload) == Approx(std::sqrt(5e3)).epsilon(accurate));
}

TEST_CASE("a dashpot as a joint damps", "[linear-modes]") {
  const Model model = resting(1e4, make_element(Dashpot(40.0)), 0.0);
  const std::vector<ModeSet> sets = linear_modes(model, {});
  REQUIRE(sets.size() == 2);
  CHECK(sets[0].modes[0].mode.damping_ratio == Approx(40.0 / (2.0 * std::sqrt(2e4))).epsilon(accurate));
  CHECK(sets[1].modes[0].mode.damping_ratio == 0.0);
}

TEST_CASE("what moves most, and the modal mass that belongs to it", "[linear-modes]") {
  const Model model{.structure = chain({.masses = {1.0, 3.0}, .stiffnesses = {2.0, 2.0}}), .joints = {}, .loads = {}};
  const std::vector<ModeSet> sets = linear_modes(model, {});
  REQUIRE(sets.size() == 1);  // without joints all states are the same
  CHECK(sets[0].same.size() == 2);
  for (const LinearMode& found : sets[0].modes) {
    const Vector shape = found.mode.shape / found.largest_motion;
    CHECK(shape.cwiseAbs().maxCoeff() == Approx(1.0));
    CHECK(found.modal_mass == Approx(shape[0] * shape[0] + 3.0 * shape[1] * shape[1]).epsilon(accurate));
    CHECK(found.largest == (std::abs(shape[0]) > std::abs(shape[1]) ? "x1" : "x2"));
    CHECK(found.largest_motion > 0.0);
  }
}

TEST_CASE("a mode without motion at any node of a spectral beam is still seen", "[linear-modes]") {
  Beam beam;
  beam.sections = {{.end = 1.0, .youngs_modulus = 7e10, .density = 2700.0, .area = 1e-4, .inertia = 1e-10}};
  beam.points = {{"middle", 0.5}};
  beam.supports = {{.at = 0.0, .fixed = {true, true, false}}, {.at = 1.0, .fixed = {true, true, false}}};
  const std::vector<ModeSet> sets = linear_modes(
      {.structure = std::make_shared<SpectralBeam>(beam), .joints = {}, .loads = {}}, {.range = {.count = 2}});
  CHECK(sets[0].modes[0].largest == "middle.w");
  CHECK(sets[0].modes[0].modal_mass == Approx(0.5 * 0.27).epsilon(1e-8));  // half of the beam's mass
  CHECK_THAT(sets[0].modes[1].largest, Contains("w at x = 0."));
  CHECK(sets[0].modes[1].modal_mass == Approx(0.5 * 0.27).epsilon(1e-4));  // a place of the drawing is near the crest
}

TEST_CASE("a state that cannot be computed does not lose the others", "[linear-modes]") {
  SlipSlap::Parameters law{.normal_exponent = 1.5,
                           .friction_exponent = 1.0,
                           .normal_coefficient = 1e9,
                           .friction_coefficient = 0.3,
                           .unloading_rate = 1e3,
                           .stiffness_ratio = 0.8,
                           .approach = 1e-5};
  Model model{.structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {1e5, 1e5}}),
              .joints = {test::joint("lap", make_slip_slap(law), 2, {{{0, 1.0}}, {{1, 1.0}}})},
              .loads = {test::load(2, 0, 5.0, 0), test::load(2, 1, 40.0, 0)}};
  const std::vector<ModeSet> sets = linear_modes(model, {.states = {JointState::preload, JointState::free}});
  REQUIRE(sets.size() == 2);
  CHECK_FALSE(sets[0].complete);
  CHECK_THAT(sets[0].message, Contains("Joint 'lap'") && Contains("not symmetric"));
  CHECK(sets[1].complete);
  CHECK(sets[1].modes.size() == 2);

  Model floating{.structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {1e5}, .ground = ChainGround::none}),
                 .joints = {test::joint("stop", make_element(Unilateral({.stiffness = 1e4, .gap = 1e-3})), 2,
                                        {{{0, 1.0}, {1, -1.0}}})},
                 .loads = {test::load(2, 0, 5.0, 0)}};
  const std::vector<ModeSet> states = linear_modes(floating, {.states = {JointState::preload, JointState::stuck}});
  CHECK_FALSE(states[0].complete);
  CHECK(states[1].complete);
  CHECK(states[1].modes[0].mode.kind == ModeKind::rigid);
}

TEST_CASE("a preload along a quadratic motion softens what bends it", "[linear-modes]") {
  // x is held by a joint that feels x − ½ G w²: at a static load of 3 N on x its force 3 N takes 3 G from the stiffness of w.
  constexpr double spring = 10.0, sideways = 4.0, g = 0.5, load = 3.0;
  Model model{.structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {0.0, 0.0}}),
              .joints = {test::joint("along", make_element(LinearSpring(spring)), 2, {{{0, 1.0}}}),
                         test::joint("sideways", make_element(LinearSpring(sideways)), 2, {{{1, 1.0}}})},
              .loads = {test::load(2, 0, load, 0)}};
  SparseMatrix matrix(2, 2);
  matrix.insert(1, 1) = g;
  model.joints[0].quadratic = {{.input = 0, .matrix = matrix}};
  CHECK(first_frequency(model, JointState::preload) == Approx(std::sqrt(sideways - load * g)).epsilon(accurate));
  CHECK(first_frequency(model, JointState::stuck) == Approx(std::sqrt(sideways)).epsilon(accurate));
}

TEST_CASE("modes of a reduced beam have the shapes of the full one", "[linear-modes]") {
  Beam beam;
  beam.theory = BeamTheory::euler_bernoulli;
  beam.sections = {{.begin = 0.0,
                    .end = 0.5,
                    .youngs_modulus = 210e9,
                    .density = 7850.0,
                    .area = 2e-4,
                    .inertia = 0.02 * 1e-6 / 12.0}};
  beam.supports = {{.at = 0.0, .fixed = {true, true, true}}};
  beam.points = {{"tip", 0.5}};
  const auto full = finite_element_beam(beam, {.elements = 30});
  const Index tip = full->find("tip.w");
  const auto law = make_element(Jenkins({.stiffness = 5e4, .slip_force = 1.0}));
  const Model whole{.structure = full, .joints = {test::joint("rub", law, full->size(), {{{tip, 1.0}}})}, .loads = {}};
  const auto reduced_modes = [&](Index modes) {
    const auto reduced = reduce(full, {.boundary = {tip}, .modes = modes});
    Model small = whole;
    small.structure = reduced;
    small.joints[0].directions =
        SparseMatrix(Matrix(reduced->shapes().transpose() * whole.joints[0].directions).sparseView());
    return linear_modes(small, {.states = {JointState::stuck}, .range = {.count = 3}}).front();
  };
  const ModeSet exact = linear_modes(whole, {.states = {JointState::stuck}, .range = {.count = 3}}).front();
  const ModeSet few = reduced_modes(12), many = reduced_modes(24);
  CHECK(few.coordinates == full->coordinates());
  for (std::size_t i = 0; i < 3; ++i) {
    const NaturalMode& a = exact.modes[i].mode;
    const NaturalMode& b = few.modes[i].mode;
    const double error = b.omega / a.omega - 1.0, less = many.modes[i].mode.omega / a.omega - 1.0;
    // Rayleigh-Ritz: never too low, but for rounding. A mode m with the tip held that is left out counts with its share in the
    // static shape of the tip, 1/m², over its own λ, m⁴: the sum over m > n goes with n⁻⁵. Of 12 modes 9 bend, of 24 modes 18.
    CHECK(less > -1e-9);
    CHECK(error > 16.0 * less);
    CHECK((a.shape - b.shape).norm() < 1e-2 * a.shape.norm());
    CHECK(b.x.size() == 31);
    CHECK(few.modes[i].largest == exact.modes[i].largest);
  }
}

TEST_CASE("a shear mode turns the sections: its modal mass is their rotary inertia", "[linear-modes]") {
  Beam beam;
  beam.theory = BeamTheory::timoshenko;
  const double inertia = 0.02 * 1e-6 / 12.0;
  beam.sections = {
      {.begin = 0.0, .end = 0.03, .youngs_modulus = 210e9, .density = 7850.0, .area = 2e-4, .inertia = inertia}};
  beam.supports = {{.at = 0.0, .fixed = {true, true, false}}, {.at = 0.03, .fixed = {false, true, false}}};
  const BeamSection& s = beam.sections[0];
  // w = 0, phi the same everywhere: ρI ω² = κGA
  const double cut_off = std::sqrt(s.shear_factor * s.shear_modulus() * s.area / (s.density * s.inertia));
  const double rotary = s.density * s.inertia * 0.03;
  const auto nearest = [&](std::shared_ptr<const Structure> structure) {
    const Model model{.structure = std::move(structure), .joints = {}, .loads = {}};
    const ModeSet set = linear_modes(model, {.range = {.count = 12}}).front();
    CHECK_FALSE(set.modes[0].turns());
    const auto away = [&](const LinearMode& mode) { return std::abs(mode.mode.omega / cut_off - 1.0); };
    return *std::min_element(set.modes.begin(), set.modes.end(),
                             [&](const LinearMode& a, const LinearMode& b) { return away(a) < away(b); });
  };
  const LinearMode exact = nearest(std::make_shared<const SpectralBeam>(beam));
  CHECK(exact.turns());
  CHECK(exact.mode.omega == Approx(cut_off).epsilon(1e-9));
  CHECK(exact.modal_mass == Approx(rotary).epsilon(1e-9));
  // Elements err by the square of their length.
  const LinearMode coarse = nearest(finite_element_beam(beam, {.elements = 40}));
  const LinearMode fine = nearest(finite_element_beam(beam, {.elements = 80}));
  CHECK(fine.turns());
  CHECK((coarse.mode.omega - cut_off) / (fine.mode.omega - cut_off) == Approx(4.0).epsilon(0.05));
  CHECK((coarse.modal_mass - rotary) / (fine.modal_mass - rotary) == Approx(4.0).epsilon(0.05));
}
