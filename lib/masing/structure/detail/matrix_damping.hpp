// Damping of the modes of M, C, K, H: the eigenvalues of
//
//   (λ² M + λ C + K + iH) q = 0,       damping ratio ζ = −Re λ/|λ|
//
// not those of a projection on the undamped modes, so that strong and unevenly spread damping is right too.
//
//   C and H do not couple a mode to others    λ² + λ c + ω² + i h = 0, ζ = c/(2ω) without h, also above 1
//   small models                               all eigenvalues, each given to the undamped mode that it moves most like;
//                                              two real ones together are an overdamped mode, ζ = −(λ₁ + λ₂)/(2 √(λ₁ λ₂))
//   other models                               each mode is followed while the damping grows (damped_mode.hpp)
//
// H belongs to positive frequencies: of the eigenvalues those with Im λ > 0 count.
#pragma once

#include "masing/core/types.hpp"
#include "masing/structure/detail/symmetric_modes.hpp"

#include <vector>

namespace masing::detail {

struct SystemMatrices {
  SparseMatrix mass, damping, stiffness, hysteretic;
};

struct DampingOfMode {
  double ratio = 0.0;  ///< NaN: not found
  double omega = 0.0;  ///< Im λ [rad/s]; 0: overdamped
};

/// For the first `count` modes; those with ω² <= 0 get a NaN.
std::vector<DampingOfMode> damping_of_modes(const SystemMatrices& system, const SymmetricModes& modes, Index count);

}  // namespace masing::detail
