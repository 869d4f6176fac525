// What every command that computes does last.
#pragma once

#include "masing/io/results.hpp"
#include "masing/io/run.hpp"

#include <memory>

namespace masing::detail {

/// Adds time and files to the page, stores it in the result file, closes that, and makes the report from it.
void end_run(const RunOptions& options, double seconds, std::unique_ptr<ResultFile>& file, RunSummary& summary);

}  // namespace masing::detail
