#include "masing/contact/normal_contact.hpp"

#include "masing/core/error.hpp"

#include <cmath>

namespace masing {

NormalContact::NormalContact(const Parameters& p)
    : stiffness_(p.stiffness), exponent_(p.exponent), preload_(p.preload), contact_(p.gap) {
  require(std::isfinite(p.stiffness) && p.stiffness > 0.0, "normal contact: stiffness = {} N/m^n must be > 0.",
          p.stiffness);
  require(std::isfinite(p.exponent) && p.exponent >= 1.0, "normal contact: exponent = {} must be >= 1.", p.exponent);
  require(std::isfinite(p.preload) && p.preload >= 0.0,
          "normal contact: preload = {} N must be >= 0. Contacts can push, not pull.", p.preload);
  require(std::isfinite(p.gap) && p.gap >= 0.0,
          "normal contact: gap = {} m must be >= 0. Surfaces that press against each other have a preload.", p.gap);
  require(
      p.gap == 0.0 || p.preload == 0.0,
      "normal contact: gap = {} m and preload = {} N contradict each other: a preloaded contact is closed. Leave one "
      "of them out.",
      p.gap, p.preload);
  if (preload_ == 0.0) return;
  contact_ = -std::pow(preload_ / stiffness_, 1.0 / exponent_);
  preload_ = closed(-contact_).load;  // but for rounding the same: at w = 0 the force is nothing at all
}

NormalContact::Value NormalContact::closed(double indentation) const {
  if (exponent_ == 1.0) return {stiffness_ * indentation, stiffness_};
  if (exponent_ == 1.5) {
    const double root = std::sqrt(indentation);
    return {stiffness_ * indentation * root, 1.5 * stiffness_ * root};
  }
  const double slope = stiffness_ * std::pow(indentation, exponent_ - 1.0);
  return {slope * indentation, exponent_ * slope};
}

NormalContact::Value NormalContact::at(double w) const { return is_open(w) ? Value{} : closed(w - contact_); }

NormalContact::Value NormalContact::continued(double w) const {
  Value value = closed(std::abs(w - contact_));
  if (w < contact_) value.load = -value.load;
  return value;
}

double NormalContact::approach_for_load(double load) const {
  require(std::isfinite(load) && load >= 0.0, "normal contact: load = {} N must be >= 0.", load);
  return contact_ + std::pow(load / stiffness_, 1.0 / exponent_);
}

}  // namespace masing
