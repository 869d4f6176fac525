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

#include "masing/structure/natural_modes.hpp"
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
  double omega = 0.0;  ///< [rad/s], without damping
  double damping_ratio =
      0.0;  ///< Im ω/|ω| of the complex ω with loss factors and dashpots; NaN: overdamped, or not found
  double damped_omega = 0.0;  ///< Re ω of it [rad/s]
  Matrix nodes;               ///< nodes × {u, w, phi}
  Vector x;                   ///< [m], places along the beam
  Matrix shape;               ///< places × {u, w, phi}
};

/// The lowest `count` modes, drawn at `places` (>= 2), evenly spaced along the beam.
std::vector<BeamMode> lowest_natural_modes(const SpectralBeam& structure, Index count, Index places = 101);
/// The same of those below a limit, if it is less. Throws NumericalError when a coupling of negative stiffness makes the beam
/// unstable.
std::vector<BeamMode> lowest_natural_modes(const SpectralBeam& structure, const ModeRange& range, Index places = 101);
/// The same, drawn at x [m].
std::vector<BeamMode> lowest_natural_modes(const SpectralBeam& structure, const ModeRange& range, const Vector& x);

/// `count` (>= 2) places from end to end.
Vector even_places(const Beam& beam, Index count);

}  // namespace masing
