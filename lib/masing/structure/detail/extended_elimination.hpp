// Z_nl X, Z_ln − Z_ll X and p_l − Z_ln y − Z_ll q_l with more digits than those that X and q_l were computed with.
//
// Eliminating with factors in double precision gives X for a block that differs from Z_ll by rounding, E; S = Z_nn − Z_nl X is
// then wrong by XᵀEX, in a fine mesh far more than rounding of S. With the residual of X,
//
//   S = Z_nn − Z_nl X − Xᵀ R,   R = Z_ln − Z_ll X,
//
// errors of X count by their square. A motion of the rest is improved by solving for its own residual once more; without
// that the small part of a response that is in phase with the velocity, and with it the energy put in, drowns in
// the rounding of the large part. The sums are taken in long double, which is where the digits would be lost. (Where long
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

  void go_to(double omega, double mass_damping);  ///< ω > 0, with artificial damping cM
  /// For X (l × n) from a solution in double: S (n × n) and R (l × n).
  void evaluate(const ComplexMatrix& x, ComplexMatrix& s, ComplexMatrix& residual);
  /// p_l − Z_ln y − Z_ll q_l of the motions y that are kept and q_l of the rest.
  void evaluate(const ComplexVector& load, const ComplexVector& kept, const ComplexVector& rest,
                ComplexVector& residual);

 private:
  using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  struct LongComplex {
    Long real, imaginary;
  };

  void sum(Matrix KeptBlocks::*part, LongComplex& result) const;
  static void subtract(const SparseMatrix& matrix, long double real_factor, long double imaginary_factor,
                       const EliminatedPart::Input& x, LongComplex& from);
  void subtract_rest(const EliminatedPart::Input& x, LongComplex& from) const;  // Z_ll x

  KeptBlocks mass_, damping_, stiffness_, hysteretic_;
  Pencil rest_;
  long double omega_ = 0.0L, mass_damping_ = 0.0L;
  LongComplex kept_, coupling_, residual_, rest_residual_;
};

}  // namespace masing::detail
