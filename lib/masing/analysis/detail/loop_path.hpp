// The prescribed motions of joint_loops.hpp as samples.
#pragma once

#include "masing/analysis/joint_loops.hpp"

namespace masing::detail {

/// Samples computed for one that is stored.
inline constexpr Index refinement = 8;

/// Sections go from knot to knot and are monotone in the first input. A closed path ends with the sample it began with.
struct LoopPath {
  Matrix displacement;  ///< samples × inputs [m]
  Matrix velocity;      ///< the same [m/s]
  std::vector<Index> knots;
};

/// Every `stride`-th sample; the knots must be among them.
LoopPath coarsened(const LoopPath& path, Index stride);

/// u = mean + amplitude cos τ, from its largest displacement on.
LoopPath cycle_path(const LoopJoint& joint, const LoopRequest& request, double amplitude);

/// From −A up to c + a₁, down to c − a₁, up to c + a₂, …, down to c − aₙ, up to A and back: the aᵢ fall. Sections in their
/// order: 0 rise to c + a₁; 2i − 1 down and 2i up of minor loop i; 3n + 1 − i from c + aᵢ on to the next larger turning
/// point; 3n + 1 the way back.
struct MinorLoops {
  double amplitude = 0.0;
  double centre = 0.0;
  std::vector<double> minor;
};
LoopPath minor_loop_path(const LoopJoint& joint, const LoopRequest& request, const MinorLoops& loops);

/// u = A s², s = 0 … 1: dense where the law is stiffest.
LoopPath ramp_path(const LoopJoint& joint, const LoopRequest& request, double amplitude);

LoopPath history_path(const LoopJoint& joint, const LoopRequest& request);

}  // namespace masing::detail
