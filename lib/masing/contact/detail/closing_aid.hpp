// Newton's method for cycles that close slowly: between marched periods it proposes the memory with which the period
// would close (detail/memory_graph.hpp).
//
// Where slip dies out, the periodic state lies at the very limit of stick, and a full step may lead beyond it: the
// memory is then merely held, and any value would do. Such a step is taken back and shortened, so that the limit is
// approached from the side of slip, as by marching, only faster.
#pragma once

#include "masing/contact/detail/memory_graph.hpp"

#include <algorithm>
#include <array>

namespace masing {

/// A law whose past fades slowly may take hundreds of periods to close. This one can be started with a given memory.
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

  explicit ClosingAid(const L& law) : law_(law) {}

  void begin_period(const typename L::State& state) {
    if constexpr (RestartableLaw<L>) start_ = law_.memory_of(state);
  }

  /// After a period that has not closed, before its sources are carried over.
  void end_period(CycleResult& result, Index prologue, const Numbers& initial, const Numbers& final,
                  typename L::State& state) {
    if constexpr (RestartableLaw<L>) {
      if (aided_ && initial == final) {
        shorten();
      } else {
        if (!is_due(result.report.cycles)) return;
        base_ = law_.memory_of(state);
        step_ = closing_memory(result, prologue, initial, final, start_, base_) - base_;
        aided_ = true;
      }
      state = law_.with_memory(state, base_ + share_ * step_);
    }
  }

 private:
  static constexpr int unaided_periods = 3;
  static constexpr int aided_every = 2;  // the periods between show whether it helped

  bool is_due(int period) const {
    return share_ > 0.0 && period > unaided_periods && (period - unaided_periods) % aided_every == 0;
  }
  /// 1, 0.75, 0.375; then plain marching goes on from where the last step was taken.
  void shorten() {
    share_ = share_ == 1.0 ? 0.75 : share_ == 0.75 ? 0.375 : 0.0;
    aided_ = share_ > 0.0;
  }

  const L& law_;
  Scalars start_ = Scalars::Zero();  // memory before the period
  Scalars base_ = Scalars::Zero();   // memory before the last step
  Scalars step_ = Scalars::Zero();   // the full step
  double share_ = 1.0;
  bool aided_ = false;
};

}  // namespace detail
}  // namespace masing
