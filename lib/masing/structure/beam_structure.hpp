// What a structure made from the description of a beam has beside what every structure has: the description itself, and
// the way from loads at its nodes to loads on its coordinates.
//
//   const auto& made = dynamic_cast<const BeamStructure&>(structure);
//   Vector p = made.to_coordinates(self_weight(made.beam(), made.nodes(), 0.0, -9.81));
#pragma once

#include "masing/core/types.hpp"
#include "masing/structure/beam.hpp"

namespace masing {

class BeamStructure {
 public:
  virtual ~BeamStructure() = default;
  virtual const Beam& beam() const = 0;
  virtual const std::vector<BeamNode>& nodes() const = 0;  ///< ascending
  /// Entries (nodes × {u, w, phi}) on the coordinates; what acts on fixed motions goes to the support.
  virtual Vector to_coordinates(const Matrix& nodal) const = 0;
};

}  // namespace masing
