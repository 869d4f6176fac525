// Fits whose answer is known: lines, valleys with several minima, bounds, priors, and what the data cannot tell.
#include "masing/core/error.hpp"
#include "masing/identification/identification.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <cmath>

using namespace masing;

namespace {

/// y = a + b x at five places, with deviation 0.1.
FitProblem line(double a, double b) {
  FitProblem problem;
  problem.parameters = {{.name = "a", .start = 0.5, .lower = -10.0, .upper = 10.0},
                        {.name = "b", .start = 0.5, .lower = -10.0, .upper = 10.0}};
  problem.residuals = [=](const Vector& p) {
    Vector r(5);
    for (Index i = 0; i < 5; ++i) {
      const double x = static_cast<double>(i);
      r[i] = (p[0] + p[1] * x - (a + b * x)) / 0.1;
    }
    return r;
  };
  return problem;
}

/// Two minima, the deeper one at x = -2 (cost 0), the other near x = 2.
FitProblem two_valleys(double start) {
  FitProblem problem;
  problem.parameters = {{.name = "x", .start = start, .lower = -4.0, .upper = 4.0}};
  problem.residuals = [](const Vector& p) { return Vector{{p[0] * p[0] - 4.0, 0.3 * (p[0] + 2.0)}}; };
  return problem;
}

}  // namespace

TEST_CASE("a line through exact data", "[fit]") {
  const FitResult fit = fit_parameters(line(1.25, -2.5));
  REQUIRE(fit.usable());
  CHECK(fit.converged);
  // Differences of a linear function are exact: what is left is the tolerance of the step, 1e-7 of the range.
  CHECK(fit.values[0] == Approx(1.25).margin(1e-6));
  CHECK(fit.values[1] == Approx(-2.5).margin(1e-6));
  CHECK(fit.chi_squared < 1e-8);
  CHECK(fit.degrees_of_freedom == 3);
  CHECK(fit.undecided.empty());
}

TEST_CASE("standard errors and correlations are those of the normal equations", "[fit]") {
  const FitResult fit = fit_parameters(line(0.0, 1.0));
  // sum 1 = 5, sum x = 10, sum x^2 = 30: the covariance is 0.01 [[30, -10], [-10, 5]] / 50.
  CHECK(fit.standard_errors[0] == Approx(0.1 * std::sqrt(30.0 / 50.0)).epsilon(1e-6));
  CHECK(fit.standard_errors[1] == Approx(0.1 * std::sqrt(5.0 / 50.0)).epsilon(1e-6));
  CHECK(fit.correlation(0, 1) == Approx(-10.0 / std::sqrt(150.0)).epsilon(1e-6));
  CHECK(fit.correlation(0, 0) == 1.0);
}

TEST_CASE("a power law on logarithmic scales", "[fit]") {
  FitProblem problem;
  problem.parameters = {
      {.name = "scale", .start = 1e3, .lower = 1.0, .upper = 1e9, .scale = ParameterScale::logarithmic},
      {.name = "power", .start = 1.0, .lower = 0.1, .upper = 4.0}};
  problem.residuals = [](const Vector& p) {
    Vector r(8);
    for (Index i = 0; i < 8; ++i) {
      const double x = std::pow(10.0, -0.25 * static_cast<double>(i));
      const double measured = 3.7e5 * std::pow(x, 2.3);
      r[i] = (p[0] * std::pow(x, p[1]) - measured) / (0.01 * measured);
    }
    return r;
  };
  const FitResult fit = fit_parameters(problem, {.max_iterations = 200});
  REQUIRE(fit.converged);
  // The residuals vanish at the solution, so errors of the differences do not move it.
  CHECK(fit.values[0] == Approx(3.7e5).epsilon(1e-5));
  CHECK(fit.values[1] == Approx(2.3).epsilon(1e-5));
}

TEST_CASE("bounds hold and are told", "[fit]") {
  FitProblem problem = line(1.0, 2.0);
  problem.parameters[1].upper = 1.5;
  std::atomic<bool> left = false;
  const auto inner = problem.residuals;
  problem.residuals = [&](const Vector& p) {
    if (p[1] > 1.5 || p[1] < -10.0) left = true;
    return inner(p);
  };
  const FitResult fit = fit_parameters(problem);
  REQUIRE(fit.usable());
  CHECK_FALSE(left);
  CHECK(fit.values[1] == 1.5);
  CHECK(fit.at_bound[1]);
  CHECK_FALSE(fit.at_bound[0]);
  // a alone: the mean of 1 + (2 - 1.5) x.
  CHECK(fit.values[0] == Approx(2.0).margin(1e-5));
  CHECK(std::isnan(fit.standard_errors[1]));
  CHECK(fit.standard_errors[0] == Approx(0.1 / std::sqrt(5.0)).epsilon(1e-6));
}

TEST_CASE("one start finds the near valley, many find the deep one", "[fit]") {
  const FitResult one = fit_parameters(two_valleys(3.0));
  REQUIRE(one.converged);
  CHECK(one.values[0] > 1.5);
  const FitResult many = fit_parameters(two_valleys(3.0), {.starts = 8});
  REQUIRE(many.converged);
  CHECK(many.best > 0);
  CHECK(many.values[0] == Approx(-2.0).margin(1e-5));
  CHECK(many.starts.size() == 8);
  for (const FitStart& start : many.starts) CHECK(start.cost >= many.starts[static_cast<std::size_t>(many.best)].cost);
}

TEST_CASE("a prior pulls as its deviation says", "[fit]") {
  FitProblem problem;
  problem.parameters = {{.name = "x", .start = 0.0, .lower = -10.0, .upper = 10.0, .prior = Prior{1.0, 0.5}}};
  problem.residuals = [](const Vector& p) { return Vector{{(p[0] - 3.0) / 0.25}}; };
  const FitResult fit = fit_parameters(problem);
  // Weights 16 and 4: (16 · 3 + 4 · 1) / 20.
  CHECK(fit.values[0] == Approx(2.6).margin(1e-6));
  CHECK(fit.standard_errors[0] == Approx(1.0 / std::sqrt(20.0)).epsilon(1e-6));
}

TEST_CASE("what the data do not decide is told", "[fit]") {
  FitProblem problem;
  problem.parameters = {{.name = "a", .start = 1.0, .lower = 0.0, .upper = 10.0},
                        {.name = "b", .start = 1.0, .lower = 0.0, .upper = 10.0}};
  problem.residuals = [](const Vector& p) { return Vector{{(p[0] + p[1] - 7.0) / 0.01}}; };
  const FitResult alone = fit_parameters(problem);
  REQUIRE(alone.usable());
  CHECK(alone.values.sum() == Approx(7.0).margin(1e-4));
  REQUIRE(alone.undecided.size() == 1);
  CHECK(std::isinf(alone.undecided[0].deviation));
  CHECK(std::abs(alone.undecided[0].direction[0] + alone.undecided[0].direction[1]) < 1e-6);
  CHECK(std::isinf(alone.standard_errors[0]));
  CHECK(direction_text(alone.undecided[0], problem.parameters).find("0.71") != std::string::npos);

  // A prior decides the result and its error, but not what the data say.
  problem.parameters[0].prior = Prior{3.0, 0.2};
  const FitResult fit = fit_parameters(problem);
  CHECK(fit.values[0] == Approx(3.0).margin(1e-4));
  CHECK(fit.values[1] == Approx(4.0).margin(1e-4));
  CHECK(fit.standard_errors[0] == Approx(0.2).epsilon(1e-4));
  CHECK(fit.correlation(0, 1) < -0.99);
  CHECK(fit.undecided.size() == 1);
}

TEST_CASE("the result does not depend on the number of threads", "[fit]") {
  const FitResult one = fit_parameters(two_valleys(3.0), {.starts = 6, .seed = 7, .threads = 1});
  for (const int threads : {2, 5, 16}) {
    const FitResult other = fit_parameters(two_valleys(3.0), {.starts = 6, .seed = 7, .threads = threads});
    CHECK(other.best == one.best);
    CHECK(other.evaluations == one.evaluations);
    for (std::size_t i = 0; i < one.starts.size(); ++i) {
      CHECK(other.starts[i].begin == one.starts[i].begin);
      CHECK(other.starts[i].end == one.starts[i].end);
      CHECK(other.starts[i].cost == one.starts[i].cost);
    }
  }
  const FitResult seeded = fit_parameters(two_valleys(3.0), {.starts = 6, .seed = 8});
  CHECK(seeded.starts[1].begin != one.starts[1].begin);
  CHECK(seeded.starts[0].begin == one.starts[0].begin);
}

TEST_CASE("where nothing can be computed the step is shortened", "[fit]") {
  FitProblem problem;
  problem.parameters = {{.name = "x", .start = 0.5, .lower = 0.0, .upper = 10.0}};
  problem.residuals = [](const Vector& p) {
    if (p[0] > 4.0) throw NumericalError("no solution above 4");
    return Vector{{p[0] * p[0] - 9.0}};  // the first step, to 9.25, is too long
  };
  const FitResult fit = fit_parameters(problem);
  REQUIRE(fit.usable());
  CHECK(fit.values[0] == Approx(3.0).margin(1e-4));
  CHECK(fit.failed_evaluations >= 1);
  CHECK(fit.failed_evaluations < fit.evaluations);
}

TEST_CASE("that no start can be computed is a result with the reason", "[fit]") {
  FitProblem problem;
  problem.parameters = {{.name = "x", .start = 0.5, .lower = 0.0, .upper = 10.0}};
  problem.residuals = [](const Vector&) -> Vector { throw NumericalError("the branch stopped at 12 Hz"); };
  const FitResult fit = fit_parameters(problem, {.starts = 3});
  CHECK_FALSE(fit.usable());
  CHECK(fit.failed_evaluations == 3);
  CHECK_FALSE(fit.converged);
  CHECK(fit.message.find("the branch stopped at 12 Hz") != std::string::npos);
}

TEST_CASE("a fit can be stopped and keeps what it has", "[fit]") {
  FitOptions options;
  bool stopped = false;
  options.progress = [&](const FitProgress& progress) {
    stopped = progress.iterations >= 2;
    return !stopped;
  };
  FitProblem problem = two_valleys(3.9);
  problem.residuals = [&, inner = problem.residuals](const Vector& p) {
    if (stopped) throw NumericalError("interrupted.");  // as an analysis that is stopped
    return inner(p);
  };
  const FitResult fit = fit_parameters(problem, options);
  REQUIRE(fit.usable());
  CHECK_FALSE(fit.converged);
  CHECK(fit.message.starts_with("Interrupted."));
  CHECK(fit.values[0] < 3.9);
  CHECK(std::isnan(fit.standard_errors[0]));
  CHECK(fit.starts[0].cost < fit.starts[0].begin_cost);
}

TEST_CASE("senseless problems are refused", "[fit]") {
  FitProblem problem = line(0.0, 1.0);
  const auto refusal = [&](const std::string& words) {
    CHECK_THROWS_WITH(fit_parameters(problem), Catch::Contains(words));
    problem = line(0.0, 1.0);
  };
  problem.parameters[0].lower = 20.0;
  refusal("parameter 'a': the lower bound 20 must be below the upper bound 10");
  problem.parameters[0].start = -11.0;
  refusal("parameter 'a': its start -11 lies outside of its bounds -10 … 10.");
  problem.parameters[1].scale = ParameterScale::logarithmic;
  refusal("parameter 'b': on a logarithmic scale the lower bound -10 must be > 0.");
  problem.parameters[1].prior = Prior{1.0, 0.0};
  refusal("standard deviation > 0, not 1 and 0");
  problem.parameters.clear();
  refusal("there is no parameter to identify.");
}
