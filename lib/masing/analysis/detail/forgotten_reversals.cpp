#include "masing/analysis/detail/forgotten_reversals.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
#include <optional>

namespace masing::detail {

namespace {

struct Samples {
  Matrix displacement, velocity;  // N × inputs
};

Samples with_velocity(const Matrix& motion, double omega) {
  const Index n = motion.rows();
  Samples samples{.displacement = motion, .velocity = Matrix(n, motion.cols())};
  const double rate = omega * static_cast<double>(n) / (4.0 * pi);  // one over twice the time between samples
  for (Index i = 0; i < n; ++i)
    samples.velocity.row(i) = rate * (motion.row((i + 1) % n) - motion.row((i + n - 1) % n));
  return samples;
}

/// Two samples more behind sample i: the first motion goes back by `depth` and comes again; all others wait.
Samples with_loop(const Samples& samples, Index i, double depth) {
  const auto insert = [i](const Matrix& values) {
    Matrix more(values.rows() + 2, values.cols());
    more << values.topRows(i + 1), values.row(i), values.row(i), values.bottomRows(values.rows() - i - 1);
    return more;
  };
  Samples result{.displacement = insert(samples.displacement), .velocity = insert(samples.velocity)};
  result.displacement(i + 1, 0) -= samples.velocity(i, 0) > 0.0 ? depth : -depth;
  result.velocity(i + 1, 0) *= -1.0;
  return result;
}

/// The first force over the steady cycle; empty: it did not close.
std::optional<Vector> force_of(const ContactElement& element, const Samples& samples) {
  CycleResult result;
  try {
    element.steady_cycle({.displacement = samples.displacement, .velocity = samples.velocity}, {}, result);
  } catch (const Error&) {  // a sampled motion that the law refuses
    return std::nullopt;
  }
  if (!result.report.closed) return std::nullopt;
  return Vector(result.force.col(0));
}

}  // namespace

double jump_at_new_reversals(const ContactElement& element, const Matrix& motion, double omega) {
  constexpr Index places = 16;
  constexpr double depth = 1e-6;  // of the motion
  const Index n = motion.rows();
  const double range = n > 0 ? motion.col(0).maxCoeff() - motion.col(0).minCoeff() : 0.0;
  if (n < places || range == 0.0) return 0.0;
  const Samples samples = with_velocity(motion, omega);
  const std::optional<Vector> without = force_of(element, samples);
  if (!without || without->isZero(0.0)) return 0.0;
  double largest = 0.0;
  for (Index place = 0; place < places; ++place) {
    const Index i = place * n / places;
    const std::optional<Vector> with = force_of(element, with_loop(samples, i, depth * range));
    if (!with) continue;
    Vector jump = -*without;
    jump.head(i + 1) += with->head(i + 1);
    jump.tail(n - i - 1) += with->tail(n - i - 1);
    largest = std::max(largest, jump.lpNorm<Eigen::Infinity>());
  }
  return largest / without->lpNorm<Eigen::Infinity>();
}

}  // namespace masing::detail
