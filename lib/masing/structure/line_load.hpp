// Loads that are spread along a beam: a uniform load over a stretch, and the beam's own weight. They become the forces
// and moments at the nodes that do the same work on the static shape functions of the pieces between the nodes,
//
//   p = ∫ N(x)ᵀ q dx
//
// With these functions the static deflection at the nodes is exact, whatever the length of the pieces. Above ω = 0 it is
// an approximation, so these loads are static ones only (except on a fine mesh of finite elements).
//
// Reference: J. S. Przemieniecki, Theory of Matrix Structural Analysis, McGraw-Hill, 1968, sections 5.6 and 11.2.
#pragma once

#include "masing/core/types.hpp"
#include "masing/structure/beam.hpp"

namespace masing {

/// A uniform load over a stretch of the beam.
struct LineLoad {
  double from = 0.0;                     ///< [m]
  double to = 0.0;                       ///< [m], > from
  std::array<double, 3> intensity = {};  ///< along u, w [N/m] and phi [N m/m]; a rod has the first one only
};

/// Loads on every motion of every node, fixed ones included, node by node. `nodes` [m] are ascending from one end of the
/// beam to the other; no section ends between two of them. Throws ModelError when the stretch is not on the beam.
Vector nodal_line_load(const Beam& beam, const std::vector<double>& nodes, const LineLoad& load);

/// The inertia of the whole beam, lumped masses included, against a translation along u or w: the weight at the nodes
/// for a gravity of 1 m/s². In the same order.
Vector nodal_weight(const Beam& beam, const std::vector<double>& nodes, BeamMotion direction);

/// What structures made from a beam can answer beside what every structure can. Entries are coordinates.
class LineLoaded {
 public:
  virtual ~LineLoaded() = default;
  virtual BeamTheory theory() const = 0;
  virtual double begin() const = 0;                          ///< [m]
  virtual double end() const = 0;                            ///< [m]
  virtual Vector line_load(const LineLoad& load) const = 0;  ///< [N]
  virtual Vector weight(BeamMotion direction) const = 0;     ///< [N], for a gravity of 1 m/s² along u or w
};

}  // namespace masing
