// The root of a function in a bracket: Newton steps that stay inside it while it shrinks, bisection where they would leave it.
#pragma once

#include <cmath>

namespace masing::detail {

/// `evaluate(t)` returns {value, slope}; the slope may be approximate, or 0 where it is not known. `rising`: the value is
/// negative at `begin` and positive at `end`. Ends once a step is shorter than `smallest_step`.
template <class Function>
double find_root(double begin, double end, bool rising, double smallest_step, Function evaluate) {
  constexpr int most_iterations = 60;  // bisection alone would need 52
  double t = 0.5 * (begin + end);
  for (int i = 0; i < most_iterations; ++i) {
    const auto [value, slope] = evaluate(t);
    if (value == 0.0) return t;
    ((value < 0.0) == rising ? begin : end) = t;
    double next = slope != 0.0 ? t - value / slope : begin - 1.0;
    if (!(next > begin && next < end)) next = 0.5 * (begin + end);
    const double step = std::abs(next - t);
    t = next;
    if (step < smallest_step) break;
  }
  return t;
}

}  // namespace masing::detail
