#include "masing/analysis/detail/balance_problem.hpp"

#include "masing/core/error.hpp"

#include <algorithm>

namespace masing::detail {

namespace {

// Nothing moves less than this [m]; keeps scales positive for a motionless start.
constexpr double smallest_motion = 1e-30;
constexpr double smallest_force = 1e-30;
// Changes of a harmonic count relative to its own size, or to this share of the largest one if it is smaller.
constexpr double least_share = 0.1;

void require_positive(double frequency) {
  if (frequency > 0.0) return;
  throw NumericalError(
      "Newton's method strayed to a frequency below zero: it found no solution nearby, as where a contact law jumps "
      "(see its limits).");
}

}  // namespace

Scaling balance_scaling(HarmonicBalance& balance, const Vector& x, double omega) {
  const HarmonicSet& set = balance.set();
  const Index motions = balance.motions();
  Vector r;
  balance.residual(x, omega, r);
  const HarmonicBalance::ForceScale& force = balance.force_scale();
  const Eigen::Map<const Matrix> y(x.data(), motions, set.positions());
  const auto oscillating = y.rightCols(set.positions() - (set.has_zero() ? 1 : 0));
  const double largest = oscillating.size() > 0 ? oscillating.cwiseAbs().maxCoeff() : 0.0;
  // A mean that rests on its own scale of forces alone must not be starved of digits by a tiny one.
  const double mean_force = std::max(force.mean, force.oscillating);
  Scaling scaling{.unknown = Vector(x.size()), .residual = Vector(x.size())};
  for (Index i = 0; i < set.count(); ++i) {
    const Index first = set.cosine(i) * motions;
    const Index count = (set[i] == 0 ? 1 : 2) * motions;
    const double own = x.segment(first, count).cwiseAbs().maxCoeff();
    scaling.unknown.segment(first, count).setConstant(std::max({own, least_share * largest, smallest_motion}));
    scaling.residual.segment(first, count)
        .setConstant(std::max(set[i] == 0 ? mean_force : force.oscillating, smallest_force));
  }
  return scaling;
}

void FrequencyProblem::residual(const Vector& x, double lambda, Vector& r) {
  require_positive(lambda);
  balance_.residual(x, 2.0 * pi * lambda, r);
}

void FrequencyProblem::derivatives(const Vector& x, double lambda, Matrix& j, Vector& r_lambda) {
  balance_.derivatives(x, 2.0 * pi * lambda, j, r_lambda);
  r_lambda *= 2.0 * pi;
}

Scaling ScalingMemory::at(const Vector& x, double lambda, const std::function<Scaling()>& compute) {
  for (const Known& known : known_) {
    if (known.lambda == lambda && known.x.size() == x.size() && known.x == x) return known.scaling;
  }
  Known& entry = known_[oldest_];
  oldest_ = (oldest_ + 1) % known_.size();
  entry = {x, lambda, compute()};
  return entry.scaling;
}

Scaling FrequencyProblem::scaling(const Vector& x, double lambda) const {
  return memory_.at(x, lambda, [&] { return balance_scaling(balance_, x, 2.0 * pi * lambda); });
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
