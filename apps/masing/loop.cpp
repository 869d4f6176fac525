// masing loop STUDY.toml
#include "commands.hpp"
#include "progress_line.hpp"
#include "study_command.hpp"

#include "masing/core/error.hpp"
#include "masing/io/run_loops.hpp"

#include <fmt/core.h>

#include <memory>

namespace masing::app {
namespace {

const std::string ending = "_loops.h5";

void loop(const StudyArguments& arguments) {
  const Study study = read_study(arguments.study, arguments.overrides, StudyUse::loops);
  const RunOptions options = run_options(arguments, ending);
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
  auto arguments = std::make_shared<StudyArguments>();
  CLI::App* command =
      app.add_subcommand("loop", "Quasi-static loops of a study's joints alone, under prescribed motion.");
  add_study_options(*command, *arguments, "joints, and no structure", ending);
  command->callback([arguments] { loop(*arguments); });
}

}  // namespace masing::app
