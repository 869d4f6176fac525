// A motion stays at a fold of its response curve, be it smooth or a corner, while the level changes: an extremum of g = Ω.
//
// Joints that remember change their tangent suddenly where a slider begins to slip: the response curve has a corner there. It may
// turn back at one without ever being vertical: det J then changes its sign without a zero, and FoldCondition, which looks for that
// zero, ends where the fold comes to sit at a corner. This one goes through; a smooth fold it misses by 1e-8.
#pragma once

#include "masing/analysis/detail/curve_difference.hpp"

namespace masing::detail {

class CornerFold final : public CurveDifference {
 private:
  void measure(const ConditionPoint& /*point*/, const Neighbour& at, Measure& g) override {
    g.value = at.omega;
    g.by_x.setZero(at.x.size());
    g.by_omega = 1.0;
    g.by_level = 0.0;
  }
};

}  // namespace masing::detail
