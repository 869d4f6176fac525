// Static loads that are spread along a beam, as forces and moments at its nodes.
//
// The nodal load is the work of the line load on the static shapes between the nodes, ∫ N(x) f dx. With the exact shapes
// of uniform pieces the nodal displacements are exact (rod, Euler-Bernoulli and Timoshenko), however few the nodes.
#pragma once

#include "masing/core/types.hpp"
#include "masing/structure/beam.hpp"

namespace masing {

/// Nodal loads (nodes × {u, w, phi}) of a uniform `intensity` [N/m; N m/m for phi] from `begin` to `end` [m].
/// Throws ModelError when the range is not on the beam or the theory does not have the motion.
Matrix line_load(const Beam& beam, const std::vector<BeamNode>& nodes, BeamMotion motion, double begin, double end,
                 double intensity);

/// Nodal loads of gravity [m/s²] along u and w on sections and lumped masses.
Matrix self_weight(const Beam& beam, const std::vector<BeamNode>& nodes, double along_u, double along_w);

}  // namespace masing
