// Which coordinates are angles: their unit is the radian, the load that goes with them a moment.
//
// Structures tell it by the names of their coordinates: `tip.phi` is the rotation of a section; `12.4`, `12.5` and `12.6`, as
// Abaqus and Nastran number degrees of freedom, are the rotations of node 12.
#pragma once

#include "masing/structure/structure.hpp"

namespace masing {

bool is_rotation(std::string_view coordinate);

/// Whether a motion (one coefficient a coordinate) is an angle: all coordinates in it are. A mixture is a displacement, such as
/// u + r phi of a surface off the axis.
bool is_rotation(const Structure& structure, const Vector& motion);

}  // namespace masing
