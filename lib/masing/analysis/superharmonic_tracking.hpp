// Superharmonic resonances k:1 followed over the level by their own phase: at a frequency near f_m/k harmonic k of the motion
// finds mode m and resonates, driven by the joints alone.
//
//   harmonic k of the displacement is in quadrature with harmonic k of the joint forces that the motion without harmonic k
//   would produce
//
// One continuation over the level, with the frequency as a further unknown and this phase as a further equation
// (detail/superharmonic_condition.hpp). It begins on the response at the first level, where the phase passes a quarter of a turn.
#pragma once

#include "masing/analysis/tracking.hpp"

namespace masing {

struct SuperharmonicTrackingRequest : TrackingRequest {
  Observable observed;  ///< whose amplitude in the harmonic is told
  int harmonic = 3;     ///< k, balanced and without a load
};

/// One branch over levels, as of resonance_tracking; "peak_amplitude" is the amplitude of the observable in harmonic k. `near`
/// chooses among several resonances of the first response; else the one with the largest motion in the harmonic.
ResponseCurves superharmonic_tracking(const Model& model, const SuperharmonicTrackingRequest& request,
                                      ResultSink* sink = nullptr, const ProgressCallback& progress = {},
                                      const std::vector<BranchRestart>& restarts = {});

}  // namespace masing
