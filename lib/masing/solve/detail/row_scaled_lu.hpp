// LU factorisation of a dense square matrix in place, rows made comparable first, singular matrices noticed.
//
// Partial pivoting chooses the largest entry of a column, so the outcome depends on the units of the equations; the
// rows are therefore multiplied by given weights (1 / size of the equation) before. A pivot below n·ε times the 1-norm
// of its column (a test that does not depend on the units of the unknowns) or any entry that is not finite makes the
// matrix count as singular.
//
// Large matrices that are mostly zero (many joints on a structure whose coordinates are all kept: each joint couples its
// own harmonics, each spring its two ends) are factored sparsely, with columns reordered against fill. Otherwise all
// memory is taken by the constructor.
#pragma once

#include "masing/core/types.hpp"

#include <Eigen/LU>
#include <Eigen/SparseLU>

#include <memory>

namespace masing::detail {

class RowScaledLu {
 public:
  explicit RowScaledLu(Index size);
  RowScaledLu(const RowScaledLu&) = delete;
  RowScaledLu& operator=(const RowScaledLu&) = delete;

  Index size() const { return matrix_.rows(); }
  /// Fill this completely, then call factor(); afterwards it holds the factors.
  Matrix& matrix() { return matrix_; }

  /// Factors diag(row_weights)·matrix. False: singular or not finite, and solve() must not be called.
  bool factor(const Vector& row_weights);

  /// +1 or -1, of the factored matrix (row weights are positive).
  int determinant_sign();
  bool is_sparse() const { return sparse_in_use_; }  ///< how the last matrix was factored

  /// Solves matrix·x = b. b and x may not overlap.
  void solve(VectorView b, Eigen::Ref<Vector> x);

 private:
  struct SparseFactors {
    SparseMatrix matrix;  // its pattern only grows, so that it is rarely analysed anew
    Eigen::SparseLU<SparseMatrix, Eigen::COLAMDOrdering<int>> lu;
  };
  bool factor_dense();
  bool factor_sparse(Index entries);
  Index copy_into_pattern();
  void extend_pattern();

  Matrix matrix_;
  Vector row_weights_;
  Vector column_norms_;
  Vector weighted_;
  Eigen::PartialPivLU<Eigen::Ref<Matrix>> lu_;  // works in the memory of matrix_
  std::unique_ptr<SparseFactors> sparse_;
  bool sparse_in_use_ = false;
};

}  // namespace masing::detail
