#include "study_command.hpp"

#include <fmt/core.h>

#include <filesystem>

namespace masing::app {

void add_study_options(CLI::App& command, StudyArguments& arguments, const std::string& needs,
                       const std::string& ending) {
  command.add_option("study", arguments.study, fmt::format("Study file (TOML); it needs {}", needs))->required();
  command.add_option("-o,--output", arguments.results,
                     fmt::format("Result file; default: the study's name with {}, here", ending));
  command.add_option("--report", arguments.report, "HTML page to write as well");
  command.add_option("--set", arguments.overrides, "Replace a value: joint.0.stiffness=2e6 (may be repeated)")
      ->allow_extra_args(false);
  command.add_flag("-q,--quiet", arguments.quiet, "Only errors are printed");
}

RunOptions run_options(const StudyArguments& arguments, const std::string& ending) {
  RunOptions options;
  options.results = arguments.results;
  if (options.results.empty()) options.results = std::filesystem::path(arguments.study).stem().string() + ending;
  options.report = arguments.report;
  options.program_version = MASING_VERSION;
  return options;
}

}  // namespace masing::app
