// A motion stays at a fold of its response curve R(x, Ω) = 0 while the level changes.
//
//   [J b; cᵀ 0][v; σ] = [0; 1],   ψ = σ = 0      minimally augmented: σ vanishes with det J, and is as smooth as J
//
// (b, c) are the singular vectors of the point accepted last: ψ is well conditioned nearby, and its zeros do not depend on them.
// With the left solution p of the same matrix and α any of x, Ω and level,
//
//   ∂ψ/∂α = −d/dε pᵀ R_α at x + εv
//
// so that one directional derivative gives all of them. It is taken by a central difference of the exact Jacobian, the one
// derivative in an equation of Masing that is not exact: Newton's method may need an iteration more, but ψ itself is exact.
//
// Reference: W. Govaerts, Numerical Methods for Bifurcations of Dynamical Equilibria, SIAM 2000, chapters 3 and 4.
#pragma once

#include "masing/analysis/detail/tracking_condition.hpp"

#include <Eigen/LU>

namespace masing::detail {

class FoldCondition final : public TrackingCondition {
 public:
  void evaluate(const ConditionPoint& point, ConditionValue& result) override;
  void differentiate(const ConditionPoint& point, ConditionValue& result) override;

 private:
  void renew_border(HarmonicBalance& balance, const Vector& x, double omega) override;
  void fill_matrix();
  void slope_at(const ConditionPoint& point, double step, ConditionValue& slope);

  Vector row_, column_;  // c and b
  Matrix matrix_;
  Eigen::PartialPivLU<Matrix> lu_;
  Vector right_, solution_, left_;  // in scaled unknowns; p in physical ones
  Vector shifted_x_, by_level_;
  ConditionValue ahead_, behind_;
};

}  // namespace masing::detail
