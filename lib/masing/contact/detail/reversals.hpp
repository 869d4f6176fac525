// The reversals of a periodic motion, and the walk from one to the next over all samples: what laws that remember
// nothing but reversals (iwan, ripp) need of a period.
#pragma once

#include "masing/contact/element.hpp"

#include <cmath>
#include <span>
#include <vector>

namespace masing::detail {

struct Reversal {
  double position = 0.0;                         ///< in samples, [0, N), or below 0 if it comes before the first
  double value = 0.0;                            ///< x [m]
  bool maximum = false;                          ///< minimum otherwise
  Index sample = MemorySource::between_samples;  ///< where the motion is known only at samples
  double time = 0.0;                             ///< τ
};

/// Ascending in position, maxima and minima in turn; empty for a constant motion. Located between samples where the
/// motion is known there (PeriodicMotion::signals or turns), else the extreme samples. `scratch` is room to work in.
void find_reversals(const PeriodicMotion& motion, std::vector<TurningPoint>& scratch, std::vector<Reversal>& reversals);

/// The reversal of largest |x|.
std::size_t farthest_reversal(std::span<const Reversal> reversals);

/// Goes once around the period from reversal `start`: `on_sample(i, d)` for each sample on the way to the next reversal,
/// d = ±1 being the direction of motion, then `on_reversal(number, d)`; the last reversal reached is `start` again.
template <class OnSample, class OnReversal>
void walk_period(Index samples, std::span<const Reversal> reversals, std::size_t start, OnSample&& on_sample,
                 OnReversal&& on_reversal) {
  const std::size_t count = reversals.size();
  const Index last = static_cast<Index>(std::floor(reversals[start].position)) + samples;
  Index i = last - samples + 1;
  for (std::size_t k = 1; k <= count; ++k) {
    const std::size_t number = (start + k) % count;
    const Reversal& next = reversals[number];
    const double d = next.maximum ? 1.0 : -1.0;
    const double position = next.position + (number <= start ? static_cast<double>(samples) : 0.0);
    const Index end = k == count ? last : static_cast<Index>(std::floor(position));
    for (; i <= end; ++i) on_sample(i < samples ? i : i - samples, d);
    on_reversal(number, d);
  }
}

/// Instants between two reversals at which the motion passes values where a law has a corner (CycleResult::corners).
class Corners {
 public:
  /// Adds to those found. `wanted` false, or a motion that is known at samples only: nothing is looked for.
  Corners(const PeriodicMotion& motion, bool wanted, std::vector<double>& found)
      : signal_(wanted && !motion.signals.empty() ? motion.signals[0] : nullptr), found_(found) {}

  bool wanted() const { return signal_ != nullptr; }

  /// On the way from x(begin) to x(end), monotone and perhaps beyond the end of the period; values not passed are ignored.
  void pass(double value, double begin, double end);

 private:
  const PeriodicSignal* signal_;
  std::vector<double>& found_;
};

/// The kinks of a law of one input that remembers reversals: turning points, and the corners that its steady cycle tells.
void find_turns_and_corners(const ContactElement& element, const PeriodicMotion& motion, CycleResult& room,
                            Kinks& kinks);

/// Adds the scalar m with dm = weight · dx(at the reversal) + Σ parents; parents of no weight are left out.
Index add_source(CycleResult& result, const Reversal& reversal, double weight,
                 std::span<const MemoryParent> parents = {});

/// Writes uses one after the other over those of the call before: nothing is constructed anew.
class UseWriter {
 public:
  explicit UseWriter(std::vector<MemoryUse>& uses) : uses_(uses) {}
  ~UseWriter() { uses_.resize(count_); }
  UseWriter(const UseWriter&) = delete;
  UseWriter& operator=(const UseWriter&) = delete;

  void add(Index sample, Index source, double weight) {
    if (weight == 0.0) return;
    if (count_ == uses_.size()) uses_.resize(count_ < 64 ? 128 : 2 * count_);
    MemoryUse& use = uses_[count_++];
    use.sample = sample;
    use.source = source;
    use.weight.resize(1);
    use.weight[0] = weight;
  }

 private:
  std::vector<MemoryUse>& uses_;
  std::size_t count_ = 0;
};

}  // namespace masing::detail
