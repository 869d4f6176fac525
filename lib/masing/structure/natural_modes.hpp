// Natural modes of any structure, with linear springs and dashpots attached to it (joints that were linearised).
//
//   K x = ω² M x                            natural frequencies and shapes: without damping, xᵀMx = 1
//   (λ² M + λ C + K + iH) q = 0             damping: ζ = −Re λ/|λ|, from the complex eigenvalue that belongs to the mode
//
// K, C with the attachments. ζ is not an estimate from energies: for light damping both agree, for strong damping only this
// one is the decay of the free vibration. A loss factor η alone gives λ = iω √(1 + iη), ζ = sin(½ arctan η) ≈ η/2.
//
// Structures with matrices: detail/symmetric_modes.hpp, detail/matrix_damping.hpp. Spectral beams, which have none, none
// missed: natural_frequencies.hpp.
//
//   const auto modes = natural_modes(*structure, attachments, {.count = 6});
#pragma once

#include "masing/structure/beam_structure.hpp"
#include "masing/structure/structure.hpp"

#include <limits>
#include <span>
#include <vector>

namespace masing {

class SpectralBeam;

/// Force B (stiffness · u + damping · u̇) on the coordinates for relative motions u = Bᵀq. Both matrices symmetric.
struct LinearAttachment {
  SparseMatrix directions;  ///< B: coordinates × relative motions
  Matrix stiffness;         ///< [N/m]
  Matrix damping;           ///< [N s/m]
};

/// Which modes: the lowest `count` of those below `up_to` [rad/s].
struct ModeRange {
  Index count = 10;
  double up_to = std::numeric_limits<double>::infinity();
};

enum class ModeKind {
  vibrating,
  rigid,    ///< nothing resists it: ω = 0
  unstable  ///< an attachment with negative stiffness drives it away: ω² < 0
};

struct NaturalMode {
  ModeKind kind = ModeKind::vibrating;
  double omega = 0.0;  ///< [rad/s] without damping; of an unstable mode the rate √(−ω²) at which it grows
  double damping_ratio =
      0.0;  ///< ζ, 1 and more: overdamped; NaN for rigid and unstable modes, or when it was not found
  double damped_omega = 0.0;  ///< Im λ [rad/s]; NaN with the ratio
  Vector shape;               ///< one entry a coordinate, unit modal mass (kg)
  Vector x;                   ///< beams: places along the beam [m], else empty
  Matrix drawn;               ///< places × {u, w, phi}
};

/// Fills x and drawn of a mode of a beam of finite elements from its shape.
void draw_at_nodes(const BeamStructure& beam, NaturalMode& mode);

/// Ascending; rigid ones first. `places` is the number of evenly spaced places at which the modes of a spectral beam are
/// drawn. Throws ModelError when the range is empty or the structure is of another kind; NumericalError when a spectral beam
/// is unstable.
std::vector<NaturalMode> natural_modes(const Structure& structure, std::span<const LinearAttachment> attachments,
                                       const ModeRange& range, Index places = 201);
/// The same, drawn at x [m].
std::vector<NaturalMode> natural_modes(const Structure& structure, std::span<const LinearAttachment> attachments,
                                       const ModeRange& range, const Vector& x);

/// The spectral beam that a structure is, or that it has shapes of; null: another kind.
const SpectralBeam* spectral_beam_of(const Structure& structure);

}  // namespace masing
