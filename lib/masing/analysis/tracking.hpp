// Special places of a frequency response, followed directly over the level of the loads: one continuation each, in place of
// a hundred responses.
//
//   resonance tracking   the peak of an observable's amplitude: a curve of resonance frequency and amplitude over level
//   fold tracking        folds in the plane of frequency and level: the border of the region with two stable motions. Where
//                        the level has an extremum along the curve,
//                          cusp            two folds become one: the smallest level with two stable motions
//                          isola birth     a minimum at which the frequency goes on: a closed branch appears
//                          isola merging   a maximum at which the frequency goes on: it joins another branch
//                        Isolas are then followed themselves, each a closed branch of its own
//
// Both begin with a frequency response at the first level, on which the peak or the folds are found. The equations are in
// detail/peak_condition.hpp and detail/fold_condition.hpp.
//
// References: Detroux et al., Computer Methods in Applied Mechanics and Engineering 296 (2015) 18-38 (tracking of folds by
// harmonic balance); Habib, Cirillo, Kerschen, Nonlinear Dynamics 93 (2018) 979-994 (isolas).
#pragma once

#include "masing/analysis/curve_request.hpp"

namespace masing {

struct TrackingRequest : CurveRequest {
  double from = 0.0;        ///< [Hz] where the response at the first level begins
  double to = 0.0;          ///< [Hz] where it ends. What is followed may leave this range later
  double near = 0.0;        ///< [Hz] > 0: the peak or fold nearest to this; else the largest peak, or all folds
  double from_level = 0.0;  ///< > 0, where the curve begins
  double to_level = 0.0;    ///< > 0; below from_level: downwards
  /// Resonances: levels told exactly; empty: nine. Folds: levels at which isolas are looked for; empty: one for each birth.
  std::vector<double> levels = {};
};

struct ResonanceTrackingRequest : TrackingRequest {
  Observable observed;               ///< whose amplitude has the peak
  std::vector<int> harmonics = {1};  ///< one: the amplitude in it; several: √Σ|A_k|²
};

struct FoldTrackingRequest : TrackingRequest {};

/// One branch over levels, with the quantities "level" and "dissipation_ratio" (dissipated energy/4π kinetic energy); special
/// points "level" at the levels told exactly. `restarts` as in frequency_response.
ResponseCurves resonance_tracking(const Model& model, const ResonanceTrackingRequest& request,
                                  ResultSink* sink = nullptr, const ProgressCallback& progress = {},
                                  const std::vector<BranchRestart>& restarts = {});

/// The largest number of branches of fold_tracking.
constexpr int most_tracked_folds = 16;

/// A branch for each fold of the first response that is not on the curve of another one, then one for each isola (kind
/// "frequency-response", closed).
ResponseCurves fold_tracking(const Model& model, const FoldTrackingRequest& request, ResultSink* sink = nullptr,
                             const ProgressCallback& progress = {}, const std::vector<BranchRestart>& restarts = {});

}  // namespace masing
