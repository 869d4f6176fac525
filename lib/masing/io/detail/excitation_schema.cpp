#include "masing/io/detail/excitation_schema.hpp"

namespace masing::detail {
namespace {

using enum OptionKind;

/// Where a load acts.
OptionTable place_table() {
  return {
      {.name = "at",
       .kinds = {text},
       .required = false,
       .meaning = "coordinate, or named motion, on which the force acts"},
      {.name = "component",
       .kinds = {text},
       .required = false,
       .meaning =
           "component at that point: at = \"tip\", component = \"w\" is the coordinate tip.w. For the loads on a "
           "whole beam or rod: the direction, u, w or phi"},
      {.name = "direction",
       .kinds = {weights},
       .required = false,
       .meaning = "for base_acceleration: how far each coordinate moves with the base; default: every coordinate 1. "
                  "Beams and rods have `component` instead"},
      {.name = "from",
       .kinds = {number},
       .unit = "m",
       .required = false,
       .meaning = "for line_load: where it begins; default: at the beginning of the beam"},
      {.name = "to",
       .kinds = {number},
       .unit = "m",
       .required = false,
       .meaning = "for line_load: where it ends; default: at the end of the beam"},
  };
}

/// The sorts of load.
OptionTable sort_table() {
  return {
      {.name = "force",
       .kinds = {number},
       .unit = "N",
       .required = false,
       .range = Range::positive(),
       .meaning = "amplitude of an oscillating force"},
      {.name = "static_force",
       .kinds = {number},
       .unit = "N",
       .required = false,
       .meaning = "constant force (preload), the same at every level"},
      {.name = "base_acceleration",
       .kinds = {number},
       .unit = "m/s^2",
       .required = false,
       .range = Range::positive(),
       .meaning = "amplitude of an acceleration of the base; coordinates are then relative to the base"},
      {.name = "line_load",
       .kinds = {number},
       .unit = "N/m",
       .required = false,
       .meaning = "constant load on a stretch of a beam or rod (N m/m for component = \"phi\")"},
      {.name = "self_weight",
       .kinds = {number},
       .unit = "m/s^2",
       .required = false,
       .meaning = "gravity along `component`, on the whole beam or rod with its masses: -9.81 if w points upwards"},
      {.name = "static_load",
       .kinds = {numbers, text, weights},
       .unit = "N",
       .required = false,
       .meaning =
           "constant load (prestress): a list with an entry for each coordinate, a file with one column, or entries by "
           "name, { 12.3 = 5.0, 14.3 = -5.0 }"},
  };
}

}  // namespace

OptionTable excitation_table() {
  OptionTable options = {{.name = "name", .kinds = {text}, .required = false, .meaning = "name for messages"}};
  for (const OptionTable& part : {place_table(), sort_table()}) options.insert(options.end(), part.begin(), part.end());
  options.push_back({.name = "harmonic",
                     .kinds = {integer},
                     .fallback = {1},
                     .range = Range::at_least(1),
                     .meaning = "it oscillates with this multiple of the excitation frequency"});
  options.push_back({.name = "phase",
                     .kinds = {number},
                     .unit = "degrees",
                     .fallback = {0.0},
                     .meaning = "the force is amplitude * cos(harmonic * 2 pi f t + phase)"});
  return options;
}

}  // namespace masing::detail
