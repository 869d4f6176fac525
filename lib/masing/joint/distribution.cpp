#include "masing/joint/distribution.hpp"

#include "masing/core/error.hpp"
#include "masing/core/gauss_legendre.hpp"
#include "masing/core/types.hpp"

#include <algorithm>
#include <cmath>

namespace masing {

std::vector<GaussPoint> gauss_points(double from, double to, int count) {
  require(std::isfinite(from) && std::isfinite(to) && from < to,
          "from {} to {} m: the end must lie behind the beginning.", from, to);
  require(count >= 1, "{} Gauss points: at least one is needed.", count);
  const double middle = 0.5 * (from + to);
  const double half = 0.5 * (to - from);
  std::vector<GaussPoint> points;
  for (const GaussNode& node : gauss_nodes(count)) {
    points.push_back({middle + half * node.at, half * node.weight});
  }
  std::sort(points.begin(), points.end(), [](const GaussPoint& a, const GaussPoint& b) { return a.at < b.at; });
  return points;
}

PreloadField::PreloadField(double from, double to, double total, Shape shape)
    : from_(from), to_(to), total_(total), shape_(shape) {
  require(from < to, "preload from {} to {} m: the end must lie behind the beginning.", from, to);
  require(std::isfinite(total) && total >= 0.0, "total preload {} N must be >= 0.", total);
}

PreloadField::PreloadField(std::vector<double> places, std::vector<double> loads)
    : places_(std::move(places)), loads_(std::move(loads)) {
  require(!places_.empty() && places_.size() == loads_.size(),
          "a preload needs as many loads as places, and at least one; it has {} and {}.", loads_.size(),
          places_.size());
  require(std::adjacent_find(places_.begin(), places_.end(), std::greater_equal<>()) == places_.end(),
          "the places of a preload must ascend.");
  const bool presses = std::all_of(loads_.begin(), loads_.end(), [](double load) { return load >= 0.0; });
  require(presses, "a preload must be >= 0 everywhere: surfaces are pressed together, not pulled.");
}

double PreloadField::at(double x) const {
  if (!places_.empty()) {
    const auto behind = std::upper_bound(places_.begin(), places_.end(), x);
    if (behind == places_.begin()) return loads_.front();
    if (behind == places_.end()) return loads_.back();
    const auto right = static_cast<std::size_t>(behind - places_.begin());
    const double share = (x - places_[right - 1]) / (places_[right] - places_[right - 1]);
    return std::lerp(loads_[right - 1], loads_[right], share);
  }
  const double length = to_ - from_;
  const double mean = total_ / length;
  return shape_ == Shape::uniform ? mean : 0.5 * pi * mean * std::sin(pi * (x - from_) / length);
}

}  // namespace masing
