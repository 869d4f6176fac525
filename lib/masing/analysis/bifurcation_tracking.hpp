// Period doublings and Neimark-Sacker points of a frequency response, followed over frequency and level: the borders of the
// regions in which the motion doubles its period or is modulated.
//
// One continuation each, with the frequency as a further unknown and the test function of the bifurcation
// (detail/point_stability.hpp) as a further equation, begun on the response at the first level. Folds have an analysis of
// their own (tracking.hpp).
#pragma once

#include "masing/analysis/frequency_response.hpp"
#include "masing/analysis/tracking.hpp"

namespace masing {

struct BifurcationTrackingRequest : TrackingRequest {
  std::string of = "neimark-sacker";  ///< or "period-doubling"
  /// Branches that leave the response at the first level are followed, and their points too: doublings of doubled motions.
  FollowOptions follow;
};

/// The largest number of branches of bifurcation_tracking.
constexpr int most_tracked_bifurcations = 8;

/// A branch for each such point of the first response, and of the branches that leave it if they are followed, that is not on the curve of another one, with the quantities "level" and
/// "modulation_frequency" (half the excitation frequency for doublings). Method and steps are those of request.stability;
/// `none` means the monodromy. `restarts` as in frequency_response.
ResponseCurves bifurcation_tracking(const Model& model, const BifurcationTrackingRequest& request,
                                    ResultSink* sink = nullptr, const ProgressCallback& progress = {},
                                    const std::vector<BranchRestart>& restarts = {});

}  // namespace masing
