// Natural frequencies of an undamped spectral beam, none missed, by the count of Wittrick and Williams:
//
//   J(ω) = J₀(ω) + s{Z(ω)}
//
// is the number of natural frequencies below ω: J₀ counts those of the pieces with their ends held, s the negative
// eigenvalues of Z. Bisection of J to rounding finds every one, equal ones as often as they occur, and also those whose
// motion is zero at all nodes. Frequencies are in rad/s, ascending; a rigid-body motion counts as 0.
//
// Reference: Wittrick & Williams, Q. J. Mech. Appl. Math. 24 (1971) 263-284.
#pragma once

#include "masing/structure/spectral_beam.hpp"

#include <vector>

namespace masing {

/// J(ω) for ω > 0.
Index count_natural_frequencies(const SpectralBeam& structure, double omega);

/// All below `up_to` [rad/s].
std::vector<double> natural_frequencies_up_to(const SpectralBeam& structure, double up_to);

/// The lowest `count`.
std::vector<double> lowest_natural_frequencies(const SpectralBeam& structure, Index count);

/// A mode of the undamped beam, scaled to unit modal mass (kg, the distributed mass included); the modes of equal
/// frequencies are orthogonal to each other.
struct BeamMode {
  double omega = 0.0;          ///< [rad/s]
  double damping_ratio = 0.0;  ///< of loss factors and dashpots, to first order: energy lost a cycle / 4π energy
  Matrix nodes;                ///< nodes × {u, w, phi}
  Vector x;                    ///< [m], evenly spaced places along the beam
  Matrix shape;                ///< places × {u, w, phi}
};

/// The lowest `count` modes, drawn at `places` (>= 2) along the beam.
std::vector<BeamMode> lowest_natural_modes(const SpectralBeam& structure, Index count, Index places = 101);

}  // namespace masing
