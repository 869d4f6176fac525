#include "masing/io/detail/curve_schema.hpp"

namespace masing::detail {
namespace {

using enum OptionKind;

OptionTable base_table(const std::string& default_name) {
  return {
      {.name = "kind", .kinds = {text}, .meaning = "which analysis; `masing describe analysis` lists them"},
      {.name = "name",
       .kinds = {text},
       .fallback = {default_name},
       .meaning = "name in the results, unique in a study"},
      {.name = "sensors", .kinds = {texts}, .required = false, .meaning = "names of the sensors used; default: all"},
  };
}

/// One end of a range that may be given in several ways.
Option range_end(const std::string& name, const std::string& unit, const std::string& meaning) {
  return {
      .name = name, .kinds = {number}, .unit = unit, .required = false, .range = Range::positive(), .meaning = meaning};
}

void add_range(OptionTable& table, const std::string& of, const std::string& unit, const std::string& meaning) {
  table.push_back(range_end("from_" + of, unit, meaning + " where the branch begins"));
  table.push_back(range_end("to_" + of, unit, meaning + " where it ends"));
}

void add_level_ranges(OptionTable& table) {
  add_range(table, "force", "N", "force amplitude, for a study with exactly one oscillating force,");
  add_range(table, "level", "", "factor on all oscillating loads");
}

Option marks_option() {
  return {.name = "marks",
          .kinds = {number, numbers},
          .required = false,
          .range = Range::positive(),
          .meaning =
              "values inside the range, in its unit, at which the branch is solved exactly: special points "
              "\"level\", with the loops of the joints"};
}

OptionTable backbone_table() {
  OptionTable table = base_table("backbone");
  table.push_back(
      {.name = "method",
       .kinds = {text},
       .choices = {"epmc", "conservative", "phase-resonance"},
       .meaning =
           "epmc: own motion kept going by artificial damping, gives frequency and damping ratio; conservative: "
           "the same without any damping, for elastic joints; phase-resonance: forced motion that lags its force "
           "by 90 degrees, for any structure"});
  table.push_back({.name = "mode",
                   .kinds = {integer},
                   .fallback = {1L},
                   .range = Range::at_least(1),
                   .meaning =
                       "linear mode, with the joints as at rest, where the backbone begins; rigid-body motions do "
                       "not count"});
  table.push_back({.name = "near",
                   .kinds = {number},
                   .unit = "Hz",
                   .required = false,
                   .range = Range::positive(),
                   .meaning = "phase-resonance: begin at the resonance nearest to this instead of a mode"});
  add_range(table, "modal_amplitude", "m kg^0.5",
            "epmc, conservative: modal amplitude, the square root of Q1* M Q1 of the first harmonic,");
  add_level_ranges(table);
  add_range(table, "displacement", "m", "phase-resonance: amplitude of the drive point");
  add_range(table, "velocity", "m/s", "phase-resonance: amplitude of the drive point's velocity");
  add_range(table, "acceleration", "m/s^2", "phase-resonance: amplitude of the drive point's acceleration");
  table.push_back(marks_option());
  table.push_back(stability_option());
  return table;
}

OptionTable force_response_table() {
  OptionTable table = base_table("force-response");
  table.push_back({.name = "frequencies",
                   .kinds = {number, numbers},
                   .unit = "Hz",
                   .range = Range::positive(),
                   .meaning = "excitation frequencies, one branch each"});
  add_level_ranges(table);
  table.push_back(marks_option());
  table.push_back(stability_option());
  return table;
}

OptionTable response_control_table() {
  OptionTable table = base_table("response-control");
  const OptionTable more = {
      {.name = "from",
       .kinds = {number},
       .unit = "Hz",
       .range = Range::positive(),
       .meaning = "excitation frequency where the branch begins"},
      {.name = "to",
       .kinds = {number},
       .unit = "Hz",
       .range = Range::positive(),
       .meaning = "excitation frequency where it ends; below `from`: a sweep down"},
      {.name = "sensor", .kinds = {text}, .meaning = "the sensor whose amplitude is held"},
      {.name = "amplitudes",
       .kinds = {number, numbers},
       .range = Range::positive(),
       .meaning = "what it is held at, in the unit of the sensor, one branch each"},
      {.name = "harmonic",
       .kinds = {integer},
       .fallback = {1L},
       .range = Range::at_least(1),
       .meaning = "the harmonic whose amplitude is held"},
      stability_option(),
  };
  table.insert(table.end(), more.begin(), more.end());
  return table;
}

Option told_levels(const std::string& name, const std::string& unit, const std::string& meaning) {
  return {.name = name,
          .kinds = {number, numbers},
          .unit = unit,
          .required = false,
          .range = Range::positive(),
          .meaning = meaning};
}

OptionTable tracking_table(const std::string& name, const std::string& told) {
  OptionTable table = base_table(name);
  const OptionTable more = {
      {.name = "from",
       .kinds = {number},
       .unit = "Hz",
       .range = Range::positive(),
       .meaning = "where the response at the first level begins, on which it is looked for"},
      {.name = "to",
       .kinds = {number},
       .unit = "Hz",
       .range = Range::positive(),
       .meaning = "where that response ends; what is followed may leave this range later"},
      {.name = "near",
       .kinds = {number},
       .unit = "Hz",
       .required = false,
       .range = Range::positive(),
       .meaning = "only the one nearest to this; default: the largest peak, or all folds"},
  };
  table.insert(table.end(), more.begin(), more.end());
  add_level_ranges(table);
  table.push_back(told_levels("forces", "N", told));
  table.push_back(told_levels("levels", "", "the same as factors on all oscillating loads"));
  return table;
}

OptionTable superharmonic_tracking_table() {
  OptionTable table =
      tracking_table("superharmonics", "forces whose resonance is told exactly; default: nine in the range");
  table.push_back({.name = "harmonic",
                   .kinds = {integer},
                   .range = Range::at_least(2),
                   .meaning = "k: the harmonic that resonates, driven by the joints alone"});
  table.push_back({.name = "sensor",
                   .kinds = {text},
                   .required = false,
                   .meaning = "whose amplitude in this harmonic is told; default: the first sensor"});
  table.push_back(stability_option());
  return table;
}

OptionTable isola_search_table() {
  OptionTable table = tracking_table("isolas", "forces at which isolas are looked for; default: five in the range");
  std::erase_if(table, [](const Option& option) { return option.name == "near"; });
  for (Option& option : table) {
    if (option.name == "from") option.meaning = "where the range begins in which branches are followed";
    if (option.name == "to") option.meaning = "where it ends; an isola must lie inside";
    if (option.name == "from_force" || option.name == "from_level") option.meaning += ": the least one looked at";
    if (option.name == "to_force" || option.name == "to_level") option.meaning += ": the largest one looked at";
  }
  const OptionTable more = {
      {.name = "modes",
       .kinds = {number, numbers},
       .range = Range::at_least(1),
       .meaning = "linear modes whose backbones are followed, such as [1, 2]"},
      {.name = "from_modal_amplitude",
       .kinds = {number},
       .unit = "m kg^0.5",
       .range = Range::positive(),
       .meaning = "where the backbones begin"},
      {.name = "to_modal_amplitude",
       .kinds = {number},
       .unit = "m kg^0.5",
       .range = Range::positive(),
       .meaning = "where they end: beyond the motions that isolas may reach"},
      stability_option(),
  };
  table.insert(table.end(), more.begin(), more.end());
  return table;
}

OptionTable fold_tracking_table() {
  OptionTable table =
      tracking_table("folds", "forces at which isolas are looked for; default: one for each birth of an isola");
  Option stability = stability_option();
  stability.meaning = "of the isolas that are found: " + stability.meaning;
  table.push_back(stability);
  return table;
}

OptionTable bifurcation_tracking_table() {
  OptionTable table = tracking_table("bifurcations", "has no meaning here");
  std::erase_if(table, [](const Option& option) { return option.name == "forces" || option.name == "levels"; });
  table.push_back({.name = "of",
                   .kinds = {text},
                   .choices = {"neimark-sacker", "period-doubling"},
                   .meaning = "which bifurcation of the response at the first level is followed"});
  Option multipliers = stability_option();
  multipliers.fallback = {"monodromy"};
  multipliers.meaning =
      "how the multipliers are found: \"hill\" for smooth laws without memory, \"monodromy\" for any law, true or "
      "\"auto\" for the one that fits";
  table.push_back(multipliers);
  table.push_back(follow_option(
      "bifurcations of the response at the first level at which the branches that leave are looked at too: "
      "doublings of doubled motions"));
  return table;
}

OptionTable resonance_tracking_table() {
  OptionTable table =
      tracking_table("resonances", "forces whose resonance is told exactly; default: nine in the range");
  const OptionTable more = {
      {.name = "sensor",
       .kinds = {text},
       .required = false,
       .meaning = "whose amplitude has its peak; default: the first sensor"},
      {.name = "amplitude",
       .kinds = {text},
       .fallback = {"harmonic"},
       .choices = {"harmonic", "rms"},
       .meaning = "harmonic: the amplitude in one harmonic; rms: all that oscillate together"},
      {.name = "harmonic",
       .kinds = {integer},
       .fallback = {1L},
       .range = Range::at_least(1),
       .meaning = "the harmonic whose amplitude it is, and whose largest peak the curve begins with"},
      stability_option(),
  };
  table.insert(table.end(), more.begin(), more.end());
  return table;
}

}  // namespace

Option stability_option() {
  return {
      .name = "stability",
      .kinds = {boolean, text},
      .fallback = {false},
      .choices = {"auto", "hill", "monodromy"},
      .meaning =
          "whether each point is stable, and where it bifurcates, with the loads as they are: \"hill\" for smooth laws "
          "without memory, \"monodromy\" for any law, true or \"auto\" for the one that fits. Not for epmc and "
          "conservative backbones"};
}

Option follow_option(const std::string& meaning) {
  return {.name = "follow",
          .kinds = {texts},
          .required = false,
          .choices = {"branch-points", "period-doublings"},
          .meaning = meaning};
}

std::vector<SectionEntry> curve_analyses() {
  return {
      {"backbone",
       "Frequency and damping ratio of a resonance over its amplitude, by one of three methods. Exactly one range: "
       "modal amplitudes, forces, levels, or amplitudes of the drive point.",
       true, backbone_table()},
      {"force-response",
       "Periodic motion over the level of the loads at fixed frequencies, followed round every fold: the S-curve of a "
       "nonlinear resonance.",
       true, force_response_table()},
      {"response-control",
       "Periodic motion over frequency with the amplitude of a sensor held, as in a controlled test; the level of the "
       "loads is found.",
       true, response_control_table()},
      {"resonance-tracking",
       "The peak of a frequency response followed directly over the level of the loads: a table of resonance frequency "
       "against force in one run.",
       true, resonance_tracking_table()},
      {"bifurcation-tracking",
       "Period doublings or Neimark-Sacker points of the frequency response followed over frequency and level: the "
       "borders "
       "of the regions of doubled and of modulated motions.",
       true, bifurcation_tracking_table()},
      {"fold-tracking",
       "Folds of the frequency response followed over frequency and level: the region of two stable motions, its cusp, "
       "and "
       "the birth and merging of isolas, which are followed too.",
       true, fold_tracking_table()},
      {"superharmonic-tracking",
       "A superharmonic resonance k:1 followed over the level of the loads by its own phase: harmonic k of the motion "
       "in "
       "quadrature with harmonic k of the joint forces that the motion without it would produce.",
       true, superharmonic_tracking_table()},
      {"isola-search",
       "Closed branches of the frequency response, found where the energy balance on the backbone of a mode asks for a "
       "level of the loads; each is followed until it closes.",
       true, isola_search_table()},
  };
}

}  // namespace masing::detail
