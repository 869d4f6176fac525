// The steady cycle of the slip/slap law, with exact sensitivities.
#pragma once

#include "masing/contact/slip_slap.hpp"

#include <cmath>
#include <limits>
#include <optional>

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
