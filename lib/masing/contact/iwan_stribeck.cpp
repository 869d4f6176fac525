#include "masing/contact/iwan_stribeck.hpp"

#include "masing/contact/detail/scaled_branches.hpp"
#include "masing/core/error.hpp"

#include <array>
#include <cmath>

namespace masing {
namespace {

constexpr double highest_exponent = 10.0;

/// With z = min(u / ϕ_max, 1) and p = z^(χ+1):  C = static part(u) + weakening(v) · shape(u) + viscous(v) · p
class StribeckCurve {
 public:
  static constexpr bool uses_speed = true;
  static constexpr std::string_view name = "iwan-stribeck";

  explicit StribeckCurve(const IwanStribeckParameters& p)
      : printed_(p.form == StribeckForm::printed),
        chi_(p.iwan.chi),
        exponent_(p.exponent),
        stribeck_velocity_(p.stribeck_velocity) {
    const double power = (chi_ + 1.0) / (chi_ + 2.0);
    const double c = p.iwan.beta + power;
    stiffness_ = p.iwan.stiffness;
    phi_max_ = p.iwan.slip_force * (1.0 + p.iwan.beta) / (stiffness_ * c);
    dynamic_loss_ = (1.0 - p.iwan.theta * power) / (1.0 + p.iwan.beta);
    // F_S (1−θ)/c in front of p, or of z p times (χ+1)/(χ+2): what the sliders lose.
    weakening_ = p.iwan.slip_force * (1.0 - p.iwan.theta) / c * (printed_ ? 1.0 : power);
    viscous_ = printed_ ? p.viscous / c : p.viscous;
    limit_ = stiffness_ * phi_max_ * (1.0 - dynamic_loss_) + weakening_;
  }

  double scale() const { return limit_; }
  double macroslip() const { return phi_max_; }
  std::span<const double> corners() const { return {}; }
  /// exp(−(v/v_S)^δ) falls from one to 1e-2 and from there to 1e-12 …
  std::array<double, 2> speeds() const {
    constexpr double first = 4.6, last = 27.6;
    return {stribeck_velocity_ * std::pow(first, 1.0 / exponent_),
            stribeck_velocity_ * std::pow(last, 1.0 / exponent_)};
  }

  detail::CurveValue at(double u, double speed) const {
    const bool slides = u >= phi_max_;
    const double z = slides ? 1.0 : u / phi_max_;
    const double p = slides ? 1.0 : std::pow(z, chi_ + 1.0);
    const double shape = printed_ ? p : z * p;
    const double ratio = speed / stribeck_velocity_;
    const double growth = std::pow(ratio, exponent_ - 1.0);
    const double drop = std::exp(-growth * ratio);
    const double gain = weakening_ * drop;
    detail::CurveValue value;
    value.force = stiffness_ * phi_max_ * z * (1.0 - dynamic_loss_ * p) + gain * shape + viscous_ * speed * p;
    value.by_speed = -gain * exponent_ * growth / stribeck_velocity_ * shape + viscous_ * p;
    if (slides) return value;
    value.stiffness = stiffness_ * (1.0 - (chi_ + 2.0) * dynamic_loss_ * p);
    if (z == 0.0) return value;  // at the reversal itself the singular slopes multiply a difference of zero
    const double p_slope = (chi_ + 1.0) * p / u;
    const double shape_slope = printed_ ? p_slope : (chi_ + 2.0) * p / phi_max_;
    value.stiffness += gain * shape_slope + viscous_ * speed * p_slope;
    return value;
  }

 private:
  bool printed_;
  double chi_;
  double exponent_;
  double stribeck_velocity_;
  double stiffness_;
  double phi_max_;
  double dynamic_loss_;  // F̂_θ = K_T u (1 − loss · p)
  double weakening_;
  double viscous_;
  double limit_;
};

void check(const IwanStribeckParameters& p) {
  five_parameter_backbone(p.iwan);
  require(std::isfinite(p.stribeck_velocity) && p.stribeck_velocity > 0.0,
          "iwan-stribeck: stribeck_velocity = {} m/s must be > 0. A five-parameter backbone is the limit of 0.",
          p.stribeck_velocity);
  require(
      p.exponent >= 1.0 && p.exponent <= highest_exponent,
      "iwan-stribeck: exponent = {} must be in [1, {}]. Below 1 the friction falls infinitely fast at every reversal.",
      p.exponent, highest_exponent);
  require(std::isfinite(p.viscous) && p.viscous >= 0.0, "iwan-stribeck: viscous = {} N s/m must be >= 0.", p.viscous);
}

}  // namespace

std::shared_ptr<const ContactElement> make_iwan_stribeck(const IwanStribeckParameters& parameters) {
  check(parameters);
  return std::make_shared<const detail::ScaledElement<StribeckCurve>>(StribeckCurve(parameters));
}

double stribeck_slip_force(const IwanStribeckParameters& parameters) {
  check(parameters);
  return StribeckCurve(parameters).scale();
}

}  // namespace masing
