// The results of a study in memory.
#pragma once

#include "masing/io/results.hpp"
#include "masing/io/run.hpp"

#include <string>
#include <vector>

namespace masing::detail {

/// Which parts of a study are computed.
struct WantedResults {
  bool branches = false;              ///< analyses
  bool loops = false;                 ///< [[loop]]
  bool modes = false;                 ///< linear modes
  std::vector<std::string> analyses;  ///< only those of these names; empty: all
  Index mode_count = 10;
};

/// Reads the study with the overrides and computes what is wanted, one branch after the other. With a file it is stored
/// there too. Throws what reading and computing throw; a branch that stops early is there with the reason.
Results computed_results(const Study& source, const std::vector<std::string>& overrides, const WantedResults& wanted,
                         const std::string& folder, const ProgressCallback& progress, ResultFile* file = nullptr);

}  // namespace masing::detail
