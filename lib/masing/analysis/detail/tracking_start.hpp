// Where tracking begins: peaks and folds of a frequency response at the first level.
#pragma once

#include "masing/analysis/frequency_response.hpp"
#include "masing/analysis/tracking.hpp"

#include <optional>

namespace masing::detail {

/// Throws ModelError when the ranges of the request are wrong.
void check_tracking(const TrackingRequest& request);

/// The frequency response at one level, not recorded.
FrequencyResponseRequest response_at(const TrackingRequest& request, double level);

struct TrackingStart {
  std::vector<ResponsePoint> points;  ///< the nearest to `near` alone, if that is given; peaks: the largest first
  std::string message;                ///< why there are none
};

TrackingStart find_peaks(const Model& model, const ResonanceTrackingRequest& request);
/// Of all peaks at a level the one that is nearest in frequency and amplitude, each as a ratio.
std::optional<ResponsePoint> nearest_peak(const Model& model, const ResonanceTrackingRequest& request, double level,
                                          double frequency, double amplitude);
TrackingStart find_folds(const Model& model, const FoldTrackingRequest& request);

/// "0.5 N"
std::string level_words(const CurveRequest& request, double level);

}  // namespace masing::detail
