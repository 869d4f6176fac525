#include "masing/analysis/detail/tracking_start.hpp"

#include "masing/continuation/branch.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

void keep_nearest(std::vector<FoundPlace>& places, double frequency) {
  if (frequency <= 0.0 || places.empty()) return;
  const auto nearest = std::min_element(places.begin(), places.end(), [&](const auto& a, const auto& b) {
    return std::abs(a.point.frequency - frequency) < std::abs(b.point.frequency - frequency);
  });
  places = {*nearest};
}

// The points of one kind on the response at the first level.
TrackingStart find(const Model& model, const TrackingRequest& request, const FrequencyResponseRequest& ask,
                   const std::string& kind, const ProgressCallback& progress) {
  TrackingStart start;
  const ResponseBranch branch = frequency_response(model, ask, nullptr, heard_as_search(progress)).branches.front();
  start.stopped = branch.end.stop == to_string(ContinuationStop::stopped_by_user);
  for (const SpecialPoint& special : branch.special_points) {
    if (special.kind == kind && !start.stopped) start.places.push_back(found_place(branch.header, special.point));
  }
  if (start.places.empty()) {
    start.message = fmt::format(
        "The response at the first level, {}, has no {} between {:.6g} and {:.6g} Hz. {}",
        level_words(request, request.from_level), kind, request.from, request.to,
        branch.end.complete ? "Begin at another level, or widen the range of frequencies." : branch.end.message);
  }
  return start;
}

FrequencyResponseRequest peaks_at(const ResonanceTrackingRequest& request, double level) {
  FrequencyResponseRequest ask = response_at(request, level);
  ask.observables = {request.observed};
  ask.peak_harmonics = {request.harmonics.front()};
  return ask;
}

double amplitude_of(const ResponsePoint& peak, const ResonanceTrackingRequest& request) {
  const std::vector<int>& balanced = request.balance.harmonics;
  const auto position = std::find(balanced.begin(), balanced.end(), request.harmonics.front()) - balanced.begin();
  return peak.observations[0].amplitude[position];
}

}  // namespace

FoundPlace found_place(const BranchHeader& header, const ResponsePoint& point) {
  const Index highest = header.find_quantity("highest_harmonic"), count = header.find_quantity("harmonic_count");
  FoundPlace place{.point = point};
  if (highest < 0) return place;
  place.highest_harmonic = static_cast<int>(point.quantities[highest]);
  place.harmonic_count = static_cast<int>(point.quantities[count]);
  return place;
}

bool needs_start(const BranchRestart& restart) {
  return restart.points.empty() && (!restart.ended || restart.end.stop == to_string(ContinuationStop::stopped_by_user));
}

ProgressCallback heard_as_search(const ProgressCallback& progress) {
  if (!progress) return {};
  return [&progress](const Progress& of_response) {
    Progress told = of_response;
    told.task += ", where to begin";
    told.finished = false;
    return progress(told);
  };
}

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
  const auto [low, high] = std::minmax(request.from, request.to);
  require(request.near <= 0.0 || (request.near >= low && request.near <= high),
          "'{}': near = {} Hz is outside the response from {} to {} Hz on which it is looked for.", request.name,
          request.near, low, high);
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

TrackingStart find_peaks(const Model& model, const ResonanceTrackingRequest& request,
                         const ProgressCallback& progress) {
  TrackingStart start = find(model, request, peaks_at(request, request.from_level), "peak", progress);
  std::stable_sort(start.places.begin(), start.places.end(), [&](const FoundPlace& a, const FoundPlace& b) {
    return amplitude_of(a.point, request) > amplitude_of(b.point, request);
  });
  keep_nearest(start.places, request.near);
  return start;
}

std::optional<ResponsePoint> nearest_peak(const Model& model, const ResonanceTrackingRequest& request, double level,
                                          double frequency, double amplitude, const ProgressCallback& progress) {
  const TrackingStart peaks = find(model, request, peaks_at(request, level), "peak", progress);
  if (peaks.places.empty()) return std::nullopt;
  const auto distance = [&](const ResponsePoint& peak) {
    return std::hypot(std::log(peak.frequency / frequency), std::log(amplitude_of(peak, request) / amplitude));
  };
  return std::min_element(peaks.places.begin(), peaks.places.end(),
                          [&](const auto& a, const auto& b) { return distance(a.point) < distance(b.point); })
      ->point;
}

TrackingStart find_folds(const Model& model, const FoldTrackingRequest& request, const ProgressCallback& progress) {
  TrackingStart start = find(model, request, response_at(request, request.from_level), "fold", progress);
  keep_nearest(start.places, request.near);
  return start;
}

}  // namespace masing::detail
