// A beam or rod of exact spectral elements: Z(ω) is not K − ω²M but the solution of the equations of motion between the
// nodes, at every frequency (spectral_element.hpp). A node is needed only where something is; more nodes change nothing.
//
// Coordinates are "tip.u", "tip.w", "tip.phi"; a fixed motion is no coordinate. Loads act at nodes; for a static line
// load see beam_load.hpp. The inertia of a beam on a shaking base is exact too. Units as in beam.hpp.
//
// Limits: linear, uniform pieces; no matrices, hence no time integration, and no other load that is distributed along
// the beam in a harmonic above 0.
//
// Smallest use:
//   Beam beam{.sections = {section}, .points = {{"tip", 0.5}}, .supports = {{.at = 0.0, .fixed = {true, true, true}}}};
//   SpectralBeam structure(beam);
//   auto condensed = structure.condense(interface_basis(directions));
#pragma once

#include "masing/structure/beam_structure.hpp"
#include "masing/structure/load.hpp"
#include "masing/structure/structure.hpp"

#include <array>

namespace masing {

namespace detail {
struct SpectralModel;
}

class SpectralBeam : public Structure, public BeamStructure {
 public:
  /// Throws ModelError when the description is wrong.
  explicit SpectralBeam(Beam beam);

  const std::vector<std::string>& coordinates() const override { return coordinates_; }
  std::unique_ptr<CondensedStructure> condense(const InterfaceBasis& basis) const override;
  /// Always throws ModelError: the inertia of a moving base is spread along the beam and depends on the frequency.
  Vector base_acceleration_load(const Vector& direction) const override;
  /// That load, for an amplitude [m/s²] along u or w; coordinates are then relative to the base.
  std::shared_ptr<const FrequencyLoad> base_acceleration(BeamMotion motion, double amplitude) const;

  const Beam& beam() const override { return beam_; }
  const std::vector<BeamNode>& nodes() const override { return nodes_; }
  Vector to_coordinates(const Matrix& nodal) const override;
  /// Coordinate of a motion of a node, or −1 when it is fixed or no motion of the theory.
  Index coordinate(std::size_t node, BeamMotion motion) const;

  /// Z(ω) and dZ/dω of all coordinates. ω = 0: real.
  void dynamic_stiffness(double omega, ComplexMatrix& z, ComplexMatrix& derivative) const;

  /// u, w and phi at x [m] when the coordinates move as `all` at ω and no load acts between the nodes around x. Motions
  /// that the theory does not have are 0.
  std::array<Complex, 3> motion_at(double x, double omega, const ComplexVector& all) const;

  const detail::SpectralModel& model() const { return *model_; }

 private:
  Beam beam_;
  std::vector<BeamNode> nodes_;
  std::vector<std::string> coordinates_;
  std::shared_ptr<const detail::SpectralModel> model_;
};

}  // namespace masing
