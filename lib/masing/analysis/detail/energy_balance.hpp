// The energy balance of one period of a steady state, from the motion of all coordinates:
//
//   input        Σ_k π k Im(Q_kᴴ P_k) of the loads; of artificial damping −cM: −c π Ω Σ_k k² Q_kᴴ M Q_k
//   joints       Σ_k π k Im(U_kᴴ F_k) of each joint: the area of its loop, exact for a motion of those harmonics
//   material     Σ_k π k Im(Q_kᴴ Z(kΩ) Q_k): Q_kᴴ (kΩ C + H) Q_k for structures with matrices
//   kinetic      ½ Ω² Σ_k k² Q_kᴴ M Q_k: the largest kinetic energy of a motion in one harmonic, in one phase;
//                M is −(dZ/dω)/2ω where there are no matrices (exact for spectral elements)
//   residual     |input − joints − material| relative to the input
//
// The joints' forces are computed anew with twice the samples: the residual therefore shows what sampling costs, beside
// what Newton's method left. Laws whose events are located exactly do not depend on samples.
//
// A damping ratio follows from D/(4π E), D dissipated and E the kinetic energy above; with the artificial damping of the
// extended periodic motion concept this is its ζ exactly.
#pragma once

#include "masing/analysis/model.hpp"
#include "masing/analysis/results.hpp"
#include "masing/balance/harmonic_balance.hpp"
#include "masing/balance/joint_coupling.hpp"

namespace masing::detail {

struct EnergyTerms {
  double input = 0.0;  ///< [J] per period, as all others
  double material = 0.0;
  double kinetic = 0.0;
  double residual = 0.0;  ///< relative; NaN when a joint's law did not close its cycle with the finer sampling
  Vector joints;
  Vector joint_amplitude;   ///< [m] half the range of each joint's first relative motion
  Vector harmonic_kinetic;  ///< [J] the part of each harmonic in `kinetic`

  double dissipated() const { return material + joints.sum(); }
  double dissipation_ratio() const { return kinetic > 0.0 ? dissipated() / (4.0 * pi * kinetic) : 0.0; }
};

class EnergyBalance {
 public:
  EnergyBalance(const Model& model, const BalanceOptions& options);
  /// For a motion `all` of all coordinates (coordinates × positions), at the level and artificial damping of `balance`.
  const EnergyTerms& evaluate(const HarmonicBalance& balance, const Matrix& all, double omega);

  /// Of the last evaluate(): relative motions and forces of all joints (inputs × positions of the felt harmonics).
  const Matrix& relative_motion() const { return relative_; }
  const JointForces& joint_forces() const { return joint_forces_; }
  const HarmonicSet& felt_harmonics() const { return felt_set_; }
  /// The loops of all joints in the last evaluate(), with as many samples as the balance has; none where a law did not close.
  JointCycles cycles() const;

 private:
  void add_structure(const HarmonicBalance& balance, const Matrix& all, double omega);
  void add_joints(const Matrix& all, double omega);

  std::shared_ptr<const Structure> structure_;
  const SecondOrderStructure* matrices_;                    // null: the structure has none, `whole_` is it
  std::vector<std::unique_ptr<CondensedStructure>> whole_;  // with every coordinate kept, one a harmonic
  HarmonicSet set_;
  HarmonicSet felt_set_;  // of the joints' relative motions
  JointForces joint_forces_;
  InterfaceBasis basis_;                     // of what the joints feel
  std::unique_ptr<JointCoupling> coupling_;  // null without joints
  Matrix relative_;                          // inputs × positions of the felt set
  EnergyTerms terms_;
  ComplexVector amplitude_, product_;
};

}  // namespace masing::detail
