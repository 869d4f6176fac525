// A periodic motion that is known at every instant, not only at samples: what happens between samples can be located.
//
// In a harmonic balance the motion is a trigonometric polynomial. Laws that remember reversals, gaps that close or the
// onset of slip locate those instants instead of taking the nearest sample for them.
#pragma once

#include "masing/core/types.hpp"

#include <vector>

namespace masing {

/// x(τ) with its first three derivatives; τ in [0, 2π) is the period, other values continue it.
struct Jet {
  double value = 0.0, slope = 0.0, curvature = 0.0, third = 0.0;
};

class PeriodicSignal {
 public:
  virtual ~PeriodicSignal() = default;
  virtual Jet at(double tau) const = 0;
};

struct TurningPoint {
  double time = 0.0;
  double value = 0.0;
  bool maximum = false;
};

/// The turning points of the signal, ascending in time within one period; maxima and minima alternate. Empty for a constant.
/// Equidistant samples bracket them; each is then located by a safeguarded Newton iteration on the slope. A maximum and a
/// minimum between the same two samples are found too, where the signal is flattest. Samples must resolve the highest
/// harmonic (8 or more in its period).
void find_turning_points(const PeriodicSignal& signal, const VectorView& samples, std::vector<TurningPoint>& turns);

/// The instant in [begin, end] where the signal, monotone there, takes a value that its ends enclose.
double find_crossing(const PeriodicSignal& signal, double begin, double end, double value);

}  // namespace masing
