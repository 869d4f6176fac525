#include "masing/analysis/detail/superharmonic_condition.hpp"

#include <algorithm>

namespace masing::detail {

void SuperharmonicCondition::take_apart(const ConditionPoint& point) {
  const Index motions = point.balance.motions();
  const HarmonicSet& set = point.balance.set();
  first_ = set.cosine(set.find(harmonic_)) * motions;
  count_ = 2 * motions;
  without_ = point.x;
  without_.segment(first_, count_).setZero();
}

void SuperharmonicCondition::evaluate(const ConditionPoint& point, ConditionValue& result) {
  take_apart(point);
  point.balance.residual(without_, point.omega, r_);
  const auto force = r_.segment(first_, count_);
  const auto motion = point.x.segment(first_, count_);
  const double unit = point.scale * point.scale;
  result.value = force.dot(motion) / unit;
  result.size = std::max(force.norm() * motion.norm() / unit, 1e-300);
  result.by_x.setZero(point.x.size());
  result.by_omega = result.by_level = result.by_mass_damping = 0.0;
  result.by_log_scale = -2.0 * result.value;
}

bool SuperharmonicCondition::has_phase(const ConditionPoint& point, double tolerance) {
  constexpr double rounding = 1e-10;  // of a joint force, which marching over its samples adds up
  take_apart(point);
  point.balance.residual(without_, point.omega, r_);
  const Index mean = point.balance.set().has_zero() ? point.balance.motions() : 0;
  return r_.segment(first_, count_).norm() > rounding * point.balance.joint_force().norm() &&
         point.x.segment(first_, count_).norm() > tolerance * point.x.tail(point.x.size() - mean).norm();
}

void SuperharmonicCondition::differentiate(const ConditionPoint& point, ConditionValue& result) {
  take_apart(point);
  point.balance.residual(without_, point.omega, r_);
  point.balance.derivatives(without_, point.omega, jacobian_, by_omega_);
  const auto motion = point.x.segment(first_, count_);
  const double unit = point.scale * point.scale;
  result.by_x = jacobian_.middleRows(first_, count_).transpose() * motion / unit;
  result.by_x.segment(first_, count_) = r_.segment(first_, count_) / unit;
  result.by_omega = by_omega_.segment(first_, count_).dot(motion) / unit;
}

}  // namespace masing::detail
