// Floquet multipliers where joints feel u = b·q − ½ qᵀGq, against period maps by time integration.
#include "lift_off.hpp"
#include "masing/analysis/stability.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/linear.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/core/error.hpp"
#include "masing/structure/beam_shortening.hpp"
#include "masing/structure/finite_element_beam.hpp"
#include "masing/structure/lumped.hpp"
#include "masing/structure/spectral_beam.hpp"
#include "period_map.hpp"
#include "shooting.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace masing;
using test::joint;
using test::load;

namespace {

// Not definite: squares of either sign.
Matrix curvature() { return Matrix{{0.9, 0.5}, {0.5, -0.6}}; }

Model two_masses(const std::vector<std::shared_ptr<const ContactElement>>& laws, double force) {
  Model model{.structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {2.0, 1.5}, .dampings = {0.05, 0.03}}),
              .loads = {load(2, 0, force)}};
  for (const auto& law : laws) {
    model.joints.push_back(joint("curved" + std::to_string(model.joints.size()), law, 2, {{{0, 1.0}, {1, 0.4}}}));
    model.joints.back().quadratic = {{0, curvature().sparseView()}};
  }
  return model;
}

/// Largest change of a multiplier that the quadratic motion makes: without it the test would show nothing.
double effect_of_bending(const Model& model, const std::vector<int>& harmonics, const Matrix& all, double omega) {
  Model straight = model;
  for (Joint& each : straight.joints) each.quadratic.clear();
  const auto bent = Stability(model, harmonics, {.method = StabilityMethod::monodromy}).evaluate(all, omega).values;
  const auto flat = Stability(straight, harmonics, {.method = StabilityMethod::monodromy}).evaluate(all, omega).values;
  return std::abs(std::abs(bent.front()) - std::abs(flat.front())) + std::abs(bent.front() - flat.front());
}

const std::vector<int> up_to_fifteen = HarmonicSet::up_to(15).harmonics();

}  // namespace

TEST_CASE("a smooth law that feels a quadratic motion has the multipliers of its variational equation") {
  const double omega = 0.9;
  const Model model = two_masses({make_element(Polynomial(1, {{0, 0.8, {1}}, {0, 0.5, {3}}}))}, 0.5);
  const Matrix all = test::balanced(model, up_to_fifteen, omega);
  const Matrix damping{{0.08, -0.03}, {-0.03, 0.03}}, stiffness{{3.5, -1.5}, {-1.5, 1.5}};
  const Vector direction{{1.0, 0.4}};
  const test::Shooting shooting(
      damping,
      [&](const Vector& q, Vector& f, Matrix& slope) {
        const Vector along = direction - curvature() * q;
        const double u = direction.dot(q) - 0.5 * q.dot(curvature() * q);
        const double force = 0.8 * u + 0.5 * u * u * u;
        f = stiffness * q + force * along;
        slope = stiffness + (0.8 + 1.5 * u * u) * along * along.transpose() - force * curvature();
      },
      Vector{{0.5, 0.0}});
  Vector start = test::state_at_zero(all, omega);
  const Vector balanced = start;
  const test::Shooting::Map closed = shooting.close(start, omega, 1.0);
  CHECK((start - balanced).norm() < 1e-8 * start.norm());  // fifteen harmonics have converged
  const auto found = Stability(model, up_to_fifteen, {.method = StabilityMethod::automatic}).evaluate(all, omega);
  CHECK(found.method == StabilityMethod::monodromy);
  CHECK(effect_of_bending(model, up_to_fifteen, all, omega) > 0.05);
  // (2π/1024)⁴ ≈ 1.4e-9 times derivatives; two multipliers lie 0.03 apart, which takes a further factor of 30.
  const auto expected = test::eigenvalues(closed.derivative);
  test::check_same(found.values, expected, 5e-8);
  // Nothing is left out: what remains is the error of the march, of fourth order, as without a quadratic motion.
  const auto error = [&](Index steps) {
    const auto values = Stability(model, up_to_fifteen, {.method = StabilityMethod::monodromy, .steps = steps})
                            .evaluate(all, omega)
                            .values;
    double largest = 0.0;
    for (const Complex& value : expected) {
      double nearest = 1e300;
      for (const Complex& other : values) nearest = std::min(nearest, std::abs(other - value));
      largest = std::max(largest, nearest);
    }
    return largest;
  };
  CHECK(error(960) / error(1920) == Approx(16.0).epsilon(0.1));
}

TEST_CASE("a dashpot that feels a quadratic motion has the multipliers of its period map") {
  const double omega = 0.9;
  const Model model = two_masses({make_element(Dashpot(0.4)), make_element(Polynomial(1, {{0, 0.5, {3}}}))}, 0.8);
  const Matrix all = test::balanced(model, up_to_fifteen, omega);
  Vector q = Vector::Zero(2), v = Vector::Zero(2);
  const auto expected = test::by_period_map(model, omega, 0.0, 150, q, v);
  const auto found = Stability(model, up_to_fifteen, {.method = StabilityMethod::monodromy}).evaluate(all, omega);
  CHECK(effect_of_bending(model, up_to_fifteen, all, omega) > 0.01);
  // Central differences with steps of 1e-4 of the motion: 1e-8 times third derivatives of the map.
  test::check_same(found.values, expected, 1e-6);
}

TEST_CASE("a slider that feels a quadratic motion has the multipliers of its period map") {
  const double omega = 1.1;
  const Model model = two_masses({make_element(Jenkins({.stiffness = 2.0, .slip_force = 0.3}))}, 0.9);
  const std::vector<int> harmonics = HarmonicSet::up_to(40).harmonics();
  const Matrix all = test::balanced(model, harmonics, omega);
  // Somewhere in forward slip beyond u = slip displacement the slider is where a virgin one would be dragged to.
  double phase = 0.0;
  for (double t = 0.0; t < 2.0 * pi; t += 0.01) {
    Vector q = all.col(0), rate = Vector::Zero(2);
    for (int k = 1; k <= 40; ++k) {
      q += all.col(2 * k - 1) * std::cos(k * t) + all.col(2 * k) * std::sin(k * t);
      rate += k * (all.col(2 * k) * std::cos(k * t) - all.col(2 * k - 1) * std::sin(k * t));
    }
    const Vector along = Vector{{1.0, 0.4}} - curvature() * q;
    const double u = q[0] + 0.4 * q[1] - 0.5 * q.dot(curvature() * q);
    if (u > 0.2 && along.dot(rate) > 0.1) phase = t;
  }
  REQUIRE(phase > 0.0);
  Vector q = Vector::Zero(2), v = Vector::Zero(2);
  const auto expected = test::by_period_map(model, omega, phase, 200, q, v);
  const auto found = Stability(model, harmonics, {.method = StabilityMethod::automatic}).evaluate(all, omega);
  CHECK(effect_of_bending(model, harmonics, all, omega) > 0.01);
  // Forty harmonics of a force with kinks: 1/40² of a part of the motion.
  test::check_same(found.values, expected, 2e-4);
}

TEST_CASE(
    "a slip/slap contact that feels a quadratic motion has the multipliers of its period map, its jump included") {
  // As for straight motions: an open contact remembers nothing, and the published law jumps where it begins to slide.
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.05}), .loads = {load(1, 0, 3.0)}};
  model.joints = {joint("contact", test::slip_slap_that_lifts_off(), 1, {{{0, 1.0}}, {{0, 0.3}}})};
  model.joints.back().quadratic = {{0, Matrix{{0.1}}.sparseView()}, {1, Matrix{{0.02}}.sparseView()}};
  const double omega = 1.4;
  const std::vector<int> harmonics = HarmonicSet::up_to(60).harmonics();
  const Matrix all = test::balanced(model, harmonics, omega);
  const test::Instant open = test::lowest(all);
  REQUIRE(0.3 * open.value - 0.01 * open.value * open.value + 0.3 < -0.01);
  Vector q = Vector::Zero(1), v = Vector::Zero(1);
  const auto expected = test::by_period_map(model, omega, open.phase, 200, q, v);
  const auto found = Stability(model, harmonics, {.method = StabilityMethod::monodromy}).evaluate(all, omega);
  INFO("lowest " << open.value << " and " << q[0]);
  CHECK(effect_of_bending(model, harmonics, all, omega) > 0.01);
  // Differences of the map scatter by 1e-4 whatever their step.
  test::check_same(found.values, expected, 2e-4);
}

TEST_CASE("the stability of an exact beam whose shortening a slider feels is that of its finite elements") {
  Beam beam{.theory = BeamTheory::euler_bernoulli,
            .sections = {{.end = 0.6,
                          .youngs_modulus = 210e9,
                          .density = 7850,
                          .area = 2e-4,
                          .inertia = 4.2e-10,
                          .loss_factor = 0.002}},
            .points = {{"second", 0.15}, {"middle", 0.3}, {"fourth", 0.45}, {"tip", 0.6}},
            .supports = {{.fixed = {true, true, true}}, {.at = 0.6, .fixed = {false, true, false}}}};
  const auto model_of = [&](std::shared_ptr<const Structure> structure) {
    const auto names = structure->coordinates();
    const auto n = static_cast<Index>(names.size());
    const auto at = [&](const char* name) -> Index {
      return std::find(names.begin(), names.end(), name) - names.begin();
    };
    Model model{.structure = structure, .loads = {load(n, at("middle.w"), 25.0)}};
    model.joints = {
        joint("slider", make_element(Jenkins({.stiffness = 2e6, .slip_force = 60.0})), n, {{{at("tip.u"), 1.0}}})};
    model.joints[0].quadratic = {{0, shortening(*structure, 0.0, 0.6, 4).matrix}};
    return model;
  };
  const double omega = 2.0 * pi * 50.0;
  const std::vector<int> harmonics = HarmonicSet::up_to(5).harmonics();
  const Model exact = model_of(std::make_shared<const SpectralBeam>(beam));
  const Model mesh = model_of(finite_element_beam(beam, {.elements = 24}));
  const auto values = [&](const Model& model) {
    const Matrix motion = test::balanced(model, harmonics, omega);
    return Stability(model, harmonics, {.method = StabilityMethod::monodromy}).evaluate(motion, omega).values;
  };
  const auto found = values(exact), expected = values(mesh);
  CHECK(effect_of_bending(exact, harmonics, test::balanced(exact, harmonics, omega), omega) > 1e-3);
  // 24 elements put the first bending modes 1e-6 too high, and a mode turns by some of its frequency in a period. The largest
  // moduli belong to the lowest modes.
  REQUIRE(std::min(found.size(), expected.size()) >= 4);
  for (std::size_t i = 0; i < 4; ++i) {
    INFO("multiplier " << found[i] << ", by the mesh " << expected[i]);
    CHECK(std::abs(found[i]) == Approx(std::abs(expected[i])).epsilon(1e-5));
  }
  CHECK(std::abs(std::arg(found[0])) == Approx(std::abs(std::arg(expected[0]))).margin(1e-5));
}

TEST_CASE("Hill's method is refused where joints feel a quadratic motion, with the remedy") {
  const Model model = two_masses({make_element(LinearSpring(1.0))}, 0.5);
  CHECK_THROWS_WITH(Stability(model, {0, 1, 2}, {.method = StabilityMethod::hill}),
                    Catch::Contains("shortening") && Catch::Contains("monodromy"));
}
