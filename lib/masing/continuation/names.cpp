// What options and ends of branches are called, and how their jumps are told.
#include "masing/continuation/continuation.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace masing {

std::string_view to_string(Parametrisation parametrisation) {
  return parametrisation == Parametrisation::natural ? "natural" : "arc-length";
}

std::string_view to_string(Predictor predictor) {
  switch (predictor) {
    case Predictor::tangent:
      return "tangent";
    case Predictor::secant:
      return "secant";
    case Predictor::cubic:
      return "cubic";
  }
  return "unknown";
}

std::string_view to_string(ContinuationStop stop) {
  switch (stop) {
    case ContinuationStop::not_run:
      return "not run";
    case ContinuationStop::reached_end:
      return "reached the end";
    case ContinuationStop::left_at_start:
      return "left at the start";
    case ContinuationStop::closed_loop:
      return "closed loop";
    case ContinuationStop::retraced_path:
      return "retraced its path";
    case ContinuationStop::fold_in_natural:
      return "fold";
    case ContinuationStop::step_too_small:
      return "step too small";
    case ContinuationStop::max_points:
      return "too many points";
    case ContinuationStop::max_iterations:
      return "too many iterations";
    case ContinuationStop::no_start:
      return "no start";
    case ContinuationStop::stopped_by_user:
      return "stopped by the user";
  }
  return "unknown";
}

std::string describe_jumps(std::span<const BranchJump> jumps, const ParameterText& place) {
  if (jumps.empty()) return {};
  const BranchJump& largest =
      *std::max_element(jumps.begin(), jumps.end(), [](const auto& a, const auto& b) { return a.size < b.size; });
  return fmt::format(" {} {} ahead; the largest gap, {:.2g} of the unknowns, is between {} and {}.",
                     jumps.size() == 1 ? "1 time" : fmt::format("{} times", jumps.size()),
                     largest.sought
                         ? "it ceased to be what is followed and was taken up again as the nearest of its kind"
                         : "the equations jumped and the branch was taken up again at the nearest solution",
                     largest.size, place(largest.from), place(largest.to));
}

}  // namespace masing
