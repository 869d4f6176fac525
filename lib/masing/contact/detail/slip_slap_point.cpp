#include "masing/contact/detail/slip_slap_point.hpp"

#include "masing/contact/detail/slip_slap_cycle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace masing::detail {

namespace {

using Value = SlipSlap::Value;

// Slower motion than this share of the largest speed so far is rest: a direction of motion is held then.
constexpr double rest = 1e-12;

/// Sampled histories: the motion is straight from sample to sample; re-contact and the end of sliding are located on the
/// way. The tangents are those of the branch that a sample ends on.
///
/// Phases: open, or contact in direction ±, which slides (w_max = w), loads (w_max = w because w grows), unloads (w_max
/// is held) or, in the smooth variant, renews (w_max = w + c). A phase ends where the smallest of these falls below zero,
/// lengths in units of the largest |w|, speeds in units of the largest speed so far:
///
///   open    −w
///   contact w (separation);  s u̇ (reversal);  slides: |Δ_T| − 0.99;  else 0.99 − |Δ_T|, and
///           loads: ẇ,  unloads: w_max − w and w + c − w_max,  renews: −d(w + c)/dt
///
/// Where k_N = 0 only the first two matter; the smooth variant does not slide. Several may be zero at once, as when surfaces
/// touch or where both motions turn round: which one ends the phase shows a moment later.
class SlipSlapPoint final : public ContactPoint {
 public:
  using Input = Motion<Eigen::Dynamic>;
  using Output = SmallVector<Eigen::Dynamic>;

  explicit SlipSlapPoint(std::shared_ptr<const SlipSlap> law) : law_(std::move(law)) {}

  std::unique_ptr<ContactPoint> clone() const override { return std::make_unique<SlipSlapPoint>(*this); }
  PointResponse advance(const Input& motion) override;
  bool switches() const override { return true; }
  double distance_to_switch(const Input& motion) const override { return next_switch(motion).distance; }
  void switch_phase(const Input& motion) override { switch_phase_towards(motion, a_moment_later(motion)); }
  void switch_phase_towards(const Input& motion, const Input& beyond) override;
  Output force_in_phase(const Input& motion) const override;
  std::string_view phase_name() const override;
  void note_scales(const Input& motion) override;
  Output memory() const override {
    return Output{{contact_ ? peak_ : 0.0, branch_.origin, branch_.start, branch_.direction}};
  }

 private:
  enum class Change {
    none,
    opening,
    closing,
    reversal,
    slide_begin,
    slide_end,
    load_end,
    unload_end,
    renew_begin,
    renew_end
  };
  struct Switch {
    double distance = 0.0;
    Change change = Change::none;
  };

  double penetration(const Input& motion) const { return motion.displacement[1] + law_->parameters().approach; }
  /// Calls consider(distance, change) for each way in which the present phase may end.
  template <class Consider>
  void for_ends_of_phase(const Input& motion, Consider consider) const;
  Switch next_switch(const Input& motion) const;
  Change change_at(const Input& motion, const Input& beyond) const;
  Input a_moment_later(const Input& motion) const;
  Value friction(double u, double w) const;
  SlipSlap::Forces forces(double u, double w) const;
  void begin(const Input& motion);
  void step_to(double u, double w);
  void close(double u, double direction);
  void reverse(double u, double w);
  void follow_peak(double u, double w);
  void follow_peak_below_ceiling(double u, double w);
  SlipSlapCeiling ceiling(double u, double w, double u_rate, double w_rate) const;

  std::shared_ptr<const SlipSlap> law_;
  bool begun_ = false;
  bool contact_ = false;
  bool sliding_ = false;
  bool loading_ = false;
  bool renewing_ = false;
  SlipSlap::Branch branch_;
  double peak_ = 0.0;
  double u_ = 0.0, w_ = 0.0;  // of the last sample
  double length_ = 0.0, speed_ = 0.0;
};

Value SlipSlapPoint::friction(double u, double w) const {
  return w > 0.0 ? law_->friction(u, law_->loading(w), branch_) : Value{.value = branch_.start};
}

SlipSlap::Forces SlipSlapPoint::forces(double u, double w) const {
  if (!contact_ || w <= 0.0) return {};
  const Value slip = friction(u, w);
  const bool unloads = law_->remembers_peak() && !sliding_ && !loading_;
  if (!unloads) return law_->forces(law_->loading(w), slip, {});
  const Value largest = renewing_ ? law_->largest_unloading(slip) : Value{};
  const bool renews = renewing_ && std::isfinite(largest.value);
  return law_->forces(law_->loading(w), slip, renews ? largest : SlipSlap::unloading(w, peak_));
}

void SlipSlapPoint::note_scales(const Input& motion) {
  length_ = std::max(length_, std::abs(penetration(motion)));
  if (motion.velocity.size() == 2) speed_ = std::max(speed_, motion.velocity.cwiseAbs().maxCoeff());
}

PointResponse SlipSlapPoint::advance(const Input& motion) {
  note_scales(motion);
  if (begun_) {
    step_to(motion.displacement[0], penetration(motion));
  } else {
    begin(motion);
  }
  u_ = motion.displacement[0];
  w_ = penetration(motion);
  const SlipSlap::Forces now = forces(u_, w_);
  PointResponse response;
  response.force = Output{{now.tangential.value, now.normal.value}};
  response.by_displacement.resize(2, 2);
  response.by_displacement << now.tangential.gradient[SlipSlap::by_u], now.tangential.gradient[SlipSlap::by_w],
      now.normal.gradient[SlipSlap::by_u], now.normal.gradient[SlipSlap::by_w];
  response.by_velocity.setZero(2, 2);
  return response;
}

// The first sample makes contact where it is.
void SlipSlapPoint::begin(const Input& motion) {
  begun_ = true;
  branch_.direction = motion.velocity.size() == 2 && motion.velocity[0] < 0.0 ? -1.0 : 1.0;
  branch_.origin = motion.displacement[0];
  contact_ = loading_ = penetration(motion) > 0.0;
  peak_ = std::max(penetration(motion), 0.0);
}

void SlipSlapPoint::step_to(double u, double w) {
  const double direction = u == u_ ? branch_.direction : (u > u_ ? 1.0 : -1.0);
  if (contact_ && direction != branch_.direction) reverse(u_, w_);
  branch_.direction = direction;
  if (w <= 0.0) {
    contact_ = sliding_ = loading_ = renewing_ = false;
    return;
  }
  if (!contact_) close(u_ + (u - u_) * w_ / (w_ - w), direction);
  if (law_->remembers_peak()) follow_peak(u, w);
}

void SlipSlapPoint::close(double u, double direction) {
  contact_ = loading_ = true;
  sliding_ = renewing_ = false;
  peak_ = 0.0;
  branch_ = {.direction = direction, .origin = u, .start = 0.0};
}

void SlipSlapPoint::reverse(double u, double w) {
  branch_ = {.direction = -branch_.direction, .origin = u, .start = friction(u, w).value};
}

SlipSlapCeiling SlipSlapPoint::ceiling(double u, double w, double u_rate, double w_rate) const {
  const Value largest = law_->largest_unloading(friction(u, w));
  if (!std::isfinite(largest.value)) return {};
  const auto& by = largest.gradient;
  return {w + largest.value, by[SlipSlap::by_u] * u_rate + (1.0 + by[SlipSlap::by_w]) * w_rate};
}

// Smooth variant: w_max = max(w, min(w_max, w + c)), also where w + c is lowest on the way.
void SlipSlapPoint::follow_peak_below_ceiling(double u, double w) {
  const auto at = [&](double s) { return ceiling(u_ + s * (u - u_), w_ + s * (w - w_), u - u_, w - w_); };
  const double start = w_ > 0.0 ? 0.0 : w_ / (w_ - w);  // re-contact
  const SlipSlapCeiling now = at(1.0);
  if (const auto lowest = find_lowest_ceiling(start, w_ > 0.0 ? at(0.0) : SlipSlapCeiling{}, 1.0, now, at)) {
    peak_ = std::min(peak_, at(*lowest).height);
  }
  loading_ = w >= peak_;
  renewing_ = !loading_ && now.height < peak_;
  peak_ = std::max(w, std::min(peak_, now.height));
}

void SlipSlapPoint::follow_peak(double u, double w) {
  if (law_->parameters().smooth_refresh) return follow_peak_below_ceiling(u, w);
  const bool slides = law_->slides(friction(u, w).value);
  if (sliding_ && !slides) {
    const double share = find_change(0.0, 1.0, false, [&](double s) {
      const Value slip = friction(u_ + s * (u - u_), w_ + s * (w - w_));
      const double slope = slip.gradient[SlipSlap::by_u] * (u - u_) + slip.gradient[SlipSlap::by_w] * (w - w_);
      return std::pair(std::abs(slip.value) - SlipSlap::sliding_limit, slip.value < 0.0 ? -slope : slope);
    });
    peak_ = w_ + share * (w - w_);
  }
  sliding_ = slides;
  loading_ = !slides && w >= peak_;
  if (slides || loading_) peak_ = w;
}

template <class Consider>
void SlipSlapPoint::for_ends_of_phase(const Input& motion, Consider consider) const {
  const double w = penetration(motion);
  const double length = length_ > 0.0 ? length_ : 1.0;
  const double speed = speed_ > 0.0 ? speed_ : 1.0;
  if (!contact_) return consider(-w / length, Change::closing);
  consider(w / length, Change::opening);
  consider(branch_.direction * motion.velocity[0] / speed + rest, Change::reversal);
  if (!law_->remembers_peak()) return;
  const double excess = std::abs(friction(motion.displacement[0], w).value) - SlipSlap::sliding_limit;
  if (sliding_) {
    consider(excess, Change::slide_end);
    return;
  }
  if (!law_->parameters().smooth_refresh) consider(-excess, Change::slide_begin);
  if (loading_) {
    consider(motion.velocity[1] / speed + rest, Change::load_end);
    return;
  }
  const SlipSlapCeiling above = !law_->parameters().smooth_refresh || w <= 0.0
                                    ? SlipSlapCeiling{}
                                    : ceiling(motion.displacement[0], w, motion.velocity[0], motion.velocity[1]);
  if (renewing_) {
    consider(above.exists() ? -above.slope / speed + rest : -1.0, Change::renew_end);
  } else {
    consider((peak_ - w) / length, Change::unload_end);
    if (above.exists()) consider((above.height - peak_) / length, Change::renew_begin);
  }
}

SlipSlapPoint::Switch SlipSlapPoint::next_switch(const Input& motion) const {
  Switch next{std::numeric_limits<double>::infinity(), Change::none};
  for_ends_of_phase(motion, [&](double distance, Change change) {
    if (distance < next.distance) next = {distance, change};
  });
  return next;
}

// The one that is farthest past its limit a little later: of those that are at it now, or else of all.
SlipSlapPoint::Change SlipSlapPoint::change_at(const Input& motion, const Input& beyond) const {
  constexpr double at_limit = 1e-6;
  constexpr std::size_t kinds = 10;
  std::array<bool, kinds> is_due = {};
  const auto place = [](Change change) { return static_cast<std::size_t>(change); };
  for_ends_of_phase(motion,
                    [&](double distance, Change change) { is_due[place(change)] = std::abs(distance) < at_limit; });
  Switch due, any;
  for_ends_of_phase(beyond, [&](double distance, Change change) {
    if (distance < any.distance) any = {distance, change};
    if (is_due[place(change)] && distance < due.distance) due = {distance, change};
  });
  if (due.change != Change::none) return due.change;
  return any.change != Change::none ? any.change : next_switch(motion).change;
}

SlipSlapPoint::Input SlipSlapPoint::a_moment_later(const Input& motion) const {
  constexpr double moment = 1e-9;  // of the time in which the largest speed goes the largest penetration
  if (speed_ == 0.0) return motion;
  return {motion.displacement + moment * length_ / speed_ * motion.velocity, motion.velocity};
}

void SlipSlapPoint::switch_phase_towards(const Input& motion, const Input& beyond) {
  const double u = motion.displacement[0];
  const double w = penetration(motion);
  const double v = motion.velocity[0];
  note_scales(motion);
  switch (change_at(motion, beyond)) {
    case Change::none:
      break;
    case Change::closing:
      close(u, v == 0.0 ? branch_.direction : std::copysign(1.0, v));
      break;
    case Change::opening:
      contact_ = sliding_ = loading_ = renewing_ = false;
      break;
    case Change::reversal:
      if (loading_ || sliding_) peak_ = w;
      reverse(u, w);
      break;
    case Change::slide_begin:
      sliding_ = true;
      loading_ = false;
      break;
    case Change::slide_end:
      sliding_ = false;
      loading_ = motion.velocity[1] >= 0.0;
      peak_ = w;
      break;
    case Change::load_end:
      loading_ = false;
      peak_ = w;
      break;
    case Change::unload_end:
      loading_ = true;
      break;
    case Change::renew_begin:
      renewing_ = true;
      break;
    case Change::renew_end: {
      const double height = ceiling(u, w, v, motion.velocity[1]).height;
      if (std::isfinite(height)) peak_ = height;
      renewing_ = false;
      break;
    }
  }
}

SmallVector<Eigen::Dynamic> SlipSlapPoint::force_in_phase(const Input& motion) const {
  const SlipSlap::Forces now = forces(motion.displacement[0], penetration(motion));
  return Output{{now.tangential.value, now.normal.value}};
}

std::string_view SlipSlapPoint::phase_name() const {
  const bool forward = branch_.direction > 0.0;
  if (!contact_) return "open";
  if (!law_->remembers_peak()) return forward ? "contact+" : "contact-";
  if (sliding_) return forward ? "slide+" : "slide-";
  if (loading_) return forward ? "load+" : "load-";
  if (renewing_) return forward ? "renew+" : "renew-";
  return forward ? "unload+" : "unload-";
}

}  // namespace

std::unique_ptr<ContactPoint> slip_slap_point(std::shared_ptr<const SlipSlap> law) {
  return std::make_unique<SlipSlapPoint>(std::move(law));
}

}  // namespace masing::detail
