// Keeps track, sample by sample, of where a law's memory was set, and writes sources and uses to a CycleResult.
//
// While a contact slips, every sample sets the memory and the next one forgets it again. A setting is therefore only
// noted; it becomes a source when something uses it for the first time.
#pragma once

#include "masing/contact/detail/memory_graph.hpp"

#include <array>

namespace masing::detail {

template <int D, int M>
class MemoryRecorder {
  static_assert(M >= 1 && M <= max_law_memory, "a law remembers at most max_law_memory scalars");

 public:
  explicit MemoryRecorder(CycleResult& result) : result_(result) { result_.clear_memory(); }

  /// The memory before the first sample was set at `sample` with these derivatives.
  void start_with(Index sample, const SmallMatrix<M, D>& by_displacement, const SmallMatrix<M, D>& by_velocity) {
    for (int m = 0; m < M; ++m) {
      slots_[m] = Slot{.source = noted, .sample = sample};
      slots_[m].by_displacement = by_displacement.row(m).transpose();
      slots_[m].by_velocity = by_velocity.row(m).transpose();
    }
  }

  /// The memory before the first sample depends on the motion at all these.
  template <class Origins>
  void start_with(const Origins& origins) {
    for (int m = 0; m < M; ++m) {
      Slot sum;
      for (const auto& origin : origins) {
        Slot next{.source = noted, .sample = origin.sample};
        next.by_displacement = origin.by_displacement.row(m).transpose();
        if (sum.source != constant) next.parent[next.parents++] = {materialise(sum), 1.0};
        sum = next;
      }
      slots_[m] = sum;
    }
  }

  /// The memory before the first sample is whatever it was: a source each, number 0 … M − 1 (CycleOptions::open).
  void start_open(Index inputs) {
    for (int m = 0; m < M; ++m) {
      slots_[m] = Slot{.source = m};
      MemorySource source{.sample = MemorySource::between_samples, .time = before_the_period};
      source.by_displacement.setZero(inputs);
      source.by_velocity.setZero(inputs);
      result_.sources.push_back(source);
    }
  }

  /// After the period: it becomes what is there now.
  void end_open() {
    const std::array<Index, M> final = sources();
    for (int m = 0; m < M; ++m) {
      MemorySource& source = result_.sources[static_cast<std::size_t>(m)];
      source.first_parent = static_cast<Index>(result_.parents.size());
      if (final[m] != constant) result_.parents.push_back({final[m], 1.0});
      source.end_parent = static_cast<Index>(result_.parents.size());
    }
  }

  void record(Index sample, const Response<D, M>& response) {
    for (int m = 0; m < M; ++m) {
      if (slots_[m].source == constant || (response.by_memory.col(m).array() == 0.0).all()) continue;
      result_.uses.push_back({sample, materialise(slots_[m]), response.by_memory.col(m)});
    }
    if (response.memory_set) set(sample, response);
  }

  /// Scalar m, set in this very sample or dragged, is set here once more as `source` says, which has no parents.
  void set_again(int m, const MemorySource& source) {
    const bool rests = slots_[m].source != noted;
    slots_[m] = Slot{.source = noted, .sample = source.sample, .dragged = source.dragged || rests};
    slots_[m].by_displacement = source.by_displacement;
    slots_[m].by_velocity = source.by_velocity;
  }

  /// Numbers of the sources of the M scalars as they are now.
  std::array<Index, M> sources() {
    std::array<Index, M> numbers;
    for (int m = 0; m < M; ++m) numbers[m] = materialise(slots_[m]);
    return numbers;
  }

  void continue_with(const std::array<Index, M>& numbers) {
    for (int m = 0; m < M; ++m) slots_[m] = Slot{.source = numbers[m]};
  }

 private:
  static constexpr Index noted = -2;  // set, but not used so far
  static constexpr double before_the_period = -1.0;

  struct Slot {
    Index source = constant;
    Index sample = 0;
    bool dragged = false;
    SmallVector<D> by_displacement = zeroed<SmallVector<D>>();
    SmallVector<D> by_velocity = zeroed<SmallVector<D>>();
    int parents = 0;
    std::array<MemoryParent, M> parent = {};
  };

  Index materialise(Slot& slot) {
    if (slot.source != noted) return slot.source;
    slot.source = static_cast<Index>(result_.sources.size());
    const Index first = static_cast<Index>(result_.parents.size());
    result_.parents.insert(result_.parents.end(), slot.parent.begin(), slot.parent.begin() + slot.parents);
    result_.sources.push_back({slot.sample, slot.by_displacement, slot.by_velocity, first, first + slot.parents});
    result_.sources.back().dragged = slot.dragged;
    return slot.source;
  }

  void set(Index sample, const Response<D, M>& response) {
    std::array<Slot, M> next;
    for (int m = 0; m < M; ++m) next[m] = slot_after(m, sample, response);
    slots_ = next;
  }

  Slot slot_after(int m, Index sample, const Response<D, M>& response) {
    Slot slot{.source = noted, .sample = sample};
    slot.by_displacement = response.memory_by_displacement.row(m).transpose();
    slot.by_velocity = response.memory_by_velocity.row(m).transpose();
    for (int j = 0; j < M; ++j) {
      const double weight = response.memory_by_memory(m, j);
      if (weight == 0.0 || slots_[j].source == constant) continue;
      slot.parent[slot.parents++] = {materialise(slots_[j]), weight};
    }
    const bool independent = (slot.by_displacement.array() == 0.0).all() && (slot.by_velocity.array() == 0.0).all();
    if (independent && slot.parents == 0) return Slot{};
    // A scalar that merely keeps its value, or takes over that of another one, is no new source.
    if (independent && slot.parents == 1 && slot.parent[0].weight == 1.0) return Slot{.source = slot.parent[0].source};
    return slot;
  }

  CycleResult& result_;
  std::array<Slot, M> slots_;
};

}  // namespace masing::detail
