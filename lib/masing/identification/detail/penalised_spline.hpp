// A curve through noisy points: quintic B-splines on even knots, least squares with a penalty on the third differences of the
// coefficients, its weight by generalised cross-validation.
#pragma once

#include "masing/core/types.hpp"

namespace masing::detail {

class PenalisedSpline {
 public:
  /// `x` rising.
  PenalisedSpline(const Vector& x, const Vector& y);

  double value(double x) const { return row(x, 0).dot(coefficients_); }
  double derivative(double x, int order) const { return row(x, order).dot(coefficients_); }
  /// value or derivative = row · coefficients
  Vector row(double x, int order) const;
  /// Standard deviation of row · coefficients, from the scatter of the data.
  double deviation(const Vector& row) const { return std::sqrt((row.transpose() * covariance_ * row).value()); }

  double scatter() const { return scatter_; }
  double effective_parameters() const { return effective_; }
  double penalty() const { return penalty_; }

 private:
  void fit(const Matrix& design, const Vector& y, double penalty);

  double first_ = 0.0, width_ = 1.0;  // left end, distance of the knots
  Index pieces_ = 0;
  Vector coefficients_;
  Matrix covariance_;
  double scatter_ = 0.0, effective_ = 0.0, penalty_ = 0.0, criterion_ = 0.0;
};

}  // namespace masing::detail
