#include "masing/io/detail/loop_schema.hpp"

#include "masing/analysis/joint_loops.hpp"

namespace masing::detail {
namespace {

using enum OptionKind;

Option of_macroslip(OptionKind kind) {
  return {.name = "of_macroslip",
          .kinds = {kind},
          .required = false,
          .range = Range::positive(),
          .meaning = "instead, in units of the joint's macroslip displacement; for laws made from a backbone"};
}

OptionVariant cycles() {
  return {"cycles",
          "Steady cycles u = mean + amplitude * cos, one for each amplitude.",
          {{.name = "amplitudes",
            .kinds = {numbers},
            .unit = "m",
            .required = false,
            .range = Range::positive(),
            .meaning = "one loop each; default: 0.01 … 3 times macroslip, where the law has one"},
           of_macroslip(numbers),
           {.name = "mean", .kinds = {number}, .unit = "m", .fallback = {0.0}, .meaning = "centre of the cycles"}}};
}

OptionVariant minor_loops() {
  return {"minor-loops",
          "A steady cycle that turns back on its way up, for smaller loops nested in each other.",
          {{.name = "amplitude",
            .kinds = {number},
            .unit = "m",
            .required = false,
            .range = Range::positive(),
            .meaning = "of the whole cycle"},
           of_macroslip(number),
           {.name = "minor",
            .kinds = {numbers},
            .range = Range::positive(),
            .meaning = "amplitudes of the minor loops, falling, in the unit of the amplitude"},
           {.name = "centre",
            .kinds = {number},
            .fallback = {0.0},
            .meaning = "of the minor loops, in the unit of the amplitude"}}};
}

OptionVariant ramp() {
  return {"ramp",
          "Loading once in one direction, from rest: the backbone.",
          {{.name = "to",
            .kinds = {numbers},
            .unit = "m",
            .required = false,
            .range = Range::positive(),
            .meaning = "where it ends, one curve each"},
           of_macroslip(numbers)}};
}

OptionVariant history() {
  return {"history",
          "Any motion, marched from rest.",
          {{.name = "values",
            .kinds = {numbers},
            .unit = "m",
            .required = false,
            .meaning = "displacements one after the other; turning points are enough with `steps`"},
           {.name = "table",
            .kinds = {matrix},
            .required = false,
            .meaning = "instead, a row a sample: one column for the first input or one for every input [m], and before "
                       "them the time [s] or nothing"},
           {.name = "steps",
            .kinds = {integer},
            .fallback = {1},
            .range = Range::between(1, 100000),
            .meaning = "linear steps from each sample to the next"}}};
}

Option motion_option() {
  OptionValues fallback;
  fallback.set("kind", std::string("cycles"));
  return {.name = "motion",
          .kinds = {table},
          .fallback = {std::vector<OptionValues>{fallback}},
          .variants = {cycles(), minor_loops(), ramp(), history()},
          .meaning = "how the first input of the joint moves"};
}

/// A number for a constant, or how it oscillates with the cycle.
Option input_option(const std::string& name, const std::string& unit, const std::string& meaning) {
  return {
      .name = name,
      .kinds = {number, table},
      .unit = unit,
      .required = false,
      .children = {{.name = "mean", .kinds = {number}, .unit = unit, .fallback = {0.0}, .meaning = "mean value"},
                   {.name = "amplitude",
                    .kinds = {number},
                    .unit = unit,
                    .fallback = {0.0},
                    .range = Range::non_negative(),
                    .meaning = "of its oscillation, for motion \"cycles\""},
                   {.name = "phase",
                    .kinds = {number},
                    .unit = "degrees",
                    .fallback = {0.0},
                    .meaning = "value = mean + amplitude * cos(harmonic * tau + phase), where the motion is cos(tau)"},
                   {.name = "harmonic",
                    .kinds = {integer},
                    .fallback = {1},
                    .range = Range::at_least(1),
                    .meaning = "oscillations a cycle"},
                   {.name = "values",
                    .kinds = {numbers},
                    .unit = unit,
                    .required = false,
                    .meaning = "for motion \"history\": one for each of its samples"}},
      .meaning = meaning};
}

OptionTable cycle_table() {
  const LoopRequest defaults;
  return {
      {.name = "samples",
       .kinds = {integer},
       .fallback = {static_cast<long>(defaults.samples)},
       .range = Range::between(16, 100000),
       .meaning = "stored of a cycle or a ramp; eight times as many are computed"},
      {.name = "frequency",
       .kinds = {number},
       .unit = "Hz",
       .fallback = {defaults.frequency},
       .range = Range::positive(),
       .meaning = "of the cycles; matters only for laws that feel the velocity. A ramp or history lasts 1/frequency"},
      {.name = "max_cycles",
       .kinds = {integer},
       .fallback = {static_cast<long>(defaults.cycle.max_cycles)},
       .range = Range::at_least(1),
       .meaning = "cycles that a joint with memory is marched before giving up"},
      {.name = "closure_tolerance",
       .kinds = {number},
       .fallback = {defaults.cycle.closure_tolerance},
       .range = {.lower = 0.0, .upper = 1.0, .lower_open = true, .upper_open = true},
       .meaning = "change of the joint force from cycle to cycle that counts as closed, relative"}};
}

}  // namespace

const std::vector<double>& default_of_macroslip() {
  static const std::vector<double> amplitudes = {0.01, 0.03, 0.1, 0.3, 1.0, 3.0};
  return amplitudes;
}

OptionTable loop_table() {
  OptionTable keys = {
      {.name = "name", .kinds = {text}, .fallback = {"loops"}, .meaning = "name in the results, unique in a study"},
      {.name = "joints", .kinds = {texts}, .required = false, .meaning = "names of the joints moved; default: all"},
      motion_option(),
      input_option("second", "m", "the second tangential direction, for laws that have one; default: at rest"),
      input_option("normal_load", "N", "normal load, for laws with a normal input: turned into the approach it needs"),
      input_option("approach", "m", "or the normal approach itself; the contact may then open"),
  };
  const OptionTable more = cycle_table();
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

}  // namespace masing::detail
