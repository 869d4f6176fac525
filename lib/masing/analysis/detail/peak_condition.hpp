// A motion stays at a peak of its response curve R(x, Ω) = 0 while the level changes.
//
//   ψ = (ln g(y₊) − ln g(y₋))/2ε = 0,    g = Σ_k |A_k|² of an observable over some harmonics
//
// y± are the points of the curve at c·(y − (x, Ω)) = ±ε, c: its tangent at the point accepted last, in scaled unknowns. ε = 1e-4 is
// so short that a smooth peak is missed by 1e-8 of its width. Where a curve has a corner, as at the onset of macroslip of a joint
// whose density has a Dirac part, its slope jumps, and with it the derivative of ln g: the peak then sits at the corner for a range of
// levels. ψ passes zero continuously there, and the corner is found within ε.
//
// y± depend on (x, Ω) by their place on the curve alone, so that with the tangents (v, w) of the curve at y±, cᵀ(v, w) = 1,
//
//   ∂ψ/∂(x, Ω) = cᵀ (h₊ − h₋)/2ε,   h = (g_x·v + g_Ω w)/g;     ∂ψ/∂level = (l₊ − l₋)/2ε,   l = (g_x·∂y/∂level + g_level)/g
//
// exactly.
#pragma once

#include "masing/analysis/detail/tracking_condition.hpp"

#include <Eigen/LU>

namespace masing::detail {

class PeakCondition final : public TrackingCondition {
 public:
  /// Of Σ |A_k|² over these harmonics.
  PeakCondition(const Observable& observable, Index coordinates, const std::vector<int>& harmonics);

  void evaluate(const ConditionPoint& point, ConditionValue& result) override;
  void differentiate(const ConditionPoint& point, ConditionValue& result) override;
  /// Whether the point, where the condition holds, is a maximum of its response; the equation holds at minima, too.
  bool is_maximum(const ConditionPoint& point);

 private:
  // Of g: its value and gradient.
  struct Measure {
    double value = 1.0;
    Vector by_x;
    double by_omega = 0.0, by_level = 0.0;
  };
  // A point of the curve beside the present one.
  struct Neighbour {
    Vector x;
    double omega = 0.0;
  };
  // Of ln g at a neighbour.
  struct Slopes {
    double along = 0.0, by_level = 0.0;
  };

  void renew_border() override;
  void factor(HarmonicBalance& balance, const Vector& x, double omega);
  bool find(const ConditionPoint& point, double side, Neighbour& neighbour);
  double measure(const ConditionPoint& point, const Neighbour& at, Measure& g);
  Slopes slopes(const ConditionPoint& point, const Neighbour& at);

  std::vector<AmplitudeCondition> squares_;
  ConditionValue square_;
  Vector border_;  // c
  Matrix matrix_;
  Eigen::PartialPivLU<Matrix> lu_;
  Vector right_, tangent_, change_, residual_, by_level_;
  Neighbour ahead_, behind_;
  double rounding_ = 0.0;  // of these
  Measure g_;
};

}  // namespace masing::detail
