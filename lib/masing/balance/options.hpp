// Choices of a harmonic balance.
#pragma once

#include "masing/contact/cycle.hpp"

#include <optional>
#include <vector>

namespace masing {

/// What happens between samples: reversals, the onset of slip, gaps that close.
enum class Events {
  located,  ///< laws that are linear piece by piece (jenkins, unilateral, sliders side by side) are integrated exactly between
  ///< located events; samples only bracket them. Laws that are smooth between kinks which they can locate (iwan, ripp,
  ///< iwan-stribeck, friction-2d, variable-load-iwan) are integrated from one to the next by Gauss's rule, with about
  ///< three quarters as many nodes as there are samples. Other laws are sampled, but those that remember reversals
  ///< or changes of contact locate them.
  sampled  ///< every law is sampled, as most codes do: coefficients err by 1/N², their derivatives by 1/N
};

/// Harmonics that follow the motion: a branch takes as many as the tails below ask for, point by point. A tail is the share
/// of the last two harmonics in the oscillating part (a ratio of amplitudes).
struct AdaptiveHarmonics {
  double tolerance = 1e-3;       ///< more harmonics where the tail of the joints' motion is above
  double force_tolerance = 0.1;  ///< … or that of the joints' forces, which fade slowly where joints slip or open
  int least = 3;                 ///< highest harmonic of the smallest set, >= 3
  bool leave_out_even = true;    ///< mean and even harmonics only where the motion is not symmetric
  Index samples = 256;           ///< per period, at least; more where 16 for the highest harmonic are more
};

struct BalanceOptions {
  std::vector<int> harmonics = {0, 1, 2, 3, 4, 5, 6, 7};  ///< ascending, distinct, >= 0; gaps allowed
  Index samples = 256;                                    ///< N per period; N > 2 max(harmonics)
  /// Set: `harmonics` is the largest set, 0 … H, and `samples` are those of it.
  std::optional<AdaptiveHarmonics> adaptive = {};
  Events events = Events::located;
  CycleOptions cycle;
};

}  // namespace masing
