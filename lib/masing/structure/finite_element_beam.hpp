// A beam or rod by finite elements: sparse M, C, K and H, for harmonic balance and time integration alike.
//
// Elements have two nodes and the static shape functions of detail/beam_shapes.hpp: linear for a rod, Hermite's for
// Euler-Bernoulli, shear-dependent ones for Timoshenko, which do not lock; the mass matrix is consistent, with rotary
// inertia for Timoshenko. Static deflections at the nodes are exact. Natural frequencies converge from above with the
// length h of the elements: rod and axial motion h²; Euler-Bernoulli h⁴; Timoshenko h⁴ while elements are longer than
// the beam is thick, h² beyond.
//
// Each place of the description is a node of the mesh; a piece between two of them gets elements in proportion to its
// length, at least one. Coordinates are called "tip.w" as the description says, those of inner nodes "x0.125.w" after
// their position [m]. Fixed motions are no coordinates.
//
// A loss factor of a section enters as hysteretic damping H = Σ η_i K_i.
//
// Smallest use:
//   Beam beam{.sections = {{.end = 0.6, .youngs_modulus = 210e9, .density = 7850, .area = 2e-4, .inertia = 4.2e-10}},
//             .points = {{"tip", 0.6}}, .supports = {{.fixed = {true, true, true}}}};
//   auto structure = finite_element_beam(beam, {.elements = 40});
#pragma once

#include "masing/structure/beam_structure.hpp"
#include "masing/structure/matrix_structure.hpp"

#include <memory>

namespace masing {

struct FiniteElementOptions {
  int elements = 40;            ///< in total, >= 1
  DampingOptions damping = {};  ///< beside the loss factors of the sections and the dashpots
  Evaluation evaluation = Evaluation::automatic;
};

/// The rounding error of the lowest frequencies grows with (number of elements)⁴ ε, 2e-4 here.
inline constexpr int max_beam_elements = 1000;

class FiniteElementBeam final : public MatrixStructure, public BeamStructure {
 public:
  /// Throws ModelError: what is wrong with the beam, or a number of elements out of range.
  FiniteElementBeam(const Beam& beam, const FiniteElementOptions& options);

  const Beam& beam() const override { return beam_; }
  const std::vector<BeamNode>& nodes() const override { return nodes_; }  ///< of the mesh
  Vector to_coordinates(const Matrix& nodal) const override;

 private:
  struct Assembly;
  FiniteElementBeam(const Beam& beam, Assembly assembly);
  static Assembly assemble(const Beam& beam, const FiniteElementOptions& options);

  Beam beam_;
  std::vector<BeamNode> nodes_;
  std::vector<Index> free_;  // motions of the nodes that are coordinates
};

std::shared_ptr<const FiniteElementBeam> finite_element_beam(const Beam& beam,
                                                             const FiniteElementOptions& options = {});

}  // namespace masing
