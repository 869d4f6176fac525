// Observation of one period of a sampled steady state, by plain sums over the samples.
#pragma once

#include "masing/analysis/observable.hpp"

namespace masing::detail {

/// `values` are N equidistant samples of one period, the first one taken at the phase angle Ωt = `angle` [rad].
/// Harmonics must be below N/2. The peak is that of the parabola through the largest sample and its neighbours.
Observation observe_series(const VectorView& values, double angle, const std::vector<int>& harmonics);

}  // namespace masing::detail
