#include "masing/analysis/detail/curve_difference.hpp"

#include "masing/core/error.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

constexpr double reach = 1e-4;          // ε
constexpr double known_digits = 1e-10;  // of ψ, where rounding lets them be known

}  // namespace

// The direction in which R does not change: the last column of Q of the transposed derivatives. Then the chord.
void CurveDifference::renew_border(HarmonicBalance& balance, const Vector& x, double omega) {
  constexpr int turns = 3;  // each time the points lie in planes that are normal to the chord before
  const Index n = scaled_.rows();
  const Eigen::HouseholderQR<Matrix> qr(scaled_.transpose());
  Vector tangent = qr.householderQ() * Vector::Unit(n + 1, n);
  if (border_.size() == 0 && tangent[n] < 0.0) tangent = -tangent;
  keep_side(border_, tangent);
  border_ = tangent;
  try {
    for (int i = 0; i < turns; ++i) turn_border_to_chord({balance, x, omega, 1.0});
  } catch (const NumericalError&) {  // no response on one side
    border_ = tangent;
  }
}

void CurveDifference::turn_border_to_chord(const ConditionPoint& point) {
  const Index n = point.x.size();
  factor(point.balance, point.x, point.omega);
  if (!find(point, 1.0, ahead_)) factor(point.balance, point.x, point.omega);
  find(point, -1.0, behind_);
  border_.head(n) = (ahead_.x - behind_.x).cwiseQuotient(unit_.head(n));
  border_[n] = (ahead_.omega - behind_.omega) / unit_[n];
  border_.normalize();
}

// [J R_Ω; cᵀ], and the tangent there.
void CurveDifference::factor(HarmonicBalance& balance, const Vector& x, double omega) {
  const Index n = x.size();
  scale_derivatives(balance, x, omega);
  matrix_.resize(n + 1, n + 1);
  matrix_.topRows(n) = scaled_;
  matrix_.row(n) = border_.transpose();
  lu_.compute(matrix_);
  tangent_ = lu_.solve(Vector::Unit(n + 1, n));
  if (!tangent_.allFinite()) throw NumericalError("The response curve has no tangent here.");
}

void CurveDifference::evaluate(const ConditionPoint& point, ConditionValue& result) {
  rounding_ = 0.0;
  factor(point.balance, point.x, point.omega);
  if (!find(point, 1.0, ahead_)) factor(point.balance, point.x, point.omega);
  const double ahead = logarithm(point, ahead_);
  find(point, -1.0, behind_);
  const double behind = logarithm(point, behind_);
  result.value = (ahead - behind) / (2.0 * reach);
  result.size = std::max(1.0, rounding_ / (reach * known_digits));
  result.by_mass_damping = result.by_log_scale = 0.0;
}

// Newton's method with the factors of the point itself, made anew where they do not serve; to rounding, which ψ has over ε.
// False: made anew.
bool CurveDifference::find(const ConditionPoint& point, double side, Neighbour& neighbour) {
  constexpr int most_iterations = 80, undamped = 10;  // across a corner full steps may go to and fro
  constexpr double exact = 1e-15, contracting = 0.1, stagnating = 0.5, near = 1e-9;
  const Index n = point.x.size();
  bool served = true;
  const auto move = [&](const Vector& scaled_step) {
    neighbour.x += unit_.head(n).cwiseProduct(scaled_step.head(n));
    neighbour.omega += unit_[n] * scaled_step[n];
  };
  neighbour = {point.x, point.omega};
  move(side * reach * tangent_);
  double last = 0.0;
  for (int i = 0; i < most_iterations; ++i) {
    point.balance.residual(neighbour.x, neighbour.omega, residual_);
    right_.setZero(n + 1);
    right_.head(n) = -residual_.cwiseQuotient(row_unit_);
    change_ = lu_.solve(right_);
    const double size = change_.norm();
    if (!std::isfinite(size)) break;
    if (i > 0 && size < near && size >= stagnating * last) {
      rounding_ = std::max(rounding_, size);
      return served;
    }
    move(i < undamped ? change_ : 0.5 * change_);
    if (size <= exact) return served;
    if (i > 0 && i < undamped && size > near && size > contracting * last) {
      factor(point.balance, neighbour.x, neighbour.omega);
      served = false;
    }
    last = size;
  }
  throw NumericalError("No response was found beside the place that is followed.");
}

double CurveDifference::logarithm(const ConditionPoint& point, const Neighbour& at) {
  measure(point, at, g_);
  return std::log(g_.value);
}

CurveDifference::Slopes CurveDifference::slopes(const ConditionPoint& point, const Neighbour& at) {
  const Index n = at.x.size();
  measure(point, at, g_);
  factor(point.balance, at.x, at.omega);
  point.balance.derivative_by_level(by_level_);
  const auto along = [&](const Vector& direction) {
    return g_.by_x.dot(unit_.head(n).cwiseProduct(direction.head(n))) + g_.by_omega * unit_[n] * direction[n];
  };
  right_.setZero(n + 1);
  right_.head(n) = -by_level_.cwiseQuotient(row_unit_);
  change_ = lu_.solve(right_);
  return {along(tangent_) / g_.value, (along(change_) + g_.by_level) / g_.value};
}

void CurveDifference::differentiate(const ConditionPoint& point, ConditionValue& result) {
  const Index n = point.x.size();
  const Slopes ahead = slopes(point, ahead_), behind = slopes(point, behind_);
  constexpr double over = 0.5 / reach;
  const double curvature = over * (ahead.along - behind.along);
  result.by_x = curvature * border_.head(n).cwiseQuotient(unit_.head(n));
  result.by_omega = curvature * border_[n] / unit_[n];
  result.by_level = over * (ahead.by_level - behind.by_level);
}

bool CurveDifference::is_maximum(const ConditionPoint& point) {
  ConditionValue value;
  evaluate(point, value);
  const double ahead = slopes(point, ahead_).along;
  return ahead < slopes(point, behind_).along;
}

}  // namespace masing::detail
