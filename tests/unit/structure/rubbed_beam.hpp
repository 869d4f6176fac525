// A free bar with joints along its first 40 mm, and how they see it: shared by the tests of both Galerkin bases.
#pragma once

#include "masing/structure/galerkin_beam.hpp"
#include "unit/structure/spectral_support.hpp"

#include <Eigen/LU>

namespace masing::test {

inline constexpr Index points = 9;
inline constexpr double stretch = 0.04;
inline constexpr double reference = 150.0;  // [Hz]
inline constexpr double omega_reference = 2.0 * pi * reference;

inline double place(Index i) { return stretch * (static_cast<double>(i) + 0.5) / static_cast<double>(points); }

/// A free Timoshenko bar with joints along its first 40 mm, at the middles of equal parts.
struct Rubbed {
  explicit Rubbed(double loss_factor = 0.01) {
    Beam description;
    description.theory = BeamTheory::timoshenko;
    description.sections = {steel(0.0, 0.4)};
    description.sections.front().loss_factor = loss_factor;
    description.points = {{"drive", 0.15}, {"tip", 0.4}};
    description.masses = {{.at = 0.15, .mass = 0.03}};
    for (Index i = 0; i < points; ++i) description.points.push_back({"", place(i)});
    beam = std::make_shared<const SpectralBeam>(description);
    Matrix felt = Matrix::Zero(beam->size(), 2 * points);
    for (Index i = 0; i < points; ++i) {
      const std::size_t node = node_at(beam->nodes(), place(i));
      felt(beam->coordinate(node, BeamMotion::u), 2 * i) = 1.0;
      felt(beam->coordinate(node, BeamMotion::phi), 2 * i) = 0.005;
      felt(beam->coordinate(node, BeamMotion::w), 2 * i + 1) = -1.0;
    }
    directions = felt.sparseView();
    drive = beam->motion("drive.w");
  }

  GalerkinOptions options(Index modes, bool residual = true) const {
    return {.directions = directions,
            .lengths = Vector::Constant(2 * points, stretch / static_cast<double>(points)),
            .loads = drive,
            .modes = modes,
            .frequency = reference,
            .highest_frequency = 5.0 * reference,
            .residual = residual};
  }

  std::shared_ptr<const SpectralBeam> beam;
  SparseMatrix directions;
  Vector drive;
};

inline InterfaceBasis basis_of(const GalerkinBeam& small, const SparseMatrix& directions) {
  const Matrix felt = small.shapes().transpose() * directions;
  return interface_basis(felt.sparseView(1.0, 1e-15));
}

/// What the joints feel under a force along each of them: Dᵀ Z⁻¹ D, condensed.
inline ComplexMatrix receptance(const Structure& structure, const InterfaceBasis& basis, const Matrix& felt,
                                double omega) {
  const auto condensed = structure.condense(basis);
  condensed->set_frequency(omega);
  const Matrix seen = basis.range.transpose() * felt(basis.touched, Eigen::all);
  return seen.transpose() * condensed->stiffness().partialPivLu().solve(ComplexMatrix(seen.cast<Complex>()));
}

inline ComplexMatrix full_receptance(const Rubbed& rubbed, double omega) {
  return receptance(*rubbed.beam, interface_basis(rubbed.directions), Matrix(rubbed.directions), omega);
}
inline ComplexMatrix small_receptance(const GalerkinBeam& small, const Rubbed& rubbed, double omega) {
  return receptance(small, basis_of(small, rubbed.directions), small.shapes().transpose() * rubbed.directions, omega);
}

}  // namespace masing::test
