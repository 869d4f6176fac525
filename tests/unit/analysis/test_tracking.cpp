#include "lift_off.hpp"
#include "masing/analysis/detail/fold_condition.hpp"
#include "masing/analysis/detail/peak_condition.hpp"
#include "masing/analysis/frequency_response.hpp"
#include "masing/analysis/tracking.hpp"
#include "masing/contact/backbones.hpp"
#include "masing/contact/binning.hpp"
#include "masing/contact/friction.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/iwan_stribeck.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/slider_population.hpp"
#include "masing/core/error.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace masing;
using test::joint;
using test::load;

namespace {

constexpr double hertz = 1.0 / (2.0 * pi);

// x'' + c x' + x + γ x³ = F cos Ωt
constexpr double damping = 0.04;
constexpr double cubic = 0.5;
constexpr double k = 0.75 * cubic;

Model duffing() {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = damping}), .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = cubic})), 1, {{{0, 1.0}}})};
  return model;
}

Model jenkins_oscillator() {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.02}), .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("damper", make_element(Jenkins({.stiffness = 0.5, .slip_force = 0.1})), 1, {{{0, 1.0}}})};
  return model;
}

Model iwan_oscillator() {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 4e5, .damping_ratio = 0.0005}),
              .loads = {load(1, 0, 1.0)}};
  const auto law = four_parameter_backbone({.stiffness = 2e5, .slip_force = 20.0, .chi = -0.5, .beta = 0.5});
  model.joints = {joint("joint", make_iwan(law), 1, {{{0, 1.0}}})};
  return model;
}

/// Two masses of which the joint feels one, so that the observed one is eliminated.
Model two_masses() {
  Model model{.structure = chain({.masses = {1.0, 0.5}, .stiffnesses = {1.0, 1.5}, .dampings = {0.02, 0.01}}),
              .loads = {load(2, 1, 1.0)}};
  model.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = cubic})), 2, {{{0, 1.0}}})};
  return model;
}

template <class Request>
Request tracking(double from, double to, double from_level, double to_level, std::vector<int> harmonics) {
  Request r;
  r.name = "tracked";
  r.from = from;
  r.to = to;
  r.from_level = from_level;
  r.to_level = to_level;
  r.balance = {.harmonics = std::move(harmonics), .samples = 128};
  r.observables = {{.name = "x", .coordinate = 0}};
  return r;
}

ResonanceTrackingRequest resonances(double from, double to, double from_level, double to_level,
                                    std::vector<int> harmonics) {
  auto r = tracking<ResonanceTrackingRequest>(from, to, from_level, to_level, std::move(harmonics));
  r.observed = r.observables.front();
  return r;
}

FoldTrackingRequest folds(double from, double to, double from_level, double to_level, std::vector<int> harmonics) {
  return tracking<FoldTrackingRequest>(from, to, from_level, to_level, std::move(harmonics));
}

double level_of(const ResponseBranch& branch, const ResponsePoint& point) {
  return point.quantities[branch.header.find_quantity("level")];
}

std::vector<ResponsePoint> points_called(const ResponseBranch& branch, const std::string& kind) {
  std::vector<ResponsePoint> points;
  for (const SpecialPoint& special : branch.special_points) {
    if (special.kind == kind) points.push_back(special.point);
  }
  return points;
}

FrequencyResponse responses_at(const Model& model, const TrackingRequest& request, const std::vector<double>& levels) {
  FrequencyResponseRequest ask;
  ask.from = request.from;
  ask.to = request.to;
  ask.levels = levels;
  ask.observables = request.observables;
  ask.balance = request.balance;
  ask.threads = 2;
  return frequency_response(model, ask);
}

const ResponseBranch& only(const ResponseCurves& curves) {
  REQUIRE(curves.branches.size() == 1);
  INFO(curves.branches[0].end.message);
  REQUIRE(curves.complete());
  return curves.branches[0];
}

// The peaks of tracked levels against those of a frequency response each.
void check_against_responses(const Model& model, const ResonanceTrackingRequest& request, double tolerance) {
  const ResponseCurves curves = resonance_tracking(model, request);
  const ResponseBranch& tracked = only(curves);
  const std::vector<ResponsePoint> told = points_called(tracked, "level");
  REQUIRE(told.size() == request.levels.size());
  const FrequencyResponse single = responses_at(model, request, request.levels);
  for (std::size_t i = 0; i < told.size(); ++i) {
    CAPTURE(request.levels[i]);
    REQUIRE(single.branches[i].end.resonances.size() == 1);
    const Resonance& resonance = single.branches[i].end.resonances[0];
    CHECK(level_of(tracked, told[i]) == Approx(request.levels[i]).epsilon(1e-9));
    CHECK(told[i].frequency == Approx(resonance.frequency).epsilon(tolerance));
    CHECK(told[i].observations[0].amplitude[1 - (request.balance.harmonics[0] != 0)] ==
          Approx(resonance.amplitude).epsilon(tolerance));
  }
}

}  // namespace

TEST_CASE("the gradient of the peak and fold conditions is that of differences of their values", "[tracking]") {
  const Model model = two_masses();
  HarmonicBalance balance(*model.structure, model.joints, model.loads, {.harmonics = {0, 1, 3}, .samples = 64});
  const double omega = 1.1, level = 0.3;
  // Conditions are evaluated beside the point where the border was made.
  const auto check = [&](detail::TrackingCondition& condition, const Vector& x, double step, double tolerance) {
    balance.set_level(level);
    condition.follow(balance, x, omega);
    const auto value = [&](const Vector& at, double w, double at_level) {
      detail::ConditionValue result;
      balance.set_level(at_level);
      condition.evaluate({balance, at, w, 1.0}, result);
      return result.value;
    };
    detail::ConditionValue exact;
    const Vector beside = x * 1.01;
    balance.set_level(level);
    condition.evaluate({balance, beside, omega, 1.0}, exact);
    condition.differentiate({balance, beside, omega, 1.0}, exact);
    for (Index i = 0; i < x.size(); ++i) {
      const Vector shift = step * Vector::Unit(x.size(), i);
      const double difference =
          (value(beside + shift, omega, level) - value(beside - shift, omega, level)) / (2.0 * step);
      CHECK(exact.by_x[i] == Approx(difference).margin(tolerance * exact.by_x.cwiseAbs().maxCoeff()));
    }
    const double by_omega = (value(beside, omega + step, level) - value(beside, omega - step, level)) / (2.0 * step);
    CHECK(exact.by_omega == Approx(by_omega).margin(tolerance * std::abs(by_omega)));
    const double by_level = (value(beside, omega, level + step) - value(beside, omega, level - step)) / (2.0 * step);
    CHECK(exact.by_level == Approx(by_level).margin(tolerance * (1.0 + std::abs(by_level))));
  };
  SECTION("fold") {
    Vector x(5);
    x << 0.02, 0.7, -0.4, 0.03, 0.01;
    detail::FoldCondition fold;
    // Differences with 1e-6 err by 1e-12 and rounding 1e-10, those inside the gradient by 1e-10.
    check(fold, x, 1e-6, 1e-7);
  }
  SECTION("peak, near the response beside which it looks") {
    balance.set_level(level);
    Vector x = Vector::Zero(5), residual, by_omega;
    Matrix jacobian;
    for (int i = 0; i < 20; ++i) {
      balance.residual(x, omega, residual);
      balance.derivatives(x, omega, jacobian, by_omega);
      x -= jacobian.partialPivLu().solve(residual);
    }
    REQUIRE(residual.norm() < 1e-14);
    const Observable end{.name = "end", .coordinate = 1, .quantity = Quantity::velocity};
    detail::PeakCondition peak(end, 2, {1, 3});
    // The value is itself a difference over 2e-5, known to 1e-11 … 1e-10: differences with 1e-4 err by 1e-6 and 1e-8.
    check(peak, x, 1e-4, 1e-5);
  }
}

TEST_CASE("a peak of the response is told from the minimum between two of them", "[tracking]") {
  // At this level the chain is nearly linear: the loaded mass has two resonances and an antiresonance between them.
  const Model model = two_masses();
  HarmonicBalance balance(*model.structure, model.joints, model.loads, {.harmonics = {1, 3}, .samples = 64});
  balance.set_level(1e-3);
  const Observable end{.name = "end", .coordinate = 1};
  detail::PeakCondition peak(end, 2, {1});
  Vector x = Vector::Zero(balance.size()), residual, by_omega;
  Matrix jacobian;
  const auto amplitude = [&](double omega) {
    for (int i = 0; i < 10; ++i) {
      balance.residual(x, omega, residual);
      balance.derivatives(x, omega, jacobian, by_omega);
      x -= jacobian.partialPivLu().solve(residual);
    }
    return std::abs(balance.recover_amplitudes(x, omega, 0)[1]);
  };
  std::string found;  // in the order of frequency
  const double step = 0.002;
  for (double omega = 0.4; omega < 2.6; omega += step) {
    const double before = amplitude(omega - step), after = amplitude(omega + step), here = amplitude(omega);
    if ((here > before) != (here > after)) continue;
    peak.follow(balance, x, omega);
    CHECK(peak.is_maximum({balance, x, omega, 1.0}) == (here > before));
    found += here > before ? 'M' : 'm';
  }
  CHECK(found == "MmM");
}

TEST_CASE("the tracked resonance of Duffing's oscillator with one harmonic is the closed form", "[tracking]") {
  const ResponseCurves curves = resonance_tracking(duffing(), resonances(0.1, 0.4, 1e-3, 1.0, {1}));
  const ResponseBranch& branch = only(curves);
  CHECK(branch.header.kind == "resonance-tracking");
  CHECK(points_called(branch, "level").size() == 7);
  for (const ResponsePoint& point : branch.points) {
    // F² = a² ((1 − Ω² + k a²)² + c² Ω²) has its minimum over Ω² at Ω² = 1 + k a² − c²/2.
    const double a = point.observations[0].amplitude[0];
    const double square = 1.0 + k * a * a - 0.5 * damping * damping;
    CHECK(point.frequency == Approx(std::sqrt(square) * hertz).epsilon(1e-7));
    const double force = a * damping * std::sqrt(square + 0.25 * damping * damping);
    CHECK(level_of(branch, point) == Approx(force).epsilon(1e-7));
  }
}

TEST_CASE("tracked folds of Duffing's oscillator with one harmonic are the closed form, cusp included", "[tracking]") {
  const ResponseCurves curves = fold_tracking(duffing(), folds(0.1, 0.8, 0.5, 0.01, {1}));
  const ResponseBranch& branch = only(curves);
  CHECK(branch.end.stop == "left at the start");
  for (const ResponsePoint& point : branch.points) {
    // dF²/da² = 0 at fixed Ω: (1 − Ω² + k a²)(1 − Ω² + 3 k a²) + c² Ω² = 0.
    const double a = point.observations[0].amplitude[0], square = std::pow(point.frequency / hertz, 2);
    const double bent = k * a * a;
    CHECK((1.0 - square + bent) * (1.0 - square + 3.0 * bent) + damping * damping * square ==
          Approx(0.0).margin(1e-7 * bent));
    const double force = a * std::sqrt(std::pow(1.0 - square + bent, 2) + damping * damping * square);
    CHECK(level_of(branch, point) == Approx(force).epsilon(1e-7));
  }
  const std::vector<ResponsePoint> cusps = points_called(branch, "cusp");
  REQUIRE(cusps.size() == 1);
  // There k a² = 2d/3 with d = Ω² − 1 and d² = 3c²(1 + d); F² = 4 a² d²/9.
  const double c2 = damping * damping;
  const double d = 0.5 * (3.0 * c2 + std::sqrt(9.0 * c2 * c2 + 12.0 * c2));
  CHECK(cusps[0].frequency == Approx(std::sqrt(1.0 + d) * hertz).epsilon(1e-7));
  CHECK(level_of(branch, cusps[0]) == Approx(2.0 / 3.0 * d * std::sqrt(2.0 * d / (3.0 * k))).epsilon(1e-8));
  CHECK(points_called(branch, "isola birth").empty());
  CHECK(points_called(branch, "isola merging").empty());
}

TEST_CASE("tracked resonances are the peaks of single frequency responses", "[tracking]") {
  // Peaks are located to 1e-10 of the range, 2e-9 of the frequency; amplitudes to a residual of 1e-9.
  constexpr double located = 1e-7;
  SECTION("Duffing's oscillator with five harmonics") {
    ResonanceTrackingRequest request = resonances(0.1, 0.8, 0.01, 1.0, {0, 1, 2, 3, 4, 5});
    request.levels = {0.02, 0.05, 0.2, 0.6};
    check_against_responses(duffing(), request, located);
  }
  SECTION("an eliminated mass, observed by its acceleration") {
    ResonanceTrackingRequest request = resonances(0.08, 0.25, 0.01, 0.5, {1, 3});
    request.observables = {{.name = "end", .coordinate = 1, .quantity = Quantity::acceleration}};
    request.observed = request.observables.front();
    request.levels = {0.02, 0.1};
    check_against_responses(two_masses(), request, located);
  }
}

TEST_CASE("tracked resonances of friction oscillators are the peaks of 12 frequency responses", "[tracking]") {
  SECTION("Jenkins element, exact between its events") {
    ResonanceTrackingRequest request = resonances(0.1, 0.25, 0.002, 0.3, {1, 3, 5});
    for (int i = 0; i < 12; ++i) request.levels.push_back(0.0025 * std::pow(100.0, i / 11.0));
    check_against_responses(jenkins_oscillator(), request, 1e-7);
  }
  SECTION("Iwan joint, into macroslip") {
    ResonanceTrackingRequest request = resonances(95.0, 130.0, 0.02, 12.0, {1, 3, 5, 7});
    for (int i = 0; i < 12; ++i) request.levels.push_back(0.025 * std::pow(400.0, i / 11.0));
    check_against_responses(iwan_oscillator(), request, 1e-6);
  }
}

TEST_CASE("a tracked resonance goes through macroslip of a joint with a jump of its density", "[tracking]") {
  // There the response has a corner, and its peak sits at the corner over a range of levels; it then leaves it by a new maximum.
  Model model{.structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {1e5, 4e5}, .dampings = {1.0, 0.5}}),
              .loads = {load(2, 1, 1.0)}};
  for (const auto& [stiffness, begins] : {std::pair{2e5, 52.0}, std::pair{4e5, 60.0}}) {
    const auto law = four_parameter_backbone({.stiffness = stiffness, .slip_force = 5.0, .chi = -0.4, .beta = 0.3});
    model.joints = {joint("joint", make_iwan(law), 2, {{{0, 1.0}}})};
    ResonanceTrackingRequest request = resonances(40.0, 80.0, 0.3, 5.0, {1, 3, 5, 7});
    request.near = begins;
    request.observables = {{.name = "x2", .coordinate = 1}};
    request.observed = request.observables.front();
    request.levels = {0.5, 0.85, 0.9, 1.2, 1.72, 1.73, 1.74, 1.75, 1.8, 1.9, 2.3, 4.0};
    const ResponseCurves curves = resonance_tracking(model, request);
    const ResponseBranch& tracked = only(curves);
    INFO(tracked.end.message);
    CHECK(!Catch::contains(tracked.end.message, "jumped"));
    const std::vector<ResponsePoint> told = points_called(tracked, "level");
    for (const ResponseBranch& single : responses_at(model, request, request.levels).branches) {
      CAPTURE(stiffness, single.header.level);
      const std::vector<ResponsePoint> peaks = points_called(single, "peak");
      int compared = 0;
      for (const ResponsePoint& point : told) {
        if (std::abs(level_of(tracked, point) / single.header.level - 1.0) > 1e-9) continue;
        ++compared;
        CAPTURE(point.frequency);
        CHECK(std::any_of(peaks.begin(), peaks.end(), [&](const ResponsePoint& peak) {
          // A corner is found within 1e-4 of the way that the unknowns go, of which the frequency goes a small share.
          return std::abs(point.frequency / peak.frequency - 1.0) < 1e-5 &&
                 std::abs(point.observations[0].amplitude[0] / peak.observations[0].amplitude[0] - 1.0) < 1e-6;
        }));
      }
      CHECK(compared > 0);
    }
  }
}

TEST_CASE("where a tracked peak ends the nearest one ahead is gone on from", "[tracking]") {
  // With lift-off two peaks stand side by side; the one that is followed meets a minimum and is no more.
  const Model model = test::two_masses_that_lift_off();
  ResonanceTrackingRequest request = resonances(90.0, 140.0, 270.0, 310.0, {0, 1, 2, 3, 4, 5, 6, 7});
  request.near = 100.6;
  request.levels = {300.0};
  const bool adaptive = GENERATE(false, true);
  CAPTURE(adaptive);
  if (adaptive) {
    request.balance.harmonics = HarmonicSet::up_to(15).harmonics();
    request.balance.adaptive = AdaptiveHarmonics{.tolerance = 1e-3, .samples = 128};
  }
  const ResponseCurves curves = resonance_tracking(model, request);
  const ResponseBranch& tracked = only(curves);
  CHECK_THAT(tracked.end.message, Catch::Contains("taken up again as the nearest of its kind"));
  const std::vector<ResponsePoint> told = points_called(tracked, "level");
  REQUIRE(told.size() == 1);
  const ResponseBranch single = responses_at(model, request, {300.0}).branches[0];
  // Adaptive sets of neighbouring points differ by harmonics below their tolerance.
  CHECK(told[0].frequency == Approx(single.end.resonances[0].frequency).epsilon(adaptive ? 1e-4 : 1e-6));
  CHECK(told[0].observations[0].amplitude[1] ==
        Approx(single.end.resonances[0].amplitude).epsilon(adaptive ? 1e-3 : 1e-5));
}

TEST_CASE("tracked folds are the folds of single frequency responses", "[tracking]") {
  FoldTrackingRequest request = folds(0.1, 0.8, 0.8, 0.01, {1, 3, 5});
  request.levels = {0.1, 0.3};
  const Model model = duffing();
  const ResponseCurves curves = fold_tracking(model, request);
  const ResponseBranch& tracked = only(curves);  // no isola: the branches at those levels are not closed
  const std::vector<ResponsePoint> told = points_called(tracked, "level");
  REQUIRE(told.size() == 4);
  for (const ResponseBranch& single : responses_at(model, request, request.levels).branches) {
    const std::vector<ResponsePoint> found = points_called(single, "fold");
    REQUIRE(found.size() == 2);
    for (const ResponsePoint& fold : found) {
      const auto nearest = std::min_element(told.begin(), told.end(), [&](const auto& a, const auto& b) {
        const auto distance = [&](const ResponsePoint& p) {
          return std::abs(p.frequency - fold.frequency) + std::abs(level_of(tracked, p) - single.header.level);
        };
        return distance(a) < distance(b);
      });
      CHECK(nearest->frequency == Approx(fold.frequency).epsilon(1e-7));
      // The amplitude changes like the root of the frequency: at a residual of 1e-11 it is located to 1e-5.
      CHECK(nearest->observations[0].amplitude[0] == Approx(fold.observations[0].amplitude[0]).epsilon(1e-5));
    }
  }
}

TEST_CASE("folds of joints with very many kinks form one curve with one cusp", "[tracking]") {
  // Sampled, each of these curves halts or shows births of isolas that do not exist, wherever a kink passes a sample.
  const NormalContact normal({.stiffness = 0.1, .preload = 0.25});
  const std::vector<std::pair<std::string, std::shared_ptr<const ContactElement>>> laws = {
      {"100 sliders",
       make_element(SliderPopulation(bin_backbone(*uniform_backbone({.stiffness = 0.3, .slip_force = 0.05}), 100)))},
      {"friction under a varying load",
       make_element(Friction2d({.stiffness = 0.3, .friction = 0.2, .normal = normal}))},
      {"Iwan-Stribeck",
       make_iwan_stribeck({.iwan = {.stiffness = 0.3, .slip_force = 0.05, .chi = -0.5, .beta = 0.5, .theta = 0.8},
                           .stribeck_velocity = 0.5})}};
  for (const auto& [name, element] : laws) {
    INFO(name);
    Model model = duffing();
    std::vector<std::map<Index, double>> directions = {{{0, 1.0}}};
    if (element->inputs() == 2) directions.push_back({{0, 0.3}});
    model.joints.push_back(joint("friction", element, 1, directions));
    FoldTrackingRequest request = folds(0.1, 0.6, 0.3, 0.05, {0, 1, 2, 3, 4, 5});
    const ResponseCurves curves = fold_tracking(model, request);
    const ResponseBranch& tracked = only(curves);
    CHECK(tracked.end.complete);
    CHECK(points_called(tracked, "cusp").size() == 1);
    CHECK(points_called(tracked, "isola birth").empty());
    CHECK(points_called(tracked, "isola merging").empty());
    // An independent place: the folds of a single response at a level in between.
    const ResponseBranch single = responses_at(model, request, {0.2}).branches[0];
    REQUIRE(points_called(single, "fold").size() == 2);
    request.levels = {0.2};
    const ResponseCurves marked = fold_tracking(model, request);
    const std::vector<ResponsePoint> told = points_called(only(marked), "level");
    REQUIRE(told.size() == 2);
    for (const ResponsePoint& fold : points_called(single, "fold")) {
      const double nearest =
          std::min(std::abs(told[0].frequency - fold.frequency), std::abs(told[1].frequency - fold.frequency));
      CHECK(nearest < 1e-7 * fold.frequency);
    }
  }
}

TEST_CASE("a response without a fold or a peak is said to have none", "[tracking]") {
  const ResponseCurves none = fold_tracking(duffing(), folds(0.1, 0.4, 1e-3, 1e-2, {1}));
  REQUIRE(none.branches.size() == 1);
  CHECK_FALSE(none.complete());
  CHECK(none.branches[0].end.message.find("has no fold between 0.1 and 0.4 Hz") != std::string::npos);
  const ResponseCurves below = resonance_tracking(duffing(), resonances(0.01, 0.1, 1e-3, 1e-2, {1}));
  CHECK(below.branches[0].end.message.find("has no peak between 0.01 and 0.1 Hz") != std::string::npos);
  CHECK_THROWS_AS(resonance_tracking(duffing(), resonances(0.1, 0.1, 1e-3, 1e-2, {1})), ModelError);
}
