// Running the modes of a study: its structure with the joints linearised; results to disk, a report, tables for people.
#pragma once

#include "masing/analysis/linear_modes.hpp"
#include "masing/io/run.hpp"

namespace masing {

/// The study as read with StudyUse::modes. Of the options, results, report and program_version count. A state that cannot be
/// computed does not lose the others: it becomes part of the summary.
RunSummary run_modes(const Study& study, const ModesRequest& request, const RunOptions& options);

}  // namespace masing
