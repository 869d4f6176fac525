// How to follow a branch. Every field has a working default; lengths are in scaled unknowns (see ContinuationProblem).
#pragma once

#include <string_view>

namespace masing {

enum class Parametrisation {
  arc_length,  ///< unknowns x and λ, corrector in the plane normal to the predictor: goes round folds
  natural      ///< λ prescribed: stops at a fold with that reason
};
enum class Predictor {
  tangent,
  secant,  ///< through the last two points
  cubic    ///< through the last two points with their tangents: the fewest iterations; arc length only, else tangent
};
std::string_view to_string(Parametrisation parametrisation);
std::string_view to_string(Predictor predictor);

struct StepControl {
  double initial = 0.02;  ///< first step, in scaled arc length (1 = the whole parameter range or the present amplitude)
  double minimum = 1e-7;  ///< give up below
  double maximum = 0.1;   ///< never above
  int target_iterations = 4;    ///< fewer Newton iterations: grow, more: shrink
  double maximum_angle = 15.0;  ///< [degrees] between successive tangents; a larger turn is repeated with half the step
};

struct ContinuationOptions {
  Parametrisation parametrisation = Parametrisation::arc_length;
  Predictor predictor = Predictor::tangent;
  StepControl step;
  int max_points = 5000;           ///< stop after so many points
  int max_iterations = 1000000;    ///< … or so many Newton iterations, those of refused steps and of events included
  double event_tolerance = 1e-10;  ///< folds, peaks and other events are located to this fraction of the parameter
  bool locate_folds = true;
};

}  // namespace masing
