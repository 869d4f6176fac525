// Beams and closed forms shared by the tests of spectral elements.
#pragma once

#include "masing/structure/spectral_beam.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace masing::test {

/// A steel bar of 20 mm × 10 mm, bent about the weak axis; stocky enough that shear matters.
inline BeamSection steel(double begin, double end) {
  return {.begin = begin,
          .end = end,
          .youngs_modulus = 210e9,
          .density = 7850.0,
          .poisson_ratio = 0.3,
          .area = 2e-4,
          .inertia = 0.02 * 0.01 * 0.01 * 0.01 / 12.0};
}

inline constexpr std::array<bool, 3> clamped = {true, true, true};
inline constexpr std::array<bool, 3> pinned = {true, true, false};
inline constexpr std::array<bool, 3> guided = {true, false, true};
inline constexpr std::array<bool, 3> unsupported = {false, false, false};

inline Beam uniform_beam(BeamTheory theory, double length, std::array<bool, 3> left, std::array<bool, 3> right) {
  Beam beam;
  beam.theory = theory;
  beam.sections = {steel(0.0, length)};
  beam.supports = {{.at = 0.0, .fixed = left}, {.at = length, .fixed = right}};
  return beam;
}

/// The root of f between two places where its signs differ, to rounding.
inline double root(const std::function<double(double)>& f, double low, double high) {
  const bool positive = f(low) > 0.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    ((f(middle) > 0.0) == positive ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Roots of a characteristic function in (0, end), from sign changes on a grid much finer than their distance.
inline std::vector<double> roots(const std::function<double(double)>& f, double end, int steps) {
  std::vector<double> found;
  for (int i = 1; i < steps; ++i) {
    const double low = end * (i + 0.1234) / steps;
    const double high = end * (i + 1.1234) / steps;
    if ((f(low) > 0.0) != (f(high) > 0.0)) found.push_back(root(f, low, high));
  }
  return found;
}

inline double relative(const ComplexMatrix& a, const ComplexMatrix& b) { return (a - b).norm() / b.norm(); }

}  // namespace masing::test
