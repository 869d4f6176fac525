// A spectral beam whose joints lie along a stretch, with the eigenfunctions of that stretch made anew for every harmonic
// and frequency in place of its motions at all Gauss points:
//
//   S(ω) φ = λ G φ,    y = V(ω) c,    V(ω) = span of the φ with the smallest |λ|,    Vᴴ (S V c + f − p) = 0
//
// S(ω) is the exact stiffness that the joints see: it contains what the free part of the beam does to the end of the
// stretch, and damping, so that the φ are complex for ω > 0. G holds the lengths that the Gauss points stand for.
// The φ are orthogonal without conjugate (φᵀGφ), but forces are projected with it: then the energy balance of the
// shapes is that of the motion itself, and a beam that takes energy cannot give any.
//
// The answer to a load that acts beside the stretch need not be in that span: near a resonance of the beam with its stretch
// held it is not at all. What is missing is added as one further shape a load (detail/load_answers.hpp).
//
// Of the φ only their span matters. It is written in a basis without arbitrary phases or signs, which varies smoothly with
// ω and does not notice when two kept eigenvalues meet:
//
//   V = U T,   Φ₀ᵀ T = 1,      Φ₀: the real eigenfunctions at the frequency of reference, undamped; U: weights
//
// so that c are the shares of Φ₀ in the motion. dV/dω follows from the equations of the span (detail/invariant_span.hpp);
// with it ∂R/∂Ω contains the change of basis. Where an eigenvalue that is kept and one that is not trade places the span
// jumps, by the size of the truncation error.
//
// In all else it is the spectral beam: its coordinates, natural modes and energies are exact; only a balance of harmonics
// (condense_in_shapes) sees fewer motions. The alternative with constant real shapes, galerkin_beam.hpp, costs less.
//
// Reference: H. Ahmadian, M. Mohammadali, Mech. Syst. Signal Process. 80 (2016), equations (23) to (30).
#pragma once

#include "masing/structure/galerkin_beam.hpp"

namespace masing {

class EigenfunctionBeam final : public SpectralBeam {
 public:
  /// As many eigenfunctions as `options.modes` and rigid motions of the stretch together, and with `residual` a shape for
  /// each of the `loads` that is independent of the others. Throws ModelError for options that do not fit, NumericalError at a resonance.
  EigenfunctionBeam(const SpectralBeam& full, const GalerkinOptions& options);

  /// Motions of the basis beside the stretch stay as they are.
  std::unique_ptr<CondensedStructure> condense_in_shapes(const InterfaceBasis& basis) const override;

  const GalerkinSummary& summary() const { return summary_; }

 private:
  InterfaceBasis interface_;  // the motions of the stretch
  Matrix half_weight_;        // R, G = R Rᵀ
  Matrix reference_;          // Φ₀, of weighted motions
  Matrix loads_;              // that have shapes of their own, on all coordinates
  GalerkinSummary summary_;
};

}  // namespace masing
