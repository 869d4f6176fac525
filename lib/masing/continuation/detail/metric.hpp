// The unit of each unknown at a point: what makes lengths and angles meaningful.
//
//   y_i = x_i / (s_i·max(1, ‖x/s‖)),   μ = λ / unit of λ,   length² = ‖dy‖² + dμ²
//
// s comes from ContinuationProblem::scaling. Dividing by ‖x/s‖ makes a length of one mean "as large as x" whatever the
// number of unknowns.
#pragma once

#include "masing/continuation/branch.hpp"
#include "masing/continuation/problem.hpp"

namespace masing::detail {

struct Metric {
  Vector unit;      ///< n + 1, λ last
  Scaling scaling;  ///< for Newton's method at fixed λ: unit of x, sizes of the equations

  /// Throws NumericalError when the problem's scaling is not positive and finite.
  static Metric at(const ContinuationProblem& problem, const Vector& x, double lambda, double lambda_unit);

  Vector scaled(const Vector& difference) const { return difference.cwiseQuotient(unit); }
  Vector physical(const Vector& scaled_difference) const { return scaled_difference.cwiseProduct(unit); }
  /// The same direction as a unit vector of this metric.
  Vector unit_vector(const Vector& physical_direction) const { return scaled(physical_direction).normalized(); }
};

/// x and λ in one vector, λ last.
Vector joined(const Vector& x, double lambda);
inline Vector joined(const BranchPoint& point) { return joined(point.x, point.lambda); }

/// Angle between two unit vectors [degrees], accurate for small angles.
double angle_between(const Vector& a, const Vector& b);

}  // namespace masing::detail
