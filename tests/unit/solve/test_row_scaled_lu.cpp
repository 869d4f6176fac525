#include "masing/solve/detail/row_scaled_lu.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace masing;
using detail::RowScaledLu;

namespace {

// A band of width 5 with a dense last row and column, as a bordered Jacobian of a chain has.
Matrix arrow_matrix(Index size, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Matrix matrix = Matrix::Zero(size, size);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      if (std::abs(i - j) <= 2 || i == size - 1 || j == size - 1) matrix(i, j) = uniform(generator);
    }
  }
  return matrix;
}

// ε times a condition number of up to 1e9.
constexpr double rounding = 1e-6;

}  // namespace

TEST_CASE("large matrices that are mostly zero are factored sparsely, with the same solution and determinant sign") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Index size = 120;
    const Matrix matrix = arrow_matrix(size, seed);
    const Vector weights = Vector::LinSpaced(size, 0.5, 2.0);
    const Vector expected = Vector::LinSpaced(size, -1.0, 1.0);
    RowScaledLu lu(size);
    lu.matrix() = matrix;
    REQUIRE(lu.factor(weights));
    CHECK(lu.is_sparse());
    Vector x(size);
    lu.solve(matrix * expected, x);
    CHECK((x - expected).norm() < rounding * expected.norm());
    CHECK(lu.determinant_sign() == (matrix.determinant() > 0.0 ? 1 : -1));
  }
}

TEST_CASE("the pattern may change from one factorisation to the next, and sparse and dense may alternate") {
  const Index size = 120;
  RowScaledLu lu(size);
  const Vector ones = Vector::Ones(size);
  const Vector expected = Vector::LinSpaced(size, -1.0, 1.0);
  Vector x(size);
  Matrix fewer = arrow_matrix(size, 3);
  fewer(0, 2) = 0.0;
  const Matrix full = arrow_matrix(size, 4) + Matrix::Constant(size, size, 0.1);
  const std::vector<Matrix> sequence = {arrow_matrix(size, 1), fewer, full, arrow_matrix(size, 2)};
  for (const Matrix& matrix : sequence) {
    lu.matrix() = matrix;
    REQUIRE(lu.factor(ones));
    lu.solve(matrix * expected, x);
    CHECK((x - expected).norm() < rounding * expected.norm());
  }
}

TEST_CASE("a singular sparse matrix and one that is not finite are refused") {
  RowScaledLu lu(120);
  lu.matrix() = arrow_matrix(120, 1);
  lu.matrix().row(7).setZero();
  CHECK_FALSE(lu.factor(Vector::Ones(120)));
  lu.matrix() = arrow_matrix(120, 1);
  lu.matrix()(3, 3) = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(lu.factor(Vector::Ones(120)));
}
