// Duffing oscillator x'' + 0.04 x' + x + 0.5 x³ = F cos ωt, F = 0.1 and 0.3: folds and the 1:3 superharmonic peak as the
// number of harmonics grows, and independently by time integration.
#include "masing/analysis/frequency_response.hpp"
#include "masing/analysis/transient_response.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

using namespace masing;

namespace {

constexpr double hertz = 1.0 / (2.0 * pi);

Model duffing() {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.04}),
              .loads = {test::load(1, 0, 1.0)}};
  model.joints = {test::joint("cubic", make_element(CubicSpring({.cubic_stiffness = 0.5})), 1, {{{0, 1.0}}})};
  return model;
}

FrequencyResponseRequest request(double from, double to, double force, int highest) {
  FrequencyResponseRequest r;
  r.from = from * hertz;
  r.to = to * hertz;
  r.levels = {force};
  r.balance.harmonics.clear();
  for (int k = 1; k <= highest; k += 2) r.balance.harmonics.push_back(k);
  r.balance.samples = 8 * highest;  // cubic: products up to 3H + H are free of aliasing
  r.observables = {{.name = "x"}};
  return r;
}

// Angular frequencies of the folds, ascending.
std::vector<double> folds(double force, int highest) {
  auto ask = request(0.6, force > 0.2 ? 3.0 : 2.0, force, highest);
  const FrequencyResponse response = frequency_response(duffing(), ask);
  INFO(response.branches[0].end.message);
  REQUIRE(response.complete());
  std::vector<double> result;
  for (const SpecialPoint& special : response.branches[0].special_points) {
    if (special.kind == "fold") result.push_back(special.point.frequency / hertz);
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

TEST_CASE("Duffing folds converge in the number of harmonics to more than six digits") {
  for (const double force : {0.1, 0.3}) {
    const std::vector<double> reference = folds(force, 21);
    REQUIRE(reference.size() == 2);
    std::string table = fmt::format("F = {}: harmonics, lower fold, upper fold\n", force);
    std::vector<double> errors;
    for (const int highest : {1, 3, 5, 7, 9, 13}) {
      const std::vector<double> found = folds(force, highest);
      REQUIRE(found.size() == 2);
      table += fmt::format("  1..{:<2}  {:.10f}  {:.10f}\n", highest, found[0], found[1]);
      errors.push_back(std::max(std::abs(found[0] / reference[0] - 1.0), std::abs(found[1] / reference[1] - 1.0)));
    }
    WARN(table << fmt::format("  1..21  {:.10f}  {:.10f}", reference[0], reference[1]));
    // Smooth law: errors fall geometrically with the harmonics until the location tolerance (1e-10 of the range).
    constexpr double six_digits = 1e-7;
    CHECK(errors[1] < 0.1 * errors[0]);
    CHECK(errors[2] < 0.1 * errors[1]);
    CHECK(errors[4] < six_digits);
    CHECK(errors[5] < six_digits);
  }
}

TEST_CASE("the jump of a time integration happens at the located folds") {
  // Started on the upper branch just below the upper fold it stays; just above it falls.
  const double force = 0.1;
  const std::vector<double> fold = folds(force, 13);
  const auto amplitude_at = [&](double omega, double start) {
    TransientRequest ask;
    ask.frequency = omega * hertz;
    ask.levels = {force};
    ask.observables = {{.name = "x"}};
    ask.initial_displacement = Vector::Constant(1, 0.0);
    ask.initial_velocity = Vector::Constant(1, start * omega);  // quadrature: near resonance x = a sin ωt
    ask.max_periods = 3000;
    ask.steady_tolerance = 1e-7;
    const auto history = transient_response(duffing(), ask);
    REQUIRE(history[0].is_steady);
    return history[0].steady[0].amplitude[1];
  };
  const auto ask = request(0.6, 2.0, force, 13);
  const double top = frequency_response(duffing(), ask).branches[0].end.resonances[0].amplitude;
  CHECK(amplitude_at(fold[1] - 0.01, top) > 0.7 * top);
  CHECK(amplitude_at(fold[1] + 0.01, top) < 0.3 * top);
  CHECK(amplitude_at(fold[0] - 0.01, 0.0) > amplitude_at(fold[0] + 0.02, 0.0) * 1.5);
}

TEST_CASE("the 1:3 superharmonic peak is found and agrees with time integration") {
  auto ask = request(0.3, 0.6, 0.3, 13);
  ask.peak_harmonics = {3};
  const FrequencyResponse response = frequency_response(duffing(), ask);
  REQUIRE(response.complete());
  const Resonance peak = response.branches[0].end.resonances[0];
  WARN(fmt::format("1:3 superharmonic peak: omega = {:.8f}, third harmonic {:.8f}", peak.frequency / hertz,
                   peak.amplitude));
  CHECK(peak.harmonic == 3);
  CHECK(peak.frequency / hertz > 1.0 / 3.0);  // a third of a natural frequency that stiffens
  CHECK(peak.frequency / hertz < 0.5);

  TransientRequest check;
  check.frequency = peak.frequency;
  check.levels = {0.3};
  check.observables = {{.name = "x"}};
  check.steady_tolerance = 1e-9;
  const auto history = transient_response(duffing(), check);
  REQUIRE(history[0].is_steady);
  // The integrator's tolerance 1e-9 and the steadiness 1e-9, amplified by the slow decay (ζ = 0.02).
  constexpr double agreement = 1e-6;
  CHECK(history[0].steady[0].amplitude[3] == Approx(peak.amplitude).epsilon(agreement));

  const FrequencyResponse finer = frequency_response(duffing(), [&] {
    auto more = request(0.3, 0.6, 0.3, 21);
    more.peak_harmonics = {3};
    return more;
  }());
  constexpr double six_digits = 1e-7;
  CHECK(finer.branches[0].end.resonances[0].frequency == Approx(peak.frequency).epsilon(six_digits));
}
