// Newton's method: how fast, how it ends, what it says.
#include "masing/core/error.hpp"
#include "masing/solve/newton.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

using namespace masing;

namespace {

/// A system made of two functions; remembers every residual evaluation.
struct TestSystem final : NonlinearSystem {
  Index n = 1;
  std::function<void(const Vector&, Vector&)> r;
  std::function<void(const Vector&, Matrix&)> j;
  std::vector<Vector> visited;

  Index size() const override { return n; }
  void residual(const Vector& x, Vector& out) override {
    visited.push_back(x);
    r(x, out);
  }
  void jacobian(const Vector& x, Matrix& out) override { j(x, out); }
};

/// One equation f(x) = 0 with derivative df.
TestSystem scalar(std::function<double(double)> f, std::function<double(double)> df) {
  TestSystem system;
  system.r = [f](const Vector& x, Vector& out) { out(0) = f(x(0)); };
  system.j = [df](const Vector& x, Matrix& out) { out(0, 0) = df(x(0)); };
  return system;
}

/// Circle and hyperbola: u² + v² = 4, u·v = 1, with unknowns and equations in arbitrary units.
TestSystem circle_and_hyperbola(double unit_u = 1.0, double unit_v = 1.0, double unit_1 = 1.0, double unit_2 = 1.0) {
  TestSystem system;
  system.n = 2;
  system.r = [=](const Vector& x, Vector& out) {
    const double u = x(0) / unit_u, v = x(1) / unit_v;
    out << unit_1 * (u * u + v * v - 4.0), unit_2 * (u * v - 1.0);
  };
  system.j = [=](const Vector& x, Matrix& out) {
    const double u = x(0) / unit_u, v = x(1) / unit_v;
    out << unit_1 * 2.0 * u / unit_u, unit_1 * 2.0 * v / unit_v, unit_2 * v / unit_u, unit_2 * u / unit_v;
  };
  return system;
}

Vector circle_and_hyperbola_solution() {
  Vector x(2);
  x << 0.5 * (std::sqrt(6.0) + std::sqrt(2.0)), 0.5 * (std::sqrt(6.0) - std::sqrt(2.0));
  return x;
}

Vector vector(std::initializer_list<double> values) {
  Vector v(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

Scaling unit_scaling(Index n) { return {Vector::Ones(n), Vector::Ones(n)}; }

NewtonSummary solve(TestSystem& system, Vector& x, NewtonOptions options = {}) {
  return NewtonSolver(system.size(), options).solve(system, x, unit_scaling(system.size()));
}

double not_a_number() { return std::numeric_limits<double>::quiet_NaN(); }

}  // namespace

TEST_CASE("Newton converges quadratically with exact Jacobians") {
  TestSystem system = circle_and_hyperbola();
  Vector x = vector({2.5, 0.2});
  const NewtonSummary summary = solve(system, x, {.residual_tolerance = 1e-13, .line_search = false});
  REQUIRE(summary.converged());
  const Vector exact = circle_and_hyperbola_solution();
  const double rounding = 1e-14;  // a few ulp of numbers of order one
  CHECK((x - exact).norm() < rounding);
  REQUIRE(system.visited.size() >= 4);
  const double constant = 2.0;  // ½‖J⁻¹‖‖R''‖ is about 1 at this solution
  for (size_t k = 0; k + 1 < system.visited.size(); ++k) {
    const double error = (system.visited[k] - exact).norm();
    CHECK((system.visited[k + 1] - exact).norm() <= constant * error * error + rounding);
  }
  CHECK(summary.residual_evaluations == static_cast<int>(system.visited.size()));
  CHECK(summary.jacobian_evaluations == summary.iterations);
}

TEST_CASE("Newton leaves an exact guess alone") {
  TestSystem system = scalar([](double x) { return x - 3.0; }, [](double) { return 1.0; });
  Vector x = vector({3.0});
  const NewtonSummary summary = solve(system, x);
  CHECK(summary.converged());
  CHECK(summary.iterations == 0);
  CHECK(x(0) == 3.0);
  CHECK(summary.message == "Newton's method converged after 0 iterations: residual 0.0e+00 (tolerance 1.0e-09).");
}

TEST_CASE("Newton accepts a guess at the rounding floor although KINSOL cannot improve it") {
  // The residual of the best double is 4.4e-16, above the hundredth of the tolerance that KINSOL asks of a guess.
  TestSystem system = scalar([](double x) { return x * x - 2.0; }, [](double x) { return 2.0 * x; });
  Vector x = vector({std::sqrt(2.0)});
  for (const bool line_search : {true, false}) {
    const NewtonSummary summary = solve(system, x, {.residual_tolerance = 1e-15, .line_search = line_search});
    CHECK(summary.converged());
  }
}

TEST_CASE("Newton takes the same path in any units when it is given the scales") {
  TestSystem plain = circle_and_hyperbola();
  Vector x = vector({2.5, 0.2});
  const NewtonSummary reference = solve(plain, x);
  REQUIRE(reference.converged());

  TestSystem scaled = circle_and_hyperbola(1e-6, 1e5, 1e9, 1e-4);
  Vector y = vector({2.5e-6, 0.2e5});
  const Scaling scaling{vector({1e-6, 1e5}), vector({1e9, 1e-4})};
  const NewtonSummary summary = NewtonSolver(2, {}).solve(scaled, y, scaling);
  REQUIRE(summary.converged());
  CHECK(summary.iterations == reference.iterations);
  CHECK(summary.residual_evaluations == reference.residual_evaluations);
  const double rounding = 1e-12;  // amplified by the few Newton steps
  CHECK(y(0) / 1e-6 == Approx(x(0)).epsilon(rounding));
  CHECK(y(1) / 1e5 == Approx(x(1)).epsilon(rounding));
}

TEST_CASE("Newton's line search finds what full steps miss") {
  const auto make = [] {
    return scalar([](double x) { return std::atan(x); }, [](double x) { return 1 / (1 + x * x); });
  };
  TestSystem searched = make(), full = make();
  Vector x = vector({3.0}), y = vector({3.0});
  CHECK(solve(searched, x, {.line_search = true}).converged());
  CHECK(std::abs(x(0)) < 1e-9);  // atan is the identity at zero, so x is as small as the residual tolerance
  const NewtonSummary summary = solve(full, y, {.line_search = false});
  CHECK(summary.stop == NewtonStop::diverged);
  CHECK_THAT(summary.message, Catch::Contains("Newton's method diverged (five steps beyond 1e+06 times the unknowns)"));
}

TEST_CASE("Newton shortens a step that leads where the residual is not finite") {
  for (const bool line_search : {true, false}) {
    TestSystem system = scalar([](double x) { return std::log(x); }, [](double x) { return 1.0 / x; });
    Vector x = vector({5.0});  // the full step ends at 5 - 5 ln 5 < 0
    const NewtonSummary summary = solve(system, x, {.line_search = line_search});
    CHECK(summary.converged());
    CHECK(x(0) == Approx(1.0).epsilon(1e-8));  // residual tolerance 1e-9, derivative one
  }
}

TEST_CASE("Newton says why it stopped") {
  SECTION("too many iterations") {
    TestSystem system = circle_and_hyperbola();
    Vector x = vector({20.0, 0.2});
    const NewtonSummary summary = solve(system, x, {.max_iterations = 2});
    CHECK(summary.stop == NewtonStop::max_iterations);
    CHECK(summary.iterations == 2);
    CHECK_THAT(summary.message, Catch::StartsWith("Newton's method reached its limit after 2 iterations: residual"));
    CHECK_THAT(summary.message, Catch::EndsWith("(tolerance 1.0e-09)."));
    CHECK(x(0) < 20.0);  // the last iterate, not the guess
  }
  SECTION("stagnated") {
    TestSystem system = scalar([](double x) { return x * x - 2.0; }, [](double x) { return 2.0 * x; });
    Vector x = vector({1.0});
    const NewtonSummary summary = solve(system, x, {.residual_tolerance = 1e-18, .line_search = false});
    CHECK(summary.stop == NewtonStop::stagnated);
    CHECK_THAT(summary.message, Catch::Contains("stagnated (steps below 1.0e-13)"));
    CHECK(summary.residual == std::abs(x(0) * x(0) - 2.0));
  }
  SECTION("line search failed: a wrong Jacobian leads uphill") {
    TestSystem system = scalar([](double x) { return x; }, [](double) { return -1.0; });
    Vector x = vector({2.0});
    const NewtonSummary summary = solve(system, x);
    CHECK(summary.stop == NewtonStop::line_search_failed);
    CHECK_THAT(summary.message, Catch::Contains("found no step that reduces the residual"));
    CHECK(summary.residual == Approx(2.0).epsilon(1e-9));  // it did not move by more than the tiniest step
  }
  SECTION("singular Jacobian") {
    TestSystem system = scalar([](double x) { return x * x - 1.0; }, [](double x) { return 2.0 * x; });
    Vector x = vector({0.0});
    const NewtonSummary summary = solve(system, x);
    CHECK(summary.stop == NewtonStop::singular_jacobian);
    CHECK(summary.message ==
          "Newton's method met a singular Jacobian after 1 iterations: residual 1.0e+00 (tolerance 1.0e-09).");
  }
  SECTION("Jacobian not finite") {
    TestSystem system = scalar([](double x) { return x - 1.0; }, [](double) { return not_a_number(); });
    Vector x = vector({0.0});
    CHECK(solve(system, x).stop == NewtonStop::singular_jacobian);
  }
  SECTION("residual not finite at the guess") {
    TestSystem system = scalar([](double) { return not_a_number(); }, [](double) { return 1.0; });
    Vector x = vector({0.0});
    const NewtonSummary summary = solve(system, x);
    CHECK(summary.stop == NewtonStop::residual_failed);
    CHECK_THAT(summary.message, Catch::Contains("met a residual that is not finite after 0 iterations"));
    CHECK(std::isnan(summary.residual));
  }
  SECTION("residual not finite wherever the step leads") {
    TestSystem system = scalar([](double x) { return x == 1.0 ? 1.0 : not_a_number(); }, [](double) { return 1.0; });
    Vector x = vector({1.0});
    const NewtonSummary summary = solve(system, x);
    CHECK(summary.stop == NewtonStop::residual_failed);
    CHECK(x(0) == 1.0);
  }
  SECTION("not run") { CHECK(NewtonSummary{}.message == "Newton's method was not run."); }
}

TEST_CASE("Every reason to stop has its own words") {
  const std::vector<NewtonStop> all = {
      NewtonStop::not_run,           NewtonStop::converged,          NewtonStop::max_iterations,
      NewtonStop::stagnated,         NewtonStop::line_search_failed, NewtonStop::diverged,
      NewtonStop::singular_jacobian, NewtonStop::residual_failed,    NewtonStop::internal};
  for (size_t i = 0; i < all.size(); ++i) {
    CHECK(to_string(all[i]) != "unknown");
    for (size_t k = 0; k < i; ++k) CHECK(to_string(all[i]) != to_string(all[k]));
  }
}

TEST_CASE("Exceptions pass through KINSOL intact and leave the solver usable") {
  struct Special : std::runtime_error {
    int code;
    Special(int c) : std::runtime_error("law 'bolt' gave up"), code(c) {}
  };
  NewtonSolver solver(1, {});
  TestSystem good = scalar([](double x) { return x * x - 4.0; }, [](double x) { return 2.0 * x; });
  const auto thrown_by = [&](TestSystem& system) {
    Vector x = vector({3.0});
    try {
      solver.solve(system, x, unit_scaling(1));
    } catch (const Special& error) {
      CHECK(std::string(error.what()) == "law 'bolt' gave up");
      return error.code;
    }
    return 0;
  };
  TestSystem at_once = scalar([](double) -> double { throw Special(1); }, [](double) { return 1.0; });
  TestSystem later =
      scalar([](double x) { return x < 2.5 ? throw Special(2) : x * x - 4.0; }, [](double x) { return 2.0 * x; });
  TestSystem in_jacobian = scalar([](double x) { return x; }, [](double) -> double { throw Special(3); });
  CHECK(thrown_by(at_once) == 1);
  CHECK(thrown_by(later) == 2);
  CHECK(thrown_by(in_jacobian) == 3);
  Vector x = vector({3.0});
  CHECK(solver.solve(good, x, unit_scaling(1)).converged());
}

TEST_CASE("A solver gives the same answer however often it was used, and after being moved") {
  TestSystem system = circle_and_hyperbola();
  NewtonSolver fresh(2, {});
  Vector first = vector({2.5, 0.2});
  const NewtonSummary reference = fresh.solve(system, first, unit_scaling(2));
  NewtonSolver moved = std::move(fresh);
  for (int repeat = 0; repeat < 3; ++repeat) {
    Vector again = vector({2.5, 0.2});
    const NewtonSummary summary = moved.solve(system, again, unit_scaling(2));
    CHECK(again == first);
    CHECK(summary.iterations == reference.iterations);
    CHECK(summary.residual_evaluations == reference.residual_evaluations);
  }
}

TEST_CASE("jacobian_every saves Jacobians") {
  TestSystem system = circle_and_hyperbola();
  Vector x = vector({2.1, 0.5});
  const NewtonSummary summary = solve(system, x, {.residual_tolerance = 1e-12, .jacobian_every = 3});
  CHECK(summary.converged());
  CHECK(summary.iterations > 3);
  CHECK(summary.jacobian_evaluations == (summary.iterations + 2) / 3);
}

TEST_CASE("Newton's options are checked") {
  const auto message = [](Index size, NewtonOptions options) -> std::string {
    try {
      NewtonSolver solver(size, options);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message(0, {}) == "Newton's method: the number of unknowns is 0 but must be >= 1.");
  CHECK(message(1, {.residual_tolerance = 0.0}) == "Newton's method: residual_tolerance = 0 must be in (0, 1).");
  CHECK(message(1, {.residual_tolerance = not_a_number()}) ==
        "Newton's method: residual_tolerance = nan must be in (0, 1).");
  CHECK(message(1, {.step_tolerance = 1.0}) == "Newton's method: step_tolerance = 1 must be in (0, 1).");
  CHECK(message(1, {.max_iterations = 0}) == "Newton's method: max_iterations = 0 must be >= 1.");
  CHECK(message(1, {.jacobian_every = -1}) == "Newton's method: jacobian_every = -1 must be >= 1.");
}
