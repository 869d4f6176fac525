#include "masing/contact/detail/disc_projection.hpp"

#include <cmath>

namespace masing::detail {
namespace {

using Point = SmallVector<2>;

constexpr double rounding = 1e-14;  // of radius and position
constexpr int most_rounds = 200;    // a handful is usual

double excess(const Disc& disc, const Point& point) { return (point - disc.centre).norm() - disc.radius; }

double allowance(const Disc& disc) { return rounding * (disc.radius + disc.centre.norm()); }

Index most_violated(const Point& point, std::span<const Disc> discs) {
  Index worst = -1;
  double largest = 0.0;
  for (std::size_t i = 0; i < discs.size(); ++i) {
    const double by = excess(discs[i], point);
    if (by <= largest || by <= allowance(discs[i])) continue;
    largest = by;
    worst = static_cast<Index>(i);
  }
  return worst;
}

/// Searches among the points that the newest disc and those on whose rims the old point lies determine.
class Candidates {
 public:
  Candidates(const Point& from, std::span<const Disc> discs, const DiscProjection& old, Index newest)
      : from_(from), discs_(discs), old_(old), newest_(newest) {}

  DiscProjection best() {
    const Disc& disc = discs_[newest_];
    const Point away = from_ - disc.centre;
    const double distance = away.norm();
    if (distance > disc.radius) offer(disc.centre + disc.radius / distance * away, {newest_}, 1);
    for (int i = 0; i < old_.count; ++i) offer_corners(old_.on_rim[i]);
    return best_;
  }

 private:
  void offer_corners(Index other) {
    const Disc& a = discs_[newest_];
    const Disc& b = discs_[other];
    const Point across = b.centre - a.centre;
    const double distance = across.norm();
    const double gap = distance - a.radius - b.radius;
    if (distance == 0.0) return;
    const Point direction = across / distance;
    if (gap > 0.0 && !best_.exists) best_.point = a.centre + (a.radius + 0.5 * gap) * direction;
    // Heron's formula for the height of the triangle of the two centres and the corner, without cancellation.
    const double square =
        -gap * (distance + a.radius + b.radius) * (distance + a.radius - b.radius) * (distance - a.radius + b.radius);
    if (square < 0.0) return;
    const double height = std::sqrt(square) / (2.0 * distance);
    const double along = 0.5 * (distance + (a.radius - b.radius) * (a.radius + b.radius) / distance);
    const Point foot = a.centre + along * direction;
    const Point normal(-direction[1], direction[0]);
    offer(foot + height * normal, {newest_, other}, 2);
    offer(foot - height * normal, {newest_, other}, 2);
  }

  void offer(const Point& point, std::array<Index, 2> on_rim, int count) {
    for (int i = 0; i < old_.count; ++i) {
      const Index other = old_.on_rim[i];
      if (on_rim[1] == other && count == 2) continue;
      if (excess(discs_[other], point) > allowance(discs_[other])) return;
    }
    const double distance = (point - from_).squaredNorm();
    if (best_.exists && distance >= nearest_) return;
    nearest_ = distance;
    best_ = {.exists = true, .point = point, .count = count, .on_rim = on_rim};
  }

  const Point& from_;
  std::span<const Disc> discs_;
  const DiscProjection& old_;
  Index newest_;
  DiscProjection best_{.exists = false, .point = old_.point};
  double nearest_ = 0.0;
};

}  // namespace

DiscProjection project_onto_discs(const SmallVector<2>& from, std::span<const Disc> discs) {
  DiscProjection result{.exists = true, .point = from};
  for (int round = 0; round < most_rounds && result.exists; ++round) {
    const Index newest = most_violated(result.point, discs);
    if (newest < 0) return result;
    result = Candidates(from, discs, result, newest).best();
  }
  result.exists = false;
  return result;
}

}  // namespace masing::detail
