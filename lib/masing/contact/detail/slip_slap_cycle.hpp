// The steady cycle of the slip/slap law, with exact sensitivities.
#pragma once

#include "masing/contact/slip_slap.hpp"

#include <cmath>

namespace masing::detail {

void slip_slap_cycle(const SlipSlap& law, const PeriodicMotion& motion, bool open, CycleResult& result);

/// Where |Δ_T| falls below the sliding limit between two instants, the first of which slides and the second does not.
/// `excess(position)` returns |Δ_T| − 0.99 and its derivative. Newton steps inside a shrinking bracket.
template <class Excess>
double find_end_of_sliding(double begin, double end, Excess excess) {
  constexpr int most_iterations = 60;   // bisection alone would need about 50
  constexpr double resolution = 1e-14;  // of the bracket at the start
  const double smallest_step = resolution * (end - begin);
  double position = 0.5 * (begin + end);
  for (int i = 0; i < most_iterations; ++i) {
    const auto [value, slope] = excess(position);
    (value >= 0.0 ? begin : end) = position;
    double next = slope != 0.0 ? position - value / slope : begin - 1.0;
    if (!(next > begin && next < end)) next = 0.5 * (begin + end);
    const double step = std::abs(next - position);
    position = next;
    if (step <= smallest_step) break;
  }
  return position;
}

}  // namespace masing::detail
