// masing run STUDY.toml
#include "commands.hpp"
#include "interruption.hpp"
#include "progress_line.hpp"

#include "masing/core/error.hpp"
#include "masing/io/run.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <thread>

namespace masing::app {
namespace {

struct Arguments {
  std::string study;
  std::string results;
  std::vector<std::string> overrides;
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  bool resume = false;
  bool quiet = false;
  bool check_jacobian = false;
  bool no_report = false;
};

RunOptions run_options(const Arguments& arguments) {
  RunOptions options;
  const std::filesystem::path study(arguments.study);
  options.results = arguments.results.empty() ? study.stem().string() + ".h5" : arguments.results;
  if (!arguments.no_report) options.report = std::filesystem::path(options.results).replace_extension(".html").string();
  options.resume = arguments.resume;
  options.check_jacobian = arguments.check_jacobian;
  options.threads = arguments.threads;
  options.program_version = MASING_VERSION;
  return options;
}

void run(const Arguments& arguments) {
  const Study study = read_study(arguments.study, arguments.overrides);
  const RunOptions options = run_options(arguments);
  ProgressLine line(choose_style(arguments.quiet));
  watch_interrupts();
  const RunSummary summary = run_study(study, options, [&](const Progress& progress) {
    line.show(progress);
    return !is_interrupted();
  });
  line.clear();
  if (!arguments.quiet) fmt::print("{}", summary.text);
  if (summary.complete) return;
  throw NumericalError(fmt::format(
      "{}{} did not reach the end. What was computed is saved in {}.", is_interrupted() ? "Interrupted: " : "",
      summary.unfinished == 1 ? "1 part" : fmt::format("{} parts", summary.unfinished), options.results));
}

}  // namespace

void add_run(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("run", "Run every analysis of a study; results and report are written beside.");
  command->add_option("study", arguments->study, "Study file (TOML)")->required();
  command->add_option("-o,--output", arguments->results, "Result file; default: the study's name with .h5, here");
  command->add_flag("--resume", arguments->resume, "Go on where an interrupted run of the same study stopped");
  command->add_option("--set", arguments->overrides, "Replace a value: joint.0.slip_force=0.3 (may be repeated)")
      ->allow_extra_args(false);
  command->add_option("--threads", arguments->threads, "Force levels computed at once; results do not depend on it")
      ->check(CLI::Range(1, 1024));
  command->add_flag("-q,--quiet", arguments->quiet, "Only errors are printed");
  command->add_flag("--check-jacobian", arguments->check_jacobian,
                    "Compare the Jacobian with finite differences at points of each frequency response");
  command->add_flag("--no-report", arguments->no_report, "No HTML page");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace masing::app
