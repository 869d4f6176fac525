#include "masing/joint/detail/rough_backbone.hpp"

#include "masing/core/gauss_legendre.hpp"

#include <cmath>

namespace masing::detail {
namespace {

/// Enough for the moments of a series of any degree that occurs.
constexpr int moment_panels = 8;

/// η A ∫ (z − y)^{(power − 1)/2} Φ dz with the plane at the depth d below the highest summit. Handed over as it is,
/// the depth keeps the digits that z_max − y would lose.
double sum_below_top(const RoughInterface& interface, double depth, int power) {
  return interface.summit_sum(interface.highest() - depth, 0.0, depth, power);
}

/// Q' on [0, x_L/2].
ChebyshevSeries slope_series(const RoughInterface& interface, double separation) {
  const double ratio = interface.slip_ratio();
  const double depth = interface.highest() - separation;
  const double scale = 1.5 * interface.surfaces().friction / ratio * interface.summit_stiffness();
  return {[&](double x) { return scale * sum_below_top(interface, depth - x / ratio, 2); }, 0.5 * ratio * depth};
}

/// x -> ∫₀¹ weight(v) f(x v) dv
template <class Weight>
ChebyshevSeries moment_series(const ChebyshevSeries& f, const Weight& weight, double length) {
  const auto moment = [&](double x) {
    return integrate([&](double v) { return weight(v) * f.at(x * v).value; }, 0.0, 1.0, moment_panels);
  };
  return {moment, length};
}

/// h(d) with P(z_max − d) = d^{5/2} h(d).
ChebyshevSeries tip_series(const RoughInterface& interface, double depth) {
  const auto reduced = [&](double d) {
    return interface.summit_stiffness() * sum_below_top(interface, d, 4) / (d * d * std::sqrt(d));
  };
  return {reduced, depth};
}

/// d -> ∫₀^d v^{5/2} h(v) dv / d^{7/2}
ChebyshevSeries tip_work_series(const ChebyshevSeries& tip, double depth) {
  const auto reduced = [&](double d) {
    const auto integrand = [&](double s) { return 2.0 * std::pow(s, 6) * tip.at(d * s * s).value; };
    return integrate(integrand, 0.0, 1.0, moment_panels);
  };
  return {reduced, depth};
}

}  // namespace

RoughBackbone::RoughBackbone(const RoughInterface& interface, double load)
    : RoughBackbone(interface, load, interface.separation(load)) {}

RoughBackbone::RoughBackbone(const RoughInterface& interface, double load, double separation)
    : RoughBackbone(interface, load, separation, slope_series(interface, separation)) {}

RoughBackbone::RoughBackbone(const RoughInterface& interface, double load, double separation,
                             const ChebyshevSeries& slope)
    : friction_(interface.surfaces().friction),
      ratio_(interface.slip_ratio()),
      limit_(friction_ * load),
      macroslip_(ratio_ * (interface.highest() - separation)),
      middle_(0.5 * macroslip_),
      mean_slope_(moment_series(
          slope, [](double) { return 1.0; }, middle_)),
      mean_work_(moment_series(
          slope, [](double v) { return 1.0 - v; }, middle_)),
      tip_force_(tip_series(interface, middle_ / ratio_)),
      tip_work_(tip_work_series(tip_force_, middle_ / ratio_)),
      work_at_macroslip_(0.0) {
  work_at_macroslip_ = middle_ * middle_ * mean_work_.at(middle_).value + limit_ * middle_ - tip_work(middle_ / ratio_);
}

double RoughBackbone::tip_work(double depth) const {
  return friction_ * ratio_ * depth * depth * depth * std::sqrt(depth) * tip_work_.at(depth).value;
}

BackboneValue RoughBackbone::at(double u) const {
  if (u >= macroslip_) return {limit_, 0.0};
  if (u < middle_) {
    const ChebyshevSeries::Value mean = mean_slope_.at(u);
    return {u * mean.value, mean.value + u * mean.derivative};
  }
  const double depth = (macroslip_ - u) / ratio_;
  const double power = depth * std::sqrt(depth);
  const ChebyshevSeries::Value tip = tip_force_.at(depth);
  return {limit_ - friction_ * depth * power * tip.value,
          friction_ / ratio_ * power * (2.5 * tip.value + depth * tip.derivative)};
}

double RoughBackbone::work(double u) const {
  if (u < middle_) return u * u * mean_work_.at(u).value;
  const double at_end = work_at_macroslip_ + limit_ * (u - macroslip_);
  return u < macroslip_ ? at_end + tip_work((macroslip_ - u) / ratio_) : at_end;
}

}  // namespace masing::detail
