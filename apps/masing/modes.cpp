// masing modes STUDY.toml
#include "commands.hpp"
#include "study_command.hpp"

#include "masing/core/error.hpp"
#include "masing/io/run_modes.hpp"

#include <fmt/core.h>

#include <limits>
#include <map>
#include <memory>

namespace masing::app {
namespace {

const std::string ending = "_modes.h5";

struct Arguments : StudyArguments {
  std::string joints;
  int count = 0;  // not given
  double up_to = 0.0;
  bool full = false;
};

const std::map<std::string, JointState>& states() {
  static const std::map<std::string, JointState> all = {
      {"stuck", JointState::stuck}, {"free", JointState::free}, {"preload", JointState::preload}};
  return all;
}

ModesRequest request_of(const Arguments& arguments) {
  ModesRequest request;
  if (!arguments.joints.empty()) request.states = {states().at(arguments.joints)};
  if (arguments.up_to > 0.0) {
    request.range.up_to = 2.0 * pi * arguments.up_to;
    request.range.count = std::numeric_limits<Index>::max();
  }
  if (arguments.count > 0) request.range.count = arguments.count;
  return request;
}

void modes(const Arguments& arguments) {
  const StudyUse use = arguments.full ? StudyUse::full_modes : StudyUse::modes;
  const Study study = read_study(arguments.study, arguments.overrides, use);
  const RunOptions options = run_options(arguments, ending);
  const RunSummary summary = run_modes(study, request_of(arguments), options);
  if (!arguments.quiet) fmt::print("{}", summary.text);
  if (summary.complete) return;
  throw NumericalError(fmt::format("The modes of {} of the joints could not be computed. The others are saved in {}.",
                                   summary.unfinished == 1 ? "1 state" : fmt::format("{} states", summary.unfinished),
                                   options.results));
}

}  // namespace

void add_modes(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "modes", "Natural frequencies, damping and mode shapes: joints stuck, as preloaded, and without them.");
  add_study_options(*command, *arguments, "a structure, and no analysis", ending);
  std::vector<std::string> names;
  for (const auto& [name, state] : states()) names.push_back(name);
  command->add_option("--joints", arguments->joints, "Only this state of the joints; default: all that differ")
      ->check(CLI::IsMember(names));
  command->add_option("--count", arguments->count, "Number of modes; default: 10, or all with --up-to")
      ->check(CLI::Range(1, 100000));
  command->add_option("--up-to", arguments->up_to, "Only modes up to this frequency [Hz]")->check(CLI::PositiveNumber);
  command->add_flag("--full", arguments->full, "Of the full structure, where the study has a reduction");
  command->callback([arguments] { modes(*arguments); });
}

}  // namespace masing::app
