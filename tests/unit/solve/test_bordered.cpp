// Bordered systems: regular where the inner matrix is not, and honest about singular ones.
#include "masing/solve/bordered.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <random>

using namespace masing;

namespace {

constexpr Index n = 6;
constexpr double rounding = 1e-12;  // condition numbers of these random matrices are below 1e3

struct Bordered {
  Matrix j = Matrix(n, n);
  Vector column = Vector(n), row = Vector(n);
  double corner = 0.0;

  explicit Bordered(unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    const auto draw = [&](double) { return normal(random); };
    j = j.unaryExpr(draw);
    column = column.unaryExpr(draw);
    row = row.unaryExpr(draw);
    corner = normal(random);
  }
  Vector times(const Vector& z) const {
    Vector product(n + 1);
    product.head(n) = j * z.head(n) + column * z(n);
    product(n) = row.dot(z.head(n)) + corner * z(n);
    return product;
  }
};

}  // namespace

TEST_CASE("A bordered system is solved, also where its inner matrix is singular") {
  for (const unsigned seed : {1u, 2u, 3u}) {
    Bordered system(seed);
    if (seed == 3u) system.j.col(2) = system.j.col(4);
    const Vector exact = Vector::LinSpaced(n + 1, -1.0, 2.0);
    BorderedSolver solver(n);
    REQUIRE(solver.factor(system.j, system.column, system.row, system.corner, Vector::Ones(n)));
    Vector solution;
    solver.solve(system.times(exact), solution);
    CHECK((solution - exact).norm() < rounding);
  }
}

TEST_CASE("The units of the equations do not matter to a bordered system") {
  Bordered system(4);
  const Vector exact = Vector::LinSpaced(n + 1, 1.0, 2.0);
  Vector units(n);
  for (Index i = 0; i < n; ++i) units(i) = std::pow(10.0, static_cast<double>(4 * i) - 10.0);
  system.j = units.asDiagonal() * system.j;
  system.column = units.asDiagonal() * system.column;
  BorderedSolver solver(n);
  REQUIRE(solver.factor(system.j, system.column, system.row, system.corner, units));
  Vector solution;
  solver.solve(system.times(exact), solution);
  CHECK((solution - exact).norm() < rounding);
}

TEST_CASE("A bordered system that is singular or not finite is refused") {
  Bordered system(5);
  BorderedSolver solver(n);
  SECTION("rank n - 2 inside") {
    system.j.col(0) = system.j.col(1);
    system.j.col(2) = 2.0 * system.j.col(1);
    CHECK_FALSE(solver.factor(system.j, system.column, system.row, system.corner, Vector::Ones(n)));
  }
  SECTION("NaN") {
    system.j(3, 3) = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(solver.factor(system.j, system.column, system.row, system.corner, Vector::Ones(n)));
  }
  SECTION("infinite border") {
    system.column(0) = std::numeric_limits<double>::infinity();
    CHECK_FALSE(solver.factor(system.j, system.column, system.row, system.corner, Vector::Ones(n)));
  }
  SECTION("and a good one is taken after a bad one") {
    const Matrix good = system.j;
    system.j.setZero();
    CHECK_FALSE(solver.factor(system.j, system.column, system.row, system.corner, Vector::Ones(n)));
    CHECK(solver.factor(good, system.column, system.row, system.corner, Vector::Ones(n)));
  }
}
