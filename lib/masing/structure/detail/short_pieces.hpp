// Places of a beam that lie very close to each other.
//
// A piece of length d resists a step between its ends with 12 EI/d³, the whole beam of length L with some 3 EI/L³: rounding
// errors of the former are (L/d)³ ε of the latter, 1e-7 for d = L/1000, and soon nothing is left. A Timoshenko piece resists with
// κGA/d, and has that trouble much later. A short piece is therefore given so much shear compliance that it has at least σ,
//
//   σ d = τ L³/(3 EI),     τ = 3e-9, less where many pieces are short
//
// of the deflection that the beam itself has under a force at its end. It costs the share τ (kL)²/6 of a natural frequency
// with wavenumber k, and limits rounding errors to ε/τ, whatever d is: both are of the order 1e-7.
#pragma once

#include "masing/structure/beam.hpp"

namespace masing::detail {

class ShortPieces {
 public:
  explicit ShortPieces(const Beam& beam);

  /// What to add [1/N] to the piece between two neighbouring places, with the bending stiffness EI and the compliance
  /// 1/(κGA) that it has (0: Euler-Bernoulli); 0 unless it is short.
  double shear_compliance(double length, double bending_stiffness, double own) const;
  /// Whether the beam has something at both ends of this stretch, and nothing between.
  bool is_piece(double left, double right) const;

 private:
  std::vector<double> places_;
  double shortest_ = 0.0;    // a piece that is not short, at least [m]; 0: of no matter
  double deflection_ = 0.0;  // of a piece, times EI/N [m³]
};

}  // namespace masing::detail
