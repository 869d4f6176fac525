#include "masing/contact/detail/slip_slap_branches.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

using Kind = SlipSlapEventKind;

// A period whose branches have exponents k_T |u − u₀| below this in total does not stir the contact.
constexpr double at_rest = 1e-12;

Index circular(Index i, Index count) { return i < count ? i : i - count; }

SlipSlapBranch branch_from(const Instant& at, double direction, SlipSlapMemory& memory, double u_by_w) {
  SlipSlapBranch branch;
  branch.law = {.direction = direction, .origin = at.u, .start = 0.0};
  branch.origin_source = memory.set({.position = at.position, .by_u = 1.0, .by_w = u_by_w});
  return branch;
}

// The branch after a reversal. The instant shifts by −δu̇/ü: u does not change with it, but Δ_T does, with w.
SlipSlapBranch reverse(const SlipSlap& law, const SlipSlapBranch& old, const SlipSlapEvent& event,
                       SlipSlapMemory& memory) {
  const Instant& at = event.at;
  const SlipSlap::Value friction = law.friction(at.u, law.loading(at.w), old.law);
  const auto& by = friction.gradient;
  SlipSlapBranch branch = branch_from(at, event.direction, memory, 0.0);
  branch.law.start = friction.value;
  MemorySetting start{.position = at.position, .by_u = by[SlipSlap::by_u], .by_w = by[SlipSlap::by_w]};
  if (at.u_curvature != 0.0) start.by_u_rate = -by[SlipSlap::by_w] * at.w_rate / at.u_curvature;
  start.parents[0] = {old.origin_source, -by[SlipSlap::by_u]};
  start.parents[1] = {old.start_source, by[SlipSlap::by_start]};
  branch.start_source = memory.set(start);
  return branch;
}

// The instant of re-contact shifts by −δw/ẇ, and u₀ with it.
SlipSlapBranch close(const Instant& at, double direction, SlipSlapMemory& memory) {
  return branch_from(at, direction, memory, at.w_rate != 0.0 ? -at.u_rate / at.w_rate : 0.0);
}

Index find_first(const SlipSlapEvents& events, Kind kind) {
  const auto found = std::find_if(events.list.begin(), events.list.end(),
                                  [&](const SlipSlapEvent& event) { return event.kind == kind; });
  return found == events.list.end() ? constant : found - events.list.begin();
}

// sgn(u̇) at event e: that of the reversal before it.
double direction_at(const SlipSlapEvents& events, Index e) {
  const Index count = static_cast<Index>(events.list.size());
  for (Index i = 0; i < count; ++i) {
    const SlipSlapEvent& event = events.list[static_cast<std::size_t>(circular(e + count - i, count))];
    if (event.kind == Kind::reversal) return event.direction;
  }
  return 1.0;
}

}  // namespace

const SlipSlapBranch& SlipSlapBranches::after(Index e) const {
  if (branches_.empty()) return only_;
  return e < 0 ? branches_.back() : branches_[static_cast<std::size_t>(e)];
}

// u₀ is the mean of u: like a contact in motion, it does not feel a shift of the whole motion.
void SlipSlapBranches::fill_at_rest(const SlipSlapPath& path, SlipSlapMemory& memory) {
  only_ = {};
  only_.law.origin = path.mean_u();
  only_.origin_source = memory.set_to_mean(0);
  std::fill(branches_.begin(), branches_.end(), only_);
}

// One lap with Δ₀ = 0 gives A; the weights 1 − E of the branches' directions add up to 1 − B, so that A/(1 − B) is exact
// however close to one B is.
bool SlipSlapBranches::find_fixed_point(const SlipSlap& law, const SlipSlapEvents& events, Index first,
                                        SlipSlapBranch& branch, double& forgotten) const {
  const Index count = static_cast<Index>(events.list.size());
  SlipSlap::Branch now = branch.law;
  double end = 0.0;
  double total = 0.0;
  for (Index i = 1; i <= count; ++i) {
    const SlipSlapEvent& event = events.list[static_cast<std::size_t>(circular(first + i, count))];
    if (event.kind != Kind::reversal || event.at.w <= 0.0) continue;
    const double exponent = law.exponent(event.at.u, law.loading(event.at.w), now);
    end = std::exp(-exponent) * end - std::expm1(-exponent) * now.direction;
    total += exponent;
    now = {.direction = event.direction, .origin = event.at.u, .start = 0.0};
  }
  if (total < at_rest) return false;
  forgotten = -std::expm1(-total);
  branch.law.start = end / forgotten;
  return true;
}

// From a re-contact, where the past is forgotten, or from a reversal with the periodic Δ₀. With x = A + B x its sensitivity
// is dx = (dA + x dB)/(1 − B): that of a lap that begins with a constant x, divided by 1 − B. In an open period Δ₀ is simply
// what the lap before ends with.
void SlipSlapBranches::find(const SlipSlap& law, const SlipSlapPath& path, const SlipSlapEvents& events,
                            SlipSlapMemory& memory) {
  const Index count = static_cast<Index>(events.list.size());
  branches_.assign(events.list.size(), {});
  const auto at = [&](Index e) -> const SlipSlapEvent& { return events.list[static_cast<std::size_t>(e)]; };
  const auto go_on = [&](const SlipSlapBranch& branch, Index e) {
    const SlipSlapEvent& event = at(e);
    const bool reverses = event.kind == Kind::reversal && branch.contact && event.at.w > 0.0;
    if (event.kind == Kind::closing) return close(event.at, direction_at(events, e), memory);
    if (reverses) return reverse(law, branch, event, memory);
    SlipSlapBranch same = branch;
    if (event.kind == Kind::opening) same.contact = false;
    return same;
  };
  Index first = find_first(events, Kind::closing);
  const bool forgets = first != constant;
  SlipSlapBranch branch;
  if (forgets) {
    branch = close(at(first).at, direction_at(events, first), memory);
  } else {
    first = find_first(events, Kind::reversal);
    if (first == constant) return fill_at_rest(path, memory);
    branch = branch_from(at(first).at, at(first).direction, memory, 0.0);
    double forgotten = 1.0;
    if (!find_fixed_point(law, events, first, branch, forgotten)) return fill_at_rest(path, memory);
    MemorySetting periodic;
    if (!memory.open()) {
      SlipSlapBranch lap = branch;
      for (Index i = 1; i <= count; ++i) lap = go_on(lap, circular(first + i, count));
      periodic.parents[0] = {lap.start_source, 1.0 / forgotten};
    }
    branch.start_source = memory.set(periodic);
  }
  branches_[static_cast<std::size_t>(first)] = branch;
  for (Index i = 1; i < count; ++i) {
    const Index e = circular(first + i, count);
    branches_[static_cast<std::size_t>(e)] = branch = go_on(branch, e);
  }
  if (memory.open() && !forgets) {
    memory.set_like(branches_[static_cast<std::size_t>(first)].start_source, go_on(branch, first).start_source);
  }
}

}  // namespace masing::detail
