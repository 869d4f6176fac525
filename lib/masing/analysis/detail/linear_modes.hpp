// Modes of a structure with matrices whose joints do what they do in a small motion about a static equilibrium: friction
// sticks, closed contacts stay closed. Only where backbones begin; the balance itself knows nothing of modes.
//
//   (K + B K_t Bᵀ) φ = ω² M φ,   φᵀ M φ = 1
#pragma once

#include "masing/analysis/model.hpp"
#include "masing/balance/options.hpp"

namespace masing::detail {

struct LinearMode {
  double omega = 0.0;          ///< [rad/s]
  Vector shape;                ///< all coordinates, unit modal mass
  double damping_ratio = 0.0;  ///< of the structure's own damping, to first order
};

/// Mode `number` (from 1; rigid-body motions do not count). `mean` is the static motion of all coordinates. Throws
/// ModelError when the structure has no matrices or not so many modes.
LinearMode linear_mode(const Model& model, const BalanceOptions& options, const Vector& mean, int number);

}  // namespace masing::detail
