// The phase-wise form of a law, driven as a time integrator drives it.
#pragma once

#include "masing/contact/element.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace masing::support {

/// Follows the phases under a motion from t to `end`, locating every switch by bisection.
template <class MotionAt>
void follow(ContactPoint& point, const MotionAt& motion_at, double t, double end, std::vector<std::string>& phases) {
  while (point.distance_to_switch(motion_at(end)) < 0.0) {
    double inside = t;
    double outside = end;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (inside + outside);
      (point.distance_to_switch(motion_at(middle)) < 0.0 ? outside : inside) = middle;
    }
    point.switch_phase(motion_at(outside));
    phases.emplace_back(point.phase_name());
    t = outside;
    REQUIRE(phases.size() < 100000);  // it goes on
  }
}

}  // namespace masing::support
