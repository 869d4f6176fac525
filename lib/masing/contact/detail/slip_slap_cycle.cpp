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
  Pass(const SlipSlap& law, const SlipSlapPath& path, const Workspace& room, SlipSlapMemory& memory,
       CycleResult& result)
      : law_(law), path_(path), room_(room), memory_(memory), result_(result) {}

  void run();

 private:
  void begin(double position, const SlipSlapBranch& branch);
  void pass_event(const SlipSlapEvent& event, double position, const SlipSlapBranch& next);
  void pass_sample(Index sample, double position);
  Value follow_peak(double position, double w, const Value& friction);
  Value follow_peak_below_ceiling(double position, double w, const Value& friction);
  void set_peak(double position, double w) { peak_ = {w, Peak::noted, {.position = position, .by_w = 1.0}}; }
  void end_sliding(double position);
  SlipSlapCeiling ceiling_at(double position, double side) const;
  Peak peak_at_ceiling(double position, double w, const Value& friction) const;
  void use_memory(Index sample, const SlipSlap::Forces& forces);
  Index peak_source();

  const SlipSlap& law_;
  const SlipSlapPath& path_;
  const Workspace& room_;
  SlipSlapMemory& memory_;
  CycleResult& result_;

  SlipSlapBranch branch_;
  Peak peak_;
  bool sliding_ = false;
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
  const Index first = static_cast<Index>(std::ceil(start));
  for (Index i = first; i < first + samples; ++i) {
    for (; count > 0; ++e) {
      const Index number = e % count;
      const SlipSlapEvent& event = events[static_cast<std::size_t>(number)];
      const double position = event.at.position + static_cast<double>(e / count * samples);
      if (position >= static_cast<double>(i)) break;
      pass_event(event, position, room_.branches.after(number));
    }
    pass_sample(i % samples, static_cast<double>(i));
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
  sliding_ = branch_.contact && law_.slides(law_.friction(at.u, law_.loading(at.w), branch_.law).value);
  if (branch_.contact && law_.remembers_peak() && law_.parameters().smooth_refresh)
    ceiling_ = ceiling_at(position, 1.0);
}

void Pass::pass_event(const SlipSlapEvent& event, double position, const SlipSlapBranch& next) {
  const Instant& at = event.at;
  if (branch_.contact && at.w > 0.0 && law_.remembers_peak()) {
    const Value friction = law_.friction(at.u, law_.loading(at.w), branch_.law);
    follow_peak(position, at.w, friction);
  }
  if (event.kind == Kind::opening || event.kind == Kind::closing) {
    peak_ = {};
    sliding_ = false;
    ceiling_ = {};
  }
  branch_ = next;
  position_ = position;
  if (ceiling_.exists()) ceiling_ = ceiling_at(position, 1.0);
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
  const Value unloading = law_.remembers_peak() ? follow_peak(position, w, friction) : Value{};
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

// Brings w_max to this position; returns w_max − w: nothing where w_max = w, be it because the contact slides or because w is
// larger than ever.
Value Pass::follow_peak(double position, double w, const Value& friction) {
  const bool slides = law_.slides(friction.value);
  if (room_.events.w_rests) return slides ? Value{} : SlipSlap::unloading(w, peak_.value);
  if (law_.parameters().smooth_refresh) return follow_peak_below_ceiling(position, w, friction);
  if (sliding_ && !slides) end_sliding(position);
  sliding_ = slides;
  if (!slides && w <= peak_.value) return SlipSlap::unloading(w, peak_.value);
  set_peak(position, w);
  return {};
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
    const Peak found = peak_at_ceiling(*lowest, at.w, law_.friction(at.u, law_.loading(at.w), branch_.law));
    if (found.value < peak_.value) peak_ = found;
  }
  if (!path_.is_known_between_samples()) ceiling_ = ceiling_.exists() ? ceiling_at(position, 1.0) : ceiling_;
  if (w > peak_.value) {
    set_peak(position, w);
    return {};
  }
  if (w + largest.value >= peak_.value) return SlipSlap::unloading(w, peak_.value);
  peak_ = peak_at_ceiling(position, w, friction);
  return largest;
}

// `side`: −1 or 1 where the motion before or after this position counts, which differ on a polygon.
SlipSlapCeiling Pass::ceiling_at(double position, double side) const {
  constexpr double next_to = 1e-3;  // of a sample: on the same straight piece
  const Instant at = path_.at(position);
  const Value friction = law_.friction(at.u, law_.loading(at.w), branch_.law);
  const Value largest = law_.largest_unloading(friction);
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

// w_max = w where |Δ_T| falls below the limit, at an instant that shifts by −δΔ_T / (dΔ_T/dτ).
void Pass::end_sliding(double position) {
  const auto rate = [](const Value& friction, const Instant& at) {
    return friction.gradient[SlipSlap::by_u] * at.u_rate + friction.gradient[SlipSlap::by_w] * at.w_rate;
  };
  const double per_position = path_.is_known_between_samples() ? path_.time(1.0) : 1.0;
  const double end = find_end_of_sliding(position_, position, [&](double tried) {
    const Instant at = path_.at(tried);
    const Value friction = law_.friction(at.u, law_.loading(at.w), branch_.law);
    const double slope = std::copysign(per_position, friction.value) * rate(friction, at);
    return std::pair(std::abs(friction.value) - SlipSlap::sliding_limit, slope);
  });
  const Instant at = path_.at(end);
  const Value friction = law_.friction(at.u, law_.loading(at.w), branch_.law);
  const double friction_rate = rate(friction, at);
  const double shift = friction_rate != 0.0 ? at.w_rate / friction_rate : 0.0;
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

}  // namespace

void slip_slap_cycle(const SlipSlap& law, const PeriodicMotion& motion, bool open, CycleResult& result) {
  check_motion(SlipSlap::name, 2, false, motion);
  const SlipSlapPath path(motion, law.parameters().approach);
  result.resize(path.samples(), 2, false);
  SlipSlapMemory memory(path, open, result);
  result.report = {.closed = true, .cycles = 1, .closure_error = 0.0};
  auto& room = result.workspace.of<Workspace>();
  find_events(path, room.events);
  if (!room.events.any_contact) {
    result.force.setZero();
    result.by_displacement.setZero();
    return;
  }
  room.branches.find(law, path, room.events, memory);
  Pass(law, path, room, memory, result).run();
  if (!result.force.allFinite()) throw_not_finite(SlipSlap::name, motion, result);
}

}  // namespace masing::detail
