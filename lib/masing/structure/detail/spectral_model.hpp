// A beam as spectral pieces between its nodes plus lumped stiffness, damping and mass: everything Z(ω) is summed from.
#pragma once

#include "masing/structure/beam.hpp"
#include "masing/structure/spectral_element.hpp"

#include <array>
#include <vector>

namespace masing::detail {

struct SpectralModel {
  /// The piece between node i and i + 1.
  std::vector<SpectralPiece> pieces;
  /// Coordinate of u, w, phi of each node; −1: fixed, or not a motion of the theory.
  std::vector<std::array<Index, 3>> coordinates;
  struct Lumped {
    Index row = 0, column = 0;
    double stiffness = 0.0, damping = 0.0, mass = 0.0;
  };
  std::vector<Lumped> lumped;
  Index size = 0;
  bool bends = true;

  /// Calls add(row, column, Z, dZ/dω) for every contribution; both triangles.
  template <class Add>
  void assemble(Complex omega, Add&& add) const {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const auto& left = coordinates[i];
      const auto& right = coordinates[i + 1];
      const RodStiffness rod = rod_stiffness(pieces[i], omega);
      add_block(std::array{left[0], right[0]}, rod, add);
      if (bends) add_block(std::array{left[1], left[2], right[1], right[2]}, bending_stiffness(pieces[i], omega), add);
    }
    for (const Lumped& term : lumped) {
      const Complex slope(0.0, omega.real() > 0.0 ? term.damping : 0.0);
      add(term.row, term.column, term.stiffness - omega * omega * term.mass + omega * slope,
          -2.0 * omega * term.mass + slope);
    }
  }

 private:
  template <std::size_t n, class Stiffness, class Add>
  static void add_block(const std::array<Index, n>& where, const Stiffness& block, Add&& add) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (where[i] < 0 || where[j] < 0) continue;
        const auto row = static_cast<Index>(i);
        const auto column = static_cast<Index>(j);
        add(where[i], where[j], block.z(row, column), block.derivative(row, column));
      }
    }
  }
};

/// Of a checked beam and its nodes.
SpectralModel spectral_model(const Beam& beam, const std::vector<BeamNode>& nodes);

/// Largest |row − column| of Z.
Index bandwidth(const SpectralModel& model);

/// Without loss factors and dashpots.
SpectralModel undamped(SpectralModel model);

}  // namespace masing::detail
