#include "masing/solve/detail/row_scaled_lu.hpp"

#include <limits>

namespace masing::detail {

namespace {

// Measured with chains of masses: from here on the sparse factorisation is several times faster.
constexpr Index sparse_from_size = 100;
constexpr double sparse_below_fill = 0.12;

}  // namespace

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
  const auto entries = static_cast<double>((matrix_.array() != 0.0).count());
  const double places = static_cast<double>(size()) * static_cast<double>(size());
  sparse_in_use_ = size() >= sparse_from_size && entries < sparse_below_fill * places;
  return sparse_in_use_ ? factor_sparse() : factor_dense();
}

bool RowScaledLu::factor_dense() {
  lu_.compute(matrix_);
  const double smallest = std::numeric_limits<double>::epsilon() * static_cast<double>(size());
  for (Index i = 0; i < size(); ++i) {
    if (!(std::abs(matrix_(i, i)) > smallest * column_norms_(i))) return false;
  }
  return true;
}

bool RowScaledLu::factor_sparse() {
  if (!sparse_) sparse_ = std::make_unique<SparseFactors>();
  SparseFactors& factors = *sparse_;
  factors.matrix = matrix_.sparseView();
  factors.matrix.makeCompressed();
  const int* outer = factors.matrix.outerIndexPtr();
  const int* inner = factors.matrix.innerIndexPtr();
  const std::vector<int> new_outer(outer, outer + size() + 1);
  const std::vector<int> new_inner(inner, inner + factors.matrix.nonZeros());
  if (new_outer != factors.outer || new_inner != factors.inner) {
    factors.lu.analyzePattern(factors.matrix);
    factors.outer = new_outer;
    factors.inner = new_inner;
  }
  factors.lu.factorize(factors.matrix);
  return factors.lu.info() == Eigen::Success;
}

int RowScaledLu::determinant_sign() {
  if (sparse_in_use_) return static_cast<int>(sparse_->lu.signDeterminant());
  const auto negative = (matrix_.diagonal().array() < 0.0).count();
  return (negative % 2 == 0 ? 1 : -1) * static_cast<int>(lu_.permutationP().determinant());
}

void RowScaledLu::solve(VectorView b, Eigen::Ref<Vector> x) {
  weighted_ = row_weights_.cwiseProduct(b);
  if (sparse_in_use_) {
    x = sparse_->lu.solve(weighted_);
  } else {
    x = lu_.solve(weighted_);
  }
}

}  // namespace masing::detail
