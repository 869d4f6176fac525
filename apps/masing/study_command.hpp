// What the commands that read a study, compute at once and write one result file have in common.
#pragma once

#include "commands.hpp"

#include "masing/io/run.hpp"

#include <string>
#include <vector>

namespace masing::app {

struct StudyArguments {
  std::string study;
  std::string results;
  std::string report;
  std::vector<std::string> overrides;
  bool quiet = false;
};

/// study, -o, --report, --set, -q. `ending` is what the default result file has behind the study's name: "_loops.h5".
void add_study_options(CLI::App& command, StudyArguments& arguments, const std::string& needs,
                       const std::string& ending);

RunOptions run_options(const StudyArguments& arguments, const std::string& ending);

}  // namespace masing::app
