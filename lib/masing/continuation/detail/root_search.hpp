// Zero of a function in a bracket, safely and fast.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

namespace masing::detail {

/// Chandrupatla's method: inverse quadratic interpolation where it is trustworthy, bisection elsewhere; the bracket
/// always shrinks. `function(t, value)` returns false to abandon the search. f0 and f1 are the values at t0 and t1,
/// of opposite sign. Stops when the bracket is shorter than `tolerance` or the value is exactly zero; the last
/// evaluation was at the result or at the other end of the final bracket. Returns whether it was not abandoned;
/// `root` is the best t.
///
/// Reference: T. R. Chandrupatla, Advances in Engineering Software 28 (1997) 145–149.
template <class Function>
bool find_root(Function&& function, double t0, double f0, double t1, double f1, double tolerance, double& root) {
  double a = t1, fa = f1, b = t0, fb = f0, c = t0, fc = f0;
  double fraction = 0.5;
  constexpr int safeguard = 200;
  for (int i = 0; i < safeguard; ++i) {
    const double t = a + fraction * (b - a);
    double f = 0.0;
    if (!function(t, f) || std::isnan(f)) return false;
    if ((f > 0.0) == (fa > 0.0)) {
      c = a, fc = fa;
    } else {
      c = b, fc = fb, b = a, fb = fa;
    }
    a = t, fa = f;
    root = std::abs(fa) < std::abs(fb) ? a : b;
    const double limit = 0.5 * tolerance / std::abs(b - a);
    if (fa == 0.0 || limit >= 0.5) return true;
    const double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
    const bool trustworthy = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi;
    fraction = 0.5;
    if (trustworthy) {
      fraction = fa / (fb - fa) * (fc / (fb - fc)) + (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb));
    }
    fraction = std::clamp(fraction, limit, 1.0 - limit);
  }
  return true;
}

}  // namespace masing::detail
