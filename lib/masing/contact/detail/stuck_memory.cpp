#include "masing/contact/detail/stuck_memory.hpp"

namespace masing::detail {
namespace {

Index add_source(Index sample, double by_displacement, double by_approach, CycleResult& result) {
  MemorySource source{.sample = sample};
  source.by_displacement = SmallVector<Eigen::Dynamic>{{by_displacement, by_approach}};
  source.by_velocity.setZero(2);
  source.first_parent = source.end_parent = static_cast<Index>(result.parents.size());
  result.sources.push_back(source);
  return static_cast<Index>(result.sources.size()) - 1;
}

}  // namespace

void StuckMemory::restart(Index elements, Index samples) {
  elements_.assign(static_cast<std::size_t>(elements), {});
  samples_.assign(static_cast<std::size_t>(samples), {});
  touched_.clear();
  held_ = 0;
  sum_ = none;
}

void StuckMemory::note(Index sample, const VariableLoadIwan::State& state, double reach_by_approach) {
  samples_[static_cast<std::size_t>(sample)].reach_by_approach = reach_by_approach;
  for (std::size_t j = 0; j < elements_.size(); ++j) {
    const double sign = state.sliding[static_cast<Index>(j)];
    if (sign == 0.0 && !state.open) continue;
    elements_[j].slid = sample;
    elements_[j].sign = sign;
  }
}

void StuckMemory::record(Index sample, const VariableLoadIwan& law, const VariableLoadIwan::State& state, double weight,
                         CycleResult& result) {
  for (std::size_t j = 0; j < elements_.size(); ++j) {
    Element& element = elements_[j];
    const double sign = state.sliding[static_cast<Index>(j)];
    const bool stuck = sign == 0.0 && !state.open;
    if (stuck && !element.held && element.slid != none) {
      change(element, 1.0, static_cast<Index>(j), law);
      element.held = true;
      ++held_;
    } else if (!stuck) {
      if (element.held) change(element, -1.0, static_cast<Index>(j), law);
      held_ -= element.held ? 1 : 0;
      element = {.slid = sample, .sign = sign, .held = false};
    }
  }
  update_sum(sample, result);
  if (sum_ == none) return;
  result.uses.push_back({sample, sum_, SmallVector<Eigen::Dynamic>{{weight, 0.0}}});
}

void StuckMemory::change(const Element& element, double sign, Index j, const VariableLoadIwan& law) {
  Sample& sample = samples_[static_cast<std::size_t>(element.slid)];
  sample.stiffness += sign * law.stiffness(j);
  sample.slip_force += sign * element.sign * law.slip_force(j);
  if (!sample.touched) touched_.push_back(element.slid);
  sample.touched = true;
}

void StuckMemory::update_sum(Index at, CycleResult& result) {
  if (touched_.empty()) return;
  sum_ = held_ > 0 ? next_sum(at, result) : none;
  for (const Index r : touched_) {
    Sample& sample = samples_[static_cast<std::size_t>(r)];
    sample.stiffness = sample.slip_force = 0.0;
    sample.touched = false;
  }
  touched_.clear();
}

// What sticks in this sample slid last in the one before, at the latest: that is when the sum was set.
Index StuckMemory::next_sum(Index sample, CycleResult& result) {
  const Index first = static_cast<Index>(result.parents.size());
  if (sum_ != none) result.parents.push_back({sum_, 1.0});
  for (const Index r : touched_) {
    const Sample& slid = samples_[static_cast<std::size_t>(r)];
    result.parents.push_back({position_source(r, result), -slid.stiffness});
    if (slid.slip_force != 0.0) result.parents.push_back({reach_source(r, result), slid.slip_force});
  }
  const Index before = (sample > 0 ? sample : static_cast<Index>(samples_.size())) - 1;
  const Index sum = add_source(before, 0.0, 0.0, result);
  result.sources.back().first_parent = first;
  return sum;
}

Index StuckMemory::position_source(Index sample, CycleResult& result) {
  Index& source = samples_[static_cast<std::size_t>(sample)].position_source;
  if (source == none) source = add_source(sample, 1.0, 0.0, result);
  return source;
}

Index StuckMemory::reach_source(Index sample, CycleResult& result) {
  Sample& at = samples_[static_cast<std::size_t>(sample)];
  if (at.reach_source == none) at.reach_source = add_source(sample, 0.0, at.reach_by_approach, result);
  return at.reach_source;
}

}  // namespace masing::detail
