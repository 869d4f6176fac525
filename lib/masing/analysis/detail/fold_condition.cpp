#include "masing/analysis/detail/fold_condition.hpp"

#include "masing/core/error.hpp"

namespace masing::detail {

namespace {

// Of the unknowns: the error of a central difference is its square, rounding costs 1e-16 over it.
constexpr double difference_step = 1e-5;

}  // namespace

// The singular vectors of the smallest singular value, by inverse iteration.
void FoldCondition::renew_border(HarmonicBalance& /*balance*/, const Vector& /*x*/, double /*omega*/) {
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

void FoldCondition::fill_matrix() {
  const Index n = scaled_.rows();
  matrix_.resize(n + 1, n + 1);
  matrix_.topLeftCorner(n, n) = scaled_.leftCols(n);
  matrix_.col(n).head(n) = column_;
  matrix_.row(n).head(n) = row_.transpose();
  matrix_(n, n) = 0.0;
}

void FoldCondition::evaluate(const ConditionPoint& point, ConditionValue& result) {
  const Index n = point.x.size();
  scale_derivatives(point.balance, point.x, point.omega);
  fill_matrix();
  lu_.compute(matrix_);
  solution_ = lu_.solve(Vector::Unit(n + 1, n));
  if (!solution_.allFinite()) throw NumericalError("The response curve has no tangent here.");
  result.value = solution_[n];
  result.size = 1.0;
  result.by_mass_damping = result.by_log_scale = 0.0;
}

void FoldCondition::slope_at(const ConditionPoint& point, double step, ConditionValue& slope) {
  const Index n = point.x.size();
  shifted_x_ = point.x + step * unit_.head(n).cwiseProduct(solution_.head(n));
  point.balance.derivatives(shifted_x_, point.omega, jacobian_, by_omega_);
  point.balance.derivative_by_level(by_level_);
  slope.by_x.noalias() = -(jacobian_.transpose() * left_);
  slope.by_omega = -by_omega_.dot(left_);
  slope.by_level = -by_level_.dot(left_);
}

void FoldCondition::differentiate(const ConditionPoint& point, ConditionValue& result) {
  const Index n = point.x.size();
  right_ = Vector::Unit(n + 1, n);
  left_ = lu_.transpose().solve(right_);
  left_.conservativeResize(n);
  left_.array() /= row_unit_.array();
  const double step = difference_step / solution_.head(n).norm();
  slope_at(point, step, ahead_);
  slope_at(point, -step, behind_);
  const double over = 0.5 / step;
  result.by_x = over * (ahead_.by_x - behind_.by_x);
  result.by_omega = over * (ahead_.by_omega - behind_.by_omega);
  result.by_level = over * (ahead_.by_level - behind_.by_level);
}

}  // namespace masing::detail
