#include "masing/contact/backbones.hpp"
#include "masing/contact/detail/backbone_checks.hpp"
#include "masing/contact/detail/power_table.hpp"
#include "masing/core/types.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string_view>

namespace masing {
namespace {

// z^(χ+1), with the exponents that need no power singled out.
struct Identity {
  double operator()(double z) const { return z; }
};
struct SquareRoot {
  double operator()(double z) const { return std::sqrt(z); }
};
struct Power {
  double exponent;
  double operator()(double z) const { return std::pow(z, exponent); }
};

/// Uniform, four- and five-parameter: F̂ = u (K_T − drop z^(χ+1)) up to macroslip.
template <class Shape>
class PowerBackbone final : public Backbone {
 public:
  PowerBackbone(Shape shape, const FiveParameters& p) : shape_(shape), order_(p.chi + 2.0), stick_(p.stiffness) {
    const double share = (p.chi + 1.0) / order_;  // slip force of the power law over its stiffness times ϕ_max
    const double c = p.beta + share;
    end_ = p.slip_force * (1.0 + p.beta) / (p.stiffness * c);
    slip_force_ = p.slip_force * ((p.beta + p.theta * share) / c);
    drop_ = p.stiffness / (1.0 + p.beta) * (1.0 - p.theta * share);
  }

  BackboneValue at(double u) const override {
    if (u >= end_) return {slip_force_, 0.0};
    const double lost = drop_ * shape_(u / end_);
    return {u * (stick_ - lost), stick_ - order_ * lost};
  }

  void at_all(std::span<const double> u, std::span<BackboneValue> values) const override {
    std::array<double, batch_size> room;
    for (std::size_t first = 0; first < u.size(); first += batch_size) {
      const std::size_t count = std::min(batch_size, u.size() - first);
      for (std::size_t i = 0; i < count; ++i) room[i] = std::min(u[first + i] / end_, 1.0);
      for (std::size_t i = 0; i < count; ++i) room[i] = shape_(room[i]);
      for (std::size_t i = 0; i < count; ++i) {
        const double way = u[first + i];
        const double lost = drop_ * room[i];
        values[first + i] = way >= end_ ? BackboneValue{slip_force_, 0.0}
                                        : BackboneValue{way * (stick_ - lost), stick_ - order_ * lost};
      }
    }
  }

  double work(double u) const override {
    if (u > end_) return work(end_) + slip_force_ * (u - end_);
    return u * u * (0.5 * stick_ - drop_ * shape_(u / end_) / (order_ + 1.0));
  }

  double macroslip() const override { return end_; }

 private:
  static constexpr std::size_t batch_size = 256;

  Shape shape_;
  double order_;  ///< χ + 2
  double stick_;
  double end_ = 0.0;
  double slip_force_ = 0.0;
  double drop_ = 0.0;
};

BackbonePointer power_backbone(const FiveParameters& p) {
  if (p.chi == 0.0) return std::make_shared<PowerBackbone<Identity>>(Identity{}, p);
  if (p.chi == -0.5) return std::make_shared<PowerBackbone<SquareRoot>>(SquareRoot{}, p);
  const double exponent = p.chi + 1.0;
  if (exponent > detail::PowerTable::largest_exponent)
    return std::make_shared<PowerBackbone<Power>>(Power{exponent}, p);
  return std::make_shared<PowerBackbone<detail::PowerTable>>(detail::PowerTable(exponent), p);
}

/// Below this z the differences 1 − (1−z)^m and its integral are summed as series, so that nothing cancels.
constexpr double series_limit = 1.0 / 32.0;

/// 1 − (m−1) z/k (1 − (m−2) z/(k+1) (1 − …)): the tail of a binomial series, to rounding for z <= series_limit.
double binomial_tail(double m, double z, int k) {
  constexpr int terms = 11;
  double sum = 1.0;
  for (int i = terms; i > 0; --i) sum = 1.0 - (m - i) * z / (k + i - 1) * sum;
  return sum;
}

class EndSingularBackbone final : public Backbone {
 public:
  explicit EndSingularBackbone(const EndSingularParameters& p)
      : order_(p.chi + 2.0),
        end_order_(2.0 - p.exponent),
        slip_force_(p.slip_force),
        end_(p.slip_force * (1.0 + p.beta) / (p.stiffness * ((p.chi + 1.0) / order_ + p.beta / end_order_))),
        power_stiffness_(p.stiffness / (1.0 + p.beta)),
        end_stiffness_(p.stiffness * p.beta / (1.0 + p.beta)) {}

  BackboneValue at(double u) const override {
    if (u >= end_) return {slip_force_, 0.0};
    const double z = u / end_;
    const double slid = std::pow(z, order_ - 1.0);
    const double holding = std::pow(1.0 - z, end_order_ - 1.0);
    const double end_part =
        z < series_limit ? z * binomial_tail(end_order_, z, 2) : (1.0 - (1.0 - z) * holding) / end_order_;
    return {power_stiffness_ * u * (1.0 - slid / order_) + end_stiffness_ * end_ * end_part,
            power_stiffness_ * (1.0 - slid) + end_stiffness_ * holding};
  }

  double work(double u) const override {
    if (u > end_) return work(end_) + slip_force_ * (u - end_);
    const double z = u / end_;
    const double m = end_order_;
    const double power_part = 0.5 - std::pow(z, order_ - 1.0) / (order_ * (order_ + 1.0));
    const double end_part = z < series_limit ? 0.5 * z * z * binomial_tail(m, z, 3)
                                             : (z - (1.0 - std::pow(1.0 - z, m + 1.0)) / (m + 1.0)) / m;
    return power_stiffness_ * u * u * power_part + end_stiffness_ * end_ * end_ * end_part;
  }

  double macroslip() const override { return end_; }

 private:
  double order_;      ///< χ + 2
  double end_order_;  ///< 2 − g
  double slip_force_;
  double end_;
  double power_stiffness_;
  double end_stiffness_;
};

void check(std::string_view name, const FourParameters& p) {
  detail::check_stiffness_and_slip_force(name, p.stiffness, p.slip_force);
  detail::check_chi_and_beta(name, p.chi, p.beta);
}

}  // namespace

BackbonePointer uniform_backbone(const UniformParameters& p) {
  detail::check_stiffness_and_slip_force("uniform density", p.stiffness, p.slip_force);
  return power_backbone({.stiffness = p.stiffness, .slip_force = p.slip_force});
}

BackbonePointer four_parameter_backbone(const FourParameters& p) {
  check("four-parameter density", p);
  return power_backbone({p.stiffness, p.slip_force, p.chi, p.beta, 1.0});
}

BackbonePointer five_parameter_backbone(const FiveParameters& p) {
  check("five-parameter density", {p.stiffness, p.slip_force, p.chi, p.beta});
  require(p.theta > 0.0 && p.theta <= 1.0,
          "five-parameter density: theta = {} must be in (0, 1]. It is dynamic over static friction.", p.theta);
  return power_backbone(p);
}

BackbonePointer end_singular_backbone(const EndSingularParameters& p) {
  check("end-singular density", {p.stiffness, p.slip_force, p.chi, p.beta});
  require(p.exponent >= 0.0 && p.exponent < 1.0,
          "end-singular density: exponent = {} must be in [0, 1). From 1 on the density does not integrate.",
          p.exponent);
  return std::make_shared<EndSingularBackbone>(p);
}

FourParameterConstants four_parameter_constants(const FourParameters& p) {
  check("four-parameter density", p);
  const double c = p.beta + (p.chi + 1.0) / (p.chi + 2.0);
  const double phi_max = p.slip_force * (1.0 + p.beta) / (p.stiffness * c);
  return {.phi_max = phi_max,
          .R = p.slip_force * (p.chi + 1.0) / (std::pow(phi_max, p.chi + 2.0) * c),
          .S = p.slip_force / phi_max * (p.beta / c)};
}

std::complex<double> four_parameter_describing_function(const FourParameters& parameters, double amplitude) {
  const FourParameterConstants constants = four_parameter_constants(parameters);
  require(amplitude > 0.0 && amplitude <= constants.phi_max,
          "four-parameter describing function: amplitude = {} m must be in (0, phi_max = {} m].", amplitude,
          constants.phi_max);
  const double p = parameters.chi + 2.0;
  const double scale = constants.R * std::pow(amplitude, p - 1.0) / (p + 1.0);
  const double lost = 4.0 / std::sqrt(pi) * scale / (p - 1.0) * std::tgamma(p + 0.5) / std::tgamma(p + 1.0);
  return {parameters.stiffness - lost, 4.0 * scale / (pi * p)};
}

}  // namespace masing
