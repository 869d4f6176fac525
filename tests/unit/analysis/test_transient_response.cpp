// The transient analysis: what it samples, when it calls the end steady, what it says when it cannot finish.
#include "masing/analysis/detail/series_observation.hpp"
#include "masing/analysis/transient_response.hpp"
#include "masing/contact/backbones.hpp"
#include "masing/contact/binning.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/slider_population.hpp"
#include "masing/core/error.hpp"
#include "masing/structure/lumped.hpp"

#include <catch2/catch.hpp>

using namespace masing;

namespace {

constexpr double mass = 2.0, damping = 4.0, stiffness = 800.0;  // resonance at 3.18 Hz, 5 percent damping
// The steady tolerance of 1e-6 a period, and what is still to come after it.
constexpr double steady_accuracy = 1e-5;

Vector single(double value) { return Vector::Constant(1, value); }

Model linear_model() {
  return {
      oscillator({.mass = mass, .stiffness = stiffness, .damping = damping}), {}, {{"shaker", single(10.0), 1, 0.0}}};
}

Model slider_model() {
  Model model = linear_model();
  SparseMatrix direction(1, 1);
  direction.insert(0, 0) = 1.0;
  model.joints.push_back({"slider", make_element(Jenkins({.stiffness = 400.0, .slip_force = 2.0})), direction});
  return model;
}

TransientRequest request_at(double frequency) {
  TransientRequest request;
  request.frequency = frequency;
  request.observables = {{"x", 0, Quantity::displacement}, {"a", 0, Quantity::acceleration}};
  return request;
}

Complex linear_response(double force, double frequency) {
  const double w = 2.0 * pi * frequency;
  return force / Complex(stiffness - mass * w * w, damping * w);
}

struct CollectingSink : ResultSink {
  std::vector<TimeHistory> histories;
  void begin_branch(const BranchHeader&) override {}
  void add_point(const BranchHeader&, const ResponsePoint&) override {}
  void add_special_point(const BranchHeader&, const SpecialPoint&) override {}
  void add_cycles(const BranchHeader&, const JointCycles&) override {}
  void end_branch(const BranchHeader&, const BranchEnd&) override {}
  void add_history(const TimeHistory& history) override { histories.push_back(history); }
};

}  // namespace

TEST_CASE("a sampled period is observed as its Fourier series says") {
  constexpr Index n = 64;
  const double angle = 0.7;  // of the first sample
  Vector values(n);
  for (Index i = 0; i < n; ++i) {
    const double tau = angle + 2.0 * pi * static_cast<double>(i) / n;
    values[i] = -0.3 + 2.0 * std::cos(tau + 0.4) + 0.5 * std::cos(3.0 * tau - 1.0);
  }
  const Observation seen = detail::observe_series(values, angle, {0, 1, 2, 3});
  constexpr double rounding = 1e-13;
  CHECK(seen.amplitude[0] == Approx(-0.3).epsilon(rounding));
  CHECK(seen.amplitude[1] == Approx(2.0).epsilon(rounding));
  CHECK(seen.amplitude[2] == Approx(0.0).margin(rounding));
  CHECK(seen.amplitude[3] == Approx(0.5).epsilon(rounding));
  CHECK(seen.phase[0] == 0.0);
  CHECK(seen.phase[1] == Approx(0.4).epsilon(rounding));
  CHECK(seen.phase[3] == Approx(-1.0).epsilon(rounding));
  CHECK(seen.rms == Approx(std::sqrt(0.09 + 2.0 + 0.125)).epsilon(rounding));

  for (Index i = 0; i < n; ++i) values[i] = -1.5 * std::cos(2.0 * pi * (static_cast<double>(i) + 0.37) / n);
  constexpr double parabola = 1e-5;  // fourth order: (2π/64)⁴/24 at most
  CHECK(detail::observe_series(values, 0.0, {0, 1}).peak == Approx(1.5).epsilon(parabola));
}

TEST_CASE("until steady: the linear response, levels, and two sampled periods") {
  TransientRequest request = request_at(3.0);
  request.levels = {1.0, 2.5};
  request.shown_levels = {10.0, 25.0};
  request.level_unit = std::string("N");
  CollectingSink sink;
  const std::vector<TimeHistory> histories = transient_response(linear_model(), request, &sink);
  REQUIRE(histories.size() == 2);
  REQUIRE(sink.histories.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const TimeHistory& history = histories[i];
    const Complex x = linear_response(10.0 * request.levels[i], 3.0);
    const double w2 = std::pow(2.0 * pi * 3.0, 2);
    REQUIRE(history.is_steady);
    CHECK(history.complete);
    CHECK(history.level == request.shown_levels[i]);
    CHECK(history.time.size() == 2 * request.samples_per_period + 1);
    CHECK(history.time[history.time.size() - 1] - history.time[0] == Approx(2.0 / 3.0));
    REQUIRE(history.steady.size() == 2);
    CHECK(history.steady[0].amplitude[1] == Approx(std::abs(x)).epsilon(steady_accuracy));
    CHECK(history.steady[0].phase[1] == Approx(std::arg(x)).epsilon(steady_accuracy));
    CHECK(history.steady[0].rms == Approx(std::abs(x) / std::sqrt(2.0)).epsilon(steady_accuracy));
    CHECK(history.steady[0].peak == Approx(std::abs(x)).epsilon(steady_accuracy));
    CHECK(history.steady[1].amplitude[1] == Approx(w2 * std::abs(x)).epsilon(steady_accuracy));
    CHECK_THAT(history.message, Catch::StartsWith("Steady after "));
    CHECK(sink.histories[i].time == history.time);
    CHECK(sink.histories[i].values == history.values);
  }
}

TEST_CASE("a fixed number of periods gives the whole history with the joints") {
  TransientRequest request = request_at(3.0);
  request.periods = 2.5;
  request.samples_per_period = 40;
  const TimeHistory history = transient_response(slider_model(), request).front();
  REQUIRE(history.time.size() == 101);
  CHECK(history.time[0] == 0.0);
  CHECK(history.time[100] == Approx(2.5 / 3.0));
  CHECK(history.values(0, 0) == 0.0);
  CHECK(history.values(0, 1) == Approx(10.0 / mass));  // at rest the load accelerates the mass
  CHECK(history.joint_forces == std::vector<std::string>{"slider"});
  CHECK(history.joint_motion.col(0) == history.values.col(0));
  CHECK(history.joint_force.col(0).cwiseAbs().maxCoeff() == 2.0);  // slides
  CHECK_FALSE(history.is_steady);
  CHECK(history.steady.empty());
  CHECK(history.complete);
  CHECK_THAT(history.message, Catch::StartsWith("Integrated to t = 0.833333 s. The state changed by "));
}

TEST_CASE("a fixed number of periods that is enough is steady too, and agrees with the marching") {
  TransientRequest request = request_at(3.0);
  const TimeHistory marched = transient_response(slider_model(), request).front();
  request.periods = 120.0;
  const TimeHistory fixed = transient_response(slider_model(), request).front();
  REQUIRE(marched.is_steady);
  REQUIRE(fixed.is_steady);
  for (Index k = 0; k < 8; ++k) {
    CHECK(fixed.steady[0].amplitude[k] ==
          Approx(marched.steady[0].amplitude[k]).margin(steady_accuracy * marched.steady[0].amplitude[1]));
  }
  CHECK(fixed.steady[0].phase[1] == Approx(marched.steady[0].phase[1]).epsilon(steady_accuracy));
}

TEST_CASE("a ringdown from initial conditions") {
  Model model = linear_model();
  model.loads.clear();
  TransientRequest request = request_at(0.0);
  request.duration = 2.0;
  request.initial_displacement = single(0.01);
  const TimeHistory history = transient_response(model, request).front();
  CHECK(history.time.size() == 4097);
  CHECK(history.time[4096] == Approx(2.0));
  const double decay = damping / (2.0 * mass), omega = std::sqrt(stiffness / mass - decay * decay);
  constexpr double integration = 1e-8;  // default tolerance 1e-9 a step
  for (const Index i : {0, 1000, 4096}) {
    const double t = history.time[i];
    const double x = 0.01 * std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
    CHECK(history.values(i, 0) == Approx(x).margin(0.01 * integration));
  }
  CHECK_FALSE(history.is_steady);
  CHECK(history.complete);
  CHECK(history.message == "Integrated to t = 2 s.");
}

TEST_CASE("not steady in the allowed periods is a history that says so") {
  TransientRequest request = request_at(3.0);
  request.max_periods = 2;
  const TimeHistory history = transient_response(linear_model(), request).front();
  CHECK_FALSE(history.is_steady);
  CHECK_FALSE(history.complete);
  CHECK(history.steady.empty());
  CHECK(history.time.size() == 2 * request.samples_per_period + 1);
  CHECK_THAT(history.message, Catch::StartsWith("Not steady after 2 periods: "));
}

TEST_CASE("progress is reported and can stop the run, keeping what there is") {
  TransientRequest request = request_at(3.0);
  request.periods = 10.0;
  request.levels = {1.0, 2.0};
  int calls = 0;
  double amplitude = 0.0;
  const auto stop_after_three = [&](const Progress& now) {
    CHECK(now.task == "transient, 1");
    CHECK(now.frequency == 3.0);
    amplitude = std::max(amplitude, now.amplitude);
    return ++calls < 3;
  };
  const std::vector<TimeHistory> histories = transient_response(linear_model(), request, nullptr, stop_after_three);
  REQUIRE(histories.size() == 1);  // the second level is not begun
  CHECK(histories[0].time.size() == 3 * request.samples_per_period + 1);
  CHECK_FALSE(histories[0].complete);
  CHECK(histories[0].message == "Stopped by request at t = 1 s.");
  CHECK(amplitude > 0.0);
  CHECK(amplitude <= histories[0].values.col(0).cwiseAbs().maxCoeff() * 1.01);  // ends of steps against samples
}

TEST_CASE("what was computed before a failure is kept") {
  Model model = slider_model();
  TransientRequest request = request_at(3.0);
  request.periods = 3.0;
  model.loads.push_back({"blow", single(1e308), 2, -pi / 2.0});  // grows from zero, beyond all numbers
  const TimeHistory history = transient_response(model, request).front();
  CHECK_FALSE(history.complete);
  CHECK(history.time.size() >= 1);
  CHECK(history.time.size() < 3 * request.samples_per_period + 1);
  CHECK(history.values.rows() == history.time.size());
  CHECK_THAT(history.message, Catch::StartsWith("Time integration stopped at t = "));
}

TEST_CASE("wrong requests are refused before anything is computed") {
  const Model model = linear_model();
  const auto refuses = [&](auto change, const std::string& message) {
    TransientRequest request = request_at(3.0);
    change(request);
    CHECK_THROWS_AS(transient_response(model, request), ModelError);
    CHECK_THROWS_WITH(transient_response(model, request), message);
  };
  using R = TransientRequest;
  refuses([](R& r) { r.frequency = -1.0; }, "analysis 'transient': frequency = -1 Hz must be >= 0.");
  refuses([](R& r) { r.periods = -2.0; }, "analysis 'transient': periods = -2 must be >= 0.");
  refuses([](R& r) { r.duration = -2.0; }, "analysis 'transient': duration = -2 s must be >= 0.");
  refuses([](R& r) { r.max_periods = 0; }, "analysis 'transient': max_periods = 0 must be >= 1.");
  refuses([](R& r) { r.steady_tolerance = 0.0; }, "analysis 'transient': steady_tolerance = 0 must be > 0.");
  refuses([](R& r) { r.levels.clear(); }, "analysis 'transient': levels are missing; give at least one.");
  refuses(
      [](R& r) {
        r.shown_levels = {1.0, 2.0};
      },
      "analysis 'transient': 2 shown levels for 1 levels; there must be as many.");
  refuses([](R& r) { r.periods = 2.0, r.duration = 3.0; },
          "analysis 'transient': periods = 2 and duration = 3 s are both given; give one of them.");
  refuses(
      [](R& r) { r.frequency = 0.0; },
      "analysis 'transient': without a frequency there are no periods and no steady state. Give frequency > 0, or a "
      "duration for a ringdown.");
  refuses([](R& r) { r.harmonics = {-1}; }, "analysis 'transient': harmonic -1 must be >= 0.");
  refuses([](R& r) { r.samples_per_period = 14; },
          "analysis 'transient': samples_per_period = 14 must be > 14, twice the highest harmonic.");
  refuses([](R& r) { r.observables[0].coordinate = 3; },
          "analysis 'transient': observable 'x' looks at coordinate 3; the structure has 1.");
  refuses([](R& r) { r.initial_displacement = Vector::Zero(2); },
          "analysis 'transient': initial_displacement has 2 entries; the structure has 1 coordinates.");
  refuses([](R& r) { r.initial_velocity = Vector::Zero(2); },
          "analysis 'transient': initial_velocity has 2 entries; the structure has 1 coordinates.");
  refuses([](R& r) { r.periods = 1e6; },
          "analysis 'transient': the history would have 7.68e+08 values; at most 2e+07 are kept. Lower "
          "samples_per_period or "
          "the length, or integrate until steady.");
  refuses([](R& r) { r.frequency = 0.0, r.duration = 1.0; },
          "load 'shaker' oscillates (harmonic 1), but the excitation frequency is 0. Give a frequency > 0, or remove "
          "the load "
          "for a ringdown.");
}

// A law whose memory is committed step by step has an error of the step: the steps before the motion is steady must be those
// after it, or the end of one discrete system is taken for that of another.
TEST_CASE("laws that commit their memory by steps are marched with the steps of the output") {
  const BackbonePointer backbone = four_parameter_backbone({400.0, 4.0, -0.5, 0.1});
  const auto with = [&](std::shared_ptr<const ContactElement> element) {
    Model model = slider_model();
    model.joints.front().element = std::move(element);
    return model;
  };
  const Model sliders = with(make_element(SliderPopulation(bin_backbone(*backbone, 100))));
  TransientRequest request = request_at(3.5);
  const TimeHistory left = transient_response(sliders, request).front();
  request.max_step = 1.0 / (3.5 * 256.0);
  const TimeHistory told = transient_response(sliders, request).front();
  REQUIRE(left.is_steady);
  REQUIRE(told.is_steady);
  CHECK(left.steady[0].amplitude[1] == told.steady[0].amplitude[1]);  // the very same steps

  // The exact law locates its reversals. 100 sliders err by some 1e-4, the square of their distance; steps of 2π/256 by their
  // square, 6e-4.
  const TimeHistory exact = transient_response(with(make_iwan(backbone)), request_at(3.5)).front();
  REQUIRE(exact.is_steady);
  CHECK(left.steady[0].amplitude[1] == Approx(exact.steady[0].amplitude[1]).epsilon(1e-3));
}
