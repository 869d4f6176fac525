#include "masing/analysis/detail/tracking_condition.hpp"

#include "masing/analysis/detail/balance_problem.hpp"

namespace masing::detail {

void TrackingCondition::keep_side(const Vector& old, Vector& border) {
  if (old.size() == border.size() && old.dot(border) < 0.0) border = -border;
}

void TrackingCondition::follow(HarmonicBalance& balance, const Vector& x, double omega) {
  const Scaling scaling = balance_scaling(balance, x, omega);
  unit_.resize(x.size() + 1);
  unit_ << scaling.unknown, omega;
  row_unit_ = scaling.residual;
  scale_derivatives(balance, x, omega);
  renew_border(balance, x, omega);
}

void TrackingCondition::scale_derivatives(HarmonicBalance& balance, const Vector& x, double omega) {
  const Index n = x.size();
  balance.derivatives(x, omega, jacobian_, by_omega_);
  scaled_.resize(n, n + 1);
  scaled_.leftCols(n) = jacobian_;
  scaled_.col(n) = by_omega_;
  scaled_.array().colwise() /= row_unit_.array();
  scaled_.array().rowwise() *= unit_.transpose().array();
}

}  // namespace masing::detail
