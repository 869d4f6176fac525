#include "masing/analysis/detail/balance_problem.hpp"

#include "masing/core/error.hpp"

#include <algorithm>

namespace masing::detail {

namespace {

// Nothing moves less than this [m]; keeps scales positive for a motionless start.
constexpr double smallest_motion = 1e-30;
constexpr double smallest_force = 1e-30;

void require_positive(double frequency) {
  if (!(frequency > 0.0)) throw NumericalError(fmt::format("The frequency became {:.6g} Hz.", frequency));
}

}  // namespace

Scaling balance_scaling(HarmonicBalance& balance, const Vector& x, double omega) {
  Vector r;
  balance.residual(x, omega, r);
  const double force = std::max(balance.force_scale(), smallest_force);
  double motion = x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
  if (motion < smallest_motion) motion = smallest_motion;
  return {.unknown = Vector::Constant(x.size(), motion), .residual = Vector::Constant(x.size(), force)};
}

void FrequencyProblem::residual(const Vector& x, double lambda, Vector& r) {
  require_positive(lambda);
  balance_.residual(x, 2.0 * pi * lambda, r);
}

void FrequencyProblem::derivatives(const Vector& x, double lambda, Matrix& j, Vector& r_lambda) {
  balance_.derivatives(x, 2.0 * pi * lambda, j, r_lambda);
  r_lambda *= 2.0 * pi;
}

Scaling FrequencyProblem::scaling(const Vector& x, double lambda) const {
  return balance_scaling(balance_, x, 2.0 * pi * lambda);
}

void LevelProblem::residual(const Vector& x, double lambda, Vector& r) {
  balance_.set_level(lambda);
  balance_.residual(x, omega_, r);
}

void LevelProblem::derivatives(const Vector& x, double lambda, Matrix& j, Vector& r_lambda) {
  balance_.set_level(lambda);
  balance_.derivatives(x, omega_, j, r_lambda);
  balance_.derivative_by_level(r_lambda);
}

Scaling LevelProblem::scaling(const Vector& x, double lambda) const {
  balance_.set_level(lambda);
  return balance_scaling(balance_, x, omega_);
}

}  // namespace masing::detail
