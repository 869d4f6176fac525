// Newton's method for cycles that close slowly: between marched periods it proposes the memory with which the period
// would close (detail/memory_graph.hpp), and it says how far the periodic state still is.
//
// Where each period goes but a small share of the way, forces that hardly change from one to the next prove nothing:
// the cycle is closed only when Newton's method, too, would change nothing.
#pragma once

#include "masing/contact/detail/memory_graph.hpp"

#include <algorithm>
#include <array>

namespace masing {

/// A law whose past fades slowly may take hundreds of periods to close. This one can be started with a given memory,
/// which is made of displacements, or of so many `positions` and of what follows from them.
template <class L>
concept RestartableLaw = ContactLaw<L> &&
    requires(const L law, const typename L::State state, const SmallVector<L::memory> memory) {
  { law.with_memory(state, memory) } -> std::same_as<typename L::State>;
};

namespace detail {

template <ContactLaw L>
class ClosingAid {
 public:
  using Scalars = SmallVector<L::memory>;
  using Numbers = std::array<Index, L::memory>;

  /// `tolerance` [m] on the memory.
  ClosingAid(const L& law, double tolerance) : law_(law), tolerance_(tolerance) {}

  void begin_period(const typename L::State& state) {
    if constexpr (RestartableLaw<L>) start_ = law_.memory_of(state);
  }

  /// After a period whose forces have closed: whether the memory has, too.
  bool agrees(CycleResult& result, Index prologue, const Numbers& initial, const Numbers& final,
              const typename L::State& state) {
    if constexpr (RestartableLaw<L>) {
      const Scalars end = law_.memory_of(state);
      const Scalars left = closing_memory(result, prologue, initial, final, start_, end) - end;
      if constexpr (requires { L::positions; }) {
        return left.template head<L::positions>().cwiseAbs().maxCoeff() <= tolerance_;
      }
      return left.cwiseAbs().maxCoeff() <= tolerance_;
    }
    return true;
  }

  /// After a period that has not closed, before its sources are carried over.
  void end_period(CycleResult& result, Index prologue, const Numbers& initial, const Numbers& final,
                  typename L::State& state) {
    if constexpr (RestartableLaw<L>) {
      if (!is_due(result.report.cycles)) return;
      state = law_.with_memory(state, closing_memory(result, prologue, initial, final, start_, law_.memory_of(state)));
    }
  }

 private:
  static constexpr int unaided_periods = 3;
  static constexpr int aided_every = 2;  // the periods between show whether it helped

  static bool is_due(int period) { return period > unaided_periods && (period - unaided_periods) % aided_every == 0; }

  const L& law_;
  double tolerance_;
  Scalars start_ = Scalars::Zero();  // memory before the period
};

}  // namespace detail
}  // namespace masing
