// Running a study from beginning to end: every analysis in its order, results to disk as they are made, a report, and a
// summary that says what was asked, what was done, why it stopped and where the files are.
#pragma once

#include "masing/core/progress.hpp"
#include "masing/io/study.hpp"

#include <string>

namespace masing {

struct RunOptions {
  std::string results = "results.h5";
  std::string report;           ///< HTML page; empty: none
  bool resume = false;          ///< go on where an interrupted run of the same study stopped, if there is one
  bool check_jacobian = false;  ///< compare with finite differences along each frequency response
  int threads = 1;              ///< branches at once; results do not depend on it
  std::string program_version;
};

struct RunSummary {
  bool complete = false;  ///< everything asked for was computed
  int unfinished = 0;     ///< branches and histories that stopped early
  std::string text;       ///< a page for people, also stored in the result file
};

/// A NumericalError in one analysis does not lose the results of the others: it becomes part of the summary.
RunSummary run_study(const Study& study, const RunOptions& options, const ProgressCallback& progress = {});

}  // namespace masing
