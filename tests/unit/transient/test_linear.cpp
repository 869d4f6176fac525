// Time integration of linear and smooth systems against closed forms.
#include "masing/contact/linear.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/transient/integrator.hpp"
#include "systems.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using masing::test::joint;
using masing::test::load;
using masing::test::vector;

namespace {

// The default tolerance is 1e-9 a step; the error of some hundred steps stays below ten times that.
constexpr double closed_form_tolerance = 1e-8;
// Rounding of a few thousand steps.
constexpr double rounding_tolerance = 1e-11;

struct Linear {
  double m = 2.0, c = 0.8, k = 50.0;

  std::shared_ptr<const MatrixStructure> structure() const {
    return oscillator({.mass = m, .stiffness = k, .damping = c});
  }
  // [x; v] of the free motion after t.
  Eigen::Vector2d free(const Eigen::Vector2d& start, double t) const {
    const double decay = c / (2.0 * m);
    const double omega = std::sqrt(k / m - decay * decay);
    const double b = (start[1] + decay * start[0]) / omega;
    const double e = std::exp(-decay * t), cosine = std::cos(omega * t), sine = std::sin(omega * t);
    const double x = e * (start[0] * cosine + b * sine);
    return {x, -decay * x + e * omega * (b * cosine - start[0] * sine)};
  }
  // [x; v] of the steady answer to p cos(w t + phase) at t; w = 0: static.
  Eigen::Vector2d steady(double p, double w, double phase, double t) const {
    const Complex x = p * std::polar(1.0, w * t + phase) / Complex(k - m * w * w, c * w);
    return {x.real(), (Complex(0.0, w) * x).real()};
  }
};

}  // namespace

TEST_CASE("a damped oscillator decays as the closed form says") {
  const Linear system;
  const auto structure = system.structure();
  TimeIntegrator integrator(*structure, {}, {}, {});
  integrator.set_state(vector({0.01}), vector({0.3}));
  for (const double t : {0.4, 1.7, 3.7}) {
    integrator.advance_to(t);
    const Eigen::Vector2d expected = system.free({0.01, 0.3}, t);
    CHECK(integrator.time() == t);
    CHECK(integrator.displacement()[0] == Approx(expected[0]).margin(closed_form_tolerance * 0.06));
    CHECK(integrator.velocity()[0] == Approx(expected[1]).margin(closed_form_tolerance * 0.3));
    const double acceleration = -(system.k * expected[0] + system.c * expected[1]) / system.m;
    CHECK(integrator.acceleration()[0] == Approx(acceleration).margin(closed_form_tolerance * 1.5));
  }
  CHECK(integrator.counters().switches == 0);
}

TEST_CASE("several harmonics with phases and a static load, from rest") {
  const Linear system;
  const auto structure = system.structure();
  const double omega = 3.1, level = 0.7, t = 7.3;
  const std::vector<Load> loads = {load({5.0}, 0), load({2.0}, 1, 0.4), load({1.5}, 3, -1.1)};
  TimeIntegrator integrator(*structure, {}, loads, {.level = level, .omega = omega});
  integrator.advance_to(t);

  const auto steady = [&](double time) {
    return Eigen::Vector2d(system.steady(5.0, 0.0, 0.0, time) + system.steady(level * 2.0, omega, 0.4, time) +
                           system.steady(level * 1.5, 3.0 * omega, -1.1, time));
  };
  const Eigen::Vector2d expected = steady(t) + system.free(-steady(0.0), t);
  CHECK(integrator.displacement()[0] == Approx(expected[0]).epsilon(closed_form_tolerance));
  CHECK(integrator.velocity()[0] == Approx(expected[1]).epsilon(closed_form_tolerance));
}

TEST_CASE("where the integration stops on its way does not matter") {
  const Linear system;
  const auto structure = system.structure();
  const std::vector<Load> loads = {load({2.0})};
  TimeIntegrator direct(*structure, {}, loads, {.omega = 3.0});
  TimeIntegrator stopping(*structure, {}, loads, {.omega = 3.0});
  direct.advance_to(4.0);
  for (int i = 1; i <= 1000; ++i) stopping.advance_to(4.0 * i / 1000.0);
  CHECK(stopping.displacement()[0] == Approx(direct.displacement()[0]).epsilon(closed_form_tolerance));
}

TEST_CASE("the tolerance is relative to the motion: tiny motions are as exact as large ones") {
  const Linear system;
  const auto structure = system.structure();
  constexpr double tiny = 0x1p-30;  // a power of two: scaling is exact, so both runs take the same steps
  TimeIntegrator large(*structure, {}, std::vector{load({2.0})}, {.omega = 3.0});
  TimeIntegrator small(*structure, {}, std::vector{load({2.0 * tiny})}, {.omega = 3.0});
  large.advance_to(5.0);
  small.advance_to(5.0);
  CHECK(small.displacement()[0] == large.displacement()[0] * tiny);
  CHECK(small.counters().steps == large.counters().steps);
}

TEST_CASE("an undamped chain keeps its energy") {
  const auto structure = chain({.masses = {1.0, 2.0, 0.5}, .stiffnesses = {100.0, 400.0, 50.0}});
  TimeIntegrator integrator(*structure, {}, {}, {}, {.relative_tolerance = 1e-12});
  integrator.set_state(vector({0.01, -0.02, 0.03}), vector({0.1, 0.0, -0.2}));
  const auto energy = [&] {
    const Vector q = integrator.displacement(), v = integrator.velocity();
    return 0.5 * v.dot(structure->mass() * v) + 0.5 * q.dot(structure->stiffness() * q);
  };
  const double before = energy();
  integrator.advance_to(100.0);
  constexpr double energy_tolerance = 1e-9;  // some 1e4 steps with an error of at most 1e-12 each, added up
  CHECK(energy() == Approx(before).epsilon(energy_tolerance));
}

TEST_CASE("a cubic joint keeps its energy too") {
  const auto structure = oscillator({.mass = 1.0, .stiffness = 1.0});
  const std::vector<Joint> joints = {joint("cubic", CubicSpring({.cubic_stiffness = 0.5}), {1.0})};
  TimeIntegrator integrator(*structure, joints, {}, {}, {.relative_tolerance = 1e-12});
  integrator.set_state(vector({2.0}), vector({0.0}));
  const auto energy = [&] {
    const double x = integrator.displacement()[0], v = integrator.velocity()[0];
    return 0.5 * v * v + 0.5 * x * x + 0.125 * x * x * x * x;
  };
  const double before = energy();
  integrator.advance_to(50.0);
  constexpr double energy_tolerance = 1e-9;
  CHECK(energy() == Approx(before).epsilon(energy_tolerance));
  CHECK(integrator.joint_force(0)[0] ==
        Approx(0.5 * std::pow(integrator.displacement()[0], 3)).epsilon(rounding_tolerance));
}

TEST_CASE("a linear spring and dashpot as a joint equal the same in the structure") {
  const auto bare = chain({.masses = {1.0, 2.0}, .stiffnesses = {100.0, 0.0}});
  const auto complete = chain({.masses = {1.0, 2.0}, .stiffnesses = {100.0, 40.0}, .dampings = {0.0, 0.3}});
  const std::vector<Joint> joints = {joint("spring", LinearSpring(40.0), {-1.0, 1.0}),
                                     joint("dashpot", Dashpot(0.3), {-1.0, 1.0})};
  const std::vector<Load> loads = {load({0.0, 3.0})};
  TimeIntegrator with_joint(*bare, joints, loads, {.omega = 5.0});
  TimeIntegrator without(*complete, {}, loads, {.omega = 5.0});
  with_joint.advance_to(6.0);
  without.advance_to(6.0);
  CHECK((with_joint.displacement() - without.displacement()).norm() < rounding_tolerance);
  const Motion<Eigen::Dynamic> motion = with_joint.joint_motion(0);
  CHECK(motion.displacement[0] == with_joint.displacement()[1] - with_joint.displacement()[0]);
  CHECK(with_joint.joint_force(0)[0] == Approx(40.0 * motion.displacement[0]).epsilon(rounding_tolerance));
  CHECK(with_joint.joint_force(1)[0] == Approx(0.3 * motion.velocity[0]).epsilon(rounding_tolerance));
}

TEST_CASE("a full mass matrix is factorised, not just divided by its diagonal") {
  Matrix mass(2, 2), stiffness(2, 2);
  mass << 2.0, 0.5, 0.5, 1.0;
  stiffness << 30.0, -10.0, -10.0, 20.0;
  const MatrixStructure structure({.mass = mass.sparseView(), .stiffness = stiffness.sparseView()});
  TimeIntegrator integrator(structure, {}, {}, {});
  integrator.set_state(vector({0.1, 0.2}), vector({0.0, 0.0}));
  const Vector inertia = mass * integrator.acceleration();
  CHECK((inertia + stiffness * vector({0.1, 0.2})).norm() < rounding_tolerance);
}

TEST_CASE("tightening the tolerance lowers the error of a smooth system") {
  const auto structure = oscillator({.mass = 1.0, .stiffness = 1.0});
  // Few steps a period, so that the error control decides.
  const auto error = [&](double tolerance) {
    TimeIntegrator integrator(*structure, {}, {}, {}, {.relative_tolerance = tolerance, .steps_per_period = 4});
    integrator.set_state(vector({1.0}), vector({0.0}));
    integrator.advance_to(30.0);
    return std::abs(integrator.displacement()[0] - std::cos(30.0));
  };
  double before = error(1e-4);
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    const double now = error(tolerance);
    CHECK(now < 0.1 * before);       // a hundred times tighter: at least ten times better
    CHECK(now < 100.0 * tolerance);  // about 30 steps add up
    before = now;
  }
}
