// The motions of an undeformed beam that neither a support nor a spring resists.
#pragma once

#include "masing/core/types.hpp"
#include "masing/structure/beam.hpp"

namespace masing::detail {

/// One column a motion, orthonormal: u, w in the middle of the beam, and phi times the length of the beam.
Matrix rigid_motions(const Beam& beam);

/// (u, w, phi) at x of a column of rigid_motions.
Eigen::Vector3d rigid_motion_at(const Beam& beam, const Eigen::Vector3d& motion, double x);

}  // namespace masing::detail
