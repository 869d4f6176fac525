#include "masing/io/detail/solver_schema.hpp"

#include "masing/analysis/curve_request.hpp"
#include "masing/balance/options.hpp"
#include "masing/continuation/options.hpp"
#include "masing/solve/newton.hpp"

namespace masing::detail {
namespace {

using enum OptionKind;

const Range fraction{.lower = 0.0, .upper = 1.0, .lower_open = true, .upper_open = true};

}  // namespace

OptionTable adaptive_harmonics() {
  const AdaptiveHarmonics defaults;
  return {
      {.name = "tolerance",
       .kinds = {number},
       .fallback = {defaults.tolerance},
       .range = fraction,
       .meaning = "more harmonics where the last two of the set hold more than this share of the joints' motion"},
      {.name = "force_tolerance",
       .kinds = {number},
       .fallback = {defaults.force_tolerance},
       .range = fraction,
       .meaning = "… or their joint forces more than this share of the forces balanced there; these fade slowly where "
                  "joints slip "
                  "or open"},
      {.name = "least",
       .kinds = {integer},
       .fallback = {static_cast<long>(defaults.least)},
       .range = Range::at_least(3),
       .meaning = "highest harmonic of the smallest set"},
      {.name = "most",
       .kinds = {integer},
       .fallback = {25L},
       .range = Range::between(3, 1000),
       .meaning = "highest harmonic of the largest set; results are stored with so many"},
      {.name = "leave_out_even",
       .kinds = {boolean},
       .fallback = {defaults.leave_out_even},
       .meaning = "balance odd harmonics alone as long as the motion is symmetric"},
  };
}

OptionTable harmonic_balance_table() {
  const BalanceOptions defaults;
  return {
      {.name = "harmonics",
       .kinds = {integer, integers, text, table},
       .fallback = {static_cast<long>(defaults.harmonics.back())},
       .range = Range::non_negative(),
       .choices = {"adaptive"},
       .children = adaptive_harmonics(),
       .meaning = "H for the harmonics 0 … H; a list such as [0, 1, 3, 5]; \"adaptive\" for as many as each point of a "
                  "branch needs, or a table that says how: { tolerance = 1e-4 }"},
      {.name = "samples",
       .kinds = {integer},
       .required = false,
       .range = Range::between(3, 1048576),
       .meaning = "time samples per period, more than twice the highest harmonic; default: the power of two that is at "
                  "least 256 and 8 times the highest harmonic. With adaptive harmonics the least number (256), more "
                  "where 16 for the highest harmonic in use are more"},
      {.name = "events",
       .kinds = {text},
       .fallback = {"located"},
       .choices = {"located", "sampled"},
       .meaning =
           "located: between samples too, the instants where a piecewise linear law changes its piece are found and "
           "the pieces integrated exactly; sampled: every law is evaluated at the samples only"},
      {.name = "max_cycles",
       .kinds = {integer},
       .fallback = {static_cast<long>(defaults.cycle.max_cycles)},
       .range = Range::at_least(1),
       .meaning = "periods that a joint with memory is marched before giving up"},
      {.name = "closure_tolerance",
       .kinds = {number},
       .fallback = {defaults.cycle.closure_tolerance},
       .range = fraction,
       .meaning = "change of the joint force from period to period that counts as closed, relative"},
  };
}

OptionTable newton_table() {
  const NewtonOptions defaults;
  return {
      {.name = "residual_tolerance",
       .kinds = {number},
       .fallback = {defaults.residual_tolerance},
       .range = fraction,
       .meaning = "largest scaled residual of a solution"},
      {.name = "step_tolerance",
       .kinds = {number},
       .fallback = {defaults.step_tolerance},
       .range = fraction,
       .meaning = "scaled step below which an iteration is given up"},
      {.name = "max_iterations",
       .kinds = {integer},
       .fallback = {static_cast<long>(defaults.max_iterations)},
       .range = Range::at_least(1),
       .meaning = "iterations before a point is given up"},
      {.name = "line_search",
       .kinds = {boolean},
       .fallback = {defaults.line_search},
       .meaning = "shorten steps that do not reduce the residual"},
      {.name = "jacobian_every",
       .kinds = {integer},
       .fallback = {static_cast<long>(defaults.jacobian_every)},
       .range = Range::at_least(1),
       .meaning = "new Jacobian after so many iterations; 1 is true Newton"},
  };
}

namespace {

OptionTable::value_type limit(const char* name, int standard, int least, const char* meaning) {
  return {.name = name,
          .kinds = {integer},
          .fallback = {static_cast<long>(standard)},
          .range = Range::at_least(least),
          .meaning = meaning};
}

}  // namespace

OptionTable continuation_table() {
  const ContinuationOptions defaults;
  return {
      {.name = "parametrisation",
       .kinds = {text},
       .fallback = {std::string(to_string(defaults.parametrisation))},
       .choices = {"arc-length", "natural"},
       .meaning = "arc-length goes round folds, natural prescribes the frequency and stops at a fold"},
      {.name = "predictor",
       .kinds = {text},
       .fallback = {std::string(to_string(defaults.predictor))},
       .choices = {"tangent", "secant", "cubic"},
       .meaning = "how the next point is guessed: along the tangent, through the last two points, or through both with "
                  "their tangents"},
      {.name = "step_initial",
       .kinds = {number},
       .required = false,
       .range = Range::positive(),
       .meaning =
           fmt::format("first step, in scaled arc length (1: the whole frequency range, or the present amplitude); "
                       "default: {}, or step_maximum if that is smaller",
                       defaults.step.initial)},
      {.name = "step_minimum",
       .kinds = {number},
       .fallback = {defaults.step.minimum},
       .range = Range::positive(),
       .meaning = "the branch stops when a smaller step would be needed"},
      {.name = "step_maximum",
       .kinds = {number},
       .fallback = {defaults.step.maximum},
       .range = Range::positive(),
       .meaning = "no step is longer"},
      {.name = "target_iterations",
       .kinds = {integer},
       .fallback = {static_cast<long>(defaults.step.target_iterations)},
       .range = Range::at_least(1),
       .meaning = "with fewer Newton iterations the step grows, with more it shrinks"},
      {.name = "maximum_angle",
       .kinds = {number},
       .unit = "degrees",
       .fallback = {defaults.step.maximum_angle},
       .range = {.lower = 0.0, .upper = 90.0, .lower_open = true},
       .meaning = "largest turn of the branch within one step"},
      limit("max_points", defaults.max_points, 2, "the branch stops after so many points"),
      limit("max_iterations", defaults.max_iterations, 1,
            "the branch stops after so many Newton iterations, those of refused steps included"),
      {.name = "event_tolerance",
       .kinds = {number},
       .fallback = {defaults.event_tolerance},
       .range = fraction,
       .meaning = "folds and peaks are located to this fraction of the frequency"},
      {.name = "locate_folds",
       .kinds = {boolean},
       .fallback = {defaults.locate_folds},
       .meaning = "solve for the folds on the branch"},
  };
}

}  // namespace masing::detail
