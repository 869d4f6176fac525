// The keys of figures in a case.toml, and those that they share with what is taken from results.
#include "masing/io/detail/validation_schema.hpp"

namespace masing::detail {
namespace {

using enum OptionKind;

Option title_key() { return {.name = "title", .kinds = {text}, .meaning = "above the figure"}; }
Option caption_key() { return {.name = "caption", .kinds = {text}, .fallback = {""}, .meaning = "below the figure"}; }
Option runs_key() { return {.name = "runs", .kinds = {texts}, .meaning = "names of the runs drawn"}; }

OptionVariant cycles_figure() {
  return {
      .name = "cycles",
      .summary = "Force over relative motion of a joint in the motion at one point of branches, one run a curve.",
      .table = {
          title_key(),
          caption_key(),
          runs_key(),
          name_key("analysis", "default: the first with branches"),
          number_key("branch", "number of the branch"),
          cycle_place(),
          {.name = "numbers",
           .kinds = {integers},
           .required = false,
           .meaning = "which of the special points of that kind, counted from 1; default: all"},
          name_key("joint", "default: the first"),
          number_key("input", "which of its relative motions"),
          {.name = "labels",
           .kinds = {texts},
           .required = false,
           .meaning = "of the curves in their order; default: run and place on the branch"},
          {.name = "centred",
           .kinds = {boolean},
           .fallback = {false},
           .meaning = "the motion is drawn about the middle of its range: for a mean that means nothing, as that of a "
                      "body that nothing but friction holds"}}};
}

}  // namespace

Option number_key(const std::string& name, const std::string& meaning) {
  return {.name = name, .kinds = {integer}, .fallback = {1L}, .range = Range::at_least(1), .meaning = meaning};
}

Option name_key(const std::string& name, const std::string& meaning) {
  return {.name = name, .kinds = {text}, .required = false, .meaning = meaning};
}

Option cycle_place() {
  return {.name = "at",
          .kinds = {text},
          .meaning =
              "first, last, or the kind of a special point: peak, level, fold, …; steady: the last period of a "
              "transient, whose number is `branch`"};
}

std::vector<OptionVariant> figure_kinds() {
  return {
      {.name = "loops",
       .summary = "Force over displacement.",
       .table = {title_key(),
                 caption_key(),
                 runs_key(),
                 {.name = "loops", .kinds = {texts}, .required = false, .meaning = "names of loops; default: all"},
                 {.name = "joints", .kinds = {texts}, .required = false, .meaning = "names of joints; default: all"},
                 {.name = "numbers",
                  .kinds = {integers},
                  .required = false,
                  .meaning = "which of the loops of a name and joint, counted from 1; default: all"},
                 number_key("input", "which of its motions: 2 is the normal one of a law with two"),
                 {.name = "dimensionless",
                  .kinds = {boolean},
                  .fallback = {false},
                  .meaning = "no units at the axes: the study stands for a model without dimensions"}}},
      {.name = "curves",
       .summary = "One number of the points of branches over another.",
       .table = {title_key(),
                 caption_key(),
                 runs_key(),
                 name_key("analysis", "default: the first with branches"),
                 name_key("sensor", "default: the first"),
                 {.name = "x", .kinds = {text}, .fallback = {"frequency"}, .meaning = "as `value` of kind curve"},
                 {.name = "y", .kinds = {text}, .fallback = {"amplitude"}, .meaning = "as `value` of kind curve"},
                 number_key("harmonic", "of amplitudes and shares"),
                 name_key("series", "quantities whose published values are marked, x at their `at`"),
                 {.name = "logarithmic", .kinds = {boolean}, .fallback = {false}, .meaning = "both axes"}}},
      cycles_figure(),
      {.name = "histories",
       .summary = "A sensor over time.",
       .table = {title_key(), caption_key(), runs_key(), name_key("sensor", "default: the first")}},
      {.name = "history-loops",
       .summary = "Force over relative motion of a joint through a whole transient, one run a curve.",
       .table = {title_key(), caption_key(), runs_key(), {.name = "joint", .kinds = {text}, .meaning = "its name"}}},
      {.name = "series",
       .summary =
           "Quantities with `series` and `at`: published marks, computed lines, and the null tests of the series.",
       .table = {title_key(),
                 caption_key(),
                 {.name = "series", .kinds = {texts}, .meaning = "which"},
                 {.name = "x_label", .kinds = {text}, .meaning = "what `at` is"},
                 {.name = "x_unit", .kinds = {text}, .fallback = {""}, .meaning = "its unit"},
                 {.name = "y_label", .kinds = {text}, .meaning = "what the quantities are"},
                 {.name = "logarithmic", .kinds = {boolean}, .fallback = {false}, .meaning = "both axes"}}},
  };
}

}  // namespace masing::detail
