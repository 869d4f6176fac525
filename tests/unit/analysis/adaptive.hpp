// Oscillators balanced in harmonics that follow the motion, and in a large fixed set.
#pragma once

#include "masing/analysis/frequency_response.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <memory>
#include <set>
#include <string>
#include <utility>

namespace masing::test {

inline constexpr double hertz = 1.0 / (2.0 * pi);

inline Model oscillator_with(double damping, std::shared_ptr<const ContactElement> element) {
  return {.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = damping}),
          .joints = {joint("joint", std::move(element), 1, {{{0, 1.0}}})},
          .loads = {load(1, 0, 1.0)}};
}

inline Model duffing(double cubic = 0.5) {
  return oscillator_with(0.04, make_element(CubicSpring({.cubic_stiffness = cubic})));
}
inline BalanceOptions fixed_set(int highest) {
  return {.harmonics = HarmonicSet::up_to(highest).harmonics(), .samples = 512};
}

inline BalanceOptions adaptive(double tolerance = 1e-3, int most = 25) {
  BalanceOptions options = fixed_set(most);
  options.adaptive = AdaptiveHarmonics{.tolerance = tolerance, .samples = 256};
  return options;
}

inline double quantity(const ResponseBranch& branch, const ResponsePoint& point, const std::string& name) {
  return point.quantities[branch.header.find_quantity(name)];
}

inline std::set<int> sets_used(const ResponseBranch& branch) {
  std::set<int> used;
  for (const ResponsePoint& point : branch.points) {
    used.insert(static_cast<int>(quantity(branch, point, "harmonic_count")));
  }
  return used;
}

}  // namespace masing::test
