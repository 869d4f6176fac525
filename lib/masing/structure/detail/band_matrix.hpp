// Complex band matrices: entries (i, j) with |i − j| <= bandwidth, stored by columns, and their LU factors with partial
// pivoting (row exchanges widen the upper band to twice the bandwidth).
#pragma once

#include "masing/core/types.hpp"

#include <vector>

namespace masing::detail {

class BandMatrix {
 public:
  BandMatrix() = default;
  BandMatrix(Index size, Index bandwidth) : bandwidth_(bandwidth), data_(2 * bandwidth + 1, size) { set_zero(); }

  Index size() const { return data_.cols(); }
  Index bandwidth() const { return bandwidth_; }
  void set_zero() { data_.setZero(); }
  Complex& operator()(Index row, Index column) { return data_(bandwidth_ + row - column, column); }
  const Complex& operator()(Index row, Index column) const { return data_(bandwidth_ + row - column, column); }
  Index first_row(Index column) const { return std::max(Index{0}, column - bandwidth_); }
  Index last_row(Index column) const { return std::min(size() - 1, column + bandwidth_); }

  /// result = this · x
  void multiply(const Eigen::Ref<const ComplexMatrix>& x, Eigen::Ref<ComplexMatrix> result) const;

 private:
  Index bandwidth_ = 0;
  ComplexMatrix data_;
};

class BandFactors {
 public:
  BandFactors() = default;
  BandFactors(Index size, Index bandwidth);

  /// False when the matrix is exactly singular.
  bool compute(const BandMatrix& matrix);
  void solve_in_place(Eigen::Ref<ComplexMatrix> x) const;

 private:
  Complex& at(Index row, Index column) { return data_(2 * bandwidth_ + row - column, column); }
  const Complex& at(Index row, Index column) const { return data_(2 * bandwidth_ + row - column, column); }
  Index size() const { return data_.cols(); }
  Index last_row(Index column) const { return std::min(size() - 1, column + bandwidth_); }
  Index last_column(Index row) const { return std::min(size() - 1, row + 2 * bandwidth_); }

  Index bandwidth_ = 0;
  ComplexMatrix data_;
  std::vector<Index> pivots_;
};

}  // namespace masing::detail
