// Marching to the steady state, and what is true of it.
#include "masing/transient/steady.hpp"
#include "systems.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using masing::test::joint;
using masing::test::load;
using masing::test::vector;

namespace {

struct Slider {
  double k = 80.0, fs = 4.0, c = 1.5, force = 10.0, omega = 4.0;
  std::shared_ptr<const MatrixStructure> structure = oscillator({.mass = 1.0, .stiffness = 20.0, .damping = c});
  std::vector<Joint> joints = {joint("slider", Jenkins({.stiffness = k, .slip_force = fs}), {1.0})};
  std::vector<Load> loads = {load({force})};

  TimeIntegrator integrator(double level = 1.0) const {
    return {*structure, joints, loads, {.level = level, .omega = omega}, {.relative_tolerance = 1e-11}};
  }
};

}  // namespace

TEST_CASE("a sticking joint gives the linear steady state") {
  const Slider system;
  TimeIntegrator integrator = system.integrator(0.05);
  const SteadySummary summary = run_to_steady(integrator, {.tolerance = 1e-10});
  REQUIRE(summary.steady());
  const Complex x =
      0.05 * system.force / Complex(20.0 + system.k - system.omega * system.omega, system.c * system.omega);
  constexpr double tolerance = 1e-8;  // of the amplitude: 1e-10 a period, and what is still to come
  CHECK(integrator.displacement()[0] == Approx(x.real()).margin(tolerance * std::abs(x)));
  CHECK(integrator.velocity()[0] == Approx(-system.omega * x.imag()).margin(tolerance * system.omega * std::abs(x)));
  CHECK(integrator.counters().switches == 0);
}

TEST_CASE("the next period repeats, and its energy balance closes") {
  const Slider system;
  TimeIntegrator integrator = system.integrator();
  const SteadySummary summary = run_to_steady(integrator, {.tolerance = 1e-9});
  REQUIRE(summary.steady());
  CHECK(summary.change <= 1e-9);
  CHECK(summary.periods > 1);

  const double start = integrator.time(), x0 = integrator.displacement()[0], v0 = integrator.velocity()[0];
  constexpr int samples = 2048;
  double input = 0.0, dashpot = 0.0, loop = 0.0;
  integrator.restart_extent();
  for (int i = 1; i <= samples; ++i) {
    integrator.advance_to(start + i * integrator.period() / samples);
    const double v = integrator.velocity()[0], dt = integrator.period() / samples;
    input += dt * system.force * std::cos(system.omega * integrator.time()) * v;
    dashpot += dt * system.c * v * v;
    loop += dt * integrator.joint_force(0)[0] * v;
  }
  const double amplitude = 0.5 * (integrator.extent().highest[0] - integrator.extent().lowest[0]);
  CHECK(integrator.displacement()[0] == Approx(x0).margin(1e-8 * amplitude));  // ten times the steady tolerance
  CHECK(integrator.velocity()[0] == Approx(v0).margin(1e-8 * amplitude * system.omega));

  const double area = 4.0 * system.fs * (amplitude - system.fs / system.k);
  constexpr double smooth_sum = 1e-8;  // equidistant sums of periodic functions with continuous third derivatives
  constexpr double kinked_sum = 1e-5;  // the joint force has kinks: second order in 1/2048
  CHECK(input == Approx(dashpot + area).epsilon(smooth_sum));
  CHECK(loop == Approx(area).epsilon(kinked_sum));
}

TEST_CASE("two masses with a slider between them become steady") {
  const auto structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {40.0, 60.0}, .dampings = {0.4, 0.2}});
  const std::vector<Joint> joints = {joint("slider", Jenkins({.stiffness = 50.0, .slip_force = 1.0}), {-1.0, 1.0})};
  TimeIntegrator integrator(*structure, joints, std::vector{load({0.0, 5.0}), load({1.0, 0.0}, 0)}, {.omega = 5.0});
  int calls = 0;
  const SteadySummary summary =
      run_to_steady(integrator, {.tolerance = 1e-7}, [&](int, double) { return ++calls > 0; });
  REQUIRE(summary.steady());
  CHECK(calls == summary.periods);
  CHECK(summary.remaining >= 0.0);
  CHECK_THAT(summary.message,
             Catch::StartsWith("Steady after " + std::to_string(summary.periods) + " periods: the state"));
  PeriodComparison comparison(integrator);
  integrator.advance_to(integrator.time() + integrator.period());
  // Twice the tolerance: the changes shrink in waves, so one may be a little larger than the one before.
  CHECK(comparison.change_over_period() <= 2e-7);
}

TEST_CASE("light damping needs many periods, and the summary is honest about the rest") {
  const auto structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping_ratio = 0.01});
  TimeIntegrator integrator(*structure, {}, std::vector{load({1.0})}, {.omega = 1.0});
  const SteadySummary summary = run_to_steady(integrator, {.tolerance = 1e-4});
  REQUIRE(summary.steady());
  const double ratio = std::exp(-0.01 * 2.0 * pi);  // of the transient, a period
  CHECK(summary.remaining == Approx(summary.change * ratio / (1.0 - ratio)).epsilon(0.05));
  const double missing = std::abs(integrator.velocity()[0] - 50.0) / 50.0;  // steady: v = cos t / (2 ζ)
  CHECK(missing == Approx(summary.remaining).epsilon(0.05));
  CHECK(summary.periods > 50);
}

TEST_CASE("not steady within the allowed periods is a result with the reason") {
  const auto structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping_ratio = 0.01});
  TimeIntegrator integrator(*structure, {}, std::vector{load({1.0})}, {.omega = 1.3});
  const SteadySummary summary = run_to_steady(integrator, {.tolerance = 1e-6, .max_periods = 3});
  CHECK_FALSE(summary.steady());
  CHECK(summary.stop == SteadyStop::max_periods);
  CHECK(summary.periods == 3);
  CHECK(integrator.time() == Approx(3.0 * integrator.period()));
  CHECK_THAT(summary.message, Catch::StartsWith("Not steady after 3 periods: the state changed by ") &&
                                  Catch::Contains("(tolerance 1e-06)") && Catch::Contains("Raise max_periods"));
  CHECK(to_string(summary.stop) == "not steady after the allowed periods");
}

TEST_CASE("a callback stops the marching") {
  const auto structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping_ratio = 0.01});
  TimeIntegrator integrator(*structure, {}, std::vector{load({1.0})}, {.omega = 1.3});
  const SteadySummary summary = run_to_steady(integrator, {}, [](int periods, double) { return periods < 2; });
  CHECK(summary.stop == SteadyStop::stopped);
  CHECK(summary.periods == 2);
  CHECK_THAT(summary.message, Catch::StartsWith("Stopped by request after 2 periods: "));
}

TEST_CASE("no load, no motion: steady after one period") {
  const Slider system;
  TimeIntegrator integrator = system.integrator(0.0);
  const SteadySummary summary = run_to_steady(integrator, {});
  CHECK(summary.steady());
  CHECK(summary.periods == 1);
  CHECK(summary.change == 0.0);
}

TEST_CASE("a motion that dies out becomes steady") {
  const Slider system;
  TimeIntegrator integrator = system.integrator(0.0);
  integrator.set_state(vector({0.5}), vector({0.0}));
  CHECK(run_to_steady(integrator, {.max_periods = 200}).steady());
}

TEST_CASE("a steady state needs a frequency and sensible options") {
  const Slider system;
  TimeIntegrator ringdown(*system.structure, system.joints, {}, {});
  CHECK_THROWS_WITH(run_to_steady(ringdown, {}),
                    "A steady state needs an excitation frequency > 0; without one, integrate for a fixed duration.");
  TimeIntegrator integrator = system.integrator();
  CHECK_THROWS_WITH(run_to_steady(integrator, {.tolerance = 0.0}), "steady_tolerance = 0 must be > 0.");
  CHECK_THROWS_WITH(run_to_steady(integrator, {.max_periods = 0}), "max_periods = 0 must be >= 1.");
  CHECK(SteadySummary().stop == SteadyStop::not_run);
}
