#include "masing/contact/detail/slip_slap_cycle.hpp"

#include "masing/contact/detail/slip_slap_branches.hpp"
#include "masing/contact/steady_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace masing::detail {

namespace {

using Kind = SlipSlapEventKind;
using Value = SlipSlap::Value;

struct Workspace final : ElementWorkspace {
  SlipSlapEvents events;
  SlipSlapBranches branches;
};

/// w_max; it becomes a source only when something uses it.
struct Peak {
  static constexpr Index noted = -2;

  double value = 0.0;
  Index source = constant;
  MemorySetting setting = {};
};

/// Goes once round the period, beginning at the highest penetration, where w_max = w, and writes the forces.
class Pass {
 public:
  /// `kinks`: where to note instants at which the contact begins or ceases to slide, to unload, or to be renewed; or null.
  Pass(const SlipSlap& law, const SlipSlapPath& path, const Workspace& room, SlipSlapMemory& memory,
       CycleResult& result, Kinks* kinks)
      : law_(law), path_(path), room_(room), memory_(memory), result_(result), kinks_(kinks) {}

  void run();

 private:
  void begin(double position, const SlipSlapBranch& branch);
  void pass_event(const SlipSlapEvent& event, double position, const SlipSlapBranch& next);
  void pass_sample(Index sample, double position);
  Instant last_of(const SlipSlapEvent& event, double position) const;
  Value go_to(double position, double w, const Value& friction);
  Value follow_peak(double position, double w, const Value& friction);
  Value follow_peak_below_ceiling(double position, double w, const Value& friction);
  void set_peak(double position, double w) { peak_ = {w, Peak::noted, {.position = position, .by_w = 1.0}}; }
  void overtake_peak(double position, double w);
  double change_of_sliding(double position, bool begins) const;
  void begin_sliding(double position);
  void end_sliding(double position);
  void add_jump(double position);
  Value friction_at(const Instant& at) const { return law_.friction(at.u, law_.loading(at.w), branch_.law); }
  double friction_rate(const Value& friction, const Instant& at) const;
  void note(double position) {
    if (kinks_ != nullptr) kinks_->ends.push_back(std::fmod(path_.time(position), 2.0 * pi));
  }
  void note_change_of_sign(double position, const Value& friction);
  void note_ceiling(double begin, double end);
  SlipSlapCeiling ceiling_at(double position, double side) const;
  Peak peak_at_ceiling(double position, double w, const Value& friction) const;
  void use_memory(Index sample, const SlipSlap::Forces& forces);
  Index peak_source();

  const SlipSlap& law_;
  const SlipSlapPath& path_;
  const Workspace& room_;
  SlipSlapMemory& memory_;
  CycleResult& result_;
  Kinks* kinks_;

  SlipSlapBranch branch_;
  Peak peak_;
  double friction_ = 0.0;  // Δ_T where the pass has come
  bool sliding_ = false;
  bool unloads_ = false;     // w < w_max
  bool at_ceiling_ = false;  // of the smooth variant
  SlipSlapCeiling ceiling_;  // of the smooth variant, where the pass has come
  double position_ = 0.0;    // how far the pass has come; beyond N in the second part of the way round
};

void Pass::run() {
  const auto& events = room_.events.list;
  const Index count = static_cast<Index>(events.size());
  const Index samples = path_.samples();
  const double start = room_.events.highest;
  Index e = 0;
  while (e < count && events[static_cast<std::size_t>(e)].at.position < start) ++e;
  begin(start, room_.branches.after(e - 1));
  Index first = 0;
  while (first < samples && path_.position_of(first) < start) ++first;
  for (Index i = first; i < first + samples; ++i) {
    const double sample_position = path_.position_of(i % samples) + static_cast<double>(i / samples * samples);
    for (; count > 0; ++e) {
      const Index number = e % count;
      const SlipSlapEvent& event = events[static_cast<std::size_t>(number)];
      const double position = event.at.position + static_cast<double>(e / count * samples);
      if (position >= sample_position) break;
      pass_event(event, position, room_.branches.after(number));
    }
    pass_sample(i % samples, sample_position);
  }
}

void Pass::begin(double position, const SlipSlapBranch& branch) {
  branch_ = branch;
  position_ = position;
  const Instant at = path_.at(position);
  if (room_.events.w_rests && law_.remembers_peak()) {
    // As the crest of a vibration that vanishes: forces follow the mean along the loading curve, vibrations unload.
    peak_ = {path_.motion().displacement.col(1).maxCoeff() + path_.approach(), memory_.set_to_mean(1), {}};
  } else {
    set_peak(position, at.w);
  }
  if (branch_.contact) friction_ = friction_at(at).value;
  sliding_ = law_.slides(friction_);
  if (branch_.contact && law_.remembers_peak() && law_.parameters().smooth_refresh)
    ceiling_ = ceiling_at(position, 1.0);
}

void Pass::pass_event(const SlipSlapEvent& event, double position, const SlipSlapBranch& next) {
  const Instant at = last_of(event, position);
  if (branch_.contact && at.w > 0.0) go_to(at.position, at.w, friction_at(at));
  if (event.kind == Kind::opening || event.kind == Kind::closing) {
    peak_ = {};
    friction_ = 0.0;
    sliding_ = unloads_ = at_ceiling_ = false;
    ceiling_ = {};
  }
  branch_ = next;
  position_ = position;
  if (ceiling_.exists()) ceiling_ = ceiling_at(position, 1.0);
}

// Just before the surfaces part, where they still touch.
Instant Pass::last_of(const SlipSlapEvent& event, double position) const {
  constexpr double beside = 1e-8;  // of a sample
  Instant at = event.at;
  if (event.kind == Kind::opening && path_.is_known_between_samples()) {
    at = path_.at(std::max(position - beside, position_));
  } else {
    at.position = position;
  }
  return at;
}

void Pass::pass_sample(Index sample, double position) {
  const double u = path_.u(sample);
  const double w = path_.w(sample);
  if (!branch_.contact || w <= 0.0) {
    result_.force.row(sample).setZero();
    result_.by_displacement.row(sample).setZero();
    position_ = position;
    return;
  }
  const SlipSlap::Loading loading = law_.loading(w);
  const Value friction = law_.friction(u, loading, branch_.law);
  const Value unloading = go_to(position, w, friction);
  const SlipSlap::Forces forces = law_.forces(loading, friction, unloading);
  result_.force(sample, 0) = forces.tangential.value;
  result_.force(sample, 1) = forces.normal.value;
  for (const int b : {SlipSlap::by_u, SlipSlap::by_w}) {
    result_.by_displacement(sample, 2 * b) = forces.tangential.gradient[b];
    result_.by_displacement(sample, 2 * b + 1) = forces.normal.gradient[b];
  }
  use_memory(sample, forces);
  position_ = position;
}

// Brings the memory to this position; returns w_max − w.
Value Pass::go_to(double position, double w, const Value& friction) {
  if (!law_.remembers_peak()) return {};
  if (kinks_ != nullptr) note_change_of_sign(position, friction);
  const Value unloading = follow_peak(position, w, friction);
  friction_ = friction.value;
  unloads_ = unloading.value > 0.0;
  return unloading;
}

// P depends on |Δ_T| where the contact unloads.
void Pass::note_change_of_sign(double position, const Value& friction) {
  if (!unloads_ || friction.value * friction_ >= 0.0) return;
  note(find_change(position_, position, friction.value > 0.0, [&](double tried) {
    const Instant at = path_.at(tried);
    const Value there = friction_at(at);
    return std::pair(there.value, path_.time(1.0) * friction_rate(there, at));
  }));
}

// Where w_max = w, be it because the contact slides or because w is larger than ever, nothing is unloaded.
Value Pass::follow_peak(double position, double w, const Value& friction) {
  const bool slides = law_.slides(friction.value);
  if (room_.events.w_rests) return slides ? Value{} : SlipSlap::unloading(w, peak_.value);
  if (law_.parameters().smooth_refresh) return follow_peak_below_ceiling(position, w, friction);
  if (sliding_ && !slides) end_sliding(position);
  if (!sliding_ && slides && path_.is_known_between_samples()) begin_sliding(position);
  sliding_ = slides;
  if (!slides && w <= peak_.value) return SlipSlap::unloading(w, peak_.value);
  slides ? set_peak(position, w) : overtake_peak(position, w);
  return {};
}

void Pass::overtake_peak(double position, double w) {
  if (unloads_ && kinks_ != nullptr) {
    note(find_change(position_, position, true, [&](double tried) {
      const Instant at = path_.at(tried);
      return std::pair(at.w - peak_.value, path_.time(1.0) * at.w_rate);
    }));
  }
  set_peak(position, w);
}

// Smooth variant: w_max = max(w, min(w_max, g)), also where g is lowest between the last instant and this one. That instant
// shifts with the motion, but g does not change with it.
Value Pass::follow_peak_below_ceiling(double position, double w, const Value& friction) {
  const SlipSlapCeiling before = std::exchange(ceiling_, {});
  const Value largest = law_.largest_unloading(friction);
  if (std::isfinite(largest.value)) ceiling_ = ceiling_at(position, -1.0);
  const auto lowest =
      find_lowest_ceiling(position_, before, position, ceiling_, [&](double tried) { return ceiling_at(tried, 0.0); });
  if (lowest) {
    const Instant at = path_.at(*lowest);
    const Peak found = peak_at_ceiling(*lowest, at.w, friction_at(at));
    if (found.value < peak_.value) {
      if (!at_ceiling_) note_ceiling(position_, *lowest);
      note(*lowest);
      peak_ = found;
    }
  }
  if (!path_.is_known_between_samples()) ceiling_ = ceiling_.exists() ? ceiling_at(position, 1.0) : ceiling_;
  const bool was_at_ceiling = std::exchange(at_ceiling_, false);
  if (w > peak_.value) {
    overtake_peak(position, w);
    return {};
  }
  if (w + largest.value >= peak_.value) return SlipSlap::unloading(w, peak_.value);
  if (!was_at_ceiling) note_ceiling(lowest.value_or(position_), position);
  at_ceiling_ = true;
  peak_ = peak_at_ceiling(position, w, friction);
  return largest;
}

// Where the ceiling comes down to w_max.
void Pass::note_ceiling(double begin, double end) {
  if (kinks_ == nullptr) return;
  note(find_change(begin, end, false, [&](double tried) {
    const SlipSlapCeiling ceiling = ceiling_at(tried, 0.0);
    if (!ceiling.exists()) return std::pair(1.0, 0.0);
    return std::pair(ceiling.height - peak_.value, path_.time(1.0) * ceiling.slope);
  }));
}

// `side`: −1 or 1 where the motion before or after this position counts, which differ on a polygon.
SlipSlapCeiling Pass::ceiling_at(double position, double side) const {
  constexpr double next_to = 1e-3;  // of a sample: on the same straight piece
  const Instant at = path_.at(position);
  const Value largest = law_.largest_unloading(friction_at(at));
  if (!std::isfinite(largest.value)) return {};
  const bool corner = side < 0.0 && !path_.is_known_between_samples();
  const Instant rates = corner ? path_.at(position - std::min(next_to, 0.5 * (position - position_))) : at;
  const auto& by = largest.gradient;
  return {at.w + largest.value, by[SlipSlap::by_u] * rates.u_rate + (1.0 + by[SlipSlap::by_w]) * rates.w_rate};
}

Peak Pass::peak_at_ceiling(double position, double w, const Value& friction) const {
  const Value largest = law_.largest_unloading(friction);
  const auto& by = largest.gradient;
  Peak peak{w + largest.value, Peak::noted, {.position = position}};
  peak.setting.by_u = by[SlipSlap::by_u];
  peak.setting.by_w = 1.0 + by[SlipSlap::by_w];
  peak.setting.parents[0] = {branch_.origin_source, -by[SlipSlap::by_u]};
  peak.setting.parents[1] = {branch_.start_source, by[SlipSlap::by_start]};
  return peak;
}

double Pass::friction_rate(const Value& friction, const Instant& at) const {
  return friction.gradient[SlipSlap::by_u] * at.u_rate + friction.gradient[SlipSlap::by_w] * at.w_rate;
}

double Pass::change_of_sliding(double position, bool begins) const {
  const double per_position = path_.is_known_between_samples() ? path_.time(1.0) : 1.0;
  return find_change(position_, position, begins, [&](double tried) {
    const Instant at = path_.at(tried);
    const Value friction = friction_at(at);
    const double slope = std::copysign(per_position, friction.value) * friction_rate(friction, at);
    return std::pair(std::abs(friction.value) - SlipSlap::sliding_limit, slope);
  });
}

void Pass::begin_sliding(double position) {
  if (kinks_ == nullptr && !path_.has_chosen_instants()) return;
  const double begin = change_of_sliding(position, true);
  note(begin);
  if (path_.has_chosen_instants()) add_jump(begin);
}

// P and Q jump where w_max becomes w, at an instant that shifts by −δΔ_T / (dΔ_T/dτ).
void Pass::add_jump(double position) {
  const Instant at = path_.at(position);
  const Value friction = friction_at(at);
  const double rate = friction_rate(friction, at);
  if (at.w >= peak_.value || rate == 0.0) return;
  const SlipSlap::Loading loading = law_.loading(at.w);
  const SlipSlap::Forces before = law_.forces(loading, friction, SlipSlap::unloading(at.w, peak_.value));
  const SlipSlap::Forces after = law_.forces(loading, friction, {});
  const SlipSlap::Gradient by = -friction.gradient / rate;
  MemorySetting shift{.position = position, .by_u = by[SlipSlap::by_u], .by_w = by[SlipSlap::by_w]};
  shift.parents[0] = {branch_.origin_source, -by[SlipSlap::by_u]};
  shift.parents[1] = {branch_.start_source, by[SlipSlap::by_start]};
  ForceJump& jump = result_.jumps.emplace_back();
  jump.time = std::fmod(path_.time(position), 2.0 * pi);
  jump.source = memory_.set(shift);
  jump.weight.resize(2);
  jump.weight << before.tangential.value - after.tangential.value, before.normal.value - after.normal.value;
}

// w_max = w where |Δ_T| falls below the limit, at an instant that shifts likewise.
void Pass::end_sliding(double position) {
  const double end = change_of_sliding(position, false);
  note(end);
  const Instant at = path_.at(end);
  const Value friction = friction_at(at);
  const double rate = friction_rate(friction, at);
  const double shift = rate != 0.0 ? at.w_rate / rate : 0.0;
  const SlipSlap::Gradient by = -shift * friction.gradient;
  peak_ = {at.w, Peak::noted, {.position = end, .by_u = by[SlipSlap::by_u], .by_w = 1.0 + by[SlipSlap::by_w]}};
  peak_.setting.parents[0] = {branch_.origin_source, -by[SlipSlap::by_u]};
  peak_.setting.parents[1] = {branch_.start_source, by[SlipSlap::by_start]};
}

void Pass::use_memory(Index sample, const SlipSlap::Forces& forces) {
  const auto& q = forces.tangential.gradient;
  const auto& p = forces.normal.gradient;
  memory_.use(sample, branch_.origin_source, -q[SlipSlap::by_u], -p[SlipSlap::by_u]);
  memory_.use(sample, branch_.start_source, q[SlipSlap::by_start], p[SlipSlap::by_start]);
  if (p[SlipSlap::by_peak] == 0.0) return;
  memory_.use(sample, peak_source(), q[SlipSlap::by_peak], p[SlipSlap::by_peak]);
}

Index Pass::peak_source() {
  if (peak_.source == Peak::noted) peak_.source = memory_.set(peak_.setting);
  return peak_.source;
}

// The pass itself notes what happens between these. Where w is smallest the surfaces may nearly part.
void note_events(const SlipSlap& law, const SlipSlapPath& path, const SlipSlapEvents& events, Kinks& kinks) {
  for (const TurningPoint& turn : events.normal_turns) {
    if (!turn.maximum && turn.value + path.approach() > 0.0) kinks.ends.push_back(turn.time);
  }
  for (const SlipSlapEvent& event : events.list) {
    const bool touches = event.kind == Kind::opening || event.kind == Kind::closing;
    const bool matters = event.kind == Kind::reversal || law.remembers_peak();
    if (!touches && !(matters && event.at.w > 0.0)) continue;
    kinks.ends.push_back(path.time(event.at.position));
    if (touches) kinks.roots.push_back(kinks.ends.back());
  }
}

void run_cycle(const SlipSlap& law, const PeriodicMotion& motion, bool open, CycleResult& result, Kinks* kinks) {
  check_motion(SlipSlap::name, 2, false, motion);
  const SlipSlapPath path(motion, law.parameters().approach);
  result.resize(path.samples(), 2, false);
  SlipSlapMemory memory(path, open, result);
  result.report = {.closed = true, .cycles = 1, .closure_error = 0.0};
  auto& room = result.workspace.of<Workspace>();
  find_events(path, room.events);
  if (kinks != nullptr) {
    kinks->turns = room.events.turns;
    kinks->normal_turns = room.events.normal_turns;
  }
  if (!room.events.any_contact) {
    result.force.setZero();
    result.by_displacement.setZero();
    return;
  }
  room.branches.find(law, path, room.events, memory);
  if (kinks != nullptr) note_events(law, path, room.events, *kinks);
  Pass(law, path, room, memory, result, kinks).run();
  if (!result.force.allFinite()) throw_not_finite(SlipSlap::name, motion, result);
}

}  // namespace

void slip_slap_cycle(const SlipSlap& law, const PeriodicMotion& motion, bool open, CycleResult& result) {
  run_cycle(law, motion, open, result, nullptr);
}

void find_slip_slap_kinks(const SlipSlap& law, const PeriodicMotion& motion, CycleResult& room, Kinks& kinks) {
  constexpr int resolving = 32;  // friction that begins with a root of time where the surfaces touch
  kinks.nodes = resolving;
  run_cycle(law, motion, false, room, &kinks);
}

}  // namespace masing::detail
