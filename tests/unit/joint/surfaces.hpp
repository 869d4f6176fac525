// The published interfaces, shared by the tests of this room.
#pragma once

#include "masing/joint/roughness.hpp"

#include <cmath>

namespace masing::test {

/// Half a unit of the last digit printed: "agrees to the digits given".
inline double printed(double value, int digits) {
  return 0.5 * std::pow(10.0, std::floor(std::log10(std::abs(value))) - (digits - 1));
}

/// Jamshidi & Ahmadian, Table 1: two alike steel surfaces under 100 N.
inline RoughSurfaces steel_surfaces() {
  const ElasticMaterial steel{200e9, 0.3};
  return {.summits = two_alike(Summits{1e-6, 200e-6, 250e6}),
          .area = 5e-4,
          .lower = steel,
          .upper = steel,
          .friction = 0.45};
}
inline constexpr double steel_load = 100.0;

/// Table 2: aluminium blocks, S/H = 0.16, the upper one of 2 kg.
inline RoughSurfaces aluminium_surfaces() {
  const ElasticMaterial aluminium{70e9, 0.3};
  return {.summits = two_alike(Summits{0.85e-6, 170e-6, 210e6}),
          .area = 1e-2,
          .lower = aluminium,
          .upper = aluminium,
          .friction = friction_of_strength(0.16)};
}

/// Table 3: profile of the surfaces in the support of the beam.
inline ProfileRoughness support_profile() {
  return {.Rq = 5.9e-6, .Rsm = 300e-6, .Rpc = 5100.0, .Rsk = 0.1, .Rku = 3.2};
}

inline RoughSurfaces support_surfaces(const Summits& summits) {
  const ElasticMaterial steel{200e9, 0.3};
  return {.summits = summits, .area = 1e-4, .lower = steel, .upper = steel, .friction = friction_of_strength(0.35)};
}

}  // namespace masing::test
