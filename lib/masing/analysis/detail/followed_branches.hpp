// Branches that leave others: at branch points with all harmonics up to the highest one balanced, at period doublings with
// twice the period (harmonic k becomes 2k, the balance has the frequency f/2).
#pragma once

#include "masing/analysis/frequency_response.hpp"

namespace masing::detail {

/// The loads seen over `factor` periods of theirs: harmonic k is factor · k of the longer one.
Model with_longer_period(Model model, int factor);

/// Follows what `request.follow` asks for, one branch after another, and adds the branches to `response`, whose first ones
/// are those of the levels.
void follow_bifurcations(const Model& model, const FrequencyResponseRequest& request, ResultSink* sink,
                         const ProgressCallback& progress, const std::vector<BranchRestart>& restarts,
                         FrequencyResponse& response);

}  // namespace masing::detail
