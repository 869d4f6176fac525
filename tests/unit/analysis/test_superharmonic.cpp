// Superharmonic resonances by their own phase: against the peaks of frequency responses, and against motions found by shooting.
#include "masing/analysis/detail/superharmonic_condition.hpp"
#include "masing/analysis/detail/tracked_place.hpp"
#include "masing/analysis/frequency_response.hpp"
#include "masing/analysis/superharmonic_tracking.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/core/error.hpp"
#include "masing/structure/lumped.hpp"
#include "shooting.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

using namespace masing;
using test::joint;
using test::load;
using test::Shooting;

namespace {

constexpr double hertz = 1.0 / (2.0 * pi);

// x'' + c x' + x + x³ = F cos Ωt, damping ratio 0.5 %: harmonic 3 meets the resonance near a third of its frequency.
constexpr double damping = 0.01;

Model duffing() {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = damping}), .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = 1.0})), 1, {{{0, 1.0}}})};
  return model;
}

Shooting duffing_shooting(double level) {
  return {Matrix::Constant(1, 1, damping),
          [](const Vector& q, Vector& f, Matrix& slope) {
            f = q + q.cwiseProduct(q).cwiseProduct(q);
            slope(0, 0) = 1.0 + 3.0 * q[0] * q[0];
          },
          Vector::Constant(1, level)};
}

// Modes of ω₁² = 1 and ω₂² = 3.15² in a chain, tied by a cubic spring at the first mass.
constexpr double link = 0.5 * (3.15 * 3.15 - 1.0), cubic = 0.1, c_wall = 0.01, c_link = 0.005;

Model two_modes() {
  Model model{.structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {1.0, link}, .dampings = {c_wall, c_link}}),
              .loads = {load(2, 0, 1.0)}};
  model.joints = {joint("wall", make_element(CubicSpring({.cubic_stiffness = 0.0, .stiffness = 1.0})), 2, {{{1, 1.0}}}),
                  joint("cubic", make_element(CubicSpring({.cubic_stiffness = cubic})), 2, {{{0, 1.0}}})};
  return model;
}

Shooting two_modes_shooting(double level) {
  return {Matrix{{c_wall + c_link, -c_link}, {-c_link, c_link}},
          [](const Vector& q, Vector& f, Matrix& slope) {
            f << q[0] + link * (q[0] - q[1]) + cubic * q[0] * q[0] * q[0], q[1] + link * (q[1] - q[0]);
            slope << 1.0 + link + 3.0 * cubic * q[0] * q[0], -link, -link, 1.0 + link;
          },
          Vector{{level, 0.0}}};
}

SuperharmonicTrackingRequest tracking(double from, double to, double from_level, double to_level, Index coordinates) {
  SuperharmonicTrackingRequest r;
  r.name = "superharmonic";
  r.from = from * hertz;
  r.to = to * hertz;
  r.from_level = from_level;
  r.to_level = to_level;
  r.harmonic = 3;
  r.balance = {.harmonics = {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21}, .samples = 256};
  for (Index i = 0; i < coordinates; ++i)
    r.observables.push_back({.name = "x" + std::to_string(i + 1), .coordinate = i});
  r.observed = r.observables.front();
  return r;
}

double level_of(const ResponseBranch& branch, const ResponsePoint& point) {
  return point.quantities[branch.header.find_quantity("level")];
}

// cos of the angle between harmonic 3 of x and that of the cubic force of x without it, from a periodic motion in time.
double misfit(const Shooting& system, const ResponsePoint& point, const std::vector<int>& harmonics) {
  const double omega = 2.0 * pi * point.frequency;
  Vector start = test::state_at_zero(point.observations, harmonics, omega);
  system.close(start, omega, 1.0);
  constexpr int count = 128;
  Vector x = system.samples(start, omega, count).row(0);
  const Complex third = test::harmonic(x, 3);
  for (int i = 0; i < count; ++i) x[i] -= (third * std::polar(1.0, 2.0 * pi * 3.0 * i / count)).real();
  const Complex force = test::harmonic(x.array().cube().matrix(), 3);
  CHECK(std::abs(third) > 0.0);
  return (std::conj(force) * third).real() / (std::abs(force) * std::abs(third));
}

void check_motions(const ResponseBranch& branch, const std::function<Shooting(double)>& system, double tolerance) {
  INFO(branch.end.message);
  REQUIRE(branch.end.complete);
  REQUIRE(branch.points.size() > 4);
  for (std::size_t i = 0; i < branch.points.size(); i += branch.points.size() / 4) {
    const ResponsePoint& point = branch.points[i];
    CAPTURE(i, point.frequency, level_of(branch, point));
    CHECK(std::abs(misfit(system(level_of(branch, point)), point, branch.header.harmonics)) < tolerance);
  }
}

// The largest peak of harmonic 3 of x1 on a frequency response.
SpecialPoint peak_of_third(const Model& model, const SuperharmonicTrackingRequest& request, double level) {
  FrequencyResponseRequest ask;
  ask.from = request.from;
  ask.to = request.to;
  ask.levels = {level};
  ask.observables = request.observables;
  ask.peak_harmonics = {3};
  ask.balance = request.balance;
  const ResponseBranch branch = frequency_response(model, ask).branches.front();
  const SpecialPoint* best = nullptr;
  for (const SpecialPoint& special : branch.special_points) {
    if (special.kind != "peak" || special.observable != "x1") continue;
    if (best == nullptr || special.point.observations[0].amplitude[1] > best->point.observations[0].amplitude[1])
      best = &special;
  }
  REQUIRE(best != nullptr);
  return *best;
}

void check_against_peaks(const Model& model, const SuperharmonicTrackingRequest& request, const ResponseBranch& branch,
                         double frequency_tolerance, double amplitude_tolerance) {
  for (const SpecialPoint& told : branch.special_points) {
    if (told.kind != "level") continue;
    const SpecialPoint peak = peak_of_third(model, request, level_of(branch, told.point));
    CAPTURE(level_of(branch, told.point), told.point.frequency, peak.point.frequency);
    CHECK(told.point.frequency == Approx(peak.point.frequency).epsilon(frequency_tolerance));
    CHECK(told.point.quantities[branch.header.find_quantity("peak_amplitude")] ==
          Approx(peak.point.observations[0].amplitude[1]).epsilon(amplitude_tolerance));
  }
}

}  // namespace

TEST_CASE("derivatives of the superharmonic phase condition are those of differences", "[superharmonic]") {
  Model model = two_modes();
  model.joints.push_back(
      joint("damper", make_element(Jenkins({.stiffness = 0.5, .slip_force = 0.05})), 2, {{{0, 1.0}, {1, -1.0}}}));
  HarmonicBalance balance(*model.structure, model.joints, model.loads, {.harmonics = {0, 1, 2, 3}, .samples = 64});
  detail::SuperharmonicCondition condition(3);
  Vector x(balance.size());
  for (Index i = 0; i < x.size(); ++i) x[i] = 0.3 * std::sin(1.7 * static_cast<double>(i) + 0.4);
  const double omega = 1.05;
  detail::ConditionValue here, ahead, behind;
  condition.evaluate({balance, x, omega, 1.0}, here);
  condition.differentiate({balance, x, omega, 1.0}, here);
  constexpr double step = 1e-6;  // central: its square, and rounding 1e-16/1e-6
  for (Index i = 0; i < x.size(); ++i) {
    Vector moved = x;
    moved[i] += step;
    condition.evaluate({balance, moved, omega, 1.0}, ahead);
    moved[i] -= 2.0 * step;
    condition.evaluate({balance, moved, omega, 1.0}, behind);
    CAPTURE(i);
    CHECK(here.by_x[i] == Approx((ahead.value - behind.value) / (2.0 * step)).margin(1e-8));
  }
  condition.evaluate({balance, x, omega + step, 1.0}, ahead);
  condition.evaluate({balance, x, omega - step, 1.0}, behind);
  CHECK(here.by_omega == Approx((ahead.value - behind.value) / (2.0 * step)).margin(1e-8));
}

TEST_CASE("the 3:1 superharmonic of a Duffing oscillator, tracked by its phase", "[superharmonic]") {
  SuperharmonicTrackingRequest request = tracking(0.30, 0.48, 0.1, 0.35, 1);
  request.levels = {0.15, 0.25};
  const ResponseBranch branch = superharmonic_tracking(duffing(), request).branches.front();
  // What is left out beyond harmonic 21, 1e-8 of the motion, moves the phase of a resonance with ζ = 0.005 by some 1e-6.
  check_motions(branch, duffing_shooting, 1e-5);
  // A peak is not a phase resonance: harmonic 3 acts back on the motion that drives it. They are less than 0.1 rad of phase apart,
  // which is 1/2 · 0.1² of the amplitude, and a hundredth of the width 2ζ = 1 % of the peak.
  check_against_peaks(duffing(), request, branch, 1e-4, 5e-3);
  CHECK(branch.points.back().frequency > 1.05 * branch.points.front().frequency);  // it hardens
}

TEST_CASE("the 1:3 exchange of two modes, tracked by the phase of harmonic 3", "[superharmonic]") {
  SuperharmonicTrackingRequest request = tracking(1.02, 1.2, 0.003, 0.02, 2);
  request.levels = {0.005, 0.01};
  const ResponseBranch branch = superharmonic_tracking(two_modes(), request).branches.front();
  check_motions(branch, two_modes_shooting, 1e-5);
}

namespace {

// x'' + c x' + x + friction = F cos Ωt: a Jenkins element feeds harmonic 3.
constexpr double rubbed_damping = 0.02, stick = 0.2, slip = 0.02;

Model rubbed() {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = rubbed_damping}),
              .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("damper", make_element(Jenkins({.stiffness = stick, .slip_force = slip})), 1, {{{0, 1.0}}})};
  return model;
}

// Force of the slider at x, which it moves along.
double friction(double x, double& slider) {
  const double force = std::clamp(stick * (x - slider), -slip, slip);
  slider = x - force / stick;
  return force;
}

// Samples of x over a period of the steady motion, by Heun's method with the slider moved at the end of every step.
Vector marched(Vector state, double level, double omega, int periods, int count) {
  const double dt = 2.0 * pi / omega / count;
  double slider = state[0];
  Vector x(count);
  const auto rate = [&](double t, double q, double v, double force) {
    return level * std::cos(omega * t) - rubbed_damping * v - q - force;
  };
  for (int n = 0; n < periods * count; ++n) {
    const double t = n * dt, q = state[0], v = state[1];
    if (n >= (periods - 1) * count) x[n % count] = q;
    double trial = slider;
    const double first = rate(t, q, v, friction(q, trial));
    trial = slider;
    const double second = rate(t + dt, q + dt * v, v + dt * first, friction(q + dt * v, trial));
    state[0] += 0.5 * dt * (v + v + dt * first);
    state[1] += 0.5 * dt * (first + second);
    friction(state[0], slider);
  }
  return x;
}

}  // namespace

TEST_CASE("the 3:1 superharmonic of a slipping joint has its phase in a motion that was marched in time",
          "[superharmonic]") {
  SuperharmonicTrackingRequest request = tracking(0.28, 0.45, 0.2, 0.4, 1);
  request.balance.samples = 1024;
  const ResponseBranch branch = superharmonic_tracking(rubbed(), request).branches.front();
  INFO(branch.end.message);
  REQUIRE(branch.end.complete);
  for (std::size_t i = 0; i < branch.points.size(); i += 1 + branch.points.size() / 4) {
    const ResponsePoint& point = branch.points[i];
    const double omega = 2.0 * pi * point.frequency, level = level_of(branch, point);
    constexpr int count = 16384;
    Vector x =
        marched(test::state_at_zero(point.observations, branch.header.harmonics, omega), level, omega, 60, count);
    const Complex third = test::harmonic(x, 3);
    CAPTURE(level, point.frequency);
    // Heun's method errs by h² where the law has kinks: 4096 steps a period give sixteen times these errors.
    CHECK(std::abs(third) == Approx(point.observations[0].amplitude[1]).epsilon(3e-5));
    for (int n = 0; n < count; ++n) x[n] -= (third * std::polar(1.0, 2.0 * pi * 3.0 * n / count)).real();
    Vector force(count);
    double slider = x[0];
    for (int n = 0; n < 2 * count; ++n)
      force[n % count] = friction(x[n % count], slider);  // the second time it is steady
    const Complex driving = test::harmonic(force, 3);
    CHECK(std::abs((std::conj(driving) * third).real()) < 7e-5 * std::abs(driving) * std::abs(third));
  }
}

namespace {

// Two masses on a chain, the joint between them, driven at the first: modes of 0.08 and 0.24 Hz with the joint stuck. Beside the
// superharmonic of the second one, 0.07 Hz, lies a stretch where nothing slips.
Model stuck_stretch() {
  Model model{.structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {1.0, 0.3}, .dampings = {0.01, 0.003}}),
              .loads = {load(2, 0, 1.0)}};
  model.joints = {
      joint("damper", make_element(Jenkins({.stiffness = 0.5, .slip_force = 0.1})), 2, {{{1, 1.0}, {0, -1.0}}})};
  return model;
}

SuperharmonicTrackingRequest beside_stuck_stretch() {
  SuperharmonicTrackingRequest request = tracking(0.02, 0.12, 0.5, 0.7, 2);
  request.from = 0.02;  // Hz
  request.to = 0.12;
  request.balance = {.harmonics = {1, 3, 5, 7}, .samples = 256};
  return request;
}

}  // namespace

TEST_CASE("where nothing slips rounding is not taken for the phase of a superharmonic", "[superharmonic]") {
  SuperharmonicTrackingRequest request = beside_stuck_stretch();
  const ResponseBranch free = superharmonic_tracking(stuck_stretch(), request).branches.front();
  REQUIRE(free.end.complete);
  request.near = 0.05;  // in the stretch, where the sign of the phase is one of rounding
  const ResponseCurves curves = superharmonic_tracking(stuck_stretch(), request);
  CHECK(curves.notes.empty());  // nothing else was tried
  const ResponseBranch& near = curves.branches.front();
  INFO(near.end.message);
  REQUIRE(near.end.complete);
  CHECK(near.points.front().frequency == free.points.front().frequency);  // the only one: the very same numbers

  request.near = 0.0;
  request.from_level = 1e-4;  // no slip anywhere, at the resonance neither
  const ResponseBranch stuck = superharmonic_tracking(stuck_stretch(), request).branches.front();
  CHECK(stuck.points.empty());
  CHECK_THAT(stuck.end.message, Catch::Matchers::Contains("the joints do not drive harmonic 3"));
}

TEST_CASE("a place that cannot be begun at leaves the next one to be tried", "[superharmonic]") {
  const SuperharmonicTrackingRequest request = tracking(0.30, 0.48, 0.1, 0.12, 1);
  const Model model = duffing();
  const ResponsePoint good = superharmonic_tracking(model, request).branches.front().points.front();
  ResponsePoint bad = good;
  bad.coefficients.setZero();
  bad.frequency = 2.0 * good.frequency;
  const auto run = [&](std::vector<detail::FoundPlace> places, std::vector<std::string>& notes) {
    detail::TrackedPlace place(model, request, {}, {3});
    const ResponseBranch branch = place.run(std::make_unique<detail::SuperharmonicCondition>(3), BranchHeader{},
                                            {.places = std::move(places)}, {}, {nullptr, {}});
    notes = place.notes();
    return branch;
  };
  std::vector<std::string> notes;
  const ResponseBranch second = run({{bad}, {good}}, notes);
  INFO(second.end.message);
  REQUIRE(second.end.complete);
  CHECK(second.points.front().frequency == Approx(good.frequency).epsilon(1e-9));
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes.front(), Catch::Matchers::Contains("Not begun at"));
  CHECK_THAT(run({{bad}, {bad}}, notes).end.message, Catch::Matchers::Contains("None of the 2 places"));
}

TEST_CASE("the search for the start is heard, stopped and counted", "[superharmonic]") {
  const SuperharmonicTrackingRequest request = tracking(0.30, 0.48, 0.1, 0.12, 1);
  bool searching = false;
  constexpr auto pause = std::chrono::milliseconds(50);
  const ResponseBranch slow = superharmonic_tracking(duffing(), request, nullptr, [&](const Progress&) {
                                if (!searching) std::this_thread::sleep_for(pause);
                                searching = true;
                                return true;
                              }).branches.front();
  REQUIRE(slow.end.complete);
  CHECK(slow.end.seconds > 0.05);  // the pause is part of it
  const ProgressCallback stop = [](const Progress& progress) {
    return progress.task.find("where to begin") == std::string::npos;
  };
  const ResponseBranch stopped = superharmonic_tracking(duffing(), request, nullptr, stop).branches.front();
  CHECK(stopped.end.stop == to_string(ContinuationStop::stopped_by_user));
  CHECK(stopped.points.empty());
  // What was stopped there begins anew when it is resumed.
  const BranchRestart left{.ended = true, .end = stopped.end};
  CHECK(superharmonic_tracking(duffing(), request, nullptr, {}, {left}).branches.front().end.complete);
}

TEST_CASE("a tracked resonance tells where its motion loses its stability", "[superharmonic]") {
  // Two modes near 1:3, coupled by the potential 0.075 x1⁴ + 0.3 x1³ x2 (model 19): modulated beside the superharmonic.
  Model model{.structure = chain({.masses = {1.0, 1.0},
                                  .stiffnesses = {1.0, 0.0, 9.3},
                                  .dampings = {0.02, 0.0, 0.02},
                                  .ground = ChainGround::both}),
              .loads = {load(2, 0, 1.0)}};
  model.joints = {joint("coupling", make_element(Polynomial(2, {{0, 0.3, {3, 0}}, {0, 0.9, {2, 1}}, {1, 0.3, {3, 0}}})),
                        2, {{{0, 1.0}}, {{1, 1.0}}})};
  SuperharmonicTrackingRequest request = tracking(0.0, 0.0, 0.06, 0.12, 2);
  request.from = 0.155;
  request.to = 0.17;
  request.balance = {.harmonics = {1, 3, 5, 7}, .samples = 64};
  request.stability = {.method = StabilityMethod::automatic};
  const ResponseBranch branch = superharmonic_tracking(model, request).branches.front();
  INFO(branch.end.message);
  REQUIRE(branch.end.complete);
  const auto border = std::find_if(branch.special_points.begin(), branch.special_points.end(),
                                   [](const SpecialPoint& special) { return special.kind == "neimark-sacker"; });
  REQUIRE(border != branch.special_points.end());
  const double level = level_of(branch, border->point);
  const Index stable = branch.header.find_quantity("stable");
  REQUIRE(stable >= 0);
  for (const ResponsePoint& point : branch.points) {
    CHECK(point.quantities[stable] == (level_of(branch, point) < level ? 1.0 : 0.0));
  }
  // The response at that level has the same point.
  FrequencyResponseRequest ask;
  ask.from = 0.99 * border->point.frequency;
  ask.to = 1.01 * border->point.frequency;
  ask.levels = {level};
  ask.observables = request.observables;
  ask.balance = request.balance;
  ask.stability = request.stability;
  const ResponseBranch response = frequency_response(model, ask).branches.front();
  double nearest = 0.0;
  for (const SpecialPoint& special : response.special_points) {
    if (special.kind != "neimark-sacker") continue;
    const double frequency = border->point.frequency, there = special.point.frequency;
    if (std::abs(there - frequency) < std::abs(nearest - frequency)) nearest = there;
  }
  // Both are located to 1e-10 of their parameter; Hill's multipliers are right to 1e-6, the two curves meet at a small angle.
  CHECK(nearest == Approx(border->point.frequency).epsilon(1e-6));

  ResonanceTrackingRequest peak;
  static_cast<TrackingRequest&>(peak) = request;
  peak.observed = request.observed;
  const ResponseBranch peaks = resonance_tracking(model, peak).branches.front();
  REQUIRE(peaks.end.complete);
  CHECK(peaks.points.back().quantities[peaks.header.find_quantity("stable")] == 1.0);
}

TEST_CASE("superharmonic tracking refuses harmonics that it cannot track", "[superharmonic]") {
  SuperharmonicTrackingRequest request = tracking(0.30, 0.45, 0.1, 0.4, 1);
  request.harmonic = 4;
  CHECK_THROWS_AS(superharmonic_tracking(duffing(), request), ModelError);
  request.harmonic = 3;
  Model model = duffing();
  model.loads.push_back(load(1, 0, 0.1));
  model.loads.back().harmonic = 3;
  CHECK_THROWS_AS(superharmonic_tracking(model, request), ModelError);
  SuperharmonicTrackingRequest outside = tracking(0.30, 0.45, 0.1, 0.4, 1);
  outside.near = 0.5 * hertz;
  CHECK_THROWS_WITH(superharmonic_tracking(duffing(), outside), Catch::Matchers::Contains("outside the response"));
  // Far from any resonance of harmonic 3: a reason, no curve.
  SuperharmonicTrackingRequest nothing = tracking(0.6, 0.7, 0.01, 0.02, 1);
  const ResponseBranch branch = superharmonic_tracking(duffing(), nothing).branches.front();
  CHECK(branch.points.empty());
  CHECK_FALSE(branch.end.complete);
  CHECK_THAT(branch.end.message, Catch::Matchers::Contains("nowhere"));
}
