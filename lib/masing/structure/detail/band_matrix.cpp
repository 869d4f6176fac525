#include "masing/structure/detail/band_matrix.hpp"

#include "masing/structure/detail/dual.hpp"

#include <utility>

namespace masing::detail {

void BandMatrix::multiply(const Eigen::Ref<const ComplexMatrix>& x, Eigen::Ref<ComplexMatrix> result) const {
  result.setZero();
  for (Index right = 0; right < x.cols(); ++right) {
    for (Index column = 0; column < size(); ++column) {
      const Complex factor = x(column, right);
      for (Index row = first_row(column); row <= last_row(column); ++row) {
        result(row, right) += product((*this)(row, column), factor);
      }
    }
  }
}

BandFactors::BandFactors(Index size, Index bandwidth)
    : bandwidth_(bandwidth), data_(3 * bandwidth + 1, size), pivots_(static_cast<std::size_t>(size)) {}

bool BandFactors::compute(const BandMatrix& matrix) {
  data_.setZero();
  for (Index column = 0; column < size(); ++column) {
    for (Index row = matrix.first_row(column); row <= matrix.last_row(column); ++row) {
      at(row, column) = matrix(row, column);
    }
  }
  for (Index j = 0; j < size(); ++j) {
    Index pivot = j;
    for (Index row = j + 1; row <= last_row(j); ++row) {
      if (std::norm(at(row, j)) > std::norm(at(pivot, j))) pivot = row;
    }
    pivots_[static_cast<std::size_t>(j)] = pivot;
    if (at(pivot, j) == 0.0) return false;
    if (pivot != j) {
      for (Index column = j; column <= last_column(j); ++column) std::swap(at(j, column), at(pivot, column));
    }
    const Complex inverse = 1.0 / at(j, j);
    for (Index row = j + 1; row <= last_row(j); ++row) at(row, j) = product(at(row, j), inverse);
    for (Index column = j + 1; column <= last_column(j); ++column) {
      const Complex factor = at(j, column);
      if (factor == 0.0) continue;
      for (Index row = j + 1; row <= last_row(j); ++row) at(row, column) -= product(at(row, j), factor);
    }
  }
  return true;
}

void BandFactors::solve_in_place(Eigen::Ref<ComplexMatrix> x) const {
  for (Index right = 0; right < x.cols(); ++right) {
    for (Index j = 0; j < size(); ++j) {
      std::swap(x(j, right), x(pivots_[static_cast<std::size_t>(j)], right));
      for (Index row = j + 1; row <= last_row(j); ++row) x(row, right) -= product(at(row, j), x(j, right));
    }
    for (Index j = size() - 1; j >= 0; --j) {
      x(j, right) /= at(j, j);
      for (Index row = std::max(Index{0}, j - 2 * bandwidth_); row < j; ++row) {
        x(row, right) -= product(at(row, j), x(j, right));
      }
    }
  }
}

}  // namespace masing::detail
