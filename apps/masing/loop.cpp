// masing loop STUDY.toml
#include "commands.hpp"
#include "progress_line.hpp"

#include "masing/core/error.hpp"
#include "masing/io/run_loops.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <memory>

namespace masing::app {
namespace {

struct Arguments {
  std::string study;
  std::string results;
  std::string report;
  std::vector<std::string> overrides;
  bool quiet = false;
};

void loop(const Arguments& arguments) {
  const Study study = read_study(arguments.study, arguments.overrides, StudyUse::loops);
  RunOptions options;
  options.results = arguments.results;
  if (options.results.empty()) options.results = std::filesystem::path(arguments.study).stem().string() + "_loops.h5";
  options.report = arguments.report;
  options.program_version = MASING_VERSION;
  ProgressLine line(choose_style(arguments.quiet));
  const RunSummary summary = run_loops(study, options, [&](const Progress& progress) {
    line.show(progress);
    return true;
  });
  line.clear();
  if (!arguments.quiet) fmt::print("{}", summary.text);
  if (summary.complete) return;
  throw NumericalError(fmt::format("{} could not be computed as asked for. What was computed is saved in {}.",
                                   summary.unfinished == 1 ? "1 loop" : fmt::format("{} loops", summary.unfinished),
                                   options.results));
}

}  // namespace

void add_loop(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("loop", "Quasi-static loops of a study's joints alone, under prescribed motion.");
  command->add_option("study", arguments->study, "Study file (TOML); it needs joints, and no structure")->required();
  command->add_option("-o,--output", arguments->results, "Result file; default: the study's name with _loops.h5, here");
  command->add_option("--report", arguments->report, "HTML page to write as well");
  command->add_option("--set", arguments->overrides, "Replace a value: joint.0.slip_force=0.3 (may be repeated)")
      ->allow_extra_args(false);
  command->add_flag("-q,--quiet", arguments->quiet, "Only errors are printed");
  command->callback([arguments] { loop(*arguments); });
}

}  // namespace masing::app
