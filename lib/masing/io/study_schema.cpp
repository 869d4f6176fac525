#include "masing/io/study_schema.hpp"

#include <fmt/format.h>

#include "masing/analysis/frequency_response.hpp"
#include "masing/analysis/transient_response.hpp"
#include "masing/io/detail/curve_schema.hpp"
#include "masing/io/detail/distributed_joint.hpp"
#include "masing/io/detail/excitation_schema.hpp"
#include "masing/io/detail/identify_schema.hpp"
#include "masing/io/detail/loop_schema.hpp"
#include "masing/io/detail/solver_schema.hpp"
#include "masing/io/detail/study_shortening.hpp"

#include <algorithm>

namespace masing {
namespace {

using enum OptionKind;

const Range fraction{.lower = 0.0, .upper = 1.0, .lower_open = true, .upper_open = true};

OptionTable structure_table() {
  return {{.name = "kind", .kinds = {text}, .meaning = "which structure; `masing describe structure` lists them"}};
}

OptionTable joint_table() {
  return {
      {.name = "name",
       .kinds = {text},
       .required = false,
       .meaning = "name for messages and results; default joint1, joint2, …"},
      {.name = "law", .kinds = {text}, .meaning = "which law; `masing describe law` lists them"},
      {.name = "from",
       .kinds = {text},
       .required = false,
       .meaning =
           "for laws made from a backbone: where it comes from, density (the default), pressure or roughness; the "
           "keys of the source stand beside those of the law; `masing describe source` lists them"},
      {.name = "direction",
       .kinds = {weights},
       .required = false,
       .meaning = "relative motion of the joint = sum of coefficient * coordinate, for laws with one input: "
                  "{ x1 = 1, x2 = -1 } between two coordinates, { x1 = 1 } to the ground"},
      {.name = "directions",
       .kinds = {tables},
       .required = false,
       .meaning = "one such table for each input, for laws with several inputs: [ { x1 = 1 }, { y1 = 1 } ]; { } for an "
                  "input that does not move"},
      detail::distribution_option(),
      detail::shortening_option(),
  };
}

OptionTable sensor_table() {
  return {
      {.name = "name",
       .kinds = {text},
       .required = false,
       .meaning = "name in the results; default: the coordinate, with the quantity unless it is displacement"},
      {.name = "at", .kinds = {text}, .meaning = "coordinate, or named motion, that is observed"},
      {.name = "component",
       .kinds = {text},
       .required = false,
       .meaning = "component at that point, as in [excitation]"},
      {.name = "quantity",
       .kinds = {text},
       .fallback = {"displacement"},
       .choices = {"displacement", "velocity", "acceleration"},
       .meaning = "what is observed"},
  };
}

OptionTable analysis_table() {
  return {{.name = "kind", .kinds = {text}, .meaning = "which analysis; `masing describe analysis` lists them"}};
}

/// Keys that every analysis has.
OptionTable common_analysis_table(const std::string& default_name) {
  OptionTable table = analysis_table();
  const OptionTable more = {
      {.name = "name",
       .kinds = {text},
       .fallback = {default_name},
       .meaning = "name in the results, unique in a study"},
      {.name = "forces",
       .kinds = {numbers},
       .unit = "N",
       .required = false,
       .range = Range::positive(),
       .meaning = "force amplitudes, one run each; for a study with exactly one oscillating force"},
      {.name = "accelerations",
       .kinds = {numbers},
       .unit = "m/s^2",
       .required = false,
       .range = Range::positive(),
       .meaning = "amplitudes of the base acceleration, one run each; for exactly one base acceleration"},
      {.name = "levels",
       .kinds = {numbers},
       .required = false,
       .range = Range::positive(),
       .meaning = "factors on all oscillating loads together, one run each"},
      {.name = "sensors", .kinds = {texts}, .required = false, .meaning = "names of the sensors used; default: all"},
  };
  table.insert(table.end(), more.begin(), more.end());
  return table;
}

OptionTable frequency_response_table() {
  OptionTable table = common_analysis_table("response");
  table.push_back({.name = "from",
                   .kinds = {number},
                   .unit = "Hz",
                   .range = Range::positive(),
                   .meaning = "excitation frequency where the branch begins"});
  table.push_back({.name = "to",
                   .kinds = {number},
                   .unit = "Hz",
                   .range = Range::positive(),
                   .meaning = "excitation frequency where it ends; below `from`: a sweep down"});
  table.push_back(
      {.name = "peak_harmonics",
       .kinds = {integer, integers},
       .required = false,
       .range = Range::at_least(1.0),
       .meaning = "harmonics whose amplitude maxima are located; 1 unless told, 3 for a 1:3 superharmonic peak"});
  table.push_back(detail::stability_option());
  table.push_back(detail::follow_option(
      "bifurcations at which the branches that leave are followed too, as further branches; needs stability"));
  return table;
}

/// How long a transient analysis goes on.
OptionTable transient_length_table() {
  return {
      {.name = "frequency",
       .kinds = {number},
       .unit = "Hz",
       .required = false,
       .range = Range::positive(),
       .meaning = "excitation frequency; left out for a ringdown, with `duration` and no oscillating load"},
      {.name = "periods",
       .kinds = {number},
       .required = false,
       .range = Range::positive(),
       .meaning = "periods to integrate; without periods and duration: until the motion is periodic"},
      {.name = "duration",
       .kinds = {number},
       .unit = "s",
       .required = false,
       .range = Range::positive(),
       .meaning = "time to integrate, instead of periods"},
  };
}

OptionTable transient_table() {
  const TransientRequest defaults;
  OptionTable table = common_analysis_table("transient");
  const OptionTable length = transient_length_table();
  table.insert(table.end(), length.begin(), length.end());
  const OptionTable more = {
      {.name = "max_periods",
       .kinds = {integer},
       .fallback = {static_cast<long>(defaults.max_periods)},
       .range = Range::at_least(1),
       .meaning = "give up waiting for a periodic motion after so many periods"},
      {.name = "steady_tolerance",
       .kinds = {number},
       .fallback = {defaults.steady_tolerance},
       .range = fraction,
       .meaning = "change of the state from period to period that counts as periodic, relative"},
      {.name = "samples_per_period",
       .kinds = {integer},
       .fallback = {static_cast<long>(defaults.samples_per_period)},
       .range = Range::at_least(4),
       .meaning = "of the output"},
      {.name = "relative_tolerance",
       .kinds = {number},
       .fallback = {defaults.relative_tolerance},
       .range = fraction,
       .meaning = "of the integrator"},
      {.name = "max_step",
       .kinds = {number},
       .unit = "s",
       .required = false,
       .range = Range::positive(),
       .meaning = "longest step of the integrator; default: a 32nd of a period"},
      {.name = "initial_displacement",
       .kinds = {weights},
       .unit = "m",
       .required = false,
       .meaning = "by coordinate, zero where nothing is said"},
      {.name = "initial_velocity",
       .kinds = {weights},
       .unit = "m/s",
       .required = false,
       .meaning = "by coordinate, zero where nothing is said"},
  };
  table.insert(table.end(), more.begin(), more.end());
  return table;
}

std::vector<SectionEntry> forced_analyses() {
  return {
      {"frequency-response",
       "Periodic motion over frequency at one or more force levels, followed round every fold by harmonic balance and "
       "continuation; resonance peaks and half-power points are solved for.",
       true, frequency_response_table()},
      {"transient",
       "Time integration from rest or from given initial values, for a number of periods or until the motion is "
       "periodic; the independent check of the harmonic balance.",
       true, transient_table()},
  };
}

const SectionEntry* find_in(const std::vector<SectionEntry>& entries, std::string_view name) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace

const std::vector<SectionEntry>& study_sections() {
  static const std::vector<SectionEntry> sections = {
      {"structure", "The linear structure. Its other keys depend on its kind.", false, structure_table()},
      {"joint", "A nonlinear law between coordinates of the structure. Its other keys are the law's parameters.", true,
       joint_table()},
      {"excitation",
       "A load: exactly one of force, static_force, base_acceleration, line_load, self_weight and static_load. "
       "Written [[excitation]] when there are several.",
       true, detail::excitation_table()},
      {"harmonic_balance", "How periodic motions are represented.", false, detail::harmonic_balance_table()},
      {"newton", "How the equations of a point are solved. The defaults rarely need a change.", false,
       detail::newton_table()},
      {"continuation", "How a branch is followed from point to point.", false, detail::continuation_table()},
      {"sensor",
       "What is reported. Without any, the displacement of every coordinate of a structure with at most 20 of them.",
       true, sensor_table()},
      {"analysis", "A question. Its other keys depend on its kind.", true, analysis_table()},
      {"loop",
       "Quasi-static loops of the joints alone under a prescribed motion, for `masing loop`. A study of loops needs "
       "neither "
       "structure nor loads, and its joints no direction.",
       true, detail::loop_table()},
      {"identify",
       "Parameters of this study from measurements, for `masing identify`: which values of the study are sought "
       "between "
       "which bounds, and which measured numbers the computed ones are to meet.",
       false, detail::identify_table()},
  };
  return sections;
}

const OptionTable& adaptive_harmonics_table() {
  static const OptionTable table = detail::adaptive_harmonics();
  return table;
}

const SectionEntry* find_section(std::string_view name) { return find_in(study_sections(), name); }

const std::vector<SectionEntry>& analysis_catalogue() {
  static const std::vector<SectionEntry> analyses = [] {
    std::vector<SectionEntry> all = forced_analyses();
    for (SectionEntry& entry : detail::curve_analyses()) all.push_back(std::move(entry));
    return all;
  }();
  return analyses;
}

const SectionEntry* find_analysis(std::string_view kind) { return find_in(analysis_catalogue(), kind); }

const OptionTable& study_root_table() {
  static const OptionTable root = {
      {.name = "title", .kinds = {text}, .fallback = {""}, .meaning = "what the study is about, for the report"}};
  return root;
}

}  // namespace masing
