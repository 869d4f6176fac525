// How runs begin, end, are stopped and resumed; events and messages.
#include "masing/core/error.hpp"
#include "unit/continuation/problems.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace masing;
using namespace masing::test;

namespace {

bool identical(const BranchPoint& a, const BranchPoint& b) {
  return a.x == b.x && a.lambda == b.lambda && a.tangent == b.tangent && a.step == b.step &&
         a.iterations == b.iterations && a.residual == b.residual;
}

/// u = p, but the residual beyond p = 0.5 is what `beyond` returns or throws.
PlaneCurve ends_at_half(std::function<double()> beyond) {
  return {[beyond](double u, double p) { return p > 0.5 ? beyond() : u - p; }, [](double, double) { return 1.0; },
          [](double, double) { return -1.0; }};
}

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("A resumed run is bit-identical to an uninterrupted one") {
  for (const Predictor predictor : {Predictor::tangent, Predictor::secant, Predictor::cubic}) {
    const ContinuationOptions options{.predictor = predictor};
    Duffing problem;
    const Branch whole = Continuation(problem, {0.2, 3.0}, options).follow(Vector::Zero(2));
    REQUIRE(whole.summary.stop == ContinuationStop::reached_end);
    for (const Index kept : {1, 2, 17, 40, 41, 59, static_cast<int>(whole.points.size()) - 1}) {
      Duffing again;
      Continuation continuation(again, {0.2, 3.0}, options);
      const Branch rest = continuation.resume({whole.points.begin(), whole.points.begin() + kept});
      CHECK(rest.summary.stop == whole.summary.stop);
      CHECK(rest.summary.message == whole.summary.message);
      REQUIRE(rest.points.size() == whole.points.size());
      for (size_t i = 0; i < whole.points.size(); ++i) REQUIRE(identical(rest.points[i], whole.points[i]));
      std::vector<BranchEvent> later;
      for (const BranchEvent& event : whole.events) {
        if (event.after_point >= kept - 1) later.push_back(event);
      }
      REQUIRE(rest.events.size() == later.size());
      for (size_t i = 0; i < later.size(); ++i) REQUIRE(identical(rest.events[i].point, later[i].point));
    }
  }
}

TEST_CASE("A finished branch stays finished when it is resumed") {
  PlaneCurve problem = s_curve();
  Continuation continuation(problem, {-2.0, 2.0});
  const Branch whole = continuation.follow(scalar(-1.5));
  const Branch again = continuation.resume(whole.points);
  CHECK(again.summary.stop == ContinuationStop::reached_end);
  CHECK(again.points.size() == whole.points.size());
}

TEST_CASE("A branch that is turned round is stopped on its own path") {
  Duffing problem;
  Continuation continuation(problem, {0.2, 3.0});
  Branch branch = continuation.follow(Vector::Zero(2));
  REQUIRE(branch.points.size() > 60);
  std::vector<BranchPoint> points(branch.points.begin(), branch.points.begin() + 50);
  points.back().tangent *= -1.0;
  const Branch back = continuation.resume(points);
  CHECK(back.summary.stop == ContinuationStop::retraced_path);
  CHECK(back.points.size() <= 52);
  CHECK_THAT(back.summary.message, Catch::Contains("it passed point 4") &&
                                       Catch::Contains("again in the opposite direction. ") &&
                                       Catch::EndsWith("points are saved."));
}

TEST_CASE("A loop that does not contain the first point is stopped after one round") {
  PlaneCurve problem = circle();
  Continuation continuation(problem, {-2.0, 2.0});
  const std::optional<BranchPoint> start = continuation.start(scalar(1.0), 0.0);
  REQUIRE(start);
  BranchPoint elsewhere = *start;
  elsewhere.x(0) = 7.0;
  const Branch branch = continuation.resume({elsewhere, *start});
  CHECK(branch.summary.stop == ContinuationStop::retraced_path);
  CHECK_THAT(branch.summary.message, Catch::Contains("it passed point 1 again in the same direction."));
}

TEST_CASE("Where the problem ends, the step becomes too small and the message has the numbers") {
  const ContinuationOptions options{.step = {.minimum = 1e-5}};
  SECTION("residual not finite") {
    PlaneCurve problem = ends_at_half([] { return std::numeric_limits<double>::quiet_NaN(); });
    Continuation continuation(problem, {0.0, 1.0}, options);
    const Branch branch =
        continuation.follow(scalar(0.0), {.parameter_text = [](double p) { return fmt::format("{:.2f} Hz", p); }});
    CHECK(branch.summary.stop == ContinuationStop::step_too_small);
    CHECK(branch.points.back().lambda == Approx(0.5).margin(2e-5));  // two smallest steps
    const int n = branch.summary.points;
    CHECK_THAT(branch.summary.message,
               Catch::StartsWith(fmt::format("Continuation stopped at 0.50 Hz, step {}: corrector failed ", n)) &&
                   Catch::Contains(" times, step at its minimum 1.0e-05. Last "
                                   "reason: Newton's method met a residual that is not finite") &&
                   Catch::EndsWith(fmt::format(" {} points are saved.", n)));
    CHECK(branch.summary.failed_correctors > 10);
  }
  SECTION("NumericalError is a failed trial") {
    PlaneCurve problem = ends_at_half([]() -> double { throw NumericalError("the contact opened"); });
    const Branch branch = Continuation(problem, {0.0, 1.0}, options).follow(scalar(0.0));
    CHECK(branch.summary.stop == ContinuationStop::step_too_small);
    CHECK_THAT(branch.summary.message, Catch::Contains("Last reason: the contact opened"));
  }
  SECTION("other exceptions pass") {
    PlaneCurve problem = ends_at_half([]() -> double { throw std::domain_error("not ours"); });
    CHECK_THROWS_WITH(Continuation(problem, {0.0, 1.0}, options).follow(scalar(0.0)), "not ours");
  }
}

TEST_CASE("A range that ends where the problem ends is followed to its very end") {
  PlaneCurve problem = ends_at_half([] { return std::numeric_limits<double>::quiet_NaN(); });
  const Branch branch = Continuation(problem, {0.0, 0.5}).follow(scalar(0.0));
  CHECK(branch.summary.stop == ContinuationStop::reached_end);
  CHECK(branch.points.back().lambda == 0.5);
  CHECK(branch.summary.failed_correctors == 0);
}

TEST_CASE("A corner in which the branch reverses is turned and followed on its other side") {
  // p = −10|u|: a corner of 157 degrees in scaled unknowns; no plane beyond it meets the branch.
  PlaneCurve problem([](double u, double p) { return 10.0 * std::abs(u) + p; },
                     [](double u, double) { return u < 0.0 ? -10.0 : 10.0; }, [](double, double) { return 1.0; });
  const Branch branch = Continuation(problem, {-1.0, 1.0}).follow(scalar(-0.1));
  CHECK(branch.summary.stop == ContinuationStop::left_at_start);
  CHECK(branch.points.back().x(0) == Approx(0.1));
  double highest = -1.0;
  for (const BranchPoint& point : branch.points) highest = std::max(highest, point.lambda);
  CHECK(highest == Approx(0.0).margin(1e-4));  // the corner itself, to the step that turned it
}

TEST_CASE("A corner with an unbounded derivative behind it is turned") {
  // u = 5p up to p = 0, then u = −3√p: the branch turns by 169 degrees in the plane and starts back along u.
  PlaneCurve problem([](double u, double p) { return p < 0.0 ? u - 5.0 * p : u + 3.0 * std::sqrt(p); },
                     [](double, double) { return 1.0; },
                     [](double, double p) { return p < 0.0 ? -5.0 : 1.5 / std::sqrt(std::max(p, 1e-300)); });
  const Branch branch = Continuation(problem, {-1.0, 1.0}).follow(scalar(-5.0));
  INFO(branch.summary.message);
  CHECK(branch.summary.stop == ContinuationStop::reached_end);
  CHECK(branch.summary.jumps.empty());
  CHECK(branch.points.back().x(0) == Approx(-3.0));
}

TEST_CASE("A corner beside the end of the range does not lead past it") {
  // p = u for u < 0, p = slope u for u > 0: the kink, a turn of 31 to 44 degrees, is closed in on and stepped over. The end of
  // the range lies behind it, from nearer than such a step to farther.
  const double slope = GENERATE(0.01, 0.25, 4.0, 40.0);
  PlaneCurve problem([=](double u, double p) { return (u < 0.0 ? u : slope * u) - p; },
                     [=](double u, double) { return u < 0.0 ? 1.0 : slope; }, [](double, double) { return -1.0; });
  for (double end = 1e-7; end < 0.2; end *= 1.37) {
    INFO("slope " << slope << ", end " << end);
    const Branch branch = Continuation(problem, {-1.03, end}, {.max_points = 300}).follow(scalar(-1.0));
    INFO(branch.summary.message);
    CHECK(branch.summary.stop == ContinuationStop::reached_end);
    CHECK(branch.points.back().lambda == end);
    CHECK(branch.points.back().x(0) == Approx(end / slope).epsilon(1e-8).margin(1e-10));  // Newton's tolerance
    for (const BranchPoint& point : branch.points) CHECK(point.lambda <= end);
  }
}

TEST_CASE("A symmetric branch goes straight on where two kinks that mirror each other coincide") {
  // e = k (⟨p + e − ½⟩ − ⟨p − e − ½⟩): two stops that are touched together at p = ½. Beyond, ∂f/∂e = 1 − 2k has changed its
  // sign. Branches that leave e = 0 there run back (k > 1) or on (k < 1).
  const double k = GENERATE(2.0, 0.75);
  const auto touches = [](double gap) { return gap > 0.0 ? 1.0 : 0.0; };
  PlaneCurve problem(
      [=](double e, double p) { return e - k * (std::max(0.0, p + e - 0.5) - std::max(0.0, p - e - 0.5)); },
      [=](double e, double p) { return 1.0 - k * (touches(p + e - 0.5) + touches(p - e - 0.5)); },
      [=](double e, double p) { return -k * (touches(p + e - 0.5) - touches(p - e - 0.5)); });
  const Branch branch = Continuation(problem, {0.0, 1.0}).follow(scalar(0.0));
  INFO(branch.summary.message);
  CHECK(branch.summary.stop == ContinuationStop::reached_end);
  CHECK(branch.points.back().x(0) == Approx(0.0).margin(1e-12));
  CHECK(branch.summary.jumps.empty());
}

TEST_CASE("Where the equations jump the branch is taken up again behind the gap, and the message says so") {
  constexpr double gap = 0.2;
  PlaneCurve problem([](double u, double p) { return u - p - (p > 0.5 ? gap : 0.0); },
                     [](double, double) { return 1.0; }, [](double, double) { return -1.0; });
  const Branch branch = Continuation(problem, {0.0, 1.0}).follow(scalar(0.0));
  INFO(branch.summary.message);
  CHECK(branch.summary.stop == ContinuationStop::reached_end);
  CHECK(branch.points.back().x(0) == Approx(1.0 + gap));
  REQUIRE(branch.summary.jumps.size() == 1);
  CHECK(branch.summary.jumps.front().from <= 0.5);
  CHECK(branch.summary.jumps.front().to > 0.5);
  // The gap, and what is left of a step of 0.1 after six bisections, in both directions.
  CHECK(branch.summary.jumps.front().size == Approx(gap).margin(3e-3));
  CHECK_THAT(branch.summary.message, Catch::Contains("1 time the equations jumped"));
}

TEST_CASE("Short steps that led to a point are not passed again by a long one") {
  PlaneCurve problem = s_curve();
  Continuation continuation(problem, {-2.0, 2.0});
  const Branch whole = continuation.follow(scalar(-1.5));
  std::vector<BranchPoint> points(whole.points.begin(), whole.points.begin() + 3);
  for (int i = 0; i < 4; ++i) {  // points 1e-7 apart, then a step of ordinary length
    const BranchPoint& last = points.back();
    const std::optional<BranchPoint> next = continuation.start(last.x, last.lambda + 1e-7);
    REQUIRE(next);
    points.push_back(*next);
  }
  points.back().step = 0.02;
  CHECK(continuation.resume(points).summary.stop == ContinuationStop::reached_end);
}

TEST_CASE("No start: the reason is given") {
  SECTION("no solution") {
    PlaneCurve problem = circle();
    const Branch branch = Continuation(problem, {3.0, 4.0}).follow(scalar(1.0));
    CHECK(branch.summary.stop == ContinuationStop::no_start);
    CHECK(branch.points.empty());
    CHECK_THAT(branch.summary.message,
               Catch::StartsWith("Continuation found no solution to start from at λ = 3. Newton's method "));
  }
  SECTION("singular Jacobian at the guess") {
    PlaneCurve problem = circle();
    const Branch branch = Continuation(problem, {0.0, 4.0}).follow(scalar(0.0));
    CHECK(branch.summary.stop == ContinuationStop::no_start);
    CHECK_THAT(branch.summary.message, Catch::Contains("Newton's method met a singular Jacobian after 1 iterations"));
  }
  SECTION("two branches cross at the start") {
    PlaneCurve problem([](double u, double p) { return u * u - p * p; }, [](double u, double) { return 2.0 * u; },
                       [](double, double p) { return -2.0 * p; });
    const Branch branch = Continuation(problem, {0.0, 1.0}).follow(scalar(0.0));
    CHECK(branch.summary.stop == ContinuationStop::no_start);
    CHECK_THAT(
        branch.summary.message,
        Catch::EndsWith("The branch has no unique direction there: its 1 equations have 0 independent derivatives."));
  }
  SECTION("but an exact start at a fold is fine") {
    PlaneCurve problem = circle();
    Continuation continuation(problem, {-2.0, 2.0});
    const std::optional<BranchPoint> start = continuation.start(scalar(0.0), 1.0);
    REQUIRE(start);
    CHECK(std::abs(start->tangent(1)) < 1e-12);  // rounding
    CHECK(continuation.resume({*start}).summary.stop == ContinuationStop::closed_loop);
  }
}

TEST_CASE("Runs stop at the number of points and at the user's word") {
  PlaneCurve problem = s_curve();
  const Branch limited = Continuation(problem, {-2.0, 2.0}, {.max_points = 7}).follow(scalar(-1.5));
  CHECK(limited.summary.stop == ContinuationStop::max_points);
  CHECK(limited.points.size() == 7);
  CHECK_THAT(limited.summary.message, Catch::EndsWith(": 7 points, the largest number allowed."));

  const Branch whole = Continuation(problem, {-2.0, 2.0}).follow(scalar(-1.5));
  REQUIRE(whole.summary.newton_iterations > 20);
  const Branch spent = Continuation(problem, {-2.0, 2.0}, {.max_iterations = 10}).follow(scalar(-1.5));
  CHECK(spent.summary.stop == ContinuationStop::max_iterations);
  CHECK(spent.summary.newton_iterations >= 10);  // the solve that spends the last one is finished
  CHECK(spent.summary.newton_iterations < 20);
  CHECK(spent.points.size() > 1);
  CHECK(spent.points.size() < whole.points.size());
  CHECK_THAT(spent.summary.message, Catch::Contains("Newton iterations, the largest number allowed is 10."));

  std::vector<Index> seen;
  ContinuationHooks hooks;
  hooks.on_point = [&](const BranchPoint&, Index index) {
    seen.push_back(index);
    return index < 4;
  };
  const Branch stopped = Continuation(problem, {-2.0, 2.0}).follow(scalar(-1.5), hooks);
  CHECK(stopped.summary.stop == ContinuationStop::stopped_by_user);
  CHECK(seen == std::vector<Index>{0, 1, 2, 3, 4});
  CHECK_THAT(stopped.summary.message, Catch::StartsWith("Continuation was stopped by the user at λ = -1.") &&
                                          Catch::EndsWith(". 5 points are saved."));
  hooks.on_point = [](const BranchPoint&, Index) { return false; };
  CHECK(Continuation(problem, {-2.0, 2.0}).follow(scalar(-1.5), hooks).points.size() == 1);
}

TEST_CASE("Events are located in the order of the branch, before the point that ends their step") {
  PlaneCurve problem = s_curve();
  const auto where_x_is = [](double value) {
    return [=](const BranchPoint& point, const Vector&) { return point.x(0) - value; };
  };
  const auto where_lambda_is = [](double value) {
    return [=](const BranchPoint& point, const Vector&) { return point.lambda - value; };
  };
  std::vector<std::string> log;
  ContinuationHooks hooks;
  hooks.events = {{.name = "later", .value = where_x_is(0.003)},
                  {.name = "earlier", .value = where_x_is(0.0)},
                  {.name = "up", .value = where_lambda_is(0.1), .crossing = Crossing::rising},
                  {.name = "down", .value = where_lambda_is(0.1), .crossing = Crossing::falling}};
  Index points_seen = 0;
  hooks.on_point = [&](const BranchPoint&, Index) { return ++points_seen > 0; };
  hooks.on_event = [&](const BranchEvent& event) {
    log.push_back(event.name);
    CHECK(event.after_point == points_seen - 1);
  };
  const Branch branch = Continuation(problem, {-2.0, 2.0}).follow(scalar(-1.5), hooks);
  CHECK(log == std::vector<std::string>{"up", "fold", "down", "earlier", "later", "fold", "up"});
  REQUIRE(branch.events.size() == log.size());
  CHECK(std::abs(branch.events[3].point.x(0)) < 1e-9);           // event tolerance 1e-10 of a scale of about one
  CHECK(std::abs(branch.events[2].point.lambda - 0.1) < 4e-10);  // event tolerance 1e-10 of the range 4
  CHECK(branch.events[3].after_point == branch.events[4].after_point);
}

TEST_CASE("Folds are not looked for when nobody asks") {
  PlaneCurve problem = s_curve();
  CHECK(Continuation(problem, {-2.0, 2.0}, {.locate_folds = false}).follow(scalar(-1.5)).events.empty());
}

TEST_CASE("A special point that cannot be solved for is counted in the message") {
  PlaneCurve problem([](double u, double p) { return u - p; }, [](double, double) { return 1.0; },
                     [](double, double) { return -1.0; });
  ContinuationHooks hooks;
  hooks.events = {{.name = "gap", .value = [](const BranchPoint& point, const Vector&) {
                     const double distance = point.lambda - 0.5;
                     return std::abs(distance) < 1e-3 ? std::numeric_limits<double>::quiet_NaN() : distance;
                   }}};
  const Branch branch = Continuation(problem, {0.0, 1.0}).follow(scalar(0.0), hooks);
  CHECK(branch.events.empty());
  CHECK_THAT(branch.summary.message, Catch::EndsWith(" 1 special points could not be located."));
}

TEST_CASE("The solution at a given parameter between two points") {
  PlaneCurve problem = s_curve();
  Continuation continuation(problem, {-2.0, 2.0});
  const Branch branch = continuation.follow(scalar(-1.5));
  const BranchPoint &a = branch.points[3], &b = branch.points[4];
  const double middle = 0.5 * (a.lambda + b.lambda);
  const std::optional<BranchPoint> point = continuation.at(a, b, middle);
  REQUIRE(point);
  CHECK(point->lambda == middle);
  CHECK(std::pow(point->x(0), 3) - point->x(0) == Approx(middle).epsilon(1e-8));  // Newton's tolerance
  CHECK_FALSE(continuation.at(a, b, 1.9));
  CHECK_THAT(continuation.last_message(), Catch::StartsWith("λ = 1.9 does not lie between λ = -"));
}

TEST_CASE("Range, options and points are checked") {
  PlaneCurve problem = circle();
  const auto rule = [&](ParameterRange range, ContinuationOptions options) {
    return message_of([&] { Continuation(problem, range, options); });
  };
  const ParameterRange good{0.0, 1.0};
  CHECK(rule({1.0, 1.0}, {}) == "Continuation: the range from 1 to 1 must have two different finite ends.");
  CHECK(rule(good, {.step = {.minimum = 0.0}}) == "Continuation: step minimum = 0 must be > 0.");
  CHECK(rule(good, {.step = {.minimum = 0.01, .maximum = 0.001}}) ==
        "Continuation: step maximum = 0.001 must be finite and >= step minimum = 0.01.");
  CHECK(rule(good, {.step = {.initial = 0.5}}) ==
        "Continuation: step initial = 0.5 must be between step minimum = 1e-07 and step maximum = 0.1.");
  CHECK(rule(good, {.step = {.target_iterations = 0}}) == "Continuation: target_iterations = 0 must be >= 1.");
  CHECK(rule(good, {.step = {.maximum_angle = 90.0}}) ==
        "Continuation: maximum_angle = 90 degrees must be in (0, 90).");
  CHECK(rule(good, {.max_points = 0}) == "Continuation: max_points = 0 must be >= 1.");
  CHECK(rule(good, {.max_iterations = 0}) == "Continuation: max_iterations = 0 must be >= 1.");
  CHECK(rule(good, {.event_tolerance = 0.0}) == "Continuation: event_tolerance = 0 must be in (0, 1).");

  Continuation continuation(problem, good);
  CHECK(message_of([&] { continuation.follow(Vector::Zero(3)); }) ==
        "Continuation: the guess has 3 entries, the problem 1 unknowns.");
  CHECK(message_of([&] { continuation.resume({}); }) == "Continuation: there is no point to go on from.");
  CHECK(message_of([&] { continuation.resume({BranchPoint{.x = scalar(1.0)}}); }) ==
        "Continuation: the point to go on from has 1 unknowns, a tangent of 0 and step 0; needed are 1, 2 and > 0.");
}

TEST_CASE("A scaling that is not positive is an error") {
  PlaneCurve problem = circle();
  problem.unit_r = -1.0;
  CHECK_THROWS_WITH(Continuation(problem, {0.0, 2.0}).follow(scalar(1.0)),
                    "Continuation: the scaling at λ = 0 must be 1 positive numbers for unknowns and for equations.");
}

TEST_CASE("Every reason to stop has its own words") {
  std::vector<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(ContinuationStop::stopped_by_user); ++i) {
    words.push_back(to_string(static_cast<ContinuationStop>(i)));
    CHECK(words.back() != "unknown");
    CHECK(std::count(words.begin(), words.end(), words.back()) == 1);
  }
  CHECK(ContinuationSummary{}.message == "Continuation was not run.");
  CHECK(to_string(Parametrisation::natural) != to_string(Parametrisation::arc_length));
  CHECK(to_string(Predictor::secant) != to_string(Predictor::tangent));
}
