// The hysteresis loops of the joints in a periodic motion: relative motion and force of every input over one period.
//
// They are kept of special points other than half-power ones, and of the first and the last point of a branch; where loops
// are wanted elsewhere on a backbone or a force response, its `marks` make special points there.
#pragma once

#include "masing/core/types.hpp"

#include <string>
#include <vector>

namespace masing {

struct JointCycles {
  static constexpr const char* at_point = "point";

  std::string kind;        ///< of the special point, or at_point
  Index point = 0;         ///< number of the point; special ones lie between it and the next
  double frequency = 0.0;  ///< of the excitation [Hz]
  Matrix motion;           ///< samples × inputs of all joints, equidistant in time [m]
  Matrix force;            ///< the same of the forces [N]
};

/// What is read off the loop of one input.
struct CycleMeasures {
  double largest_motion = 0.0, smallest_motion = 0.0;  ///< [m]
  double largest_force = 0.0, smallest_force = 0.0;    ///< [N]
  /// ∮ f du [J]: the polygon through the samples and the one through every second, extrapolated (Richardson).
  double area = 0.0;

  double amplitude() const { return 0.5 * (largest_motion - smallest_motion); }
  /// (largest + smallest force)/(largest − smallest): 0 for a loop that is as strong both ways, ±1 for one that only pulls.
  double asymmetry() const;
};

CycleMeasures cycle_measures(const JointCycles& cycles, Index input);

/// The columns that belong to a joint in the list of input names "joint" or "joint.1", "joint.2", …; none: count = 0.
struct InputColumns {
  Index first = 0;
  Index count = 0;
};
InputColumns columns_of_joint(const std::vector<std::string>& inputs, const std::string& joint);

}  // namespace masing
