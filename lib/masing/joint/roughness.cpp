#include "masing/joint/roughness.hpp"

#include "masing/core/error.hpp"
#include "masing/core/gauss_legendre.hpp"
#include "masing/core/types.hpp"
#include "masing/joint/detail/rough_backbone.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace masing {
namespace {

/// Length of a panel of the quadrature in t/√σ; 20 points then integrate 2 t^n Φ(y + t²) to rounding.
constexpr double panel_length = 0.4;

/// So many σ above the mean (Gaussian) or the lowest summit (exponential) there is none.
double reach(HeightDensity heights) { return heights == HeightDensity::gaussian ? 12.0 : 60.0; }

void check_positive(const char* name, double value, const char* unit) {
  require(value > 0.0 && std::isfinite(value), "roughness: {} = {}{}{} must be > 0.", name, value,
          *unit == '\0' ? "" : " ", unit);
}

void check(const RoughSurfaces& surfaces) {
  check_positive("sigma", surfaces.summits.sigma, "m");
  check_positive("radius", surfaces.summits.radius, "m");
  check_positive("density", surfaces.summits.density, "1/m²");
  check_positive("area", surfaces.area, "m²");
  check_positive("friction", surfaces.friction, "");
  require(surfaces.cut_off > 0.0, "roughness: cut_off = {} must be > 0.", surfaces.cut_off);
  check(surfaces.lower, "lower");
  check(surfaces.upper, "upper");
}

}  // namespace

double friction_of_strength(double strength_to_hardness) {
  check_positive("strength_to_hardness", strength_to_hardness, "");
  return strength_to_hardness + 0.1;
}

RoughInterface::RoughInterface(const RoughSurfaces& surfaces) : surfaces_(surfaces) {
  check(surfaces);
  const double modulus = contact_modulus(surfaces.lower, surfaces.upper);
  highest_ = std::min(surfaces.cut_off, reach(surfaces.heights)) * surfaces.summits.sigma;
  hertz_ = 4.0 / 3.0 * modulus * std::sqrt(surfaces.summits.radius);
  shear_ = contact_shear_modulus(surfaces.lower, surfaces.upper);
  slip_ratio_ = surfaces.friction * modulus / (4.0 * shear_);
}

double RoughInterface::lowest_separation() const {
  constexpr double lowest_summit = 3.0;  // in σ below the mean: practically all are above
  if (surfaces_.heights == HeightDensity::exponential) return 0.0;
  return -std::min(lowest_summit * surfaces_.summits.sigma, highest_);
}

double RoughInterface::height_density(double z) const {
  const double sigma = surfaces_.summits.sigma;
  const double s = z / sigma;
  if (surfaces_.heights == HeightDensity::gaussian) return std::exp(-0.5 * s * s) / (std::sqrt(2.0 * pi) * sigma);
  return s >= 0.0 ? std::exp(-s) / sigma : 0.0;
}

double RoughInterface::summit_sum(double separation, double from, double to, int power) const {
  const double sigma = surfaces_.summits.sigma;
  if (to <= from) return 0.0;
  const double low = std::sqrt(from);
  const double high = std::sqrt(to);
  const int panels = std::max(1, static_cast<int>(std::ceil((high - low) / (panel_length * std::sqrt(sigma)))));
  const auto integrand = [&](double t) {
    double value = 2.0 * height_density(separation + t * t);
    for (int i = 0; i < power; ++i) value *= t;
    return value;
  };
  return surfaces_.summits.density * surfaces_.area * integrate(integrand, low, high, panels);
}

double RoughInterface::normal_force(double separation) const {
  return hertz_ * summit_sum(separation, 0.0, highest_ - separation, 4);
}

double RoughInterface::normal_stiffness(double separation) const {
  return 1.5 * hertz_ * summit_sum(separation, 0.0, highest_ - separation, 2);
}

double RoughInterface::curvature(double separation) const {
  return 0.75 * hertz_ * summit_sum(separation, 0.0, highest_ - separation, 0);
}

double RoughInterface::asperities(double separation) const {
  return summit_sum(separation, 0.0, highest_ - separation, 1);
}

double RoughInterface::separation(double load) const {
  check_positive("normal_load", load, "N");
  const double most = normal_force(lowest_separation());
  require(load <= most,
          "roughness: normal_load = {} N is more than the {:.6g} N that all summits carry together, pressed down to "
          "the lowest of "
          "them. The surfaces would be flat: enlarge area, density or sigma.",
          load, most);
  const double y = solved_separation(load);
  const double count = asperities(y);
  require(count >= 1.0,
          "roughness: no contact: normal_load = {} N would rest on {:.3g} summits, with a separation of {:.6g} m under "
          "the highest "
          "one at {:.6g} m. At least one must carry it: enlarge normal_load, area, density or cut_off.",
          load, count, y, highest_);
  return y;
}

double RoughInterface::solved_separation(double load) const {
  // P ~ (z_max − y)^{5/2} near the highest summit: log P is nearly straight over the logarithm of the depth.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::log(highest_ - lowest_separation());
  double log_depth = high;
  constexpr int most_steps = 100;
  constexpr double near = 1e-12;
  for (int step = 0; step < most_steps; ++step) {
    const double depth = std::exp(log_depth);
    const double force = hertz_ * summit_sum(highest_ - depth, 0.0, depth, 4);
    const double error = std::log(force / load);
    if (std::abs(error) < near) break;
    (error > 0.0 ? high : low) = log_depth;
    const double slope = depth * 1.5 * hertz_ * summit_sum(highest_ - depth, 0.0, depth, 2) / force;
    const double newton = log_depth - error / slope;
    const double safe = std::isfinite(low) ? 0.5 * (low + high) : log_depth - 2.0;
    log_depth = newton > low && newton < high ? newton : safe;
  }
  const double y = highest_ - std::exp(log_depth);
  return y + (normal_force(y) - load) / normal_stiffness(y);  // the last digits, which the logarithm does not have
}

RoughContact rough_contact(const RoughInterface& interface, double load) {
  const double y = interface.separation(load);
  const double friction = interface.surfaces().friction;
  const double ratio = interface.slip_ratio();
  const double normal = interface.normal_stiffness(y);
  return {.separation = y,
          .asperities = interface.asperities(y),
          .normal_stiffness = normal,
          .tangential_stiffness = friction / ratio * normal,
          .slip_displacement = ratio * (interface.highest() - y),
          .slip_force = friction * load,
          .density = friction / (ratio * ratio) * interface.curvature(y)};
}

double stiffness_without_cut_off(const RoughInterface& interface, double load) {
  RoughSurfaces surfaces = interface.surfaces();
  surfaces.cut_off = std::numeric_limits<double>::infinity();
  return rough_contact(RoughInterface(surfaces), load).tangential_stiffness;
}

BackbonePointer rough_backbone(const RoughInterface& interface, double load) {
  return std::make_shared<detail::RoughBackbone>(interface, load);
}

}  // namespace masing
