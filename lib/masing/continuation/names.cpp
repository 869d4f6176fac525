// What options and ends of branches are called.
#include "masing/continuation/continuation.hpp"

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

}  // namespace masing
