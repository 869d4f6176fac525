// Bordered linear systems
//
//     | J   b | | x |   | r |
//     | cᵀ  d | | μ | = | ρ |
//
// as they appear in tangents and extended systems: regular where J alone is singular (at a fold), provided that b is
// not in the range of J there and c not orthogonal to its kernel. Solved by one LU factorisation of the whole matrix,
// which stays accurate at the fold, unlike block elimination with a factorisation of J.
#pragma once

#include "masing/core/types.hpp"

#include <memory>

namespace masing {

namespace detail {
class RowScaledLu;
}

/// Owns the memory for systems of one size; reuse it. All memory is taken by the constructor.
class BorderedSolver {
 public:
  /// `size` is that of J; the system has one row more.
  explicit BorderedSolver(Index size);
  ~BorderedSolver();
  BorderedSolver(BorderedSolver&&) noexcept;
  BorderedSolver& operator=(BorderedSolver&&) noexcept;

  /// Factors the system; `residual_scale` (n) is the size of each equation of J, the border row is taken as it is.
  /// False: singular or not finite, and solve() must not be called.
  bool factor(const Matrix& j, const Vector& column, const Vector& row, double corner, const Vector& residual_scale);

  /// Sign of the determinant of the bordered matrix, +1 or -1, after a successful factor().
  int determinant_sign() const;

  /// `right` and `solution` have n + 1 entries.
  void solve(const Vector& right, Vector& solution);

 private:
  std::unique_ptr<detail::RowScaledLu> lu_;
  Vector weights_;
};

}  // namespace masing
