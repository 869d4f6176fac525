// The steady cycle of the slip/slap law, with exact sensitivities.
#pragma once

#include "masing/contact/detail/bracketed_root.hpp"
#include "masing/contact/slip_slap.hpp"

#include <cmath>
#include <limits>
#include <optional>

namespace masing::detail {

void slip_slap_cycle(const SlipSlap& law, const PeriodicMotion& motion, bool open, CycleResult& result);

/// Where the forces of a motion that is known at every instant have kinks or jump, and its turning points.
void find_slip_slap_kinks(const SlipSlap& law, const PeriodicMotion& motion, CycleResult& room, Kinks& kinks);

/// Where a quantity changes its sign between two instants. `evaluate(position)` returns it and its derivative.
template <class Quantity>
double find_change(double begin, double end, bool rising, Quantity evaluate) {
  constexpr double resolution = 1e-14;  // of the bracket
  return find_root(begin, end, rising, resolution * (end - begin), evaluate);
}

/// Smooth variant: the ceiling g = w + c that w_max does not exceed, along one branch.
struct SlipSlapCeiling {
  double height = std::numeric_limits<double>::infinity();
  double slope = 0.0;  ///< of g in time, wherever g is finite

  bool exists() const { return std::isfinite(height); }
};

/// Where the ceiling is lowest between two instants, if it falls at the first and rises at the second; otherwise nothing
/// (one of the two is then the lowest). `ceiling(position)` returns a SlipSlapCeiling. Regula falsi on the slope, with
/// halved end values (Illinois).
template <class Ceiling>
std::optional<double> find_lowest_ceiling(double begin, const SlipSlapCeiling& at_begin, double end,
                                          const SlipSlapCeiling& at_end, Ceiling ceiling) {
  constexpr int most_iterations = 60;
  constexpr double resolution = 1e-12;  // of the bracket at the start
  if (!at_begin.exists() && !at_end.exists()) return std::nullopt;
  // No ceiling is one infinitely high: it falls after the first instant, or rises before the second.
  const double steep = 1.0 + std::abs(at_begin.slope) + std::abs(at_end.slope);
  const double outside = at_begin.exists() ? steep : -steep;
  const auto slope_of = [&](const SlipSlapCeiling& c) { return c.exists() ? c.slope : outside; };
  double low = slope_of(at_begin), high = slope_of(at_end);
  if (!(low < 0.0 && high > 0.0)) return std::nullopt;
  const double smallest = resolution * (end - begin);
  double before = 0.0;
  for (int i = 0; i < most_iterations && end - begin > smallest; ++i) {
    const double position = begin + (end - begin) * low / (low - high);
    const double slope = slope_of(ceiling(position));
    if (slope == 0.0) return position;
    if (slope < 0.0) {
      if (before < 0.0) high *= 0.5;
      begin = position, low = slope;
    } else {
      if (before > 0.0) low *= 0.5;
      end = position, high = slope;
    }
    before = slope;
  }
  return 0.5 * (begin + end);
}

}  // namespace masing::detail
