#include "masing/analysis/detail/tracking_start.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

void keep_nearest(std::vector<ResponsePoint>& points, double frequency) {
  if (frequency <= 0.0 || points.empty()) return;
  const auto nearest = std::min_element(points.begin(), points.end(), [&](const auto& a, const auto& b) {
    return std::abs(a.frequency - frequency) < std::abs(b.frequency - frequency);
  });
  points = {*nearest};
}

// The points of one kind on the response at the first level.
TrackingStart find(const Model& model, const TrackingRequest& request, const FrequencyResponseRequest& ask,
                   const std::string& kind) {
  TrackingStart start;
  const ResponseBranch branch = frequency_response(model, ask).branches.front();
  for (const SpecialPoint& special : branch.special_points) {
    if (special.kind == kind) start.points.push_back(special.point);
  }
  if (start.points.empty()) {
    start.message = fmt::format(
        "The response at the first level, {}, has no {} between {:.6g} and {:.6g} Hz. {}",
        level_words(request, request.from_level), kind, request.from, request.to,
        branch.end.complete ? "Begin at another level, or widen the range of frequencies." : branch.end.message);
  }
  return start;
}

}  // namespace

std::string level_words(const CurveRequest& request, double level) {
  const std::string value = fmt::format("{:.6g}", level * request.level_value);
  return request.level_unit.empty() ? "level " + value : value + " " + request.level_unit;
}

void check_tracking(const TrackingRequest& request) {
  require(request.from > 0.0 && request.to > 0.0 && request.from != request.to,
          "'{}': from = {} Hz and to = {} Hz must both be > 0, and differ.", request.name, request.from, request.to);
  require(request.from_level > 0.0 && request.to_level > 0.0 && request.from_level != request.to_level,
          "'{}': the levels {} and {} must both be > 0, and differ.", request.name, request.from_level,
          request.to_level);
  for (const double level : request.levels) {
    require(level > 0.0, "'{}': the level {} must be > 0.", request.name, level * request.level_value);
  }
}

FrequencyResponseRequest response_at(const TrackingRequest& request, double level) {
  FrequencyResponseRequest ask;
  ask.name = request.name;
  ask.from = request.from;
  ask.to = request.to;
  ask.levels = {level};
  ask.shown_levels = {level * request.level_value};
  ask.level_unit = request.level_unit;
  ask.observables = request.observables;
  ask.peak_harmonics = {};
  ask.balance = request.balance;
  ask.newton = request.newton;
  ask.continuation = request.continuation;
  return ask;
}

TrackingStart find_peaks(const Model& model, const ResonanceTrackingRequest& request) {
  FrequencyResponseRequest ask = response_at(request, request.from_level);
  ask.observables = {request.observed};
  ask.peak_harmonics = {request.harmonics.front()};
  TrackingStart start = find(model, request, ask, "peak");
  const std::vector<int>& balanced = request.balance.harmonics;
  const auto position = std::find(balanced.begin(), balanced.end(), request.harmonics.front()) - balanced.begin();
  std::stable_sort(start.points.begin(), start.points.end(), [&](const ResponsePoint& a, const ResponsePoint& b) {
    return a.observations[0].amplitude[position] > b.observations[0].amplitude[position];
  });
  keep_nearest(start.points, request.near);
  return start;
}

TrackingStart find_folds(const Model& model, const FoldTrackingRequest& request) {
  TrackingStart start = find(model, request, response_at(request, request.from_level), "fold");
  keep_nearest(start.points, request.near);
  return start;
}

}  // namespace masing::detail
