// Looks along one step for the first instant where a joint leaves its phase.
//
// Between the ends of a step the relative motion of a joint is the quintic Hermite polynomial through displacement,
// velocity and acceleration at both ends (error of sixth order in the step). The distance to the switch is examined
// at points inside the step, and at the vertex of the parabola through three of them where the middle one is lowest,
// so that a joint that leaves its phase and returns within the step is found too.
//
// A joint that has just switched starts at a distance of zero, up to rounding. It is "fresh": watched from the first
// positive distance on. When the distance is negative from the beginning, the new phase ends at once.
#pragma once

#include "masing/transient/detail/equation_of_motion.hpp"

#include <optional>
#include <vector>

namespace masing::detail {

/// The two ends of a step with their derivatives.
struct StepEnds {
  const StateVector& x0;
  const StateVector& d0;
  const StateVector& x1;
  const StateVector& d1;
  double h;
};

/// Relative motion of one joint along a step, θ in [0, 1].
class JointPath {
 public:
  JointPath(const EquationOfMotion& equation, Index joint, const StepEnds& ends);
  JointMotion at(double theta) const;

 private:
  JointMotion start_;
  JointMotion end_;
  JointVector start_acceleration_;
  JointVector end_acceleration_;
  double h_;
};

struct Crossing {
  Index joint = 0;
  bool at_start = false;  ///< the phase ends where the step begins
  double before = 0.0;    ///< θ with positive distance
  double after = 0.0;     ///< θ with negative distance
};

class SwitchWatch {
 public:
  explicit SwitchWatch(const EquationOfMotion& equation);

  /// The first crossing of the step; steps shorter than `resolution` [s] are too short to judge fresh joints.
  std::optional<Crossing> first_crossing(const StepEnds& ends, double resolution) const;

  void set_fresh(Index joint) { fresh_[joint] = true; }
  void set_all_fresh() { fresh_.assign(fresh_.size(), true); }
  bool is_fresh(Index joint) const { return fresh_[joint]; }
  /// After an accepted step: a joint seen inside its phase is not fresh any more.
  void settle(const StateVector& x);

 private:
  std::optional<Crossing> crossing_of(Index joint, const JointPath& path, bool judge_fresh) const;

  const EquationOfMotion& equation_;
  std::vector<bool> fresh_;
};

/// θ in [crossing.before, crossing.after] where the interpolated distance vanishes, and its slope d(distance)/dθ there.
struct InterpolatedRoot {
  double theta = 0.0;
  double slope = 0.0;
};
InterpolatedRoot interpolated_root(const EquationOfMotion& equation, const StepEnds& ends, const Crossing& crossing);

}  // namespace masing::detail
