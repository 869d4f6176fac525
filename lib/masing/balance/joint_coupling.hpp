// Between the kept motions and the joints, on Fourier coefficients:
//
//   U = E A Y − ½ Σ_m (G Y)_m * Y_m       relative motions of the joints from the kept motions Y
//   R = Eᵀ (Aᵀ F − (G Y) * F)             forces on the kept motions
//   ∂R/∂Y = Lᵀ (∂F/∂U) L − G ⊗ T(F),      L = E A − T(G Y)
//
// A are the joints' directions, G their quadratic motions (contact/joint.hpp), both seen from the kept motions. * is the
// product in time, T(g) the matrix of the product with g. A product of two motions with the harmonics k and l has the
// harmonics k + l and |k − l|: where a joint has a quadratic motion its relative motion lives on that larger set, E embeds
// the balanced harmonics in it, and Eᵀ (with the weights of the mean) takes the part that is balanced. Nothing else is cut
// off, so forces that have a potential keep it. Without quadratic motions both sets are the same.
#pragma once

#include "masing/balance/joint_forces.hpp"
#include "masing/structure/structure.hpp"

#include <span>
#include <utility>
#include <vector>

namespace masing {

/// The harmonics of the joints' relative motion. Throws ModelError when a quadratic motion would be cut off: it brings a
/// mean and a second harmonic.
HarmonicSet felt_harmonics(const HarmonicSet& set, std::span<const Joint> joints);

class JointCoupling {
 public:
  /// `felt` is felt_harmonics(set, joints); the basis must span felt_directions(joints).
  JointCoupling(std::span<const Joint> joints, Index coordinates, const InterfaceBasis& basis, const HarmonicSet& set,
                const HarmonicSet& felt);

  /// A (relative motions × kept motions)
  const Matrix& projection() const { return projection_; }

  /// U (m × P of the felt set) for Y (motions × P), which the calls below refer to.
  void relative_motion(const MatrixView& y, Matrix& relative);
  /// Adds the forces with coefficients F (m × P of the felt set) to the equations (motions × P).
  void add_forces(const Matrix& forces, Eigen::Ref<Matrix> equations) const;
  /// Adds the joints' part of ∂R/∂Y.
  void add_jacobian(JointForces& forces, Matrix& jacobian);

 private:
  // One input of a joint that has a quadratic motion in any of its inputs.
  struct Lift {
    std::vector<std::pair<Index, double>> motions;  // what it feels, with A's entry
    Matrix quadratic;                               // G between these motions; empty for an input without
    Matrix bending;                                 // G Y: P × these motions
    Matrix lift;                                    // L: P felt × (motions · P), motion after motion
    bool is_curved() const { return quadratic.size() > 0; }
  };

  void project(std::span<const Joint> joints, Index coordinates, const InterfaceBasis& basis);
  void add_lifts(const Joint& joint, const InterfaceBasis& basis, std::size_t first_input);
  void fill_moments(const HarmonicSet& set, const VectorView& signal);
  void bend(Lift& lift, const MatrixView& y, Eigen::Ref<Matrix> relative, Index row);
  void add_linear_jacobian(JointForces& forces, Index joint, Matrix& jacobian);
  void add_lifted_jacobian(JointForces& forces, Index joint, Matrix& jacobian);
  void scatter(const Lift& force, const Lift& motion, const Eigen::Ref<const Matrix>& block, Matrix& jacobian) const;
  void add_geometric_stiffness(const Lift& lift, Matrix& jacobian);
  bool is_lifted(Index input) const { return lift_of_input_[static_cast<std::size_t>(input)] >= 0; }
  Lift& lift_of(Index input) {
    return lifts_[static_cast<std::size_t>(lift_of_input_[static_cast<std::size_t>(input)])];
  }

  HarmonicSet set_, felt_;
  Index motions_ = 0;
  Matrix projection_;
  std::vector<std::vector<std::pair<Index, double>>> projection_rows_;  // its non-zeros
  std::vector<Index> place_;                                            // E: position in the set -> in the felt set
  Vector weight_, felt_weight_;                                         // ½ for a mean, else 1
  std::vector<Lift> lifts_;
  std::vector<Index> lift_of_input_;  // −1: none

  Matrix block_;           // ∂F_a/∂U_b
  Matrix product_;         // ∂F/∂U L
  Matrix lifted_;          // Lᵀ ∂F/∂U L
  Matrix multiplication_;  // T(F)
  Vector force_;           // P felt
  Vector cosine_, sine_;   // moments of a signal
};

}  // namespace masing
