// The response of a Duffing oscillator with one harmonic against its closed form.
#include "unit/continuation/problems.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using namespace masing::test;

namespace {

Event peak_of_amplitude() {
  return {.name = "peak",
          .value = [](const BranchPoint& point, const Vector& direction) { return point.x.dot(direction.head(2)); },
          .crossing = Crossing::falling};
}

}  // namespace

TEST_CASE("The Duffing response goes round both folds and fulfils the closed form") {
  for (const double force : {0.1, 0.3}) {
    for (const double sense : {1.0, -1.0}) {
      Duffing problem;
      problem.force = force;
      const ParameterRange range = sense > 0.0 ? ParameterRange{0.2, 3.0} : ParameterRange{3.0, 0.2};
      Continuation continuation(problem, range, {}, {.residual_tolerance = 1e-11});
      const Branch branch = continuation.follow(Vector::Zero(2), {.events = {peak_of_amplitude()}});
      REQUIRE(branch.summary.stop == ContinuationStop::reached_end);
      const double accuracy = 1e-10;  // Newton's tolerance times a few
      for (const BranchPoint& point : branch.points) {
        CHECK(std::abs(problem.closed_form(problem.amplitude(point.x), point.lambda)) < accuracy);
      }
      const auto folds = events_named(branch, "fold");
      REQUIRE(folds.size() == 2);
      for (const BranchEvent& fold : folds) {
        const double a = problem.amplitude(fold.point.x);
        CHECK(std::abs(problem.closed_form(a, fold.point.lambda)) < accuracy);
        CHECK(std::abs(problem.fold_condition(a, fold.point.lambda)) < 1e-8);  // arc length 1e-10, slope below 100
        CHECK(branch.points[fold.after_point].tangent(2) * branch.points[fold.after_point + 1].tangent(2) < 0.0);
      }
      // At the largest amplitude of all, Ω² = 1 + ¾αA² − c²/2.
      const auto peaks = events_named(branch, "peak");
      REQUIRE(peaks.size() == 1);
      const double a = problem.amplitude(peaks[0].point.x);
      const double w2 = 1.0 + 0.75 * problem.alpha * a * a - 0.5 * problem.c * problem.c;
      CHECK(peaks[0].point.lambda == Approx(std::sqrt(w2)).epsilon(1e-9));
    }
  }
}

TEST_CASE("Amplitudes of any size make the same branch") {
  std::vector<Branch> branches;
  for (const double unit : {1.0, 1e-6, 1e6}) {
    Duffing problem;
    problem.unit = unit;
    branches.push_back(Continuation(problem, {0.2, 3.0}).follow(Vector::Zero(2)));
    CHECK(branches.back().summary.stop == ContinuationStop::reached_end);
    CHECK(std::abs(branches.back().summary.points - branches.front().summary.points) <= 2);
    REQUIRE(branches.back().events.size() == 2);
    for (size_t i = 0; i < 2; ++i) {
      CHECK(branches.back().events[i].point.lambda == Approx(branches.front().events[i].point.lambda).epsilon(1e-9));
    }
  }
}

TEST_CASE("A resonance a thousand times higher than the static response and 1/3000 of the range wide is not missed") {
  Duffing problem;
  problem.c = 1e-3;
  problem.alpha = 0.0;
  problem.force = 1e-3;
  Continuation continuation(problem, {0.2, 3.2});
  const Branch branch = continuation.follow(Vector::Zero(2), {.events = {peak_of_amplitude()}});
  REQUIRE(branch.summary.stop == ContinuationStop::reached_end);
  const auto peaks = events_named(branch, "peak");
  REQUIRE(peaks.size() == 1);
  CHECK(peaks[0].point.lambda == Approx(std::sqrt(1.0 - 0.5e-6)).epsilon(1e-9));
  int above_half_power = 0;
  for (const BranchPoint& point : branch.points) above_half_power += problem.amplitude(point.x) > std::sqrt(0.5);
  CHECK(above_half_power >= 10);
  CHECK(branch.summary.points < 250);
}

TEST_CASE("Half-power points are found between the points of a finished branch") {
  Duffing problem;
  problem.alpha = 0.0;
  Continuation continuation(problem, {0.5, 1.5});
  const Branch branch = continuation.follow(Vector::Zero(2), {.events = {peak_of_amplitude()}});
  const auto peaks = events_named(branch, "peak");
  REQUIRE(peaks.size() == 1);
  const double level = problem.amplitude(peaks[0].point.x) / std::sqrt(2.0);
  const BranchFunction excess = [&](const BranchPoint& point, const Vector&) {
    return problem.amplitude(point.x) - level;
  };
  std::vector<double> frequencies;
  for (size_t i = 0; i + 1 < branch.points.size(); ++i) {
    if (const auto point = continuation.locate(branch.points[i], branch.points[i + 1], excess)) {
      frequencies.push_back(point->lambda);
    } else {
      CHECK_THAT(continuation.last_message(), Catch::StartsWith("No zero between λ = "));
    }
  }
  // (1 − Ω²)² + c²Ω² = 2c²(1 − c²/4): Ω² = 1 − c²/2 ± c√(1 − c²/4)
  const double c = problem.c, w2 = 1.0 - 0.5 * c * c, width = c * std::sqrt(1.0 - 0.25 * c * c);
  REQUIRE(frequencies.size() == 2);
  CHECK(frequencies[0] == Approx(std::sqrt(w2 - width)).epsilon(1e-8));
  CHECK(frequencies[1] == Approx(std::sqrt(w2 + width)).epsilon(1e-8));
}
