// K x = b and K φ = λ M φ of a large sparse structure, K and M symmetric and positive semi-definite.
//
// One factorisation serves both. Where nothing floats it is that of K; where K is singular (rigid motions), that of
// K + sM with a shift s far below the lowest vibrating mode: the rigid modes then come out with λ = 0, and static
// solutions are those of the elastic part,
//
//   K x = (I − M R Rᵀ) b,   Rᵀ M x = 0,        R: rigid modes, Rᵀ M R = I      (inertia relief)
//
// found by iterative refinement with the shifted factors. Modes are found by shift-inverted Lanczos iteration
// (Spectra) and polished by a Rayleigh-Ritz step; small problems are solved densely.
//
// References: Ericsson & Ruhe, Math. Comp. 35 (1980) 1251 (the spectral transformation); Géradin & Rixen, Mechanical
// Vibrations, 3rd ed., 2015, section 3.3 (free bodies).
#pragma once

#include "masing/structure/detail/cholesky.hpp"

#include <string>
#include <vector>

namespace masing::detail {

/// Mass-normalised modes, rigid ones (λ = 0 exactly) first, λ ascending; the largest entry of each shape is positive.
struct Modes {
  Vector squares;  ///< λ = ω² [rad²/s²]
  Matrix shapes;   ///< one column a mode
  Index rigid = 0;
  bool complete = false;  ///< these are all modes there are

  Index vibrating() const { return squares.size() - rigid; }
};

class ElasticProblem {
 public:
  /// Throws NumericalError when a motion has neither stiffness nor mass; `names` (one a row) then name it.
  ElasticProblem(SparseMatrix stiffness, SparseMatrix mass, const std::vector<std::string>& names);

  Index size() const { return stiffness_.rows(); }
  bool floats() const { return shift_ > 0.0; }
  const SparseMatrix& stiffness() const { return stiffness_; }
  const SparseMatrix& mass() const { return mass_; }

  /// All rigid modes and at least the `count` lowest vibrating ones, or all there are.
  const Modes& lowest(Index count);

  /// The static elastic deflection under `right` (one column a load).
  void solve(const Eigen::Ref<const Matrix>& right, Eigen::Ref<Matrix> solution);

 private:
  void factorise(const std::vector<std::string>& names);
  void solve_shifted(const Eigen::Ref<const Matrix>& right, Eigen::Ref<Matrix> solution) const;
  Modes some_modes(Index count) const;
  Matrix dense_shapes(Index count) const;
  Matrix lanczos_shapes(Index count) const;
  Modes polished(const Matrix& shapes) const;

  class ShiftInverse;
  SparseMatrix stiffness_;
  SparseMatrix mass_;
  double shift_ = 0.0;  // s [rad²/s²]
  Vector scaling_;      // of the factorised matrix, to a unit diagonal
  Cholesky factors_;
  Modes found_;
};

/// Tᵀ A T of a symmetric A, a few columns at a time.
Matrix projected(const SparseMatrix& matrix, const MatrixView& shapes);

/// The largest K_ii / M_ii [rad²/s²]: the scale of the highest frequencies.
double largest_ratio(const SparseMatrix& stiffness, const SparseMatrix& mass);

}  // namespace masing::detail
