// Oracles for backbones: quadrature of a density or of a force, and one backbone of each kind.
#pragma once

#include "masing/contact/backbones.hpp"
#include "masing/contact/binning.hpp"
#include "masing/core/types.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace masing::test {

/// ∫ from a to b by the double-exponential rule; integrand(from_left, from_right) with both distances exact, so that
/// singularities x^-0.9 at either end are integrated to rounding.
template <class Integrand>
double integrate_singular(const Integrand& integrand, double a, double b) {
  constexpr double step = 1.0 / 32.0;
  constexpr double reach = 6.0;
  double sum = 0.0;
  for (double t = -reach; t <= reach; t += step) {
    const double bend = pi * std::sinh(t);
    const double left = 1.0 / (1.0 + std::exp(-bend));
    const double right = 1.0 / (1.0 + std::exp(bend));
    sum += step * pi * std::cosh(t) * left * right * integrand((b - a) * left, (b - a) * right);
  }
  return (b - a) * sum;
}

/// ∫₀ᵘ F̂ dv by Gauss's three-point rule in equal panels.
inline double integrate_force(const Backbone& backbone, double u, int panels) {
  const double half = 0.5 * u / panels;
  const double offset = std::sqrt(0.6) * half;
  double sum = 0.0;
  for (int i = 0; i < panels; ++i) {
    const double middle = (2 * i + 1) * half;
    sum += 5.0 * backbone.at(middle - offset).force + 8.0 * backbone.at(middle).force +
           5.0 * backbone.at(middle + offset).force;
  }
  return sum * half / 9.0;
}

/// A density on [0, end]: rho(phi, end − phi), and a Dirac at the end.
struct Density {
  std::function<double(double phi, double to_end)> rho;
  double end = 0.0;
  double dirac = 0.0;

  double stiffness(double u) const {
    if (u >= end) return dirac;
    const auto integrand = [&](double l, double r) { return rho(u + l, r); };
    return dirac + integrate_singular(integrand, u, end);
  }
  double force(double u) const {
    const auto integrand = [&](double l, double r) { return l * rho(l, end - u + r); };
    return integrate_singular(integrand, 0.0, u) + u * stiffness(u);
  }
};

struct NamedBackbone {
  std::string name;
  BackbonePointer backbone;
};

inline std::vector<NamedBackbone> all_backbones() {
  constexpr double k = 1.5e7;
  constexpr double f = 4.0e3;
  const BackbonePointer hertz = hertz_backbone({k, f});
  std::vector<BackboneRow> rows;
  for (int i = 0; i <= 20; ++i)
    rows.push_back({i * hertz->macroslip() / 20, hertz->at(i * hertz->macroslip() / 20).force});
  return {
      {"uniform", uniform_backbone({k, f})},
      {"four-parameter", four_parameter_backbone({k, f, -0.5, 0.005})},
      {"four-parameter, a power", four_parameter_backbone({k, f, -0.76, 0.16})},
      {"five-parameter", five_parameter_backbone({k, f, -0.5, 0.005, 0.75})},
      {"end-singular", end_singular_backbone({k, f, -0.6, 0.4, 0.7})},
      {"Hertz", hertz},
      {"flat, edges", flat_backbone({k, f, 0.2})},
      {"flat, Jenkins", flat_backbone({k, f, 1.0})},
      {"flat, middle", flat_backbone({k, f, 1.3})},
      {"Maxwell slip", maxwell_slip_backbone({{1e7, 1e3}, {3e6, 2e3}, {2e6, 1e3}})},
      {"binned", maxwell_slip_backbone(bin_backbone(*hertz, 200))},
      {"tabulated density", tabulated_density_backbone({{1e-5, 2e10}, {1e-4, 3e10}, {3e-4, 0.0}, {4e-4, 1e10}}, 1e6)},
      {"tabulated backbone", tabulated_backbone(rows)}};
}

}  // namespace masing::test
