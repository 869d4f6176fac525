// A motion stays at an extremum of something along its response curve R(x, Ω) = 0 while the level changes: of an amplitude (a peak,
// detail/peak_condition.hpp) or of the frequency (a fold, detail/corner_fold.hpp).
//
//   ψ = (ln g(y₊) − ln g(y₋))/2ε = 0,    g > 0: what has the extremum
//
// y± are the points of the curve at c·(y − (x, Ω)) = ±ε, c: the chord between them at the point accepted last, in scaled unknowns (the
// tangent would turn suddenly where that point passes a corner, and the equation with it). ε = 1e-4 is
// so short that a smooth extremum is missed by 1e-8 of its width. Where a curve has a corner, as at the onset of slip of a slider or of
// macroslip of a joint whose density has a Dirac part, its slope jumps, and with it the derivative of ln g: the extremum then sits at
// the corner for a range of levels. ψ passes zero continuously there, and the corner is found within ε.
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

class CurveDifference : public TrackingCondition {
 public:
  void evaluate(const ConditionPoint& point, ConditionValue& result) override;
  void differentiate(const ConditionPoint& point, ConditionValue& result) override;
  /// Whether the point, where the condition holds, is a maximum; the equation holds at minima, too.
  bool is_maximum(const ConditionPoint& point);

 protected:
  /// Of g: its value and gradient.
  struct Measure {
    double value = 1.0;
    Vector by_x;
    double by_omega = 0.0, by_level = 0.0;
  };
  /// A point of the curve beside the present one.
  struct Neighbour {
    Vector x;
    double omega = 0.0;
  };
  virtual void measure(const ConditionPoint& point, const Neighbour& at, Measure& g) = 0;

 private:
  // Of ln g at a neighbour.
  struct Slopes {
    double along = 0.0, by_level = 0.0;
  };

  void renew_border(HarmonicBalance& balance, const Vector& x, double omega) override;
  void turn_border_to_chord(const ConditionPoint& point);
  void factor(HarmonicBalance& balance, const Vector& x, double omega);
  bool find(const ConditionPoint& point, double side, Neighbour& neighbour);
  double logarithm(const ConditionPoint& point, const Neighbour& at);
  Slopes slopes(const ConditionPoint& point, const Neighbour& at);

  Vector border_;  // c
  Matrix matrix_;
  Eigen::PartialPivLU<Matrix> lu_;
  Vector right_, tangent_, change_, residual_, by_level_;
  Neighbour ahead_, behind_;
  double rounding_ = 0.0;  // of these
  Measure g_;
};

}  // namespace masing::detail
