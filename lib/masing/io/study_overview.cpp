#include "masing/io/study_overview.hpp"

#include "masing/core/text.hpp"
#include "masing/fourier/harmonic_set.hpp"
#include "masing/io/detail/study_parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace masing {
namespace {

constexpr std::size_t most_listed = 10;

std::string listed(const std::vector<std::string>& names) {
  if (names.size() <= most_listed) return join(names, ", ");
  const std::vector<std::string> first(names.begin(), names.begin() + most_listed);
  return join(first, ", ") + ", …";
}

std::string memory_text(double bytes) {
  return bytes < 1e6 ? fmt::format("{:.0f} kB", std::ceil(bytes / 1e3)) : fmt::format("{:.1f} MB", bytes / 1e6);
}

std::string counted(Index count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string line(const std::string& label, const std::string& text) { return fmt::format("{:<12}{}\n", label, text); }

std::string structure_text(const Study& study) {
  const Structure& structure = *study.model.structure;
  const std::string& kind = study.sections.front().values.text("kind");
  return fmt::format("{}, {}: {}", kind, counted(structure.size(), "coordinate"), listed(structure.coordinates()));
}

/// "3: bolt_1, bolt_2 (jenkins), stop (unilateral)"
std::string joints_text(const Study& study) {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_law;
  std::size_t joint = 0;
  for (const StudySection& section : study.sections) {
    if (!section.values.has("law")) continue;
    const std::string& law = section.values.text("law");
    if (by_law.empty() || by_law.back().first != law) by_law.push_back({law, {}});
    by_law.back().second.push_back(study.joints[joint++].name);
  }
  std::vector<std::string> groups;
  for (const auto& [law, names] : by_law) groups.push_back(fmt::format("{} ({})", listed(names), law));
  return joint == 0 ? "none: the structure alone, linear" : fmt::format("{}: {}", joint, listed(groups));
}

/// What was derived on the way.
std::string notes_text(const std::vector<JointNotes>& notes) {
  std::string text;
  for (const JointNotes& joint : notes) {
    for (std::size_t i = 0; i < joint.lines.size(); ++i) {
      const std::string who = fmt::format("{} {}: ", joint.joint, joint.origin);
      text += line("", (i == 0 ? who : std::string(who.size(), ' ')) + joint.lines[i]);
    }
  }
  return text;
}

std::string loads_text(const Model& model) {
  std::vector<std::string> names;
  for (const Load& load : model.loads) {
    names.push_back(load.harmonic == 0 ? load.name : fmt::format("{} (harmonic {})", load.name, load.harmonic));
  }
  return names.empty() ? "none" : listed(names);
}

std::string sensors_text(const std::vector<Observable>& observables) {
  std::vector<std::string> names;
  for (const Observable& observable : observables) names.push_back(observable.name);
  return listed(names);
}

/// Which harmonics, and how many samples.
std::string set_text(const BalanceOptions& balance) {
  if (!balance.adaptive) {
    return fmt::format("harmonics {}, {} samples a period", harmonics_text(balance.harmonics), balance.samples);
  }
  const AdaptiveHarmonics& adaptive = *balance.adaptive;
  return fmt::format(
      "harmonics adaptive, up to {} … {}{}; tails below {:g} of the joints' motion and {:g} of their forces; {} … {} "
      "samples a period",
      adaptive.least, balance.harmonics.back(),
      adaptive.leave_out_even ? ", odd ones while the motion is symmetric" : "", adaptive.tolerance,
      adaptive.force_tolerance, adaptive.samples, balance.samples);
}

/// Harmonics, unknowns, sensors, cost: what analyses by harmonic balance have in common.
template <class Request>
std::string balance_text(const Model& model, const Request& request) {
  const ResponseSize size = response_size(model, request.balance);
  std::string text = line("", set_text(request.balance));
  text += line("", fmt::format("{} kept at the joints, {}{} unknowns", counted(size.kept_motions, "motion"),
                               request.balance.adaptive ? "at most " : "", size.unknowns));
  text += line("", fmt::format("observed: {}", sensors_text(request.observables)));
  return text + line("", fmt::format("a branch at work takes about {} for its Jacobians", memory_text(size.memory)));
}

std::string analysis_text(const Model& model, const FrequencyResponseRequest& request) {
  return line("analysis", fmt::format("{}: frequency response {} … {} Hz at {}", request.name, request.from, request.to,
                                      levels_text(request.shown_levels, request.level_unit))) +
         balance_text(model, request);
}

std::string range_text(const BackboneRequest& request) {
  if (request.method != BackboneMethod::phase_resonance) {
    return fmt::format("modal amplitudes {:g} … {:g} m kg^0.5", request.from, request.to);
  }
  if (!request.controlled) {
    return fmt::format("levels {:g} … {:g} {}", request.from * request.level_value, request.to * request.level_value,
                       request.level_unit);
  }
  return fmt::format("drive-point {} {:g} … {:g} {}", to_string(*request.controlled), request.from, request.to,
                     unit_of(*request.controlled, request.turns()));
}

std::string analysis_text(const Model& model, const BackboneRequest& request) {
  const std::string begin =
      request.near > 0.0 ? fmt::format("near {} Hz", request.near) : fmt::format("mode {}", request.mode);
  return line("analysis", fmt::format("{}: backbone by {}, {}, {}", request.name, to_string(request.method), begin,
                                      range_text(request))) +
         balance_text(model, request);
}

std::string analysis_text(const Model& model, const ForceResponseRequest& request) {
  const double unit = request.level_value;
  return line("analysis",
              fmt::format("{}: force response {:g} … {:g} {} at {}", request.name, request.from_level * unit,
                          request.to_level * unit, request.level_unit, levels_text(request.frequencies, "Hz"))) +
         balance_text(model, request);
}

std::string analysis_text(const Model& model, const ResponseControlRequest& request) {
  return line("analysis", fmt::format("{}: response control {} … {} Hz with {} held at {}", request.name, request.from,
                                      request.to, request.controlled.name,
                                      levels_text(request.amplitudes, std::string(unit_of(request.controlled))))) +
         balance_text(model, request);
}

std::string tracking_text(const Model& model, const TrackingRequest& request, const std::string& what) {
  const double unit = request.level_value;
  const std::string near = request.near > 0.0 ? fmt::format(" near {} Hz", request.near) : "";
  return line("analysis", fmt::format("{}: {}{} over {:g} … {:g} {}, begun on the response {} … {} Hz", request.name,
                                      what, near, request.from_level * unit, request.to_level * unit,
                                      request.level_unit, request.from, request.to)) +
         balance_text(model, request);
}

std::string analysis_text(const Model& model, const ResonanceTrackingRequest& request) {
  return tracking_text(model, request, fmt::format("resonance of {}", request.observed.name));
}

std::string analysis_text(const Model& model, const SuperharmonicTrackingRequest& request) {
  return tracking_text(model, request, fmt::format("superharmonic resonance {}:1", request.harmonic));
}

std::string analysis_text(const Model& model, const IsolaSearchRequest& request) {
  std::vector<std::string> modes;
  for (const int mode : request.modes) modes.push_back(std::to_string(mode));
  const double unit = request.level_value;
  return line("analysis", fmt::format("{}: isolas between {:g} and {:g} {}, {} … {} Hz, from the energy balance on the "
                                      "backbones of mode {}",
                                      request.name, request.from_level * unit, request.to_level * unit,
                                      request.level_unit, request.from, request.to, join(modes, ", "))) +
         balance_text(model, request);
}

std::string analysis_text(const Model& model, const BifurcationTrackingRequest& request) {
  return tracking_text(model, request, request.of + " points");
}

std::string analysis_text(const Model& model, const FoldTrackingRequest& request) {
  return tracking_text(model, request, "folds");
}

std::string length_text(const TransientRequest& request) {
  if (request.duration > 0.0) return fmt::format("{} s", request.duration);
  if (request.periods > 0.0) return fmt::format("{} periods", request.periods);
  return fmt::format("until periodic, at most {} periods", request.max_periods);
}

std::string analysis_text(const Model&, const TransientRequest& request) {
  const std::string excitation = request.frequency > 0.0 ? fmt::format(" at {} Hz", request.frequency) : "";
  std::string text = line("analysis", fmt::format("{}: time integration{}, {}", request.name, excitation,
                                                  levels_text(request.shown_levels, request.level_unit)));
  text += line("", length_text(request));
  text += line("", fmt::format("observed: {}", sensors_text(request.observables)));
  return text;
}

std::string motion_text(const LoopRequest& request) {
  const std::string kind(to_string(request.motion));
  if (request.motion == LoopMotion::history) return fmt::format("{} of {} samples", kind, request.history.rows());
  const bool relative = !request.of_macroslip.empty();
  const std::string amplitudes =
      levels_text(relative ? request.of_macroslip : request.amplitudes, relative ? "times macroslip" : "m");
  const std::string minor =
      request.minor.empty() ? "" : fmt::format(" with {}", counted(std::ssize(request.minor), "minor loop"));
  return fmt::format("{} {} {}{}", kind, request.motion == LoopMotion::ramp ? "to" : "at", amplitudes, minor);
}

std::string loop_text(const Study& study, const LoopTask& task) {
  std::vector<std::string> names;
  for (const std::size_t joint : task.joints) names.push_back(study.joints[joint].name);
  return line("loop", fmt::format("{}: {}; {}", task.request.name, motion_text(task.request), listed(names)));
}

}  // namespace

ResponseSize response_size(const Model& model, const BalanceOptions& balance) {
  constexpr double jacobian_copies = 3.0;
  const SparseMatrix directions = detail::all_directions(model);
  ResponseSize size;
  size.kept_motions =
      directions.cols() == 0 ? 0 : model.structure->condense_in_shapes(interface_basis(directions))->size();
  size.unknowns = size.kept_motions * HarmonicSet(balance.harmonics).positions();
  const auto n = static_cast<double>(size.unknowns);
  size.memory = jacobian_copies * 8.0 * n * n;
  return size;
}

std::string study_overview(const Study& study) {
  std::string text = (study.title.empty() ? study.name : study.title) + "\n\n";
  if (study.model.structure != nullptr) text += line("structure", structure_text(study));
  for (const std::string& told : study.reduction) text += line("", told);
  text += line("joints", joints_text(study));
  text += notes_text(study.notes);
  if (!study.analyses.empty() || !study.model.loads.empty()) text += line("loads", loads_text(study.model));
  for (const AnalysisRequest& analysis : study.analyses) {
    text += std::visit([&](const auto& request) { return analysis_text(study.model, request); }, analysis);
  }
  for (const LoopTask& task : study.loops) text += loop_text(study, task);
  return text;
}

std::string harmonics_text(const std::vector<int>& harmonics) {
  const bool gapless = harmonics.back() - harmonics.front() + 1 == static_cast<int>(harmonics.size());
  if (gapless && harmonics.size() > 2) return fmt::format("{} … {}", harmonics.front(), harmonics.back());
  std::vector<std::string> words;
  for (const int k : harmonics) words.push_back(std::to_string(k));
  return join(words, ", ");
}

std::string levels_text(const std::vector<double>& levels, const std::string& unit) {
  std::vector<std::string> words;
  for (const double level : levels) words.push_back(fmt::format("{:g}", level));
  const std::string text = listed(words);
  return unit.empty() ? fmt::format("{} {}", levels.size() == 1 ? "level" : "levels", text) : text + " " + unit;
}

std::string duration_text(double seconds) {
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", std::max(1.0, seconds * 1e3));
  if (seconds < 99.5) return fmt::format("{:.1f} s", seconds);
  if (seconds < 5400.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return fmt::format("{:.0f} h", seconds / 3600.0);
}

}  // namespace masing
