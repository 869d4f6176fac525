#include "masing/contact/backbones.hpp"
#include "masing/contact/detail/backbone_checks.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace masing {
namespace {

/// γ < 1: the middle, pressed least, slides first. Sticks up to γ, slides from 3 − 2γ on (in units of μN / k_t).
class EdgePressedBackbone final : public Backbone {
 public:
  explicit EdgePressedBackbone(const FlatParameters& p)
      : stiffness_(p.stiffness),
        slip_force_(p.slip_force),
        begin_(p.gamma * p.slip_force / p.stiffness),
        end_((3.0 - 2.0 * p.gamma) * p.slip_force / p.stiffness),
        gamma_(p.gamma) {}

  BackboneValue at(double u) const override {
    if (u >= end_) return {slip_force_, 0.0};
    if (u <= begin_) return {stiffness_ * u, stiffness_};
    const double w = slid_share_squared(u);
    const double root = std::sqrt(w);
    return {stiffness_ * u - 2.0 * (1.0 - gamma_) * slip_force_ * w * root, stiffness_ * (1.0 - root)};
  }

  double work(double u) const override {
    if (u > end_) return work(end_) + slip_force_ * (u - end_);
    const double elastic = 0.5 * stiffness_ * u * u;
    if (u <= begin_) return elastic;
    const double w = slid_share_squared(u);
    const double depth = (1.0 - gamma_) * slip_force_;
    return elastic - 2.4 * depth * depth / stiffness_ * w * w * std::sqrt(w);
  }

  double macroslip() const override { return end_; }
  std::span<const double> corners() const override { return {&begin_, 1}; }

 private:
  /// w: the half-width of the sliding middle over that of the contact, squared.
  double slid_share_squared(double u) const {
    return std::clamp((stiffness_ * u / slip_force_ - gamma_) / (3.0 * (1.0 - gamma_)), 0.0, 1.0);
  }

  double stiffness_;
  double slip_force_;
  double begin_;
  double end_;
  double gamma_;
};

/// γ > 1: the edges slide first. Sticks up to 3 − 2γ, slides from γ on; with γ = 1.5 it is Hertz. Written in the
/// sticking half-width s and the displacement t behind the first slip so that nothing cancels when the slip is small:
///
///   1 − s³ = (1 − s²)(1 + s + s²)/(1 + s),   1 − s² = t / width
class MiddlePressedBackbone final : public Backbone {
 public:
  explicit MiddlePressedBackbone(const FlatParameters& p)
      : stiffness_(p.stiffness),
        slip_force_(p.slip_force),
        begin_((3.0 - 2.0 * p.gamma) * p.slip_force / p.stiffness),
        end_(p.gamma * p.slip_force / p.stiffness),
        width_(3.0 * (p.gamma - 1.0) * p.slip_force / p.stiffness) {}

  BackboneValue at(double u) const override {
    if (u >= end_) return {slip_force_, 0.0};
    if (u < begin_) return {stiffness_ * u, stiffness_};
    const double t = u - begin_;
    const double s = stuck_share(t);
    return {stiffness_ * (begin_ + t * (2.0 / 3.0) * (1.0 + s + s * s) / (1.0 + s)), stiffness_ * s};
  }

  double work(double u) const override {
    if (u > end_) return work(end_) + slip_force_ * (u - end_);
    if (u <= begin_) return 0.5 * stiffness_ * u * u;
    const double t = u - begin_;
    const double s = stuck_share(t);
    const double slipping = t * t * (2.0 / 15.0) * (3.0 + s * (6.0 + s * (4.0 + 2.0 * s))) / ((1.0 + s) * (1.0 + s));
    return stiffness_ * (0.5 * begin_ * begin_ + begin_ * t + slipping);
  }

  double macroslip() const override { return end_; }
  std::span<const double> corners() const override { return {&begin_, 1}; }

 private:
  double stuck_share(double t) const { return std::sqrt(std::max(0.0, 1.0 - t / width_)); }

  double stiffness_;
  double slip_force_;
  double begin_;
  double end_;
  double width_;
};

}  // namespace

BackbonePointer hertz_backbone(const HertzParameters& p) {
  detail::check_stiffness_and_slip_force("Hertz density", p.stiffness, p.slip_force);
  return std::make_shared<MiddlePressedBackbone>(FlatParameters{p.stiffness, p.slip_force, 1.5});
}

BackbonePointer flat_backbone(const FlatParameters& p) {
  detail::check_stiffness_and_slip_force("flat density", p.stiffness, p.slip_force);
  require(p.gamma >= 0.0 && p.gamma <= 1.5,
          "flat density: gamma = {} must be in [0, 1.5]. Outside, the quadratic pressure is negative somewhere.",
          p.gamma);
  if (p.gamma == 1.0) return maxwell_slip_backbone({{p.stiffness, p.slip_force}});
  if (p.gamma < 1.0) return std::make_shared<EdgePressedBackbone>(p);
  return std::make_shared<MiddlePressedBackbone>(p);
}

}  // namespace masing
