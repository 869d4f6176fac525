#include "masing/continuation/detail/path_check.hpp"

#include "masing/continuation/detail/segment.hpp"

#include <cmath>

namespace masing::detail {

namespace {

// All in units of the length of the step.
constexpr double margin = 0.05;         // planes of neighbouring steps are not parallel: look a little beyond both ends
constexpr double behind = 0.2;          // of the way to the step
constexpr double suspicious = 0.1;      // from the Hermite curve
constexpr double coincident = 1e-4;     // between two solutions in one plane
constexpr double newton_floor = 1e-8;   // absolute: what the residual tolerance leaves
constexpr double parallel_angle = 2.0;  // [degrees]

struct Suspect {
  Index index;
  double sigma;
};

/// The points from this one on lie just behind the step: short steps led to it. They are not passed again.
Index first_just_behind(const Segment& step, const std::vector<BranchPoint>& points) {
  Index j = static_cast<Index>(points.size()) - 2;
  double way = step.distance(joined(points[j]), joined(points[j + 1]));
  while (j > 0 && way <= behind * step.length()) {
    --j;
    way += step.distance(joined(points[j]), joined(points[j + 1]));
  }
  return j;
}

std::vector<Suspect> suspects_on(const Segment& step, const std::vector<BranchPoint>& points, double lambda_unit) {
  std::vector<Suspect> found;
  const double reach = (1.0 + 2.0 * (margin + suspicious)) * step.length() * lambda_unit;
  const Index count = first_just_behind(step, points);
  for (Index j = 0; j < count; ++j) {
    const BranchPoint& point = points[j];
    if (std::abs(point.lambda - points.back().lambda) > reach) continue;
    const Vector z = joined(point);
    const double sigma = step.position(z);
    if (sigma < -margin * step.length() || sigma > (1.0 + margin) * step.length()) continue;
    if (step.distance(step.guess(sigma), z) < suspicious * step.length()) found.push_back({j, sigma});
  }
  return found;
}

}  // namespace

std::optional<Passing> find_passing(Corrector& corrector, const std::vector<BranchPoint>& points,
                                    const BranchPoint& next) {
  if (points.size() < 3) return std::nullopt;
  const double lambda_unit = corrector.lambda_unit();
  Segment step(corrector, points.back(), next);
  for (const Suspect& suspect : suspects_on(step, points, lambda_unit)) {
    const BranchPoint& earlier = points[suspect.index];
    std::optional<BranchPoint> here = step.solve_at(suspect.sigma);
    if (!here) continue;
    if (step.distance(joined(*here), joined(earlier)) > coincident * step.length() + newton_floor) continue;
    const double angle = angle_between(here->tangent, earlier.tangent);
    if (angle > parallel_angle && angle < 180.0 - parallel_angle) continue;
    return Passing{suspect.index, angle < 90.0, std::move(*here)};
  }
  return std::nullopt;
}

}  // namespace masing::detail
