// Between the unknowns c of shapes that depend on the harmonic and its frequency (CondensedStructure::shapes) and the joints:
//
//   U_k = D_k(kΩ) c_k,   R_k = D_kᴴ F_k,   ∂R_k/∂c_l = D_kᴴ (∂F_k/∂U_l) D_l,      D_k = A V_k
//   ∂R_k/∂Ω = k D'_kᴴ F_k + D_kᴴ ( Σ_l (∂F_k/∂U_l) l D'_l c_l + ∂F_k/∂Ω )
//
// A are the joints' directions. D_k is complex; products with it mix cosines and sines. With c = a − ib and D = D' + iD'' a
// real matrix does the same on (a, b):  [D' D''; −D'' D']. Dᴴ is its transpose.
#pragma once

#include "masing/balance/joint_coupling.hpp"

namespace masing {

class ShapedCoupling {
 public:
  /// `projection` is A (JointCoupling::projection). `unknowns` is the number of c in a harmonic.
  ShapedCoupling(Matrix projection, const HarmonicSet& set, Index unknowns);

  /// The shapes of the i-th harmonic, after a change of frequency.
  void set_shapes(Index i, const MotionShapes& shapes);

  /// U (m × P) for the unknowns (c × P), which the calls below refer to.
  void relative_motion(const MatrixView& unknowns, Matrix& relative);
  /// Adds the forces F (m × P) to the equations (c × P).
  void add_forces(const Matrix& forces, Eigen::Ref<Matrix> equations);
  /// Adds the joints' part of ∂R/∂c, and notes what add_change_of_shapes() needs.
  void add_jacobian(JointForces& forces, Matrix& jacobian);
  /// Adds what the change of the shapes with Ω contributes to ∂R/∂Ω; after add_jacobian() at the same motion.
  void add_change_of_shapes(const Matrix& forces, Eigen::Ref<Matrix> equations);

 private:
  Index width(Index i) const { return set_[i] == 0 ? 1 : 2; }
  void fill_real_form(Index i, Index first_input, Index inputs);

  Matrix projection_;
  HarmonicSet set_;
  Index unknowns_;
  std::vector<ComplexMatrix> shapes_, rates_;  // D and D' of each harmonic
  Matrix relative_rate_;                       // U_k' = k D'_k c_k, m × P
  Matrix force_rate_;                          // (∂F/∂U) U'
  std::vector<Matrix> real_forms_;             // of D of each harmonic, for one joint
  Matrix block_, tangent_, product_;
  Vector joint_rate_;
  ComplexVector motion_, felt_;
};

}  // namespace masing
