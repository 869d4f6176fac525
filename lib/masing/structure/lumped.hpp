// Lumped structures: one oscillator, and a chain of masses and springs.
#pragma once

#include "masing/structure/matrix_structure.hpp"

#include <memory>

namespace masing {

/// m ẍ + c ẋ + k x = p, c = damping + 2 ζ √(k m). One coordinate, "x".
struct OscillatorOptions {
  double mass = 1.0;                    ///< [kg], > 0
  double stiffness = 1.0;               ///< [N/m], >= 0; 0 when a joint is the only spring
  double damping = 0.0;                 ///< viscous [N s/m], >= 0
  double damping_ratio = 0.0;           ///< ζ >= 0, needs stiffness > 0
  DampingOptions further_damping = {};  ///< adds up
};
std::shared_ptr<const MatrixStructure> oscillator(const OscillatorOptions& options);

/// Where a chain is held: at its first mass, at both ends, or nowhere (its rigid-body motion is legal).
enum class ChainGround { left, both, none };

/// Masses x1 … xn in a line, neighbours joined by a spring and a dashpot. Springs from left to right:
/// left: n (the first one to the ground), both: n + 1, none: n − 1. Dashpots likewise; an empty list means none.
struct ChainOptions {
  std::vector<double> masses = {};       ///< [kg], > 0
  std::vector<double> stiffnesses = {};  ///< [N/m], >= 0
  std::vector<double> dampings = {};     ///< viscous [N s/m], >= 0
  ChainGround ground = ChainGround::left;
  DampingOptions further_damping = {};  ///< adds up
};
std::shared_ptr<const MatrixStructure> chain(const ChainOptions& options);

/// Number of springs of a chain of `masses` masses.
std::size_t chain_springs(std::size_t masses, ChainGround ground);

}  // namespace masing
