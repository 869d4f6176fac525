// What continuation returns: points, special points between them, and why it stopped.
#pragma once

#include "masing/continuation/options.hpp"
#include "masing/core/types.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace masing {

/// A solution on the branch, with all that is needed to go on from it.
struct BranchPoint {
  Vector x;
  double lambda = 0.0;
  Vector tangent;     ///< unit vector along the branch in scaled unknowns, λ last (n + 1); see Continuation::direction
  double step = 0.0;  ///< arc length proposed for the next step
  int iterations = 0;     ///< Newton iterations spent on this point
  double residual = 0.0;  ///< max |r_i / scale_i|
};

/// A point with a name between two points of the branch (or at the second one).
struct BranchEvent {
  std::string name;
  Index after_point = 0;  ///< lies between points after_point and after_point + 1
  BranchPoint point;
};

/// The interval that is followed, from its start to its end; from > to goes down. Its length is the unit of λ.
struct ParameterRange {
  double from = 0.0;
  double to = 1.0;
};

enum class ContinuationStop {
  not_run,
  reached_end,      ///< the last point is exactly at the end of the range
  left_at_start,    ///< the branch came back and left the range at its start; the last point is exactly there
  closed_loop,      ///< back at the first point, in the same direction: an isolated closed branch, followed once
  retraced_path,    ///< runs over a part of itself that is already known
  fold_in_natural,  ///< a fold, which natural-parameter continuation cannot pass
  step_too_small,   ///< the corrector failed or the branch turned too sharply down to the smallest step
  max_points,
  max_iterations,
  no_start,        ///< the first point was not found, or the branch has no direction there
  stopped_by_user  ///< a hook returned false
};
std::string_view to_string(ContinuationStop stop);

/// A place where the equations jump: the branch ends and is taken up again at the nearest solution found ahead.
struct BranchJump {
  double from = 0.0;    ///< λ before
  double to = 0.0;      ///< λ after
  double size = 0.0;    ///< scaled distance: 1 is as far as x is large
  bool sought = false;  ///< the caller found the solution ahead (ContinuationHooks::seek)
};
/// λ for messages, in the user's unit: "318.42 Hz".
using ParameterText = std::function<std::string(double lambda)>;
/// A sentence with how many there were and the largest gap, beginning with a space; empty: there were none.
std::string describe_jumps(std::span<const BranchJump> jumps, const ParameterText& place);

struct ContinuationSummary {
  ContinuationStop stop = ContinuationStop::not_run;
  std::string message = "Continuation was not run.";
  int points = 0;             ///< on the branch, with those handed in for a resumed run
  int failed_correctors = 0;  ///< trials rejected because Newton's method failed
  int rejected_turns = 0;     ///< trials rejected because the branch turned too much or the corrector went astray
  int newton_iterations = 0;  ///< of this run, all trials and events included
  int residual_evaluations = 0;
  int jacobian_evaluations = 0;
  std::vector<BranchJump> jumps;  ///< of this run
  double smallest_step = 0.0;     ///< arc length of accepted steps
  double largest_step = 0.0;

  /// The branch was followed to one of its natural ends.
  bool complete() const {
    return stop == ContinuationStop::reached_end || stop == ContinuationStop::left_at_start ||
           stop == ContinuationStop::closed_loop;
  }
};

struct Branch {
  std::vector<BranchPoint> points;
  std::vector<BranchEvent> events;  ///< in the order of the branch
  ContinuationSummary summary;
  ContinuationOptions options;  ///< that made it
  ParameterRange range;
};

}  // namespace masing
