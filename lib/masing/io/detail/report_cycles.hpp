// Loops of the joints in the motions of an analysis: what is drawn of them, and the table below.
//
// A branch may have many joints and many special points. Drawn are the joints that dissipate most, at the peaks and levels that
// were located; where there are none, at the last point. Everything else is in the result file and in `masing export --csv`.
#pragma once

#include "masing/io/detail/svg.hpp"
#include "masing/io/results.hpp"

#include <string>
#include <vector>

namespace masing::detail {

/// Where on its branch: "peak, 57.1 Hz", or "29.4 m/s^2" where frequency is not what the branch is followed over.
std::string cycles_text(const StoredBranch& branch, const JointCycles& cycles);

/// Force over motion of one input, closed. `colour` counts from 0.
svg::Curve cycle_curve(const JointCycles& cycles, Index input, const std::string& label, int colour);

/// Figures and a table; empty where no loops were stored.
std::string cycle_figures(const StoredAnalysis& analysis);

}  // namespace masing::detail
