// masing identify STUDY.toml
#include "commands.hpp"
#include "interruption.hpp"
#include "progress_line.hpp"
#include "study_command.hpp"

#include "masing/core/error.hpp"
#include "masing/io/identify.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <thread>

namespace masing::app {
namespace {

const std::string ending = "_identified.h5";

struct Arguments : StudyArguments {
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
};

void identify(const Arguments& arguments) {
  const IdentificationTask task = read_identification(arguments.study, arguments.overrides);
  RunOptions options = run_options(arguments, ending);
  options.threads = arguments.threads;
  ProgressLine line(choose_style(arguments.quiet));
  watch_interrupts();
  const RunSummary summary = run_identification(task, options, [&](const Progress& progress) {
    line.show(progress);
    return !is_interrupted();
  });
  line.clear();
  if (!arguments.quiet) fmt::print("{}", summary.text);
  if (summary.complete) return;
  throw NumericalError(fmt::format("{}The identification did not converge. What was found is saved in {}.",
                                   is_interrupted() ? "Interrupted: " : "", options.results));
}

}  // namespace

void add_identify(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("identify", "Parameters of a study from measured data, with their errors.");
  add_study_options(*command, *arguments, "an [identify] section", ending);
  command->add_option("--threads", arguments->threads, "Evaluations at once; results do not depend on it")
      ->check(CLI::Range(1, 1024));
  command->callback([arguments] { identify(*arguments); });
}

}  // namespace masing::app
