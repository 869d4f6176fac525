// What a beam loses in length when it bends, as seen by a joint:
//
//   ½ ∫ w'² dx = ½ qᵀ G q,     G = ∫ N'ᵀ N' dx
//
// between two places, N being the static shapes between the nodes (Hermite's for Euler-Bernoulli, shear-dependent ones for
// Timoshenko). A place `to` then moves along the beam by u(to) − ½ ∫ w'² dx against the place `from` that is held, and a
// force f there is an axial force in the beam between them: it changes the bending stiffness by −f G, the consistent
// geometric stiffness.
//
// Error: a piece of length h that vibrates freely at ω deviates from its static shape; ∫ w'² then errs by the share
//
//   ω² ρA h⁴ / (360 EI) = (f / f_h)²
//
// to leading order in h, less for Timoshenko beams. `resolved_frequency` is f_h: at a tenth of it the shortening is right
// to 1 %. More nodes make it better, f_h ~ 1/h²; a node for each h costs two kept motions in a harmonic balance.
//
// Limits: moderate rotations (w'² small beside 1); the axial force is the same all along, so axial inertia must be
// negligible at the frequencies of interest.
//
// Reference: J. S. Przemieniecki, Theory of Matrix Structural Analysis, McGraw-Hill, 1968, chapter 15.
#pragma once

#include "masing/structure/beam_structure.hpp"
#include "masing/structure/structure.hpp"

#include <string>

namespace masing {

struct Shortening {
  SparseMatrix matrix;              ///< G on the coordinates; positive semi-definite
  double resolved_frequency = 0.0;  ///< f_h of the longest piece [Hz]
  Index pieces = 0;
};

/// Between two nodes of a beam, `begin` < `end` [m]. A mesh may be thinned: with `pieces` > 0, nodes that only the mesh has
/// are left out where the shape is fine enough with about so many pieces; every place of the beam's description stays.
/// The structure must be a BeamStructure that bends. Throws ModelError otherwise, or when there is no node at `begin` or
/// `end`.
Shortening shortening(const Structure& structure, double begin, double end, Index pieces = 0);

}  // namespace masing
