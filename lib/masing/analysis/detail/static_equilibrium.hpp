// Where a model rests under its static loads and the preload of its joints:
//
//   K q + Σ B f(Bᵀq) = p₀
//
// It is the harmonic balance of harmonic 0 alone, so it is the state about which a vibration of vanishing amplitude is
// balanced: joints that remember were never loaded before.
#pragma once

#include "masing/analysis/model.hpp"

namespace masing::detail {

struct StaticEquilibrium {
  bool found = false;
  std::string message;  ///< why not
  Vector coordinates;   ///< q
};

/// Throws ModelError when nothing holds the structure.
StaticEquilibrium static_equilibrium(const Model& model);

}  // namespace masing::detail
