#include "masing/io/detail/overwriting.hpp"

#include "masing/core/error.hpp"
#include "masing/io/results.hpp"

#include <filesystem>

namespace masing::detail {

void refuse_to_overwrite(const RunOptions& options) {
  require(options.results != options.report,
          "The results and the report would be the same file, {}. Give the results another name with -o.",
          options.results);
  if (options.resume || !std::filesystem::exists(options.results)) return;
  try {
    read_results(options.results);
  } catch (const ModelError&) {
    throw ModelError(
        fmt::format("{} exists and is not a result file of Masing, so it is not overwritten. Give the "
                    "results another name with -o.",
                    options.results));
  }
}

}  // namespace masing::detail
