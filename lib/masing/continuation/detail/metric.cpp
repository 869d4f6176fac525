#include "masing/continuation/detail/metric.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

Metric Metric::at(const ContinuationProblem& problem, const Vector& x, double lambda, double lambda_unit) {
  const Index n = x.size();
  Metric metric;
  metric.scaling = problem.scaling(x, lambda);
  const Scaling& s = metric.scaling;
  const bool sizes_match = s.unknown.size() == n && s.residual.size() == n;
  if (!sizes_match || !s.unknown.allFinite() || !s.residual.allFinite() || s.unknown.minCoeff() <= 0.0 ||
      s.residual.minCoeff() <= 0.0) {
    throw NumericalError(fmt::format(
        "Continuation: the scaling at λ = {:.6g} must be {} positive numbers for unknowns and for equations.", lambda,
        n));
  }
  metric.scaling.unknown *= std::max(1.0, x.cwiseQuotient(s.unknown).norm());
  metric.unit = joined(metric.scaling.unknown, lambda_unit);
  return metric;
}

Vector joined(const Vector& x, double lambda) {
  Vector z(x.size() + 1);
  z << x, lambda;
  return z;
}

double angle_between(const Vector& a, const Vector& b) {
  return 2.0 * std::atan2((a - b).norm(), (a + b).norm()) * 180.0 / pi;
}

}  // namespace masing::detail
