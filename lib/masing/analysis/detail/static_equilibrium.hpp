// Where a model rests under its static loads and the preload of its joints:
//
//   K q + Σ B f(Bᵀq) = p₀
//
// It is the harmonic balance of harmonic 0 alone, so it is the state about which a vibration of vanishing amplitude is
// balanced: joints that remember were never loaded before.
#pragma once

#include "masing/analysis/model.hpp"
#include "masing/balance/harmonic_balance.hpp"

namespace masing::detail {

struct StaticEquilibrium {
  bool found = false;
  std::string message;  ///< why not
  Vector coordinates;   ///< q
};

/// Throws ModelError when nothing holds the structure.
StaticEquilibrium static_equilibrium(const Model& model);

/// The kept motions y of a balance where all coordinates of the structure are q.
Vector kept_motions(const HarmonicBalance& balance, const Vector& coordinates);

/// A balance at rest in the static equilibrium: where backbones begin.
struct StaticStart {
  bool found = false;
  std::string message;  ///< why not
  Vector x;             ///< of the balance: harmonic 0 only
  Vector mean;          ///< all coordinates; zero where harmonic 0 is not balanced
};
StaticStart static_start(const Model& model, const HarmonicBalance& balance);

}  // namespace masing::detail
