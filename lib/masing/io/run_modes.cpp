#include "masing/io/run_modes.hpp"

#include "masing/core/text.hpp"
#include "masing/io/detail/overwriting.hpp"
#include "masing/io/detail/report_modes.hpp"
#include "masing/io/detail/run_end.hpp"
#include "masing/io/study_overview.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace masing {
namespace {

using Clock = std::chrono::steady_clock;

std::string mode_row(std::size_t number, const LinearMode& found) {
  return fmt::format("    {:>4}  {:>14}  {:>14}  {:>12}  {}\n", number, detail::frequency_text(found.mode),
                     detail::damping_text(found.mode), detail::modal_mass_text(found), found.largest);
}

std::string set_text(const ModeSet& set) {
  std::string text = detail::heading_of(set) + "\n";
  if (!set.complete) return text + "    not computed: " + set.message + "\n";
  text += fmt::format("    {:>4}  {:>14}  {:>14}  {:>12}  {}\n", "mode", "frequency", "damping ratio", "modal mass",
                      "moves most");
  text += fmt::format("    {:>4}  {:>14}  {:>14}  {:>12}\n", "", "Hz", "", "kg");
  for (std::size_t i = 0; i < set.modes.size(); ++i) text += mode_row(i + 1, set.modes[i]);
  if (set.modes.empty()) text += "    there is none in this range\n";
  return text;
}

/// Whose modes they are, where the study has a reduction.
std::string reduction_text(const Study& study) {
  if (!study.reduction.empty()) return "Modes of the reduced structure; those of the full one: --full.\n\n";
  const bool reduced = study.sections.front().values.has("reduction");
  return reduced ? "Modes of the full structure; its reduction does not count here.\n\n" : "";
}

/// The frequencies of all states beside each other.
std::string comparison(const std::vector<ModeSet>& sets) {
  std::size_t most = 0;
  std::string text = fmt::format("    {:>4}", "mode");
  for (const ModeSet& set : sets) {
    most = std::max(most, set.modes.size());
    text += fmt::format("  {:>14}", to_string(set.state));
  }
  text += "   (Hz)\n";
  for (std::size_t i = 0; i < most; ++i) {
    text += fmt::format("    {:>4}", i + 1);
    for (const ModeSet& set : sets) {
      text += fmt::format("  {:>14}", i < set.modes.size() ? detail::frequency_text(set.modes[i].mode) : "–");
    }
    text += "\n";
  }
  return text;
}

}  // namespace

RunSummary run_modes(const Study& study, const ModesRequest& request, const RunOptions& options) {
  const Clock::time_point start = Clock::now();
  detail::refuse_to_overwrite(options);
  const std::vector<ModeSet> sets = linear_modes(study.model, request);
  auto file = ResultFile::create(options.results, {study.title, study.text, study.overrides, options.program_version});
  RunSummary summary;
  summary.text = study_overview(study) + "\n" + reduction_text(study);
  for (const ModeSet& set : sets) {
    file->add_modes(set);
    summary.text += set_text(set) + "\n";
    if (!set.complete) ++summary.unfinished;
  }
  if (sets.size() > 1) summary.text += "side by side\n" + comparison(sets) + "\n";
  summary.text += std::string(detail::damping_note) + "\n\n";
  summary.complete = summary.unfinished == 0;
  detail::end_run(options, std::chrono::duration<double>(Clock::now() - start).count(), file, summary);
  return summary;
}

}  // namespace masing
