#include "masing/io/detail/validation_schema.hpp"

#include "masing/io/detail/validation_estimate.hpp"

namespace masing::detail {
namespace {

using enum OptionKind;

Option run_key() { return {.name = "run", .kinds = {text}, .meaning = "name of the run that it is taken from"}; }

Option value_key(std::vector<std::string> choices) {
  return {.name = "value", .kinds = {text}, .choices = std::move(choices), .meaning = "which of its numbers"};
}

OptionVariant loop_variant() {
  return {.name = "loop",
          .summary = "A number measured on a loop of `masing loop`.",
          .table = {run_key(),
                    name_key("loop", "name of the [[loop]]; default: the first"),
                    name_key("joint", "name of the joint; default: the first"),
                    {.name = "amplitude",
                     .kinds = {number},
                     .unit = "m",
                     .required = false,
                     .meaning = "of the loop, to a millionth; or"},
                    {.name = "number",
                     .kinds = {integer},
                     .required = false,
                     .range = Range::at_least(1),
                     .meaning = "which of the loops of that name and joint; default: the first"},
                    value_key({"energy", "energy-by-masing", "peak-force", "largest-force", "smallest-force", "secant",
                               "stick", "end", "loss-factor", "slope", "mean-force", "amplitude", "normal-energy"})}};
}

OptionVariant sample_variant() {
  return {.name = "loop-sample",
          .summary = "Force or work at one instant of a loop, ramp or history, linear between its samples.",
          .table = {run_key(),
                    name_key("loop", "name of the [[loop]]; default: the first"),
                    name_key("joint", "name of the joint; default: the first"),
                    number_key("number", "which of the loops of that name and joint"),
                    {.name = "at",
                     .kinds = {number},
                     .range = Range::between(0.0, 1.0),
                     .meaning = "share of the way from the first to the last sample"},
                    value_key({"force", "displacement", "second-force", "work"})}};
}

OptionVariant density_variant() {
  return {.name = "density",
          .summary =
              "The density of slip forces, from the energies of all loops of one name and joint, or of all points of a "
              "branch "
              "(docs/identification.md), linear between their amplitudes.",
          .table = {
              run_key(),
              name_key("loop", "name of the [[loop]], with at least 8 rising amplitudes; default: the first; or"),
              name_key("analysis", "an analysis whose points have rising amplitudes of the joint, such as a backbone"),
              {.name = "stiffness",
               .kinds = {number},
               .unit = "N/m",
               .required = false,
               .range = Range::positive(),
               .meaning = "of the joint while it sticks; for an analysis, of loops it is known"},
              {.name = "up_to",
               .kinds = {number},
               .unit = "m",
               .required = false,
               .range = Range::positive(),
               .meaning = "for an analysis: the largest amplitude of the joint that is used; default: all"},
              name_key("joint", "name of the joint; default: the first"),
              {.name = "at", .kinds = {number}, .unit = "N", .range = Range::positive(), .meaning = "slip force"}}};
}

OptionVariant mode_variant() {
  return {.name = "mode",
          .summary = "A mode of `masing modes`.",
          .table = {run_key(),
                    {.name = "state",
                     .kinds = {text},
                     .fallback = {"stuck"},
                     .choices = {"stuck", "free", "preload"},
                     .meaning = "of the joints"},
                    number_key("mode", "number of the mode"),
                    value_key({"frequency", "damping-ratio", "modal-mass"})}};
}

OptionVariant resonance_variant() {
  return {.name = "resonance",
          .summary = "The largest peak of a sensor on one branch of a frequency response.",
          .table = {run_key(),
                    name_key("analysis", "name of the analysis; default: the first with branches"),
                    number_key("branch", "number of the branch: of the force level"),
                    {.name = "level",
                     .kinds = {number},
                     .required = false,
                     .meaning = "or the force level itself, to a millionth"},
                    name_key("sensor", "name of the sensor; default: the first"),
                    number_key("harmonic", "whose amplitude has the peak"),
                    value_key({"frequency", "amplitude", "damping-ratio"})}};
}

OptionVariant curve_variant() {
  return {
      .name = "curve",
      .summary =
          "A number of a branch where another one has a given value, by a cubic through the four nearest points; or "
          "at the first or last point.",
      .table = {
          run_key(),
          name_key("analysis", "name of the analysis; default: the first with branches"),
          number_key("branch", "number of the branch"),
          name_key("sensor", "name of the sensor; default: the first"),
          {.name = "point",
           .kinds = {text},
           .required = false,
           .choices = {"first", "last"},
           .meaning = "which point; or `along` and `at`"},
          {.name = "along",
           .kinds = {text},
           .required = false,
           .meaning = "frequency, amplitude (first harmonic of the sensor) or a quantity of the points (level, …)"},
          {.name = "at", .kinds = {number}, .required = false, .meaning = "the value of it, passed for the first time"},
          number_key("harmonic", "of the amplitude, or whose share of the first"),
          name_key("joint", "whose energy or amplitude; default: the energy of all, the amplitude of the first"),
          {.name = "value",
           .kinds = {text},
           .meaning =
               "frequency, amplitude, phase (in degrees), harmonic-share (amplitude of the harmonic over that of the "
               "first), rms, "
               "peak (of the magnitude), highest and lowest (in a period, signed), joint-energy (in a cycle), "
               "joint-amplitude (half the range of the joint's first motion), or a "
               "quantity of the points (level, damping_ratio, …)"}}};
}

OptionVariant cycle_variant() {
  return {.name = "cycle",
          .summary = "A number of the loop of a joint in the motion at one point of a branch.",
          .table = {run_key(), name_key("analysis", "name of the analysis; default: the first with branches"),
                    number_key("branch", "number of the branch"), cycle_place(),
                    number_key("number", "which of the special points of that kind, along the branch"),
                    name_key("joint", "name of the joint; default: the first"),
                    number_key("input", "which of its relative motions: 2 is the normal one of a law with two"),
                    value_key({"area", "amplitude", "largest-motion", "smallest-motion", "largest-force",
                               "smallest-force", "asymmetry"})}};
}

OptionVariant history_variant() {
  return {.name = "history",
          .summary =
              "A sensor of a transient: at one instant, by a cubic through the four nearest samples, or its peak, "
              "amplitude or phase in steady motion.",
          .table = {run_key(),
                    name_key("analysis", "name of the analysis; default: the first with histories"),
                    number_key("history", "number of the history: of the level"),
                    name_key("sensor", "name of the sensor; default: the first"),
                    {.name = "value",
                     .kinds = {text},
                     .fallback = {"sample"},
                     .choices = {"sample", "steady-peak", "steady-amplitude", "steady-phase"},
                     .meaning = "which of its numbers; the phase in degrees, as `phase` of a curve"},
                    number_key("harmonic", "of amplitude and phase"),
                    {.name = "time",
                     .kinds = {number},
                     .unit = "s",
                     .required = false,
                     .range = Range::non_negative(),
                     .meaning = "when, for a sample"}}};
}

OptionTable run_table() {
  return {
      {.name = "name", .kinds = {text}, .meaning = "unique in the case"},
      {.name = "study", .kinds = {text}, .meaning = "study file, in the folder of the case"},
      {.name = "command",
       .kinds = {text},
       .choices = {"run", "loop", "modes"},
       .meaning = "which command of masing runs it"},
      {.name = "set",
       .kinds = {texts},
       .required = false,
       .meaning = "values replaced, as with --set: [\"joint.support.stiffness=2e6\"]"},
      {.name = "modes",
       .kinds = {integer},
       .fallback = {10L},
       .range = Range::at_least(1),
       .meaning = "number of modes, for the command modes"},
  };
}

Option merged(const std::string& name, const std::string& meaning) {
  return {.name = name, .kinds = {table}, .required = false, .meaning = meaning};
}

OptionTable judgement_keys() {
  return {
      {.name = "compare",
       .kinds = {text},
       .fallback = {"value"},
       .choices = {"value", "at-most", "at-least"},
       .meaning = "whether the published number is the value itself or a bound"},
      {.name = "relative",
       .kinds = {number},
       .required = false,
       .range = Range::positive(),
       .meaning = "acceptance as a share of the published value; or"},
      {.name = "absolute",
       .kinds = {number},
       .required = false,
       .range = Range::positive(),
       .meaning = "acceptance in the unit of the published value"},
      {.name = "reason", .kinds = {text}, .meaning = "why the acceptance is what it is"},
      {.name = "claim",
       .kinds = {text},
       .choices = {"reproduced", "calibrated", "predicted", "not reproduced", "undecided"},
       .meaning = "what is claimed: the first three must lie within the acceptance, the fourth must not, the last is "
                  "too close "
                  "for its numerical error"},
      {.name = "why",
       .kinds = {text},
       .required = false,
       .meaning = "for calibrated: on which data; for not reproduced and undecided: the evidence"},
      {.name = "series", .kinds = {text}, .required = false, .meaning = "name of the curve it belongs to, for figures"},
      {.name = "at", .kinds = {number}, .required = false, .meaning = "its place along the series"},
  };
}

OptionTable quantity_table() {
  OptionTable keys = {
      {.name = "name", .kinds = {text}, .meaning = "what it is"},
      {.name = "published", .kinds = {text}, .required = false, .meaning = "id in the table of published values"},
      extraction_option(),
      merged("against", "a second value, written like `take`; keys that are missing are those of `take`"),
      {.name = "combine",
       .kinds = {text},
       .required = false,
       .choices = {"ratio", "difference", "relative-difference", "product"},
       .meaning = "how `take` and `against` become one number"},
      merged("verify", "the second computation: keys of `take` that differ, usually the run; or a list of several"),
      merged("verify_against", "the same for `against`, one for all or one for each; default: as it is"),
      {.name = "verified_how", .kinds = {text}, .meaning = "what the second computation is"},
      {.name = "each",
       .kinds = {tables},
       .required = false,
       .meaning =
           "several quantities of one kind: tables with any of these keys, which come on top of those above (`take`, "
           "`against` and `verify` key by key); their `name` is appended"},
  };
  for (Option& option : judgement_keys()) keys.push_back(std::move(option));
  return keys;
}

OptionTable null_table() {
  return {
      {.name = "name", .kinds = {text}, .meaning = "what needs no model: a constant, a parabola, …"},
      {.name = "how", .kinds = {text}, .meaning = "how its values were made, and from which published ones"},
      {.name = "series", .kinds = {text}, .meaning = "the quantities it is for"},
      {.name = "values",
       .kinds = {numbers},
       .meaning = "one for each quantity of the series, in the order and the units of these"},
  };
}

OptionTable cost_table() {
  return {
      {.name = "name", .kinds = {text}, .meaning = "what all the runs compute"},
      {.name = "reference",
       .kinds = {text},
       .meaning = "the run whose processor time is divided by that of the others"},
      {.name = "runs", .kinds = {texts}, .meaning = "names of the other runs"},
      {.name = "published",
       .kinds = {texts},
       .required = false,
       .meaning = "ids of published factors, one for each of `runs`; an empty text where there is none"},
      {.name = "within",
       .kinds = {number},
       .fallback = {2.0},
       .range = Range::at_least(1.0),
       .meaning = "a published factor is reproduced if the computed one is at most this many times more or less"},
      {.name = "reason", .kinds = {text}, .fallback = {""}, .meaning = "why `within` is what it is"},
      {.name = "claims",
       .kinds = {texts},
       .required = false,
       .choices = {"reproduced", "not reproduced", "undecided", ""},
       .meaning =
           "what is claimed of the published factors, one for each of `runs`; a factor that is on the other side of "
           "`within` by less than times scatter (1.5) is undecided"},
      {.name = "why",
       .kinds = {texts},
       .required = false,
       .meaning = "why a factor is another one, one text for each of `runs`; an empty one where nothing is to be said"},
  };
}

}  // namespace

const Option& extraction_option() {
  static const Option option = {
      .name = "take",
      .kinds = {table},
      .required = false,
      .variants = {loop_variant(), sample_variant(), density_variant(), mode_variant(), resonance_variant(),
                   curve_variant(), cycle_variant(), history_variant(), estimate_variant()},
      .meaning = "where in the results the number is"};
  return option;
}

const OptionTable& case_root_table() {
  static const OptionTable keys = {
      {.name = "title", .kinds = {text}, .meaning = "what is validated, in a line"},
      {.name = "publication", .kinds = {text}, .meaning = "authors, title, journal, year"},
      {.name = "data", .kinds = {text}, .fallback = {"published.csv"}, .meaning = "table of published values"},
      {.name = "assumptions", .kinds = {texts}, .required = false, .meaning = "what is not published and was assumed"},
      {.name = "inconsistencies",
       .kinds = {texts},
       .required = false,
       .meaning = "what does not fit in the publication"},
  };
  return keys;
}

const std::vector<SectionEntry>& case_sections() {
  static const std::vector<SectionEntry> all = {
      {"run", "A study and the command that runs it.", true, run_table()},
      {"quantity", "A published number, where the computed one is found, and how the two are judged.", true,
       quantity_table()},
      {"null_test", "What a comparison without any model would give: a model should do better.", true, null_table()},
      {"cost",
       "Runs that compute the same, and how many times less each costs than a reference. It is told beside the "
       "published factor, "
       "with a verdict that does not decide whether the case is accepted.",
       true, cost_table()},
      {"figure",
       "A picture for the page.",
       true,
       {{.name = "figure", .kinds = {table}, .variants = figure_kinds(), .meaning = "what is drawn"}}},
  };
  return all;
}

}  // namespace masing::detail
