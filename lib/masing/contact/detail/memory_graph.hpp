// The sensitivities of remembered scalars as a graph of sources and parents, from one marched period to the next.
//
// While a period is marched, the list of sources has two parts: a *prologue* (numbers below `prologue`), which says
// where the memory at the start of the period comes from, and the sources set in this period. `initial[m]` and
// `final[m]` are the numbers of the sources of scalar m before and after the period; `constant` where the motion has no
// influence.
#pragma once

#include "masing/contact/cycle.hpp"

#include <span>

namespace masing::detail {

inline constexpr Index constant = -1;

/// Before the next period: what the final memory comes from becomes the new prologue, everything else is dropped.
/// Writes the new numbers to `final` and returns the new prologue's length. A scalar that was merely held over the
/// whole period keeps the sources it had. One that was set keeps only links to sources of this period: closing the
/// cycle (below) restores the others exactly once the motion is periodic.
Index carry_over(CycleResult& result, Index prologue, std::span<Index> final);

/// One step of Newton's method towards the memory with which the period closes: with what it was at the period's
/// `start` and `end`, start + (I − Φ_q)⁻¹ (end − start), Φ_q as below.
SmallVector<Eigen::Dynamic> closing_memory(CycleResult& result, Index prologue, std::span<const Index> initial,
                                           std::span<const Index> final, const SmallVector<Eigen::Dynamic>& start,
                                           const SmallVector<Eigen::Dynamic>& end);

/// After the last period: replaces the prologue by the sensitivity of the periodic fixed point. With dq the sensitivity
/// of the memory at the start of the period, Φ_q the influence of the memory at its start on that at its end and h the
/// influence of the motion within the period,
///
///   dq = Φ_q dq + h   =>   dq = (I − Φ_q)⁻¹ h
///
/// h is expressed by copies of this period's sources, (I − Φ_q)⁻¹ by weights on them. Scalars held over the whole
/// period (Φ_q = 1) are not determined by the period; they keep the sensitivity with which they were set in an earlier
/// one. Where I − Φ_q is singular otherwise, the smallest dq is taken.
void close_cycle(CycleResult& result, Index prologue, std::span<const Index> initial, std::span<const Index> final);

}  // namespace masing::detail
