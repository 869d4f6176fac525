// The amplitude of one observable in one harmonic as a function along a branch: its square g, and dg/ds. Peaks are zeros
// of dg/ds, half-power points zeros of g/g_peak − 1/2.
//
//   A = (ikΩ)ⁿ q_k (n = 0, 1, 2 for displacement, velocity, acceleration),   g = |A|²,   dg/ds = 2 Re(Ā A'),
//   A' = (ikΩ)ⁿ (q_k' + n Ω'/Ω q_k).   All derivatives are exact.
#pragma once

#include "masing/analysis/observable.hpp"
#include "masing/balance/harmonic_balance.hpp"
#include "masing/continuation/branch.hpp"

namespace masing::detail {

struct SquaredAmplitude {
  double value = 0.0;
  double rate = 0.0;  ///< per arc length
};

/// `direction` is the tangent in the problem's units with λ [Hz] last; `i` the position of the harmonic in the set.
SquaredAmplitude squared_amplitude(HarmonicBalance& balance, const Observable& observable, Index i,
                                   const BranchPoint& point, const Vector& direction);

}  // namespace masing::detail
