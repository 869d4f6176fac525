#include "masing/analysis/detail/tracking_condition.hpp"

#include "masing/analysis/detail/balance_problem.hpp"
#include "masing/core/error.hpp"

#include <Eigen/QR>

namespace masing::detail {

namespace {

// Of the unknowns: the error of a central difference is its square, rounding costs 1e-16 over it.
constexpr double difference_step = 1e-5;

void keep_side(const Vector& old, Vector& border) {
  if (old.size() == border.size() && old.dot(border) < 0.0) border = -border;
}

}  // namespace

void TrackingCondition::follow(HarmonicBalance& balance, const Vector& x, double omega) {
  const Scaling scaling = balance_scaling(balance, x, omega);
  const Index n = x.size();
  unit_.resize(n + 1);
  unit_ << scaling.unknown, omega;
  row_unit_ = scaling.residual;
  scale_derivatives(balance, x, omega);
  renew_border();
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

void TrackingCondition::evaluate(const ConditionPoint& point, ConditionValue& result) {
  const Index n = point.x.size();
  scale_derivatives(point.balance, point.x, point.omega);
  fill_matrix(matrix_);
  lu_.compute(matrix_);
  right_ = Vector::Unit(n + 1, n);
  solution_ = lu_.solve(right_);
  if (!solution_.allFinite()) throw NumericalError("The response curve has no tangent here.");
  result.value = solution_[n];
  result.size = 1.0;
  result.by_mass_damping = result.by_log_scale = 0.0;
  if (!has_measure()) return;
  measure(point, here_);
  if (!(here_.value > 0.0)) throw NumericalError("The amplitude whose peak is followed vanishes.");
  result.value =
      (here_.by_x.dot(unit_.head(n).cwiseProduct(solution_.head(n))) + here_.by_omega * unit_[n] * solution_[n]) /
      here_.value;
}

// p: the bordered matrix transposed, with the gradient of g or the last unit vector on the right.
void TrackingCondition::solve_left(const ConditionPoint& point) {
  const Index n = point.x.size();
  if (has_measure()) {
    right_.head(n) = here_.by_x.cwiseProduct(unit_.head(n));
    right_[n] = here_.by_omega * unit_[n];
  } else {
    right_ = Vector::Unit(n + 1, n);
  }
  left_ = lu_.transpose().solve(right_);
  left_.conservativeResize(n);
  left_.array() /= row_unit_.array();
}

void TrackingCondition::slope_at(const ConditionPoint& point, double step, ConditionValue& slope) {
  const Index n = point.x.size();
  shifted_x_ = point.x + step * unit_.head(n).cwiseProduct(solution_.head(n));
  const double omega = point.omega + (turns_frequency() ? step * unit_[n] * solution_[n] : 0.0);
  point.balance.derivatives(shifted_x_, omega, jacobian_, by_omega_);
  point.balance.derivative_by_level(by_level_);
  slope.by_x.noalias() = -(jacobian_.transpose() * left_);
  slope.by_omega = -by_omega_.dot(left_);
  slope.by_level = -by_level_.dot(left_);
  if (!has_measure()) return;
  measure({point.balance, shifted_x_, omega, point.scale}, shifted_);
  slope.by_x += shifted_.by_x;
  slope.by_omega += shifted_.by_omega;
  slope.by_level += shifted_.by_level;
}

void TrackingCondition::differentiate(const ConditionPoint& point, ConditionValue& result) {
  solve_left(point);
  const double step = difference_step / solution_.head(point.x.size()).norm();
  slope_at(point, step, ahead_);
  slope_at(point, -step, behind_);
  const double over = 0.5 / step;
  result.by_x = over * (ahead_.by_x - behind_.by_x);
  result.by_omega = over * (ahead_.by_omega - behind_.by_omega);
  result.by_level = over * (ahead_.by_level - behind_.by_level);
  if (!has_measure()) return;
  result.by_x = (result.by_x - result.value * here_.by_x) / here_.value;
  result.by_omega = (result.by_omega - result.value * here_.by_omega) / here_.value;
  result.by_level = (result.by_level - result.value * here_.by_level) / here_.value;
}

// --- peak ------------------------------------------------------------------------------------------------------------

PeakCondition::PeakCondition(const Observable& observable, Index coordinates, const std::vector<int>& harmonics) {
  for (const int k : harmonics) squares_.emplace_back(k, observable.weights(coordinates), observable.quantity, 1.0);
}

void PeakCondition::measure(const ConditionPoint& point, Measure& g) {
  g.value = g.by_omega = g.by_level = 0.0;
  g.by_x.setZero(point.x.size());
  for (AmplitudeCondition& square : squares_) {
    square.evaluate(point, square_);
    g.value += square.ratio();
    g.by_x += square_.by_x;
    g.by_omega += square_.by_omega;
    g.by_level += square_.by_level;
  }
}

// The direction in which R does not change: the last column of Q of the transposed derivatives.
void PeakCondition::renew_border() {
  const Index n = scaled_.rows();
  const Eigen::HouseholderQR<Matrix> qr(scaled_.transpose());
  Vector tangent = qr.householderQ() * Vector::Unit(n + 1, n);
  if (border_.size() == 0 && tangent[n] < 0.0) tangent = -tangent;
  keep_side(border_, tangent);
  border_ = tangent;
}

void PeakCondition::fill_matrix(Matrix& matrix) const {
  const Index n = scaled_.rows();
  matrix.resize(n + 1, n + 1);
  matrix.topRows(n) = scaled_;
  matrix.row(n) = border_.transpose();
}

// --- fold ------------------------------------------------------------------------------------------------------------

// The singular vectors of the smallest singular value, by inverse iteration.
void FoldCondition::renew_border() {
  constexpr int iterations = 4;  // each gains a factor (smallest/next singular value)²
  const Index n = scaled_.rows();
  const Eigen::PartialPivLU<Matrix> lu(scaled_.leftCols(n));
  Vector row = Vector::Ones(n).normalized(), column = row;
  for (int i = 0; i < iterations; ++i) {
    column = lu.transpose().solve(row);
    column.normalize();
    row = lu.solve(column);
    row.normalize();
  }
  if (!row.allFinite() || !column.allFinite()) throw NumericalError("The singular vectors at a fold were not found.");
  keep_side(row_, row);
  keep_side(column_, column);
  row_ = row;
  column_ = column;
}

void FoldCondition::fill_matrix(Matrix& matrix) const {
  const Index n = scaled_.rows();
  matrix.resize(n + 1, n + 1);
  matrix.topLeftCorner(n, n) = scaled_.leftCols(n);
  matrix.col(n).head(n) = column_;
  matrix.row(n).head(n) = row_.transpose();
  matrix(n, n) = 0.0;
}

}  // namespace masing::detail
