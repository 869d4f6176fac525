#include "masing/structure/structure.hpp"

#include <Eigen/QR>

namespace masing {
namespace {

// Two joint directions whose sine is below this count as one: far above the rounding of a QR of unit columns, far below
// any geometry that a person means to distinguish.
constexpr double parallel_tolerance = 1e-12;

std::vector<Index> touched_coordinates(const SparseMatrix& directions) {
  std::vector<bool> used(static_cast<std::size_t>(directions.rows()), false);
  for (Index column = 0; column < directions.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(directions, column); entry; ++entry) {
      if (entry.value() != 0.0) used[static_cast<std::size_t>(entry.row())] = true;
    }
  }
  std::vector<Index> touched;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) touched.push_back(static_cast<Index>(i));
  }
  return touched;
}

// Rows of the touched coordinates, columns scaled to length one so that the rank does not depend on units of length.
Matrix unit_directions(const SparseMatrix& directions, const std::vector<Index>& touched) {
  const Matrix dense = directions;
  Matrix unit = dense(touched, Eigen::all);
  for (Index column = 0; column < unit.cols(); ++column) {
    const double length = unit.col(column).norm();
    if (length > 0.0) unit.col(column) /= length;
  }
  return unit;
}

}  // namespace

InterfaceBasis interface_basis(const SparseMatrix& directions) {
  InterfaceBasis basis{.touched = touched_coordinates(directions), .range = {}, .complement = {}};
  const auto touched = static_cast<Index>(basis.touched.size());
  Eigen::ColPivHouseholderQR<Matrix> qr;
  qr.setThreshold(parallel_tolerance);
  Index rank = 0;
  if (touched > 0) rank = qr.compute(unit_directions(directions, basis.touched)).rank();
  if (rank == touched) {
    basis.range = Matrix::Identity(touched, touched);
    basis.complement.resize(touched, 0);
    return basis;
  }
  Matrix orthogonal = qr.householderQ() * Matrix::Identity(touched, touched);
  for (Index i = 0; i < rank; ++i) {
    if (qr.matrixQR()(i, i) < 0.0) orthogonal.col(i) = -orthogonal.col(i);  // kept motions point along their joint
  }
  basis.range = orthogonal.leftCols(rank);
  basis.complement = orthogonal.rightCols(touched - rank);
  return basis;
}

}  // namespace masing
