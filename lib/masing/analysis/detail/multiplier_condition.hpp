// The equation that keeps a motion where one of its Floquet multipliers is −1, or a pair of them on the unit circle:
//
//   ψ(x, Ω) = Π (1 + μ) = 0   or   Π_{i<j} (1 − μ_i μ_j) = 0
//
// ψ is as exact as the multipliers; its derivatives are differences of it, one coefficient after the other: Newton's method
// converges a little slower than with exact ones, to the same point.
#pragma once

#include "masing/analysis/detail/condition.hpp"
#include "masing/analysis/detail/point_stability.hpp"

namespace masing::detail {

class MultiplierCondition final : public Condition {
 public:
  using Test = double (*)(const std::vector<Complex>& multipliers);
  MultiplierCondition(PointStability& stability, Test test) : stability_(stability), test_(test) {}

  void evaluate(const ConditionPoint& point, ConditionValue& result) override;
  void differentiate(const ConditionPoint& point, ConditionValue& result) override;

 private:
  double value(HarmonicBalance& balance, const Vector& x, double omega) {
    return test_(stability_.evaluate(balance, {x, omega}).values);
  }

  PointStability& stability_;
  Test test_;
};

}  // namespace masing::detail
