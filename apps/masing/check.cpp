// masing check STUDY.toml
#include "commands.hpp"

#include "masing/io/identify.hpp"
#include "masing/io/study_overview.hpp"

#include <fmt/core.h>

#include <memory>

namespace masing::app {

void add_check(CLI::App& app) {
  struct Arguments {
    std::string study;
    std::vector<std::string> overrides;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("check", "Read and check a study; say what would be solved and at what cost.");
  command->add_option("study", arguments->study, "Study file (TOML)")->required();
  command->add_option("--set", arguments->overrides, "Replace a value: joint.0.slip_force=0.3 (may be repeated)")
      ->allow_extra_args(false);
  command->callback([arguments] {
    const Study study = read_study(arguments->study, arguments->overrides, StudyUse::either);
    fmt::print("{}", study_overview(study));
    if (!study.identifies) return;
    fmt::print("\n{}", identification_overview(read_identification(arguments->study, arguments->overrides)));
  });
}

}  // namespace masing::app
