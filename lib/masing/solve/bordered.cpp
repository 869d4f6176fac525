#include "masing/solve/bordered.hpp"

#include "masing/solve/detail/row_scaled_lu.hpp"

#include <cassert>

namespace masing {

BorderedSolver::BorderedSolver(Index size)
    : lu_(std::make_unique<detail::RowScaledLu>(size + 1)), weights_(Vector::Ones(size + 1)) {}

BorderedSolver::~BorderedSolver() = default;
BorderedSolver::BorderedSolver(BorderedSolver&&) noexcept = default;
BorderedSolver& BorderedSolver::operator=(BorderedSolver&&) noexcept = default;

bool BorderedSolver::factor(const Matrix& j, const Vector& column, const Vector& row, double corner,
                            const Vector& residual_scale) {
  const Index n = lu_->size() - 1;
  assert(j.rows() == n && j.cols() == n && column.size() == n && row.size() == n && residual_scale.size() == n);
  Matrix& whole = lu_->matrix();
  whole.topLeftCorner(n, n) = j;
  whole.topRightCorner(n, 1) = column;
  whole.bottomLeftCorner(1, n) = row.transpose();
  whole(n, n) = corner;
  weights_.head(n) = residual_scale.cwiseInverse();
  return lu_->factor(weights_);
}

int BorderedSolver::determinant_sign() const { return lu_->determinant_sign(); }

void BorderedSolver::solve(const Vector& right, Vector& solution) {
  solution.resize(lu_->size());
  lu_->solve(right, solution);
}

}  // namespace masing
