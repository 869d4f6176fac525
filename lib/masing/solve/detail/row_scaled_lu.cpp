#include "masing/solve/detail/row_scaled_lu.hpp"

#include <limits>
#include <vector>

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
  const Index entries = size() < sparse_from_size ? matrix_.size() : (matrix_.array() != 0.0).count();
  sparse_in_use_ = static_cast<double>(entries) < sparse_below_fill * static_cast<double>(matrix_.size());
  return sparse_in_use_ ? factor_sparse(entries) : factor_dense();
}

bool RowScaledLu::factor_dense() {
  lu_.compute(matrix_);
  const double smallest = std::numeric_limits<double>::epsilon() * static_cast<double>(size());
  for (Index i = 0; i < size(); ++i) {
    if (!(std::abs(matrix_(i, i)) > smallest * column_norms_(i))) return false;
  }
  return true;
}

bool RowScaledLu::factor_sparse(Index entries) {
  if (!sparse_) {
    sparse_ = std::make_unique<SparseFactors>();
    sparse_->matrix.resize(size(), size());
  }
  if (copy_into_pattern() != entries) extend_pattern();
  sparse_->lu.factorize(sparse_->matrix);
  return sparse_->lu.info() == Eigen::Success;
}

/// Copies the entries that have a place in the pattern; returns how many of them are not zero.
Index RowScaledLu::copy_into_pattern() {
  Index found = 0;
  for (Index column = 0; column < size(); ++column) {
    for (SparseMatrix::InnerIterator entry(sparse_->matrix, column); entry; ++entry) {
      entry.valueRef() = matrix_(entry.row(), column);
      if (entry.value() != 0.0) ++found;
    }
  }
  return found;
}

void RowScaledLu::extend_pattern() {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index column = 0; column < size(); ++column) {
    SparseMatrix::InnerIterator known(sparse_->matrix, column);
    for (Index row = 0; row < size(); ++row) {
      const bool is_known = known && known.row() == row;
      if (is_known) ++known;
      if (is_known || matrix_(row, column) != 0.0) entries.emplace_back(row, column, matrix_(row, column));
    }
  }
  sparse_->matrix.setFromTriplets(entries.begin(), entries.end());
  sparse_->lu.analyzePattern(sparse_->matrix);
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
