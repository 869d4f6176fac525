// Known curves: folds, ends, loops, units, predictors.
#include "unit/continuation/problems.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace masing;
using namespace masing::test;

namespace {

const NewtonOptions precise{.residual_tolerance = 1e-12};
/// Newton's tolerance 1e-12 and the tolerance of events 1e-10 (squared in λ at a fold) leave less than this.
constexpr double fold_accuracy = 1e-10;

}  // namespace

TEST_CASE("The circle: both folds are located and the loop is closed") {
  PlaneCurve problem = circle();
  Continuation continuation(problem, {-2.0, 2.0}, {}, precise);
  const std::optional<BranchPoint> start = continuation.start(scalar(1.0), 0.1);
  REQUIRE(start);
  const Branch branch = continuation.resume({*start});
  CHECK(branch.summary.stop == ContinuationStop::closed_loop);
  CHECK(branch.summary.complete());
  CHECK_THAT(branch.summary.message, Catch::StartsWith("The branch is a closed loop, back at λ = 0.1 with"));
  const auto folds = events_named(branch, "fold");
  REQUIRE(folds.size() == 2);
  CHECK(std::abs(folds[0].point.lambda - 1.0) < fold_accuracy);
  CHECK(std::abs(folds[1].point.lambda + 1.0) < fold_accuracy);
  CHECK(std::abs(folds[0].point.x(0)) < 1e-9);  // the event tolerance in arc length, of a range of 4
  for (const BranchPoint& point : branch.points) {
    CHECK(std::abs(point.x(0) * point.x(0) + point.lambda * point.lambda - 1.0) < 1e-11);  // Newton's tolerance
    CHECK(std::abs(point.tangent.norm() - 1.0) < 1e-14);                                   // rounding
  }
  CHECK(branch.points.back().x(0) == Approx(start->x(0)).epsilon(1e-9));
}

TEST_CASE("A point of a neighbouring curve settles across it, also at a fold, and the branch goes on in its sense") {
  PlaneCurve problem = circle();
  Continuation continuation(problem, {-2.0, 2.0}, {}, precise);
  // Of a circle that is larger by a hundredth, at its fold: there is no solution at this λ.
  BranchPoint nearby{.x = scalar(0.0), .lambda = 1.01, .tangent = Vector{{-2.0, 0.0}}, .step = 0.03};
  CHECK_FALSE(continuation.start(nearby.x, nearby.lambda));
  const std::optional<BranchPoint> settled = continuation.settle(nearby);
  REQUIRE(settled);
  CHECK(std::abs(settled->x(0)) < 1e-12);
  CHECK(settled->lambda == Approx(1.0).epsilon(1e-11));
  CHECK(settled->tangent(0) == Approx(-1.0).epsilon(1e-12));
  CHECK(settled->step == 0.03);
  const Branch branch = continuation.resume({*settled});
  REQUIRE(branch.points.size() > 1);
  CHECK(branch.points[1].x(0) < 0.0);
  nearby.x = scalar(std::nan(""));
  CHECK_FALSE(continuation.settle(nearby));
  CHECK_FALSE(continuation.last_message().empty());
}

TEST_CASE("A point does not settle outside the range: the branch would never come to its end") {
  const auto line = [](double offset) {  // u = 5p + offset, steep: a point settles mostly along p
    return PlaneCurve([=](double u, double p) { return u - 5.0 * p - offset; }, [](double, double) { return 1.0; },
                      [](double, double) { return -5.0; });
  };
  PlaneCurve known = line(0.0), neighbour = line(-0.2);
  Continuation on_known(known, {0.0, 1.0}), on_neighbour(neighbour, {0.0, 1.0});
  const auto inside = on_known.start(scalar(4.0), 0.8), beside_the_end = on_known.start(scalar(4.95), 0.99);
  REQUIRE((inside && beside_the_end));
  CHECK(on_neighbour.settle(*inside));
  CHECK_FALSE(on_neighbour.settle(*beside_the_end));
  CHECK_THAT(on_neighbour.last_message(), Catch::Contains("outside the range"));
}

TEST_CASE("A branch that comes back leaves its range exactly at the start") {
  PlaneCurve problem = circle();
  Continuation continuation(problem, {0.0, 2.0});
  const Branch branch = continuation.follow(scalar(1.0));
  CHECK(branch.summary.stop == ContinuationStop::left_at_start);
  CHECK(branch.points.front().lambda == 0.0);
  CHECK(branch.points.back().lambda == 0.0);
  CHECK(branch.points.back().x(0) == Approx(-1.0).epsilon(1e-9));  // Newton's tolerance
  CHECK_THAT(branch.summary.message, Catch::StartsWith("The branch came back and left its range at λ = 0 with"));
}

TEST_CASE("The S-curve is followed through both folds to the exact end, up and down") {
  const double fold = 2.0 / (3.0 * std::sqrt(3.0));
  for (const double sense : {1.0, -1.0}) {
    PlaneCurve problem = s_curve();
    Continuation continuation(problem, {-2.0 * sense, 2.0 * sense}, {}, precise);
    const Branch branch = continuation.follow(scalar(-1.5 * sense));
    CHECK(branch.summary.stop == ContinuationStop::reached_end);
    CHECK(branch.points.back().lambda == 2.0 * sense);
    const auto folds = events_named(branch, "fold");
    REQUIRE(folds.size() == 2);
    CHECK(std::abs(folds[0].point.lambda - sense * fold) < fold_accuracy);
    CHECK(std::abs(folds[1].point.lambda + sense * fold) < fold_accuracy);
    CHECK(branch.summary.points == static_cast<int>(branch.points.size()));
    CHECK_THAT(branch.summary.message, Catch::StartsWith("Continuation reached its end at"));
  }
}

TEST_CASE("Units of unknowns, parameter and equations do not matter") {
  PlaneCurve plain = s_curve();
  const Branch reference = Continuation(plain, {-2.0, 2.0}).follow(scalar(-1.5));
  const auto folds = events_named(reference, "fold");
  REQUIRE(folds.size() == 2);
  const std::array<std::array<double, 3>, 3> units = {{{1e-6, 1e2, 1e9}, {1e6, 1e-3, 1e-5}, {1e-6, 1e4, 1.0}}};
  for (const auto& [x, lambda, r] : units) {
    PlaneCurve problem = s_curve();
    problem.unit_x = x, problem.unit_lambda = lambda, problem.unit_r = r;
    const Branch branch = Continuation(problem, {-2.0 * lambda, 2.0 * lambda}).follow(scalar(-1.5 * x));
    CHECK(branch.summary.stop == ContinuationStop::reached_end);
    CHECK(std::abs(branch.summary.points - reference.summary.points) <= 2);  // rounding may shift an iteration count
    const auto same = events_named(branch, "fold");
    REQUIRE(same.size() == 2);
    for (size_t i = 0; i < 2; ++i) {
      CHECK(same[i].point.lambda / lambda == Approx(folds[i].point.lambda).epsilon(1e-9));
      CHECK(same[i].point.x(0) / x == Approx(folds[i].point.x(0)).epsilon(1e-8));
    }
  }
}

TEST_CASE("All predictors follow the same curve, the better ones with fewer iterations") {
  std::vector<Branch> branches;
  for (const Predictor predictor : {Predictor::cubic, Predictor::tangent, Predictor::secant}) {
    PlaneCurve problem = s_curve();
    branches.push_back(Continuation(problem, {-2.0, 2.0}, {.predictor = predictor}).follow(scalar(-1.5)));
    CHECK(branches.back().summary.stop == ContinuationStop::reached_end);
    const auto folds = events_named(branches.back(), "fold"), expected = events_named(branches.front(), "fold");
    REQUIRE(folds.size() == 2);
    for (size_t i = 0; i < 2; ++i) CHECK(folds[i].point.lambda == Approx(expected[i].point.lambda).epsilon(1e-9));
  }
  CHECK(branches[0].summary.newton_iterations < branches[1].summary.newton_iterations);
  CHECK(branches[1].summary.newton_iterations < branches[2].summary.newton_iterations);
}

TEST_CASE("Natural continuation stops at a fold and says where it is") {
  PlaneCurve problem = s_curve();
  for (const Predictor predictor : {Predictor::tangent, Predictor::secant}) {
    Continuation continuation(problem, {-2.0, 2.0},
                              {.parametrisation = Parametrisation::natural, .predictor = predictor});
    const Branch branch = continuation.follow(scalar(-1.5));
    CHECK(branch.summary.stop == ContinuationStop::fold_in_natural);
    CHECK_FALSE(branch.summary.complete());
    CHECK_THAT(
        branch.summary.message,
        Catch::Contains("the branch turns back in a fold at λ = 0.38490018. Natural-parameter continuation cannot "
                        "pass it; use arc-length."));
    REQUIRE(branch.events.size() == 1);
    CHECK(branch.events[0].after_point == static_cast<Index>(branch.points.size()) - 1);
    CHECK(branch.events[0].point.lambda == Approx(2.0 / (3.0 * std::sqrt(3.0))).epsilon(1e-9));
    CHECK(branch.points.back().x(0) < -1.0 / std::sqrt(3.0));  // still on the first limb
  }
}

TEST_CASE("Natural continuation reaches the end where there is no fold") {
  PlaneCurve problem([](double u, double p) { return u * u * u + u - p; },
                     [](double u, double) { return 3.0 * u * u + 1.0; }, [](double, double) { return -1.0; });
  const Branch branch =
      Continuation(problem, {3.0, -2.0}, {.parametrisation = Parametrisation::natural}).follow(scalar(1.0));
  CHECK(branch.summary.stop == ContinuationStop::reached_end);
  CHECK(branch.points.back().lambda == -2.0);
  CHECK(branch.points.back().x(0) == Approx(-1.0).epsilon(1e-9));  // Newton's tolerance
}

TEST_CASE("A smaller angle gives more points and no turn beyond it") {
  size_t previous = 0;
  for (const double angle : {30.0, 10.0, 3.0}) {
    PlaneCurve problem = s_curve();
    Continuation continuation(problem, {-2.0, 2.0}, {.step = {.maximum = 1.0, .maximum_angle = angle}});
    const Branch branch = continuation.follow(scalar(-1.5));
    REQUIRE(branch.summary.stop == ContinuationStop::reached_end);
    CHECK(branch.points.size() > previous);
    previous = branch.points.size();
    for (size_t i = 0; i + 1 < branch.points.size(); ++i) {
      // In the metric of the first point of the step, where the turn is judged.
      Vector before = continuation.direction(branch.points[i]), after = continuation.direction(branch.points[i + 1]);
      const double unit_x = before(0) / branch.points[i].tangent(0);
      before(0) /= unit_x, after(0) /= unit_x, before(1) /= 4.0, after(1) /= 4.0;
      const double cosine = before.normalized().dot(after.normalized());
      CHECK(std::acos(std::min(cosine, 1.0)) * 180.0 / pi < angle + 1e-5);  // acos of nearly one
    }
  }
}

TEST_CASE("A kink is passed: the turn does not shrink with the step") {
  const Predictor predictor = GENERATE(Predictor::tangent, Predictor::secant, Predictor::cubic);
  // p = u for u < 0, p = u/4 for u > 0: a turn of about 30 degrees in scaled unknowns.
  PlaneCurve problem([](double u, double p) { return (u < 0.0 ? u : 0.25 * u) - p; },
                     [](double u, double) { return u < 0.0 ? 1.0 : 0.25; }, [](double, double) { return -1.0; });
  const Branch branch = Continuation(problem, {-1.03, 1.0}, {.predictor = predictor}).follow(scalar(-1.0));
  CHECK(branch.summary.stop == ContinuationStop::reached_end);
  CHECK(branch.points.back().x(0) == Approx(4.0).epsilon(1e-9));  // Newton's tolerance
  CHECK(branch.summary.rejected_turns >= 1);
  CHECK(branch.summary.smallest_step > 1e-3);  // no creeping up to the kink
}

TEST_CASE("Nearly crossing branches are not confused") {
  // p² − u² = ε²: two limbs, 2ε apart at u = 0. The limb that comes in with u > 0 at p < 0 turns back at p = −ε.
  const double epsilon = 1e-3;
  PlaneCurve problem([=](double u, double p) { return p * p - u * u - epsilon * epsilon; },
                     [](double u, double) { return -2.0 * u; }, [](double, double p) { return 2.0 * p; });
  const Branch branch = Continuation(problem, {-1.0, 1.0}, {}, precise).follow(scalar(1.0));
  CHECK(branch.summary.stop == ContinuationStop::left_at_start);
  const auto folds = events_named(branch, "fold");
  REQUIRE(folds.size() == 1);
  CHECK(folds[0].point.lambda == Approx(-epsilon).epsilon(1e-6));  // 1e-10 of the range in arc length, turn radius 1e-3
  CHECK(branch.points.back().x(0) == Approx(-std::sqrt(1.0 - epsilon * epsilon)).epsilon(1e-9));
}

TEST_CASE("A branch may cross itself: the lemniscate is followed once round") {
  // p² = u² − u⁴ crosses itself at the origin.
  PlaneCurve problem([](double u, double p) { return u * u - u * u * u * u - p * p; },
                     [](double u, double) { return 2.0 * u - 4.0 * u * u * u; },
                     [](double, double p) { return -2.0 * p; });
  Continuation continuation(problem, {-1.0, 1.0}, {}, precise);
  const std::optional<BranchPoint> start = continuation.start(scalar(0.9), 0.9 * std::sqrt(1.0 - 0.81));
  REQUIRE(start);
  const Branch branch = continuation.resume({*start});
  CHECK(branch.summary.stop == ContinuationStop::closed_loop);
  CHECK(events_named(branch, "fold").size() == 4);
  const auto smallest = std::min_element(branch.points.begin(), branch.points.end(),
                                         [](const auto& a, const auto& b) { return a.x(0) < b.x(0); });
  CHECK(smallest->x(0) < -0.9);  // the other lobe was visited
}

TEST_CASE("Two zeros of an event inside one step are found when they are asked for") {
  // A straight branch, taken in steps of a tenth; the value dips below zero for a hundredth of the range, or comes close to it.
  PlaneCurve problem([](double u, double p) { return u - p; }, [](double, double) { return 1.0; },
                     [](double, double) { return -1.0; });
  ContinuationOptions options;
  options.step = {.initial = 0.1, .maximum = 0.1};
  for (const double centre : {0.33, 0.407, 0.46, 0.4999, 0.5001, 0.553}) {
    for (const double half_width : {0.005, -0.005}) {
      CAPTURE(centre, half_width);
      const auto value = [&](const BranchPoint& point, const Vector&) {
        const double distance = point.lambda - centre;
        return 1.0 - std::cos(3.0 * distance) - half_width * std::abs(half_width) * 4.5;
      };
      ContinuationHooks hooks;
      hooks.events = {{.name = "plain", .value = value}, {.name = "inside", .value = value, .inside_steps = true}};
      Continuation continuation(problem, {0.0, 1.0}, options, precise);
      const Branch branch = continuation.follow(scalar(0.0), hooks);
      REQUIRE(branch.summary.complete());
      const auto inside = events_named(branch, "inside");
      if (half_width < 0.0) {
        CHECK(inside.empty());
        continue;
      }
      REQUIRE(inside.size() == 2);
      const double width = std::acos(1.0 - 4.5 * half_width * half_width) / 3.0;
      CHECK(std::abs(inside[0].point.lambda - (centre - width)) < 1e-9);  // event tolerance 1e-10 in arc length
      CHECK(std::abs(inside[1].point.lambda - (centre + width)) < 1e-9);
      CHECK(inside[0].after_point <= inside[1].after_point);
    }
  }
}
