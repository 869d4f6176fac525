#include "masing/structure/detail/matrix_checks.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/cholesky.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <cmath>
#include <limits>

namespace masing::detail {
namespace {

// Relative to the entries and to sqrt(a_ii a_jj). Files with eleven digits or more pass; a forgotten triangle does not.
constexpr double symmetry_tolerance = 1e-10;
// Relative, after scaling the diagonal to one: rigid-body motions of matrices written with eight digits or more pass.
constexpr double definiteness_tolerance = 1e-8;
// Up to this size the smallest eigenvalue is computed for the message; above, a negative pivot is reported.
constexpr Index largest_eigenvalue_problem = 1500;
// Above this size the supernodal method is faster than the simple one, which knows the value of a negative pivot.
constexpr Index large_size = 5000;

std::string entry_text(Index row, Index column, const std::vector<std::string>& coordinates) {
  return fmt::format("({}, {}) [{}, {}]", row + 1, column + 1, coordinates[static_cast<std::size_t>(row)],
                     coordinates[static_cast<std::size_t>(column)]);
}

void check_finite(std::string_view name, const SparseMatrix& matrix, const std::vector<std::string>& coordinates) {
  for (Index column = 0; column < matrix.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry) {
      require(std::isfinite(entry.value()), "{} matrix: entry {} is {}. All entries must be finite numbers.", name,
              entry_text(entry.row(), entry.col(), coordinates), entry.value());
    }
  }
}

[[noreturn]] void reject_negative(std::string_view name, double value, std::string_view what, Index where,
                                  const std::vector<std::string>& coordinates) {
  const char* meaning =
      name == "mass" ? "a motion would have negative kinetic energy" : "a motion would gain energy when it is deformed";
  throw ModelError(
      fmt::format("{} matrix: {} {:.6g} at coordinate '{}' is negative ({}). It must be positive semi-definite: "
                  "check signs, units and boundary conditions.",
                  name, what, value, coordinates[static_cast<std::size_t>(where)], meaning));
}

void check_diagonal(std::string_view name, const SparseMatrix& matrix, const std::vector<std::string>& coordinates) {
  const Vector diagonal = matrix.diagonal();
  for (Index i = 0; i < diagonal.size(); ++i) {
    if (diagonal[i] < 0.0) reject_negative(name, diagonal[i], "diagonal entry", i, coordinates);
  }
  for (Index column = 0; column < matrix.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry) {
      const bool impossible = entry.value() != 0.0 && entry.row() != entry.col() && diagonal[entry.row()] == 0.0;
      require(
          !impossible,
          "{} matrix: entry {} = {:.6g} couples a coordinate whose diagonal entry is 0; such a matrix is not positive "
          "semi-definite. Check that the matrix is complete.",
          name, entry_text(entry.row(), entry.col(), coordinates), entry.value());
    }
  }
}

// The smallest pivot of a matrix; of a large one that is not positive definite, its place and -0.
Cholesky::Pivot smallest_pivot(const SparseMatrix& matrix) {
  if (matrix.rows() > large_size) {
    Cholesky factors;
    const bool definite = factors.factorise(matrix);
    const Cholesky::Pivot pivot = factors.smallest_pivot();
    return definite ? pivot : Cholesky::Pivot{-0.0, pivot.row};
  }
  const Eigen::SimplicialLDLT<SparseMatrix> factors(matrix);
  if (factors.info() != Eigen::Success) return {};
  Cholesky::Pivot pivot;
  Index smallest = 0;
  pivot.value = factors.vectorD().minCoeff(&smallest);
  pivot.row = factors.permutationPinv().indices()[smallest];
  return pivot;
}

[[noreturn]] void reject_indefinite(std::string_view name, const SparseMatrix& matrix, double pivot, Index where,
                                    const std::vector<std::string>& coordinates) {
  if (matrix.rows() > largest_eigenvalue_problem) reject_negative(name, pivot, "relative pivot", where, coordinates);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver{Matrix(matrix)};
  Index largest = 0;
  solver.eigenvectors().col(0).cwiseAbs().maxCoeff(&largest);
  reject_negative(name, solver.eigenvalues()[0], "eigenvalue", largest, coordinates);
}

}  // namespace

void check_square(std::string_view name, const SparseMatrix& matrix) {
  require(matrix.rows() == matrix.cols(), "{} matrix is {} × {}; it must be square.", name, matrix.rows(),
          matrix.cols());
}

void check_size(std::string_view name, const SparseMatrix& matrix, Index size) {
  check_square(name, matrix);
  require(matrix.rows() == size,
          "{} matrix is {} × {} but the mass matrix is {} × {}; all matrices must have the same size.", name,
          matrix.rows(), matrix.cols(), size, size);
}

void check_symmetric(std::string_view name, const SparseMatrix& matrix, const std::vector<std::string>& coordinates) {
  check_finite(name, matrix, coordinates);
  const SparseMatrix difference = matrix - SparseMatrix(matrix.transpose());
  const Vector diagonal = matrix.diagonal().cwiseAbs();
  double worst = 0.0;
  Index row = 0;
  Index column = 0;
  for (Index j = 0; j < difference.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(difference, j); entry; ++entry) {
      const Index i = entry.row();
      if (std::abs(entry.value()) == 0.0) continue;
      const double size =
          std::max({std::abs(matrix.coeff(i, j)), std::abs(matrix.coeff(j, i)), std::sqrt(diagonal[i] * diagonal[j])});
      const double relative = std::abs(entry.value()) / size;
      if (relative <= worst) continue;
      worst = relative;
      row = std::min(i, j);
      column = std::max(i, j);
    }
  }
  require(
      worst <= symmetry_tolerance,
      "{} matrix is not symmetric: entry {} = {:.10g} but entry {} = {:.10g}. The relative difference {:.2g} must not "
      "exceed {:.0g}. If only one triangle was exported, complete it.",
      name, entry_text(row, column, coordinates), matrix.coeff(row, column), entry_text(column, row, coordinates),
      matrix.coeff(column, row), worst, symmetry_tolerance);
}

Definiteness check_semi_definite(std::string_view name, const SparseMatrix& matrix,
                                 const std::vector<std::string>& coordinates) {
  check_diagonal(name, matrix, coordinates);
  // By Sylvester's law of inertia the pivots of A + tolerance have the signs of its eigenvalues.
  SparseMatrix shifted = scaled(matrix, diagonal_scaling(matrix.diagonal()));
  SparseMatrix identity(matrix.rows(), matrix.cols());
  identity.setIdentity();
  shifted += definiteness_tolerance * identity;
  const Cholesky::Pivot pivot = smallest_pivot(shifted);
  if (pivot.value <= 0.0) reject_indefinite(name, matrix, pivot.value, pivot.row, coordinates);
  return pivot.value <= 10.0 * definiteness_tolerance ? Definiteness::semi_definite : Definiteness::definite;
}

Vector diagonal_scaling(const Vector& diagonal) {
  return diagonal.unaryExpr([](double entry) { return entry > 0.0 ? 1.0 / std::sqrt(entry) : 1.0; });
}

SparseMatrix scaled(const SparseMatrix& matrix, const Vector& scaling) {
  return scaling.asDiagonal() * matrix * scaling.asDiagonal();
}

}  // namespace masing::detail
