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

void StuckMemory::note(Index sample, const VariableLoadIwan::State& state, const VariableLoadIwan::Answer& answer) {
  samples_[static_cast<std::size_t>(sample)].reach_by_approach = answer.reach_by_approach;
  samples_[static_cast<std::size_t>(sample)].touch = answer.touch;
  for (std::size_t j = 0; j < elements_.size(); ++j) {
    const double sign = state.sliding[static_cast<Index>(j)];
    if (sign == 0.0 && !state.open) continue;
    elements_[j].slid = sample;
    elements_[j].sign = sign;
  }
}

void StuckMemory::record(Index sample, const VariableLoadIwan& law, const VariableLoadIwan::State& state,
                         const VariableLoadIwan::Answer& answer, CycleResult& result) {
  samples_[static_cast<std::size_t>(sample)].touch = answer.touch;
  for (Index j = 0; j < static_cast<Index>(elements_.size()); ++j) {
    const double sign = state.sliding[j];
    come_or_go(sample, sign == 0.0 && !state.open, sign, j, law);
  }
  update_sum(sample, result);
  if (sum_ == none) return;
  result.uses.push_back({sample, sum_, SmallVector<Eigen::Dynamic>{{answer.by_memory, 0.0}}});
  drag_again(sample, law, result);
}

void StuckMemory::drags(Index j) {
  Element& element = elements_[static_cast<std::size_t>(j)];
  if (element.slid == none) return;
  element.dragged = true;
  samples_[static_cast<std::size_t>(element.slid)].drags = true;
}

void StuckMemory::drag_again(Index sample, const VariableLoadIwan& law, CycleResult& result) {
  if (!samples_[static_cast<std::size_t>(sample)].drags) return;
  for (Index j = 0; j < static_cast<Index>(elements_.size()); ++j) {
    Element& element = elements_[static_cast<std::size_t>(j)];
    if (!element.dragged || element.slid != sample) continue;
    change(element, -1.0, j, law);
    element.held = false;
    --held_;
  }
  update_sum(sample, result);
}

void StuckMemory::come_or_go(Index sample, bool stuck, double sign, Index j, const VariableLoadIwan& law) {
  Element& element = elements_[static_cast<std::size_t>(j)];
  if (!stuck) {
    if (element.held) change(element, -1.0, j, law);
    if (element.landed) land(element, -1.0, j, law);
    held_ -= element.held ? 1 : 0;
    element = {.slid = sample, .sign = sign};
    return;
  }
  if (element.slid == none) return;
  if (!element.held) {
    change(element, 1.0, j, law);
    element.held = true;
    ++held_;
  }
  const bool was_open = element.sign == 0.0;
  if (was_open && !element.landed && sample != next(element.slid)) land(element, 1.0, j, law);
}

StuckMemory::Sample& StuckMemory::change_at(Index at) {
  Sample& sample = samples_[static_cast<std::size_t>(at)];
  if (!sample.touched) touched_.push_back(at);
  sample.touched = true;
  return sample;
}

void StuckMemory::change(const Element& element, double sign, Index j, const VariableLoadIwan& law) {
  Sample& sample = change_at(element.slid);
  (element.dragged ? sample.dragged_stiffness : sample.stiffness) += sign * law.stiffness(j);
  (element.dragged ? sample.dragged_slip_force : sample.slip_force) += sign * element.sign * law.slip_force(j);
}

void StuckMemory::land(Element& element, double sign, Index j, const VariableLoadIwan& law) {
  change_at(next(element.slid)).landed += sign * law.stiffness(j);
  element.landed = sign > 0.0;
}

void StuckMemory::update_sum(Index at, CycleResult& result) {
  if (touched_.empty()) return;
  sum_ = held_ > 0 ? next_sum(at, result) : none;
  for (const Index r : touched_) {
    Sample& sample = samples_[static_cast<std::size_t>(r)];
    sample.stiffness = sample.slip_force = sample.landed = 0.0;
    sample.dragged_stiffness = sample.dragged_slip_force = 0.0;
    sample.touched = false;
  }
  touched_.clear();
}

// What sticks in this sample slid last in the one before, at the latest: that is when the sum was set.
Index StuckMemory::next_sum(Index sample, CycleResult& result) {
  const Index first = static_cast<Index>(result.parents.size());
  if (sum_ != none) result.parents.push_back({sum_, 1.0});
  for (const Index r : touched_) {
    Sample& slid = samples_[static_cast<std::size_t>(r)];
    if (slid.stiffness != 0.0) result.parents.push_back({position_source(r, result), -slid.stiffness});
    if (slid.landed != 0.0) result.parents.push_back({landing_source(r, result), -slid.landed});
    if (slid.slip_force != 0.0) result.parents.push_back({reach_source(r, result), slid.slip_force});
    if (slid.dragged_stiffness != 0.0) {
      const Index place = dragged_source(slid.dragged_position_source, r, 1.0, 0.0, result);
      result.parents.push_back({place, -slid.dragged_stiffness});
    }
    if (slid.dragged_slip_force != 0.0) {
      const Index reach = dragged_source(slid.dragged_reach_source, r, 0.0, slid.reach_by_approach, result);
      result.parents.push_back({reach, slid.dragged_slip_force});
    }
  }
  const Index before = (sample > 0 ? sample : static_cast<Index>(samples_.size())) - 1;
  const Index sum = add_source(before, 0.0, 0.0, result);
  result.sources.back().first_parent = first;
  return sum;
}

Index StuckMemory::position_source(Index sample, CycleResult& result) {
  Index& source = samples_[static_cast<std::size_t>(sample)].position_source;
  const VariableLoadIwan::Touch& touch = samples_[static_cast<std::size_t>(next(sample))].touch;
  if (source == none) source = add_source(sample, 1.0 - touch.share, touch.by_open, result);
  return source;
}

Index StuckMemory::dragged_source(Index& source, Index sample, double by_displacement, double by_approach,
                                  CycleResult& result) {
  if (source != none) return source;
  source = add_source(sample, by_displacement, by_approach, result);
  result.sources.back().dragged = true;
  return source;
}

Index StuckMemory::landing_source(Index sample, CycleResult& result) {
  Sample& at = samples_[static_cast<std::size_t>(sample)];
  if (at.landing_source == none) at.landing_source = add_source(sample, at.touch.share, at.touch.by_closed, result);
  return at.landing_source;
}

Index StuckMemory::reach_source(Index sample, CycleResult& result) {
  Sample& at = samples_[static_cast<std::size_t>(sample)];
  if (at.reach_source == none) at.reach_source = add_source(sample, 0.0, at.reach_by_approach, result);
  return at.reach_source;
}

}  // namespace masing::detail
