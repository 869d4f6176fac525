#include "masing/structure/detail/partition.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

namespace masing::detail {

void Partition::to_parts(const ComplexVector& coordinates, ComplexVector& parts) const {
  parts.resize(transformation.cols());
  for (Index column = 0; column < transformation.cols(); ++column) {
    Complex sum = 0.0;
    for (SparseMatrix::InnerIterator entry(transformation, column); entry; ++entry) {
      sum += entry.value() * coordinates[entry.row()];
    }
    parts[column] = sum;
  }
}

void Partition::to_coordinates(const ComplexVector& parts, ComplexVector& coordinates) const {
  coordinates.setZero(transformation.rows());
  for (Index column = 0; column < transformation.cols(); ++column) {
    for (SparseMatrix::InnerIterator entry(transformation, column); entry; ++entry) {
      coordinates[entry.row()] += entry.value() * parts[column];
    }
  }
}

Partition make_partition(Index size, const InterfaceBasis& basis) {
  const auto touched = static_cast<Index>(basis.touched.size());
  assert(basis.range.rows() == touched && basis.complement.rows() == touched);
  assert(basis.range.cols() + basis.complement.cols() == touched);
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<bool> used(static_cast<std::size_t>(size), false);
  const Index kept = basis.kept();
  for (Index i = 0; i < touched; ++i) {
    const Index row = basis.touched[static_cast<std::size_t>(i)];
    assert(row >= 0 && row < size);
    used[static_cast<std::size_t>(row)] = true;
    for (Index j = 0; j < touched; ++j) {
      const double value = j < kept ? basis.range(i, j) : basis.complement(i, j - kept);
      if (value != 0.0) entries.emplace_back(row, j, value);
    }
  }
  Index column = touched;
  for (Index row = 0; row < size; ++row) {
    if (!used[static_cast<std::size_t>(row)]) entries.emplace_back(row, column++, 1.0);
  }
  Partition partition{.transformation = SparseMatrix(size, size), .kept = kept};
  partition.transformation.setFromTriplets(entries.begin(), entries.end());
  return partition;
}

namespace {

// Where motions are mixed, exact cancellation (a rigid-body motion feels no stiffness) leaves rounding errors in place
// of zeros. They are removed, so that what floats is seen to float.
void remove_dust(SparseMatrix& turned, const SparseMatrix& transformation) {
  constexpr double rounding = 8.0 * std::numeric_limits<double>::epsilon();
  const auto mixes = [&](Index column) { return transformation.col(column).nonZeros() > 1; };
  double largest = 0.0;
  for (Index column = 0; column < turned.cols(); ++column) {
    if (!mixes(column)) continue;
    for (SparseMatrix::InnerIterator entry(turned, column); entry; ++entry) {
      if (mixes(entry.row())) largest = std::max(largest, std::abs(entry.value()));
    }
  }
  turned.prune([&](Index row, Index column, double value) {
    return std::abs(value) > rounding * largest || !mixes(row) || !mixes(column);
  });
}

}  // namespace

Vector uncancelled_diagonal(const SparseMatrix& matrix, const Partition& partition) {
  const Vector diagonal = matrix.diagonal();
  return (partition.transformation.cwiseAbs2().transpose() * diagonal).tail(partition.rest());
}

Blocks split(const SparseMatrix& matrix, const Partition& partition) {
  const SparseMatrix& q = partition.transformation;
  SparseMatrix turned = SparseMatrix(q.transpose()) * SparseMatrix(matrix * q);
  remove_dust(turned, q);
  const Index n = partition.kept;
  const Index l = partition.rest();
  const SparseMatrix kept_columns = turned.leftCols(n);
  return {.nn = Matrix(kept_columns.topRows(n)),
          .ln = kept_columns.bottomRows(l),
          .ll = SparseMatrix(SparseMatrix(turned.rightCols(l)).bottomRows(l))};
}

}  // namespace masing::detail
