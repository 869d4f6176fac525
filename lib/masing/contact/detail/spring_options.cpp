#include "masing/contact/detail/spring_options.hpp"

#include "masing/core/error.hpp"

namespace masing::detail {
namespace {

const Range poisson_range{.lower = 0.0, .upper = 0.5, .upper_open = true};

Option optional_number(std::string name, std::string unit, Range range, std::string meaning) {
  return {.name = std::move(name),
          .kinds = {OptionKind::number},
          .unit = std::move(unit),
          .required = false,
          .range = range,
          .meaning = std::move(meaning)};
}

double read_pinning_stiffness(const OptionValues& values) {
  const bool direct = values.has("stiffness");
  const bool derived = values.has("E") || values.has("nu") || values.has("length");
  if (direct && derived) values.reject("stiffness", "must stand alone: give either stiffness, or E, nu and length.");
  if (direct) return values.number("stiffness");
  require(values.has("E") && values.has("nu") && values.has("length"),
          "{}: {}: give either stiffness, or E, nu and length of the shank.", values.where(""), values.context());
  const ElasticMaterial shank{values.number("E"), values.number("nu")};
  const ElasticMaterial hole{values.has("hole_E") ? values.number("hole_E") : shank.youngs_modulus,
                             values.has("hole_nu") ? values.number("hole_nu") : shank.poisson_ratio};
  return pinning_stiffness(shank, hole, values.number("length"));
}

/// F̂(s u), 0 < s <= 1.
class StretchedBackbone final : public Backbone {
 public:
  StretchedBackbone(BackbonePointer whole, double scale) : whole_(std::move(whole)), scale_(scale) {
    for (const double corner : whole_->corners()) corners_.push_back(corner / scale_);
  }

  BackboneValue at(double u) const override {
    BackboneValue value = whole_->at(scale_ * u);
    value.stiffness *= scale_;
    return value;
  }
  double work(double u) const override { return whole_->work(scale_ * u) / scale_; }
  double macroslip() const override { return whole_->macroslip() / scale_; }
  std::span<const double> corners() const override { return corners_; }

 private:
  BackbonePointer whole_;
  double scale_;
  std::vector<double> corners_;
};

}  // namespace

Option pinning_option() {
  return {
      .name = "pinning",
      .kinds = {OptionKind::table},
      .required = false,
      .children = {{.name = "gap",
                    .kinds = {OptionKind::number},
                    .unit = "m",
                    .range = Range::non_negative(),
                    .meaning = "clearance of the shank in its hole, to either side"},
                   optional_number("stiffness", "N/m", Range::positive(), "stiffness of the shank's contact"),
                   optional_number("E", "Pa", Range::positive(), "Young's modulus of the shank, instead of stiffness"),
                   optional_number("nu", "", poisson_range, "Poisson's ratio of the shank"),
                   optional_number("length", "m", Range::positive(), "length over which shank and hole touch"),
                   optional_number("hole_E", "Pa", Range::positive(), "Young's modulus of the hole; default: E"),
                   optional_number("hole_nu", "", poisson_range, "Poisson's ratio of the hole; default: nu")},
      .meaning = "the shank of the bolt meets its hole: an elastic stop on both sides, beside the law"};
}

Option residual_option() {
  return {.name = "residual_share",
          .kinds = {OptionKind::number},
          .fallback = {0.0},
          .range = {.lower = 0.0, .upper = 1.0, .upper_open = true},
          .meaning = "share of the stick stiffness that remains in gross slip, as a spring beside the law"};
}

ParallelSprings read_springs(const OptionValues& values, double stick_stiffness) {
  ParallelSprings springs;
  if (values.has("residual_share")) springs.residual_stiffness = values.number("residual_share") * stick_stiffness;
  if (!values.has("pinning")) return springs;
  const OptionValues& pinning = values.table("pinning");
  springs.pinning_gap = pinning.number("gap");
  springs.pinning_stiffness = read_pinning_stiffness(pinning);
  return springs;
}

BackbonePointer sliding_part(BackbonePointer whole, double residual_share) {
  if (residual_share == 0.0) return whole;
  return std::make_shared<const StretchedBackbone>(std::move(whole), 1.0 - residual_share);
}

}  // namespace masing::detail
