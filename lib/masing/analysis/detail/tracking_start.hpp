// Where tracking begins: peaks and folds of a frequency response at the first level.
#pragma once

#include "masing/analysis/frequency_response.hpp"
#include "masing/analysis/tracking.hpp"

#include <chrono>
#include <optional>

namespace masing::detail {

/// Throws ModelError when the ranges of the request are wrong.
void check_tracking(const TrackingRequest& request);

/// The frequency response at one level, not recorded.
FrequencyResponseRequest response_at(const TrackingRequest& request, double level);

/// A place on a response, with the harmonics that it was found in.
struct FoundPlace {
  ResponsePoint point;
  int highest_harmonic = 0, harmonic_count = 0;  ///< 0: all that the request asks for
};
FoundPlace found_place(const BranchHeader& header, const ResponsePoint& point);

struct TrackingStart {
  std::vector<FoundPlace> places;  ///< the nearest to `near` alone, if that is given; peaks: the largest first
  std::string message;             ///< why there are none
  bool stopped = false;            ///< by the user, while they were sought
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();  ///< of the search
};

/// Whether the branch is still without a point, and may get one.
bool needs_start(const BranchRestart& restart);

/// While a response is followed that only tells where to begin, the user hears of it, and may stop it.
ProgressCallback heard_as_search(const ProgressCallback& progress);

TrackingStart find_peaks(const Model& model, const ResonanceTrackingRequest& request, const ProgressCallback& progress);
/// Of all peaks at a level the one that is nearest in frequency and amplitude, each as a ratio.
std::optional<ResponsePoint> nearest_peak(const Model& model, const ResonanceTrackingRequest& request, double level,
                                          double frequency, double amplitude, const ProgressCallback& progress);
TrackingStart find_folds(const Model& model, const FoldTrackingRequest& request, const ProgressCallback& progress);

/// "0.5 N"
std::string level_words(const CurveRequest& request, double level);

}  // namespace masing::detail
