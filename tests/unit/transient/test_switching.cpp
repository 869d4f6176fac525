// Changes of phase are located: stick-slip and contact against piecewise closed forms.
#include "masing/contact/unilateral.hpp"
#include "systems.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using masing::test::joint;
using masing::test::load;
using masing::test::tight;
using masing::test::vector;

namespace {

constexpr double piecewise_tolerance = 1e-9;
// Instants of switching are located to 1e-12 of a period, but shift with the error of the motion.
constexpr double instant_tolerance = 1e-9;

// Mass on a spring K with a Jenkins element k, f_s beside it, thrown from rest position with v0 > 0. Piecewise
// harmonic.
struct StickSlip {
  double m = 1.0, K = 20.0, k = 80.0, fs = 4.0, v0 = 3.0;

  double stuck() const { return std::sqrt((K + k) / m); }
  double sliding() const { return std::sqrt(K / m); }
  // First slip, reversal, second slip.
  double t1 = std::asin(fs / k * stuck() / v0) / stuck();
  double x1 = fs / k;
  double v1 = v0 * std::cos(stuck() * t1);
  double t2 = t1 + std::atan2(v1, sliding() * (x1 + fs / K)) / sliding();
  double x2 = slide(t2);
  double z = x2 - fs / k;
  double centre = k * z / (K + k);
  double t3 = t2 + std::acos((z - fs / k - centre) / (x2 - centre)) / stuck();

  double slide(double t) const {
    const double s = sliding() * (t - t1);
    return -fs / K + (x1 + fs / K) * std::cos(s) + v1 / sliding() * std::sin(s);
  }
  double position(double t) const {  // until t3
    if (t < t1) return v0 / stuck() * std::sin(stuck() * t);
    if (t < t2) return slide(t);
    return centre + (x2 - centre) * std::cos(stuck() * (t - t2));
  }
};

}  // namespace

TEST_CASE("stick-slip: motion and instants of switching against the piecewise closed form") {
  const StickSlip exact;
  const auto structure = oscillator({.mass = exact.m, .stiffness = exact.K});
  const std::vector<Joint> joints = {joint("slider", Jenkins({.stiffness = exact.k, .slip_force = exact.fs}), {1.0})};
  TimeIntegrator integrator(*structure, joints, {}, {}, tight);
  integrator.set_state(vector({0.0}), vector({exact.v0}));

  const auto check_phases_around = [&](double instant, std::string_view before, std::string_view after) {
    integrator.advance_to(instant - instant_tolerance);
    CHECK(integrator.joint_phase(0) == before);
    integrator.advance_to(instant + instant_tolerance);
    CHECK(integrator.joint_phase(0) == after);
    CHECK(integrator.displacement()[0] == Approx(exact.position(integrator.time())).margin(piecewise_tolerance));
  };
  check_phases_around(exact.t1, "stick", "slip+");
  CHECK(integrator.joint_force(0)[0] == exact.fs);
  check_phases_around(exact.t2, "slip+", "stick");
  check_phases_around(exact.t3, "stick", "slip-");
  CHECK(integrator.joint_force(0)[0] == -exact.fs);
  CHECK(integrator.counters().switches == 3);
  CHECK(integrator.joint_memory()[0] == Approx(exact.z).margin(piecewise_tolerance));
}

TEST_CASE("a slider alone ends in a cycle that just touches its limit") {
  // Without another spring the mass ends up swinging with the amplitude f_s/k about z = x2 - f_s/k: grazing in every
  // half.
  const double k = 100.0, fs = 2.0, v0 = 1.0, omega = 10.0;
  const auto structure = oscillator({.mass = 1.0, .stiffness = 0.0});
  const std::vector<Joint> joints = {joint("slider", Jenkins({.stiffness = k, .slip_force = fs}), {1.0})};
  TimeIntegrator integrator(*structure, joints, {}, {}, tight);
  integrator.set_state(vector({0.0}), vector({v0}));
  const double t1 = std::asin(fs * omega / (k * v0)) / omega;
  const double v1 = v0 * std::cos(omega * t1);
  const double t2 = t1 + v1 / fs;
  const double x2 = fs / k + 0.5 * v1 * v1 / fs;
  for (const double t : {t2 + 0.2, t2 + 0.7, t2 + 3.3}) {
    integrator.advance_to(t);
    const double expected = x2 - fs / k + fs / k * std::cos(omega * (t - t2));
    CHECK(integrator.displacement()[0] == Approx(expected).margin(piecewise_tolerance));
  }
}

TEST_CASE("a slider released beyond its limit sticks at once") {
  const auto structure = oscillator({.mass = 1.0, .stiffness = 50.0});
  const std::vector<Joint> joints = {joint("slider", Jenkins({.stiffness = 100.0, .slip_force = 2.0}), {1.0})};
  TimeIntegrator integrator(*structure, joints, {}, {}, tight);
  integrator.set_state(vector({0.1}), vector({0.0}));
  CHECK(integrator.joint_force(0)[0] == 2.0);
  const double t = 0.05;
  integrator.advance_to(t);
  CHECK(integrator.joint_phase(0) == "stick");
  const double z = 0.1 - 0.02, centre = 100.0 * z / 150.0;
  const double expected = centre + (0.1 - centre) * std::cos(std::sqrt(150.0) * t);
  CHECK(integrator.displacement()[0] == Approx(expected).margin(piecewise_tolerance));
}

TEST_CASE("a spring that is stiffer on one side: the period is the sum of two halves") {
  const double m = 1.3, open = 40.0, contact = 360.0;
  const auto structure = oscillator({.mass = m, .stiffness = open});
  const std::vector<Joint> joints = {joint("stop", Unilateral({.stiffness = contact, .gap = 0.0}), {1.0})};
  TimeIntegrator integrator(*structure, joints, {}, {}, tight);
  integrator.set_state(vector({-0.2}), vector({0.0}));
  const double period = pi / std::sqrt(open / m) + pi / std::sqrt((open + contact) / m);
  integrator.advance_to(10.0 * period);
  CHECK(integrator.displacement()[0] == Approx(-0.2).epsilon(piecewise_tolerance));
  CHECK(integrator.velocity()[0] == Approx(0.0).margin(piecewise_tolerance));
  CHECK(integrator.counters().switches == 20);
}

TEST_CASE("a mass bouncing on a stop under its weight") {
  const double m = 0.5, k = 2000.0, weight = 5.0, speed = 1.2, gap = 0.1;
  const auto structure = oscillator({.mass = m, .stiffness = 0.0});
  const std::vector<Joint> joints = {joint("floor", Unilateral({.stiffness = k, .gap = gap}), {1.0})};
  const std::vector<Load> loads = {load({weight}, 0)};
  TimeIntegrator integrator(*structure, joints, loads, {}, {.relative_tolerance = 1e-11, .max_step = 0.01});
  integrator.set_state(vector({gap}), vector({speed}));
  // In contact u = d + R cos(ωt − ψ) with d = weight/k, R cos ψ = −d, R sin ψ = v/ω: it lasts 2ψ/ω. Then a throw.
  const double omega = std::sqrt(k / m);
  const double in_contact = 2.0 * std::atan2(speed / omega, -weight / k) / omega;
  const double flight = 2.0 * speed * m / weight;
  integrator.advance_to(in_contact);
  CHECK(integrator.velocity()[0] == Approx(-speed).epsilon(piecewise_tolerance));
  integrator.advance_to(5.0 * (in_contact + flight));
  CHECK(integrator.displacement()[0] == Approx(gap).epsilon(piecewise_tolerance));
  CHECK(integrator.velocity()[0] == Approx(speed).epsilon(piecewise_tolerance));
}

TEST_CASE("a visit to the stop much shorter than a step is not missed") {
  // Free oscillation that reaches the stop for about a 100th of its period; steps are a 4th of a period.
  const double gap = 1.0 - 0.5e-3;  // above it for 2 arccos(gap) = 0.063 of 2π
  const auto structure = oscillator({.mass = 1.0, .stiffness = 1.0});
  const std::vector<Joint> joints = {joint("stop", Unilateral({.stiffness = 1000.0, .gap = gap}), {1.0})};
  TimeIntegrator integrator(*structure, joints, {}, {}, {.relative_tolerance = 1e-6, .steps_per_period = 4});
  integrator.set_state(vector({0.0}), vector({1.0}));
  integrator.advance_to(2.0);
  CHECK(integrator.counters().switches == 2);
}

TEST_CASE("tightening the tolerance lowers the error in spite of the switching") {
  const auto structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {40.0, 60.0}, .dampings = {0.5, 0.2}});
  const std::vector<Joint> joints = {joint("slider", Jenkins({.stiffness = 50.0, .slip_force = 1.0}), {0.0, 1.0}),
                                     joint("stop", Unilateral({.stiffness = 200.0, .gap = 0.02}), {1.0, 0.0})};
  const std::vector<Load> loads = {load({0.0, 5.0})};
  const auto run = [&](double tolerance, int steps) {
    TimeIntegrator integrator(*structure, joints, loads, {.omega = 5.0},
                              {.relative_tolerance = tolerance, .steps_per_period = steps});
    integrator.advance_to(8.0);
    CHECK(integrator.counters().switches > 20);
    return Vector(integrator.displacement());
  };
  const Vector reference = run(1e-13, 64);
  double before = 1.0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const double error = (run(tolerance, 8) - reference).norm() / reference.norm();
    CHECK(error < 0.1 * before);        // a hundred times tighter: at least ten times better
    CHECK(error < 1000.0 * tolerance);  // about 100 steps, and instants that shift with them
    before = error;
  }
}

TEST_CASE("joints that switch at the same instant all switch") {
  const auto structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {20.0, 0.0, 20.0}, .ground = ChainGround::both});
  const Jenkins law({.stiffness = 80.0, .slip_force = 4.0});
  const std::vector<Joint> joints = {joint("left", law, {1.0, 0.0}), joint("right", law, {0.0, 1.0})};
  TimeIntegrator integrator(*structure, joints, std::vector{load({10.0, 10.0})}, {.omega = 4.0}, tight);
  integrator.advance_to(10.0);
  CHECK(integrator.displacement()[0] == integrator.displacement()[1]);
  CHECK(integrator.joint_phase(0) == integrator.joint_phase(1));
  CHECK(integrator.counters().switches > 8);
  CHECK(integrator.counters().switches % 2 == 0);
}

TEST_CASE("a preloaded slider in equilibrium stays there") {
  const auto structure = oscillator({.mass = 1.0, .stiffness = 20.0});
  const std::vector<Joint> joints = {joint("slider", Jenkins({.stiffness = 80.0, .slip_force = 4.0}), {1.0})};
  TimeIntegrator integrator(*structure, joints, std::vector{load({2.0}, 0)}, {}, tight);
  integrator.set_state(vector({0.02}), vector({0.0}));
  integrator.advance_to(10.0);
  CHECK(integrator.displacement()[0] == Approx(0.02).epsilon(piecewise_tolerance));
  CHECK(integrator.joint_force(0)[0] == Approx(1.6).epsilon(piecewise_tolerance));
  CHECK(integrator.counters().switches == 0);
}

TEST_CASE("the same run twice is the same to the last bit, also after a new start") {
  const auto structure = oscillator({.mass = 1.0, .stiffness = 20.0, .damping = 0.3});
  const std::vector<Joint> joints = {joint("slider", Jenkins({.stiffness = 80.0, .slip_force = 4.0}), {1.0})};
  const std::vector<Load> loads = {load({6.0})};
  TimeIntegrator first(*structure, joints, loads, {.omega = 4.0});
  first.advance_to(7.0);
  const double once = first.displacement()[0];
  TimeIntegrator second(*structure, joints, loads, {.omega = 4.0});
  second.advance_to(3.0);
  second.set_state(vector({0.0}), vector({0.0}));
  second.advance_to(7.0);
  CHECK(second.displacement()[0] == once);
}
