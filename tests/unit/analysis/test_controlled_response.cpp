#include "masing/analysis/controlled_response.hpp"
#include "masing/analysis/detail/augmented_problem.hpp"
#include "masing/analysis/frequency_response.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/unilateral.hpp"
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
constexpr double damping = 0.04, cubic = 0.5;

Model duffing() {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = damping}), .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = cubic})), 1, {{{0, 1.0}}})};
  return model;
}

/// A joint on the first of three masses; the load on the last one, which is eliminated.
Model jenkins_chain() {
  Model model{
      .structure = chain({.masses = {1.0, 1.0, 1.0}, .stiffnesses = {1.0, 1.0, 1.0}, .dampings = {0.02, 0.02, 0.02}}),
      .loads = {load(3, 2, 1.0)}};
  model.joints = {joint("damper", make_element(Jenkins({.stiffness = 0.5, .slip_force = 0.1})), 3, {{{0, 1.0}}})};
  return model;
}

template <class Request>
Request request(std::vector<int> harmonics, Index observed = 0) {
  Request r;
  r.name = "curve";
  r.balance = {.harmonics = std::move(harmonics), .samples = 64};
  r.observables = {{.name = "x", .coordinate = observed}};
  return r;
}

double level(const ResponseBranch& branch, const ResponsePoint& point) {
  return point.quantities[branch.header.find_quantity("level")];
}

double energy_residual(const ResponseBranch& branch, const ResponsePoint& point) {
  return point.quantities[branch.header.find_quantity("energy_residual")];
}

/// Force that Duffing's oscillator needs for an amplitude, one harmonic.
double duffing_force(double amplitude, double omega) {
  const double s = amplitude * amplitude;
  return std::sqrt(s * (std::pow(1.0 - omega * omega + 0.75 * cubic * s, 2) + std::pow(damping * omega, 2)));
}

/// Largest |exact − central difference| of the Jacobian and of ∂R/∂λ, each column relative to its largest entry.
double worst_derivative(detail::AugmentedProblem& problem, const Vector& z, double lambda) {
  Matrix jacobian;
  Vector by_lambda, plus, minus;
  problem.derivatives(z, lambda, jacobian, by_lambda);
  const auto error = [&](const Vector& exact, double step) {
    return (exact - (plus - minus) / (2.0 * step)).cwiseAbs().maxCoeff() / exact.cwiseAbs().maxCoeff();
  };
  double worst = 0.0;
  for (Index i = 0; i < z.size(); ++i) {
    const double step = 1e-6 * std::max(std::abs(z[i]), 0.1);
    problem.residual(z + step * Vector::Unit(z.size(), i), lambda, plus);
    problem.residual(z - step * Vector::Unit(z.size(), i), lambda, minus);
    worst = std::max(worst, error(jacobian.col(i), step));
  }
  const double step = 1e-6;
  problem.residual(z, lambda + step, plus);
  problem.residual(z, lambda - step, minus);
  return std::max(worst, error(by_lambda, step));
}

}  // namespace

TEST_CASE("the S-curve of Duffing's oscillator has the two folds of its cubic") {
  const double omega = 1.3;
  auto ask = request<ForceResponseRequest>({1});
  ask.frequencies = {omega * hertz};
  ask.from_level = 0.01;
  ask.to_level = 2.0;
  const ResponseCurves curves = force_response(duffing(), ask);
  REQUIRE(curves.complete());
  const ResponseBranch& branch = curves.branches[0];
  for (const ResponsePoint& point : branch.points) {
    CHECK(point.frequency == omega * hertz);
    CHECK(level(branch, point) == Approx(duffing_force(point.observations[0].amplitude[0], omega)).epsilon(1e-8));
    CHECK(energy_residual(branch, point) < 1e-6);
  }
  // F^2 = s ((d + b s)^2 + c^2), s = A^2, is stationary where 3 b^2 s^2 + 4 d b s + d^2 + c^2 = 0.
  const double d = 1.0 - omega * omega, b = 0.75 * cubic, c = damping * omega;
  const double root = std::sqrt(4.0 * d * d - 3.0 * (d * d + c * c));
  REQUIRE(branch.special_points.size() == 2);
  for (const int i : {0, 1}) {
    const double s = (-2.0 * d + (i == 0 ? -root : root)) / (3.0 * b);
    const SpecialPoint& fold = branch.special_points[static_cast<std::size_t>(i)];
    CHECK(fold.kind == "fold");
    CHECK(level(branch, fold.point) == Approx(duffing_force(std::sqrt(s), omega)).epsilon(1e-8));
    // At a fold the force is stationary: the amplitude is known to the square root of the precision of the force.
    CHECK(fold.point.observations[0].amplitude[0] == Approx(std::sqrt(s)).epsilon(1e-4));
  }
}

namespace {

/// Where the closed form of the force has extrema over the frequency at a held acceleration, they are located.
void check_level_extrema(const ResponseBranch& branch, double from, double to) {
  const auto force = [&](double frequency) {
    const double omega = 2.0 * pi * frequency;
    return duffing_force(branch.header.level / (omega * omega), omega);
  };
  constexpr double step = 1e-6;  // differences: right to 1e-10, and the extrema with them
  const auto slope = [&](double frequency) { return force(frequency + step) - force(frequency - step); };
  constexpr int pieces = 2000;
  std::vector<std::pair<std::string, double>> expected;
  for (int i = 0; i < pieces; ++i) {
    double low = from + (to - from) * i / pieces, high = from + (to - from) * (i + 1) / pieces;
    const bool rises = slope(high) > 0.0;
    if ((slope(low) > 0.0) == rises) continue;
    for (int halving = 0; halving < 50; ++halving) {
      const double middle = 0.5 * (low + high);
      ((slope(middle) > 0.0) == rises ? high : low) = middle;
    }
    expected.emplace_back(rises ? "least level" : "highest level", low);
  }
  REQUIRE(!expected.empty());
  REQUIRE(branch.special_points.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(branch.special_points[i].kind == expected[i].first);
    CHECK(branch.special_points[i].point.frequency == Approx(expected[i].second).epsilon(1e-7));
  }
}

}  // namespace

TEST_CASE("response control holds the amplitude and finds the force of Duffing's closed form") {
  auto ask = request<ResponseControlRequest>({1});
  ask.from = 0.5 * hertz;
  ask.to = 2.0 * hertz;
  ask.controlled = {.name = "a", .coordinate = 0, .quantity = Quantity::acceleration};
  ask.amplitudes = {0.2, 1.5};
  const ResponseCurves curves = response_control(duffing(), ask);
  REQUIRE(curves.complete());
  for (const ResponseBranch& branch : curves.branches) {
    check_level_extrema(branch, ask.from, ask.to);  // and nothing else: a controlled test does not jump
    for (const ResponsePoint& point : branch.points) {
      const double omega = 2.0 * pi * point.frequency;
      const double amplitude = branch.header.level / (omega * omega);
      CHECK(point.observations[0].amplitude[0] == Approx(amplitude).epsilon(1e-8));
      CHECK(level(branch, point) == Approx(duffing_force(amplitude, omega)).epsilon(1e-6));
    }
  }
}

TEST_CASE("response control is the inverse of the frequency response, also where sensor and load are eliminated") {
  const std::vector<int> harmonics = {0, 1, 2, 3};
  auto ask = request<ResponseControlRequest>(harmonics, 2);
  ask.from = 0.05;
  ask.to = 0.12;
  ask.controlled = {.name = "end", .coordinate = 2};
  ask.amplitudes = {1.0};
  const ResponseCurves curves = response_control(jenkins_chain(), ask);
  REQUIRE(curves.complete());
  const ResponseBranch& branch = curves.branches[0];
  for (std::size_t i = 0; i < branch.points.size(); i += 7) {
    auto open = request<FrequencyResponseRequest>(harmonics, 2);
    open.from = branch.points[i].frequency;
    open.to = 1.001 * open.from;
    open.levels = {level(branch, branch.points[i])};
    const FrequencyResponse response = frequency_response(jenkins_chain(), open);
    REQUIRE(!response.branches[0].points.empty());
    CHECK(response.branches[0].points.front().observations[0].amplitude[1] == Approx(1.0).epsilon(1e-6));
    CHECK(energy_residual(branch, branch.points[i]) < 1e-6);
  }
}

namespace {

Model oscillator_with(std::shared_ptr<const ContactElement> element) {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.02}), .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("joint", std::move(element), 1, {{{0, 1.0}}})};
  return model;
}

ResponseControlRequest holding(int harmonic, double amplitude) {
  auto ask = request<ResponseControlRequest>({0, 1, 2, 3, 4, 5});
  ask.level_unit = "N";
  ask.from = 0.04;
  ask.to = 0.06;
  ask.controlled = ask.observables.front();
  ask.harmonic = harmonic;
  ask.amplitudes = {amplitude};
  return ask;
}

/// Amplitude in a harmonic where the force response at that frequency passes the level for the first time.
double open_loop(const Model& model, const ResponseControlRequest& control, double frequency, double at_level) {
  auto open = request<ForceResponseRequest>(control.balance.harmonics);
  open.frequencies = {frequency};
  open.from_level = 1e-3 * at_level;
  open.to_level = 1.01 * at_level;
  open.marks = {at_level};
  const ResponseBranch branch = force_response(model, open).branches.front();
  const auto mark = std::find_if(branch.special_points.begin(), branch.special_points.end(),
                                 [](const SpecialPoint& special) { return special.kind == "level"; });
  REQUIRE(mark != branch.special_points.end());
  return mark->point.observations[0].amplitude[control.harmonic];
}

}  // namespace

TEST_CASE("a harmonic that the joints alone drive is held from the first frequency on") {
  const auto check = [](const Model& model, int harmonic, double amplitude) {
    CAPTURE(harmonic, amplitude);
    const ResponseControlRequest ask = holding(harmonic, amplitude);
    const ResponseBranch branch = response_control(model, ask).branches.front();
    INFO(branch.end.message);
    REQUIRE(branch.end.complete);
    for (const ResponsePoint& point : branch.points) {  // to the tolerance of Newton's method, 1e-9
      CHECK(point.observations[0].amplitude[harmonic] == Approx(amplitude).epsilon(1e-7));
    }
    const double first = level(branch, branch.points.front());
    CHECK(open_loop(model, ask, ask.from, first) == Approx(amplitude).epsilon(1e-6));
  };
  // Harmonic 3 of a cubic spring grows with the third power of the motion: 1e-7 needs one that is 1e4 times larger.
  const Model hardening = oscillator_with(make_element(CubicSpring({.cubic_stiffness = 1.0})));
  check(hardening, 3, 0.05);
  check(hardening, 3, 1e-7);
  check(oscillator_with(make_element(Jenkins({.stiffness = 0.5, .slip_force = 0.1}))), 3, 0.01);
  // With a contact that rests on its stop all is proportional to the load; with a gap there is nothing until it closes.
  check(oscillator_with(make_element(Unilateral({.stiffness = 0.5}))), 2, 0.01);
  check(oscillator_with(make_element(Unilateral({.stiffness = 0.5, .gap = 3.0}))), 2, 0.001);
}

TEST_CASE("response control tells how far the controlled amplitude got when no level was found for it") {
  const auto message = [](const Model& model, int harmonic, double amplitude) {
    const ResponseBranch branch = response_control(model, holding(harmonic, amplitude)).branches.front();
    CHECK(branch.points.empty());
    return branch.end.message;
  };
  // The friction force is limited, and so is what it drives: 0.1 N and 4/pi at most, over a stiffness that is near one.
  const Model rubbed = oscillator_with(make_element(Jenkins({.stiffness = 0.5, .slip_force = 0.1})));
  CHECK_THAT(message(rubbed, 3, 1.0), Catch::Matchers::Contains("harmonic 3 of 'x' has the amplitude 1 m at 0.04 Hz") &&
                                          Catch::Matchers::Contains("to 0.09") &&
                                          Catch::Matchers::Contains("Hold an amplitude in between"));
  CHECK_THAT(message(duffing(), 2, 0.1), Catch::Matchers::Contains("Neither the loads nor the joints drive it"));
  Model idle = duffing();
  idle.loads = {load(1, 0, 0.0)};
  CHECK_THAT(message(idle, 1, 0.1), Catch::Matchers::Contains("The loads move nothing at 0.04 Hz"));
}

TEST_CASE("augmented Jacobians agree with central differences") {
  const Model forced = jenkins_chain();
  Model free = forced;
  free.loads.clear();
  const auto& mass = dynamic_cast<const SecondOrderStructure&>(*forced.structure).mass();
  const BalanceOptions options{.harmonics = {0, 1, 3}, .samples = 64};
  HarmonicBalance forced_balance(*forced.structure, forced.joints, forced.loads, options);
  HarmonicBalance free_balance(*free.structure, free.joints, free.loads, options);
  const Vector motion = 0.5 * Vector::LinSpaced(forced_balance.size(), -1.0, 1.3);
  using enum detail::Control;
  const auto worst = [&](HarmonicBalance& balance, detail::Parameter parameter, std::vector<detail::Control> unknown,
                         std::vector<std::unique_ptr<detail::Condition>> conditions, double lambda) {
    const double ratio = &balance == &free_balance ? 0.03 : 0.0;  // artificial damping belongs to free motion
    const detail::Controls controls{.frequency = 0.11, .level = 0.7, .damping = ratio};
    detail::AugmentedProblem problem(balance, parameter, std::move(unknown), controls, std::move(conditions));
    return worst_derivative(problem, problem.unknowns(motion, controls, lambda), lambda);
  };
  const auto list = [](auto... conditions) {
    std::vector<std::unique_ptr<detail::Condition>> all;
    (all.push_back(std::move(conditions)), ...);
    return all;
  };
  const Vector end = Vector::Unit(3, 2);
  const auto amplitude = [&](double wanted) {
    return std::make_unique<detail::AmplitudeCondition>(1, end, Quantity::acceleration, wanted);
  };
  const auto quadrature = [] { return std::make_unique<detail::QuadratureCondition>(1); };
  // Steps of 1e-6 leave 1e-10 relative to rounding and 1e-12 to curvature; events of the law add kinks of second order.
  const double tolerance = 1e-6;
  CHECK(worst(forced_balance, detail::Parameter::level, {}, {}, -0.2) < tolerance);
  CHECK(worst(forced_balance, detail::Parameter::frequency, {level}, list(amplitude(0.4)), 0.11) < tolerance);
  CHECK(worst(forced_balance, detail::Parameter::level, {frequency}, list(quadrature()), -0.2) < tolerance);
  CHECK(worst(forced_balance, detail::Parameter::amplitude, {frequency, level}, list(quadrature(), amplitude(0.0)),
              -0.3) < tolerance);
  CHECK(
      worst(free_balance, detail::Parameter::amplitude, {frequency, damping},
            list(std::make_unique<detail::ModalMassCondition>(1, mass), std::make_unique<detail::PhaseCondition>(1, 0)),
            -0.3) < tolerance);
}

TEST_CASE("the phase equation moves to another motion when its own fades, without moving the solution") {
  Model model = jenkins_chain();
  model.joints.push_back(joint("second", make_element(CubicSpring({.cubic_stiffness = 1.0})), 3, {{{1, 1.0}}}));
  HarmonicBalance balance(*model.structure, model.joints, model.loads, {.harmonics = {1}, .samples = 64});
  REQUIRE(balance.motions() == 2);
  detail::PhaseCondition phase(1, 0);
  detail::ConditionValue value;
  Vector x(4);  // cos of both, sin of both
  x << 1.0, 2.0, 0.0, -1.0;
  phase.follow_shape(balance, x);
  CHECK(phase.motion() == 0);  // not small enough
  x << 0.1, 2.0, 0.0, -1.0;
  phase.follow_shape(balance, x);
  CHECK(phase.motion() == 1);
  phase.evaluate({balance, x, 1.0, 1.0}, value);
  CHECK(std::abs(value.value) < 1e-15);
  // Shifted in time by the angle 0.1 it is no solution: Im(e^{-i phi} y) = |y| sin 0.1.
  const Complex shifted = Complex(2.0, 1.0) * std::polar(1.0, 0.1);
  x << 0.1, shifted.real(), 0.0, -shifted.imag();
  phase.evaluate({balance, x, 1.0, 1.0}, value);
  CHECK(value.value == Approx(std::sqrt(5.0) * std::sin(0.1)).epsilon(1e-12));
}
