#include "masing/io/detail/run_end.hpp"

#include "masing/io/report.hpp"
#include "masing/io/study_overview.hpp"

#include <fmt/core.h>

namespace masing::detail {

void end_run(const RunOptions& options, double seconds, std::unique_ptr<ResultFile>& file, RunSummary& summary) {
  summary.text += fmt::format("time        {}\nresults     {}\n", duration_text(seconds), options.results);
  if (!options.report.empty()) summary.text += fmt::format("report      {}\n", options.report);
  file->set_summary(summary.text);
  file.reset();
  if (!options.report.empty()) write_report(options.results, options.report);
}

}  // namespace masing::detail
