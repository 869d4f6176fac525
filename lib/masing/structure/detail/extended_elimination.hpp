// Z_nl X and Z_ln − Z_ll X with more digits than those that X was computed with.
//
// Eliminating with factors in double precision gives X for a block that differs from Z_ll by rounding, E; S = Z_nn − Z_nl X is
// then wrong by XᵀEX, in a fine mesh far more than rounding of S. With the residual of X,
//
//   S = Z_nn − Z_nl X − Xᵀ R,   R = Z_ln − Z_ll X,
//
// errors of X count by their square. The sums are taken in long double, which is where the digits would be lost. (Where long
// double is double nothing is gained, and nothing lost.)
#pragma once

#include "masing/structure/detail/eliminated_part.hpp"

#include <limits>

namespace masing::detail {

/// What is left of rounding, relative to that of double.
inline constexpr double extended_rounding =
    static_cast<double>(std::numeric_limits<long double>::epsilon()) / std::numeric_limits<double>::epsilon();

class ExtendedElimination {
 public:
  /// Blocks of one matrix beside the kept motions.
  struct KeptBlocks {
    Matrix nn, ln;
  };

  ExtendedElimination(KeptBlocks mass, KeptBlocks damping, KeptBlocks stiffness, KeptBlocks hysteretic, Pencil rest);

  /// For X (l × n) from a solution in double: S (n × n) and R (l × n), at ω with artificial damping cM.
  void evaluate(double omega, double mass_damping, const ComplexMatrix& x, ComplexMatrix& s, ComplexMatrix& residual);

 private:
  using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  struct LongComplex {
    Long real, imaginary;
  };

  void sum(long double omega, long double mass_damping, Matrix KeptBlocks::*part, LongComplex& result) const;
  void subtract(const SparseMatrix& matrix, long double real_factor, long double imaginary_factor,
                const ComplexMatrix& x, Index column);

  KeptBlocks mass_, damping_, stiffness_, hysteretic_;
  Pencil rest_;
  LongComplex kept_, coupling_, residual_;
};

}  // namespace masing::detail
