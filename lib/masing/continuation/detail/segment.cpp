#include "masing/continuation/detail/segment.hpp"

#include "masing/continuation/detail/root_search.hpp"

#include <fmt/core.h>

#include <cmath>

namespace masing::detail {

namespace {

/// A tangent steeper than this against the chord (cosine) is not used for the Hermite guess: a kink.
constexpr double steepest = 0.2;

}  // namespace

Segment::Segment(Corrector& corrector, const BranchPoint& from, const BranchPoint& to)
    : corrector_(corrector),
      metric_(corrector.metric(from)),
      from_(joined(from)),
      to_(joined(to)),
      normal_(metric_.scaled(to_ - from_)),
      length_(normal_.norm()),
      step_(from.step) {
  normal_ /= length_;
  from_slope_ = slope(metric_.physical(from.tangent));
  to_slope_ = slope(corrector.metric(to).physical(to.tangent));
}

Vector Segment::slope(const Vector& physical_direction) const {
  const Vector direction = metric_.unit_vector(physical_direction);
  const double cosine = normal_.dot(direction);
  return metric_.physical(cosine > steepest ? Vector(direction / cosine) : normal_);
}

Vector Segment::guess(double sigma) const {
  const double s = sigma / length_;
  const double to_weight = s * s * (3.0 - 2.0 * s);
  return from_ + to_weight * (to_ - from_) + s * (1.0 - s) * length_ * ((1.0 - s) * from_slope_ - s * to_slope_);
}

std::optional<BranchPoint> Segment::solve_at(double sigma) {
  Vector z = guess(sigma);
  if (!corrector_.solve_in_plane(metric_, normal_, z, Accuracy::high)) return std::nullopt;
  return with_tangent(z, sigma);
}

std::optional<BranchPoint> Segment::solve_at_lambda(double lambda) {
  const Index n = from_.size() - 1;
  double sigma = length_ * (lambda - from_(n)) / (to_(n) - from_(n));
  const auto miss = [&](double s, double& f) {
    f = guess(s)(n) - lambda;
    return true;
  };
  const double before = from_(n) - lambda, after = to_(n) - lambda;
  constexpr double good_guess = 1e-6;  // of the chord: Newton's method does the rest
  if (before * after < 0.0) find_root(miss, 0.0, before, length_, after, good_guess * length_, sigma);
  Vector z = guess(sigma);
  z(n) = lambda;
  if (!corrector_.solve_at_lambda(metric_, z)) return std::nullopt;
  return with_tangent(z, sigma);
}

std::optional<BranchPoint> Segment::reach_lambda(double lambda) {
  const auto is_near = [&](const std::optional<BranchPoint>& point) {
    return point && distance(joined(*point), from_) <= length_ && distance(joined(*point), to_) <= length_;
  };
  std::optional<BranchPoint> found = solve_at_lambda(lambda);
  if (is_near(found)) return found;
  for (const bool back : {true, false}) {  // from beyond a corner or a jump, then from before it
    found = extrapolate(back, lambda);
    if (is_near(found)) return found;
  }
  return search_chord(lambda);
}

std::optional<BranchPoint> Segment::extrapolate(bool back, double lambda) {
  const Index n = from_.size() - 1;
  const Vector& known = back ? to_ : from_;
  const Vector& slope = back ? to_slope_ : from_slope_;
  if (slope(n) == 0.0) return std::nullopt;
  Vector z = known + (lambda - known(n)) / slope(n) * slope;
  z(n) = lambda;
  if (!corrector_.solve_at_lambda(metric_, z)) return std::nullopt;
  return with_tangent(z, back ? length_ : 0.0);
}

std::optional<BranchPoint> Segment::search_chord(double lambda) {
  const Index n = from_.size() - 1;
  std::optional<BranchPoint> found;
  const auto miss = [&](double sigma, double& f) {
    found = solve_at(sigma);
    if (found) f = found->lambda - lambda;
    return found.has_value();
  };
  double sigma = 0.0;
  constexpr double good_guess = 1e-9;  // of the chord
  if (!find_root(miss, 0.0, from_(n) - lambda, length_, to_(n) - lambda, good_guess * length_, sigma)) {
    return std::nullopt;
  }
  Vector z = joined(found->x, lambda);
  if (!corrector_.solve_at_lambda(metric_, z)) return std::nullopt;
  return with_tangent(z, sigma);
}

std::optional<BranchPoint> Segment::with_tangent(const Vector& z, double sigma) {
  const double s = sigma / length_;
  const Vector reference = metric_.unit_vector((1.0 - s) * from_slope_ + s * to_slope_);
  Vector tangent;
  if (!corrector_.find_tangent(metric_, z, reference, tangent)) return std::nullopt;
  return corrector_.make_point(metric_, z, tangent, step_);
}

std::optional<BranchPoint> locate_on_segment(Corrector& corrector, const BranchPoint& from, const BranchPoint& to,
                                             const BranchFunction& function, double tolerance, std::string& message) {
  const auto value = [&](const BranchPoint& point) {
    return function(point, corrector.metric(point).physical(point.tangent));
  };
  const double before = value(from), after = value(to);
  if (before == 0.0) return from;
  if (after == 0.0) return to;
  if (!((before < 0.0) != (after < 0.0)) || std::isnan(before) || std::isnan(after)) {
    message = fmt::format("No zero between λ = {:.10g} (value {:.3e}) and λ = {:.10g} (value {:.3e}).", from.lambda,
                          before, to.lambda, after);
    return std::nullopt;
  }
  Segment segment(corrector, from, to);
  const auto trial = [&](double sigma, double& f) {
    const std::optional<BranchPoint> point = segment.solve_at(sigma);
    if (point) f = value(*point);
    return point.has_value();
  };
  double root = 0.0;
  std::optional<BranchPoint> found;
  if (find_root(trial, 0.0, before, segment.length(), after, tolerance, root)) found = segment.solve_at(root);
  if (!found) message = corrector.failure();
  return found;
}

}  // namespace masing::detail
