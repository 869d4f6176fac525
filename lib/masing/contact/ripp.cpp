#include "masing/contact/ripp.hpp"

#include "masing/contact/detail/scaled_branches.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace masing {
namespace {

/// A backbone does not feel the speed.
class BackboneCurve {
 public:
  static constexpr bool uses_speed = false;
  static constexpr std::string_view name = "ripp";

  BackboneCurve(BackbonePointer backbone, double scale) : backbone_(std::move(backbone)), scale_(scale) {}

  double scale() const { return scale_; }
  double macroslip() const { return backbone_->macroslip(); }
  std::span<const double> corners() const { return backbone_->corners(); }
  detail::CurveValue at(double u, double) const {
    const BackboneValue value = backbone_->at(u);
    return {.force = value.force, .stiffness = value.stiffness};
  }

 private:
  BackbonePointer backbone_;
  double scale_;
};

/// Of F̂ − u F̂' over first loading. A branch of the length u keeps 1 − (F̂ − u F̂') / F_g of a change of F₀.
struct Intercepts {
  double least = 0.0;
  double most = 0.0;
};

Intercepts intercepts(const Backbone& backbone) {
  constexpr int samples = 1000;
  constexpr double just_below = 1.0 - 1e-12;  // with a maximum the extreme is there, before the slope jumps to 0
  Intercepts found;
  for (int i = 1; i <= samples; ++i) {
    const double u = just_below * backbone.macroslip() * i / samples;
    const BackboneValue value = backbone.at(u);
    const double intercept = value.force - u * value.stiffness;
    found.least = std::min(found.least, intercept);
    found.most = std::max(found.most, intercept);
  }
  return found;
}

/// Forces at reversals must not grow from cycle to cycle.
void check_stability(const Backbone& backbone, double scale) {
  constexpr double rounding = 1e-9;
  const Intercepts found = intercepts(backbone);
  require(
      found.least >= -rounding * scale,
      "ripp: the backbone stiffens: F - u dF/du falls to {:.6g} N on first loading and must not be negative, because "
      "forces at reversals would grow from cycle to cycle. Use law = \"iwan\".",
      found.least);
  require(
      found.most <= 2.0 * scale * (1.0 + rounding),
      "ripp: the backbone weakens too much: F - u dF/du reaches {:.6g} N on first loading and must not exceed twice "
      "the scaling_force of {:.6g} N, because forces at reversals would grow from cycle to cycle. Set scaling_force "
      "to at least {:.6g} N, raise theta, or use law = \"iwan\".",
      found.most, scale, 0.5 * found.most);
}

}  // namespace

std::shared_ptr<const ContactElement> make_ripp(BackbonePointer backbone, double scaling_force) {
  require(backbone != nullptr, "ripp: needs a backbone.");
  require(
      std::isfinite(backbone->macroslip()) && backbone->slip_force() > 0.0,
      "ripp: the backbone must reach macroslip with a positive force, because branches are scaled by that force. Its "
      "macroslip displacement is {} m with {} N. Use law = \"iwan\" for a backbone without gross slip.",
      backbone->macroslip(), backbone->slip_force());
  const double limit = backbone->slip_force();
  constexpr double rounding = 1e-12;
  require(scaling_force == 0.0 || (std::isfinite(scaling_force) && scaling_force >= limit * (1.0 - rounding)),
          "ripp: scaling_force = {} N must be at least the force in macroslip, {} N.", scaling_force, limit);
  const double scale = scaling_force > 0.0 ? scaling_force : limit;
  check_stability(*backbone, scale);
  return std::make_shared<const detail::ScaledElement<BackboneCurve>>(BackboneCurve(std::move(backbone), scale));
}

}  // namespace masing
