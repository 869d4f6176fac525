#include "masing/continuation/detail/path_check.hpp"

#include "masing/continuation/detail/segment.hpp"

#include <cmath>

namespace masing::detail {

namespace {

// All in units of the length of the step.
constexpr double margin = 0.05;         // planes of neighbouring steps are not parallel: look a little beyond both ends
constexpr double behind = 0.2;          // of the way to the step
constexpr double suspicious = 0.1;      // from the Hermite curve
constexpr double on_the_curve = 1e-3;   // from the Hermite curve of a narrow piece
constexpr double coincident = 1e-4;     // between two solutions in one plane
constexpr double newton_floor = 1e-8;   // absolute: what the residual tolerance leaves
constexpr double parallel_angle = 2.0;  // [degrees]

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

std::vector<Index> suspects_on(const Segment& step, const std::vector<BranchPoint>& points, double lambda_unit) {
  std::vector<Index> found;
  const double reach = (1.0 + 2.0 * (margin + suspicious)) * step.length() * lambda_unit;
  const Index count = first_just_behind(step, points);
  for (Index j = 0; j < count; ++j) {
    const BranchPoint& point = points[j];
    if (std::abs(point.lambda - points.back().lambda) > reach) continue;
    const Vector z = joined(point);
    const double sigma = step.position(z);
    if (sigma < -margin * step.length() || sigma > (1.0 + margin) * step.length()) continue;
    if (step.distance(step.guess(sigma), z) < suspicious * step.length()) found.push_back(j);
  }
  return found;
}

/// The piece of the step around the place of z, a sixteenth of it: its Hermite curve is known 16⁴ times as well there, well
/// enough to tell another sheet close by from the branch itself, onto which the corrector might fall from farther away.
/// Empty: the points in between were not found.
std::optional<Segment> piece_around(Corrector& corrector, BranchPoint from, BranchPoint to, const Vector& z) {
  constexpr int halvings = 4;
  for (int i = 0; i < halvings; ++i) {
    Segment piece(corrector, from, to);
    const double half = 0.5 * piece.length();
    std::optional<BranchPoint> middle = piece.solve_at(half);
    if (!middle) return std::nullopt;
    (piece.position(z) < half ? to : from) = std::move(*middle);
  }
  return Segment(corrector, from, to);
}

/// The solution at the place of an earlier point, if the step leads through it.
std::optional<BranchPoint> passes(Corrector& corrector, const BranchPoint& from, const BranchPoint& to, double length,
                                  const BranchPoint& earlier) {
  const Vector z = joined(earlier);
  std::optional<Segment> piece = piece_around(corrector, from, to, z);
  if (!piece) return std::nullopt;
  const double sigma = piece->position(z);
  if (piece->distance(piece->guess(sigma), z) > on_the_curve * length) return std::nullopt;
  std::optional<BranchPoint> here = piece->solve_at(sigma);
  if (!here || piece->distance(joined(*here), z) > coincident * length + newton_floor) return std::nullopt;
  return here;
}

}  // namespace

bool is_way_back(Corrector& corrector, const std::vector<BranchPoint>& points, const BranchPoint& found) {
  if (points.size() < 2) return false;
  const BranchPoint& last = points.back();
  const Segment step(corrector, last, found);
  const BranchPoint& before = points[first_just_behind(step, points)];
  const double way = step.distance(joined(before), joined(last));
  const bool beyond = way < step.length();
  const std::optional<BranchPoint> there =
      beyond ? passes(corrector, last, found, step.length(), before) : passes(corrector, before, last, way, found);
  return there && angle_between(there->tangent, (beyond ? before : found).tangent) > 180.0 - parallel_angle;
}

std::optional<Passing> find_passing(Corrector& corrector, const std::vector<BranchPoint>& points,
                                    const BranchPoint& next) {
  if (points.size() < 3) return std::nullopt;
  const double lambda_unit = corrector.lambda_unit();
  Segment step(corrector, points.back(), next);
  for (const Index suspect : suspects_on(step, points, lambda_unit)) {
    const BranchPoint& earlier = points[suspect];
    std::optional<BranchPoint> here = passes(corrector, points.back(), next, step.length(), earlier);
    if (!here) continue;
    const double angle = angle_between(here->tangent, earlier.tangent);
    if (angle > parallel_angle && angle < 180.0 - parallel_angle) continue;
    return Passing{suspect, angle < 90.0, std::move(*here)};
  }
  return std::nullopt;
}

}  // namespace masing::detail
