// The phase condition of a superharmonic resonance (variable phase resonance).
//
// A harmonic k without a load of its own is driven by the joints: by harmonic k of the forces that the motion *without* harmonic
// k would produce. With x̂ the motion whose harmonic k is taken away,
//
//   ψ = Re(f_kᴴ(x̂) y_k) = 0
//
// the displacement y_k is in quadrature with what drives it, as a linear resonance is with its load; the product is that of
// forces and motions on the kept motions, so that ψ without "Re" is the work done on the harmonic. The phase of the driving
// force moves with the first harmonic, hence the name.
//
// f_k(x̂) is harmonic k of R(x̂): there the structure contributes nothing. All derivatives are exact.
//
// Reference: J. H. Porter, M. R. W. Brake, Tracking superharmonic resonances for nonlinear vibration of conservative and
// hysteretic single degree of freedom systems, Mechanical Systems and Signal Processing 215 (2024) 111410.
#pragma once

#include "masing/analysis/detail/condition.hpp"

namespace masing::detail {

class SuperharmonicCondition final : public Condition {
 public:
  /// Of this harmonic, which must be balanced and have no load.
  explicit SuperharmonicCondition(int harmonic) : harmonic_(harmonic) {}
  void evaluate(const ConditionPoint& point, ConditionValue& result) override;
  void differentiate(const ConditionPoint& point, ConditionValue& result) override;

  /// Whether the harmonic moves, and is driven by more than rounding: ψ of a motion that slips nowhere, or only resolves what
  /// Newton's method leaves (`tolerance`, of the motion), has a sign by chance.
  bool has_phase(const ConditionPoint& point, double tolerance);

 private:
  void take_apart(const ConditionPoint& point);

  int harmonic_;
  Index first_ = 0, count_ = 0;  // of the harmonic among the coefficients
  Vector without_, r_, by_omega_;
  Matrix jacobian_;
};

}  // namespace masing::detail
