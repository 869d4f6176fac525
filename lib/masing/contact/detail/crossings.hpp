// The instants at which a periodic signal passes a value.
#pragma once

#include "masing/contact/signal.hpp"

#include <cmath>
#include <span>

namespace masing::detail {

/// Calls found(τ in [0, 2π), rising) for each; the signal is monotone between its turning points, which are all of one period.
template <class Found>
void for_crossings(const PeriodicSignal& signal, std::span<const TurningPoint> turns, double value, Found found) {
  constexpr double period = 2.0 * pi;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const TurningPoint &from = turns[i], &to = turns[(i + 1) % turns.size()];
    if ((from.value > value) == (to.value > value)) continue;
    const double end = to.time + (to.time <= from.time ? period : 0.0);
    found(std::fmod(find_crossing(signal, from.time, end, value), period), to.value > value);
  }
}

}  // namespace masing::detail
