#include "masing/contact/continuous_slip_slap.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace masing {
namespace {

/// Derivatives by the memory (ξ, w_max, u and w of the sample before), then by u and w of this one.
using Gradient = Eigen::Array<double, 6, 1>;
enum Place { of_elongation, of_peak, of_u_before, of_w_before, of_u, of_w };

struct Tracked {
  double value = 0.0;
  Gradient by = Gradient::Zero();
};

Tracked tracked(double value, Place place) {
  Tracked x{value};
  x.by[place] = 1.0;
  return x;
}
Tracked operator*(double factor, const Tracked& x) { return {factor * x.value, factor * x.by}; }
Tracked operator*(const Tracked& x, const Tracked& y) { return {x.value * y.value, x.value * y.by + y.value * x.by}; }
Tracked operator+(const Tracked& x, const Tracked& y) { return {x.value + y.value, x.by + y.by}; }
Tracked operator-(const Tracked& x, const Tracked& y) { return {x.value - y.value, x.by - y.by}; }
Tracked operator/(const Tracked& x, const Tracked& y) {
  const double ratio = x.value / y.value;
  return {ratio, (x.by - ratio * y.by) / y.value};
}

/// ξ after the tangential motion du at constant k. With σ = sgn(ξ), p = e^(−k|ξ|), E = e^(−k|du|) and du against ξ:
///
///   σ ξ' = −ln(q)/k,  q = p E + 2 (1 − E)      while q <= 1
///   −σ ξ' = |du| − ln(2 − p)/k                 beyond zero
Tracked slide(const Tracked& xi, const Tracked& k, const Tracked& du) {
  if (xi.value * du.value >= 0.0) return xi + du;
  const double sigma = xi.value > 0.0 ? 1.0 : -1.0;
  const Tracked length = sigma * xi;
  const Tracked way = -sigma * du;
  const double p = std::exp(-k.value * length.value);
  const double e = std::exp(-k.value * way.value);
  const Gradient p_by = -p * (length.value * k.by + k.value * length.by);
  const double q = p * e - 2.0 * std::expm1(-k.value * way.value);
  if (q <= 1.0) {
    const Gradient q_by = e * p_by + (2.0 - p) * e * (way.value * k.by + k.value * way.by);
    const double log_q = std::log(q);
    return sigma * Tracked{-log_q / k.value, -q_by / (k.value * q) + (log_q / (k.value * k.value)) * k.by};
  }
  const double log_rest = std::log(2.0 - p);
  const Gradient rest_by = p_by / (k.value * (2.0 - p)) + (log_rest / (k.value * k.value)) * k.by;
  return -sigma * Tracked{way.value - log_rest / k.value, way.by + rest_by};
}

/// How a way from w = a to w = b is divided (see ContinuousSlipSlap::step).
struct Shares {
  Tracked first, open, touching, last;
  Tracked opened;  ///< |dw| while open

  Shares(const Tracked& a, const Tracked& b) {
    const Tracked one{1.0};
    if (a.value > 0.0 && b.value > 0.0) {
      first = last = Tracked{0.5};
    } else if (a.value > 0.0) {
      first = 0.5 * (a / (a - b));
      open = one - first;
      opened = -1.0 * b;
    } else if (b.value > 0.0) {
      open = a / (a - b);
      touching = last = 0.5 * (one - open);
      opened = -1.0 * a;
    } else {
      open = one;
      opened = (a.value < b.value ? 1.0 : -1.0) * (b - a);
    }
  }
};

/// x faded by e^(−opened/d).
Tracked faded(const Tracked& x, const Tracked& opened, double depth) {
  const double share = std::exp(-opened.value / depth);
  return {share * x.value, share * (x.by - (x.value / depth) * opened.by)};
}

}  // namespace

/// Where a step leads to, before the present contact has set w_max.
struct ContinuousSlipSlap::Step {
  Tracked elongation, peak;
  Rate rate;  ///< at the end
};

ContinuousSlipSlap::ContinuousSlipSlap(const SlipSlap::Parameters& parameters, double depth)
    : law_(parameters), depth_(depth) {
  require(std::isfinite(depth) && depth > 0.0, "slip-slap: continuity_depth = {} m must be > 0.", depth);
}

ContinuousSlipSlap::Rate ContinuousSlipSlap::rate(double w) const {
  const double depth = std::max(w, 0.0) + depth_;
  const double value = law_.loading(depth).rate;
  return {value, w > 0.0 ? -law_.rate_exponent() * value / depth : 0.0};
}

// With kd = k at w = 0, the way du is gone in shares: `first` at k before and `open` at kd, then ξ fades, then `touching` at kd
// and `last` at k after. A way that opens or closes is divided where it passes w = 0, so that all shares are continuous.
ContinuousSlipSlap::Step ContinuousSlipSlap::step(double u, double w, const State& state) const {
  const Tracked here = tracked(w, of_w), before = state.begun ? tracked(state.w, of_w_before) : here;
  const Tracked du = state.begun ? tracked(u, of_u) - tracked(state.u, of_u_before) : Tracked{};
  const Rate first = rate(before.value), last = rate(w);
  const Tracked k_open{rate(0.0).value};
  Tracked elongation = tracked(state.elongation, of_elongation);
  Tracked peak = tracked(state.peak, of_peak);
  const Shares share(before, here);
  elongation = slide(elongation, {first.value, first.by_w * before.by}, share.first * du);
  elongation = slide(elongation, k_open, share.open * du);
  elongation = faded(elongation, share.opened, depth_);
  elongation = slide(elongation, k_open, share.touching * du);
  elongation = slide(elongation, {last.value, last.by_w * here.by}, share.last * du);
  return {elongation, faded(peak, share.opened, depth_), last};
}

/// Renews w_max; returns w_max − w, with ξ in the place of u.
SlipSlap::Value ContinuousSlipSlap::renew_peak(double w, const SlipSlap::Value& friction, Step& next) const {
  if (!law_.remembers_peak()) return {};
  Tracked& peak = next.peak;
  if (w >= peak.value) {
    peak = {w};
    peak.by[of_w] = 1.0;
    return {};
  }
  const SlipSlap::Value largest = law_.largest_unloading(friction);
  if (w + largest.value >= peak.value) return SlipSlap::unloading(w, peak.value);
  peak = {w + largest.value, largest.gradient[SlipSlap::by_u] * next.elongation.by};
  peak.by[of_w] += 1.0 + largest.gradient[SlipSlap::by_w];
  return largest;
}

void ContinuousSlipSlap::set_forces(double w, Step& next, Response<2, 4>& r) const {
  const double fading = std::exp(-next.rate.value * std::abs(next.elongation.value));
  SlipSlap::Value friction{std::copysign(1.0 - fading, next.elongation.value)};
  friction.gradient << next.rate.value * fading, next.elongation.value * fading * next.rate.by_w, 0.0, 0.0;
  const Gradient peak_by = next.peak.by;
  const SlipSlap::Forces forces = law_.forces(law_.loading(w), friction, renew_peak(w, friction, next));
  const auto set = [&](int a, const SlipSlap::Value& force) {
    Gradient by = force.gradient[SlipSlap::by_u] * next.elongation.by + force.gradient[SlipSlap::by_peak] * peak_by;
    by[of_w] += force.gradient[SlipSlap::by_w];
    r.force[a] = force.value;
    r.by_memory.row(a) = by.head<4>().matrix().transpose();
    r.by_displacement.row(a) = by.tail<2>().matrix().transpose();
  };
  set(0, forces.tangential);
  set(1, forces.normal);
}

Response<2, 4> ContinuousSlipSlap::advance(const Motion<2>& motion, State& state) const {
  const double u = motion.displacement[0];
  const double w = motion.displacement[1] + law_.parameters().approach;
  Response<2, 4> r;
  Step next = step(u, w, state);
  if (w > 0.0) set_forces(w, next, r);
  const auto remember = [&](int m, const Tracked& scalar) {
    r.memory_by_memory.row(m) = scalar.by.head<4>().matrix().transpose();
    r.memory_by_displacement.row(m) = scalar.by.tail<2>().matrix().transpose();
  };
  r.memory_set = true;
  remember(0, next.elongation);
  remember(1, next.peak);
  r.memory_by_displacement.bottomRows<2>().setIdentity();
  state = {.elongation = next.elongation.value, .peak = next.peak.value, .u = u, .w = w, .begun = true};
  return r;
}

}  // namespace masing
