// Running the loops of a study: every joint by itself, results to disk as they are made, a report, and a table for people.
#pragma once

#include "masing/core/progress.hpp"
#include "masing/io/run.hpp"
#include "masing/io/study.hpp"

namespace masing {

/// The study as read with StudyUse::loops. Of the options, results, report and program_version count. A loop that fails, or
/// does not close, does not lose the others: it becomes part of the summary.
RunSummary run_loops(const Study& study, const RunOptions& options, const ProgressCallback& progress = {});

}  // namespace masing
