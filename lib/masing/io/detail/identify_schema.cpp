#include "masing/io/detail/identify_schema.hpp"

#include "masing/identification/least_squares.hpp"
#include "masing/io/detail/validation_schema.hpp"

#include <algorithm>
#include <map>

namespace masing::detail {
namespace {

using enum OptionKind;

/// What may be taken from the results of this study: as in a validation case, without the name of a run, and with the
/// abscissa left to the data.
Option take_option() {
  Option option = extraction_option();
  option.required = true;
  option.meaning = "which computed number belongs to a measured one";
  std::erase_if(option.variants, [](const OptionVariant& variant) { return variant.name == "estimate"; });  // no study
  for (OptionVariant& variant : option.variants) {
    std::erase_if(variant.table, [](const Option& key) { return key.name == "run"; });
    for (Option& key : variant.table) {
      if (key.name == abscissa_key(variant.name) && key.fallback.empty()) {
        key.required = false;
        key.meaning += "; from the column `at` of the data";
      }
    }
  }
  return option;
}

OptionTable parameter_table() {
  return {
      {.name = "name", .kinds = {text}, .required = false, .meaning = "default: its first key"},
      {.name = "key",
       .kinds = {text, texts},
       .required = false,
       .meaning = "address of the value in this study, as for --set: \"joint.support.stiffness\"; or several that all "
                  "get it. None: it only serves `derived` values"},
      {.name = "start", .kinds = {number}, .meaning = "where the first start begins"},
      {.name = "lower", .kinds = {number}, .meaning = "bound"},
      {.name = "upper", .kinds = {number}, .meaning = "bound"},
      {.name = "scale",
       .kinds = {text},
       .fallback = {"linear"},
       .choices = {"linear", "logarithmic"},
       .meaning = "how it is varied between its bounds; logarithmic for values whose order of magnitude is open"},
      {.name = "prior",
       .kinds = {number},
       .required = false,
       .meaning = "what it is expected to be, before the measurement; pulls the result towards itself"},
      {.name = "prior_deviation",
       .kinds = {number},
       .required = false,
       .range = Range::positive(),
       .meaning = "standard deviation of that expectation"},
  };
}

OptionTable derived_table() {
  return {
      {.name = "key", .kinds = {text, texts}, .meaning = "address of the value, or several"},
      {.name = "powers",
       .kinds = {weights},
       .meaning = "value = offset + factor * product of parameter^power: { thickness = -1.0, width = 1.0 }"},
      {.name = "factor", .kinds = {number}, .fallback = {1.0}, .meaning = "see powers"},
      {.name = "offset", .kinds = {number}, .fallback = {0.0}, .meaning = "see powers"},
  };
}

OptionTable data_table() {
  return {
      {.name = "name", .kinds = {text}, .required = false, .meaning = "default: the name of the file"},
      {.name = "file",
       .kinds = {text},
       .meaning = "CSV file, relative to the study: a line with the names of the columns, then a row a measured point"},
      take_option(),
      {.name = "at",
       .kinds = {text},
       .required = false,
       .meaning =
           "column of the abscissa: goes to `at` of a curve (what `along` says), `amplitude` of a loop, `level` of "
           "a resonance, `time` of a history, number of a mode or of a special point with loops, or place in a loop "
           "(0 … 1). Left out for "
           "\"loop-sample\": the rows are spread evenly from the first to the last sample"},
      {.name = "at_unit", .kinds = {text}, .fallback = {""}, .meaning = "its unit (mN, µm, …); none: SI"},
      {.name = "value", .kinds = {text}, .meaning = "column of the measured numbers"},
      {.name = "unit", .kinds = {text}, .fallback = {""}, .meaning = "their unit; none: SI"},
      {.name = "deviation",
       .kinds = {number, text},
       .required = false,
       .meaning = "standard deviation of the measured numbers, in their unit; or the column that has it"},
      {.name = "relative_deviation",
       .kinds = {number},
       .required = false,
       .range = Range::positive(),
       .meaning = "instead, as a share of each"},
      {.name = "rows",
       .kinds = {integer, integers},
       .required = false,
       .range = Range::at_least(1),
       .meaning = "which rows of the file are used, counted from 1; default: all"},
  };
}

OptionTable solver_table() {
  const FitOptions defaults;
  return {
      {.name = "starts",
       .kinds = {integer},
       .fallback = {static_cast<long>(defaults.starts)},
       .range = Range::between(1, 100000),
       .meaning = "how often it is minimised: from `start`, and from a Latin hypercube between the bounds"},
      {.name = "seed",
       .kinds = {integer},
       .fallback = {static_cast<long>(defaults.seed)},
       .range = Range::non_negative(),
       .meaning = "of the hypercube"},
      {.name = "max_iterations",
       .kinds = {integer},
       .fallback = {static_cast<long>(defaults.max_iterations)},
       .range = Range::at_least(1),
       .meaning = "of each start"},
      {.name = "step",
       .kinds = {number},
       .fallback = {defaults.step},
       .range = {.lower = 0.0, .upper = 0.1, .lower_open = true},
       .meaning =
           "of the differences that derivatives are made from, as a share of the range between the bounds. Small "
           "beside the range, large beside the error of the computed numbers"},
      {.name = "cost_tolerance",
       .kinds = {number},
       .fallback = {defaults.cost_tolerance},
       .range = {.lower = 0.0, .upper = 1.0, .lower_open = true, .upper_open = true},
       .meaning = "a start ends when an iteration lowers the sum of squares by less than this share"},
      {.name = "parameter_tolerance",
       .kinds = {number},
       .fallback = {defaults.parameter_tolerance},
       .range = {.lower = 0.0, .upper = 1.0, .lower_open = true, .upper_open = true},
       .meaning = "or moves the parameters by less than this share of themselves"},
      {.name = "modes",
       .kinds = {integer},
       .fallback = {10L},
       .range = Range::at_least(1),
       .meaning = "number of modes computed, for data of kind \"mode\""},
  };
}

}  // namespace

const std::string& abscissa_key(const std::string& kind) {
  static const std::map<std::string, std::string> keys = {
      {"curve", "at"},        {"loop", "amplitude"}, {"loop-sample", "at"}, {"mode", "mode"},
      {"resonance", "level"}, {"history", "time"},   {"density", "at"},     {"cycle", "number"}};
  return keys.at(kind);
}

OptionTable identify_table() {
  OptionTable keys = {
      {.name = "parameter",
       .kinds = {tables},
       .children = parameter_table(),
       .meaning = "[[identify.parameter]]: a value of this study that is sought"},
      {.name = "derived",
       .kinds = {tables},
       .required = false,
       .children = derived_table(),
       .meaning = "[[identify.derived]]: a value of this study that follows from parameters"},
      {.name = "data",
       .kinds = {tables},
       .children = data_table(),
       .meaning = "[[identify.data]]: measured numbers, and which computed ones belong to them"},
  };
  const OptionTable more = solver_table();
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

}  // namespace masing::detail
