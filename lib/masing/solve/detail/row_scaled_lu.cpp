#include "masing/solve/detail/row_scaled_lu.hpp"

#include <limits>

namespace masing::detail {

RowScaledLu::RowScaledLu(Index size)
    : matrix_(Matrix::Identity(size, size)),
      row_weights_(Vector::Ones(size)),
      column_norms_(Vector::Ones(size)),
      weighted_(Vector::Zero(size)),
      lu_(matrix_) {}

bool RowScaledLu::factor(const Vector& row_weights) {
  row_weights_ = row_weights;
  matrix_.array().colwise() *= row_weights_.array();
  column_norms_ = matrix_.cwiseAbs().colwise().sum().transpose();
  if (!column_norms_.allFinite()) return false;
  lu_.compute(matrix_);
  const double smallest = std::numeric_limits<double>::epsilon() * static_cast<double>(size());
  for (Index i = 0; i < size(); ++i) {
    if (!(std::abs(matrix_(i, i)) > smallest * column_norms_(i))) return false;
  }
  return true;
}

int RowScaledLu::determinant_sign() const {
  const auto negative = (matrix_.diagonal().array() < 0.0).count();
  return (negative % 2 == 0 ? 1 : -1) * static_cast<int>(lu_.permutationP().determinant());
}

void RowScaledLu::solve(VectorView b, Eigen::Ref<Vector> x) {
  weighted_ = row_weights_.cwiseProduct(b);
  x = lu_.solve(weighted_);
}

}  // namespace masing::detail
