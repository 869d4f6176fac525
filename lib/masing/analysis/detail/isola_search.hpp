// Closed branches of the frequency response, from what is known of its folds.
//
// At one level every curve of folds is crossed where the response folds. From each such place the response is followed over
// frequency: a branch that comes back to where it began is an isola; one that leaves the range is the main branch, or
// belongs to it, and is not kept.
#pragma once

#include "masing/analysis/detail/curve_run.hpp"
#include "masing/analysis/tracking.hpp"

namespace masing::detail {

/// Adds the isolas to the curves of folds: at the levels of the request, or at one level for each birth of an isola.
void add_isolas(const Model& model, const TrackingRequest& request, ResponseCurves& curves,
                const std::vector<BranchRestart>& restarts, const RunOutput& output);

}  // namespace masing::detail
