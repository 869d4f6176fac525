#include "masing/analysis/detail/multiplier_condition.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

void MultiplierCondition::evaluate(const ConditionPoint& point, ConditionValue& result) {
  result.value = value(point.balance, point.x, point.omega);
  result.size = 1.0;
  result.by_x.setZero(point.x.size());
  result.by_omega = result.by_level = result.by_mass_damping = result.by_log_scale = 0.0;
}

void MultiplierCondition::differentiate(const ConditionPoint& point, ConditionValue& result) {
  constexpr double relative = 1e-5;  // ψ has ten digits or more: five are left
  constexpr double least = 1e-2;     // small coefficients move by a share of the largest one
  const double largest = point.x.cwiseAbs().maxCoeff();
  const double here = result.value;
  Vector x = point.x;
  for (Index i = 0; i < x.size(); ++i) {
    const double step = relative * std::max(std::abs(x[i]), least * largest);
    x[i] += step;
    result.by_x[i] = (value(point.balance, x, point.omega) - here) / step;
    x[i] = point.x[i];
  }
  const double step = relative * point.omega;
  result.by_omega = (value(point.balance, point.x, point.omega + step) - here) / step;
}

}  // namespace masing::detail
