// Natural frequencies in groups that lie close together, and their shapes to rounding.
//
// The count of Wittrick and Williams brackets them. It does not locate them to rounding: at a frequency of a clamped
// piece Z has a pole, and in a long piece pole and root agree to e^{−kℓ}, which costs half of the digits. The last
// steps are therefore taken on the beam with nodes so close that no piece resonates between them. There Z is smooth, and
//
//   (Z(ω₀) + δ dZ/dω) x = 0
//
// in the space of the few motions nearest to resonance (inverse iteration) converges quadratically, for a group as a whole.
#pragma once

#include "masing/structure/spectral_beam.hpp"

#include <vector>

namespace masing::detail {

/// `count` natural frequencies within a relative distance of 1e-5 around ω.
struct FrequencyGroup {
  double omega = 0.0;
  Index count = 0;
};

/// The vibrating modes that belong to a group.
struct ModeGroup {
  Vector frequencies;     ///< ascending [rad/s]
  Matrix shapes;          ///< coordinates of `beam` × modes, unit modal mass
  SpectralBeam undamped;  ///< with the additional nodes
};

ModeGroup modes_of(const SpectralBeam& structure, const FrequencyGroup& group);

/// Shapes of the rigid motions on the coordinates of an undamped beam, unit modal mass; `reference` [rad/s] is a
/// frequency at which it vibrates.
Matrix rigid_shapes(const SpectralBeam& undamped, double reference);

/// Combinations of shapes of equal frequency that a symmetric matrix, projected on them, does not couple.
Matrix uncoupled(const Matrix& shapes, const Matrix& projected);

Beam without_damping(Beam beam);

}  // namespace masing::detail
