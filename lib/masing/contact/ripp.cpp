#include "masing/contact/ripp.hpp"

#include "masing/contact/detail/scaled_branches.hpp"
#include "masing/core/error.hpp"

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
  detail::CurveValue at(double u, double) const {
    const BackboneValue value = backbone_->at(u);
    return {.force = value.force, .stiffness = value.stiffness};
  }

 private:
  BackbonePointer backbone_;
  double scale_;
};

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
  return std::make_shared<const detail::ScaledElement<BackboneCurve>>(BackboneCurve(std::move(backbone), scale));
}

}  // namespace masing
