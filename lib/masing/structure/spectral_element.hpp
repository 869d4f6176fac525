// The exact dynamic stiffness Z(ω) of a uniform piece of rod or beam, and dZ/dω.
//
//   rod:         EA u'' + ω²ρA u = 0
//   Timoshenko:  Q' + ω²ρA w = 0,   M' + Q + ω²ρI φ = 0,   w' = φ + σQ,   φ' = M / EI,      σ = 1/(κGA)
//   both wavenumbers solve  k⁴ − p k² + q = 0,   p = ω²(ρA σ + ρI/EI),   q = (ω²ρA/EI)(ω²ρI σ − 1)
//
// Euler-Bernoulli is σ = 0, ρI = 0. Hysteretic damping: EA, EI and 1/σ times (1 + iη) for ω > 0; ω = 0 is real.
// End forces f = Z q act on the piece; q = (u₁, u₂) or (w₁, φ₁, w₂, φ₂).
//
// How it is computed. Seen from the middle of the piece, x ∈ [−a, a], motions are even or odd in w, and the two do not
// mix: Z consists of two symmetric 2 × 2 matrices Z_s (w even, φ odd) and Z_a, each (Q, M)(w, φ)⁻¹ at x = a of two
// solutions. Two sets of solutions are used:
//   - |ka| small: the solutions with unit initial values c₀ … c₃ (1, x, x²/2, x³/6 at ω = 0) as power series in ω².
//     The static stiffness is the limit, not a special case, and nothing cancels.
//   - otherwise: one solution a wave pair, cos kx and sin(kx)/k, each scaled by e^{−ika} with Im k <= 0, so that no
//     exponential exceeds 1. Both depend on k² only: at ω_c = √(κGA/ρI), where k₂ = 0, nothing happens.
// Both are exact to rounding; they meet near |ka| = 1.5. The derivative is carried along (detail/dual.hpp).
//
// Reference: Doyle, Wave Propagation in Structures (1997), ch. 2-5; Wittrick & Williams, Q. J. Mech. Appl. Math. 24
// (1971) for the use of clamped_frequencies_below.
#pragma once

#include "masing/core/types.hpp"
#include "masing/structure/beam.hpp"

namespace masing {

/// A uniform piece. A rod needs length, axial stiffness, mass and loss factor only.
struct SpectralPiece {
  double length = 0.0;             ///< ℓ [m]
  double axial_stiffness = 0.0;    ///< EA [N]
  double bending_stiffness = 0.0;  ///< EI [N m²]
  double shear_compliance = 0.0;   ///< σ = 1/(κGA) [1/N]; 0: no shear deformation
  double mass_per_length = 0.0;    ///< ρA [kg/m]
  double rotary_per_length = 0.0;  ///< ρI [kg m]; 0: no rotary inertia
  double loss_factor = 0.0;        ///< η
};

/// `length` of a section, as the theory sees it.
SpectralPiece spectral_piece(const BeamSection& section, BeamTheory theory, double length);

/// Z and dZ/dω of the motions of both ends.
struct RodStiffness {
  Eigen::Matrix2cd z, derivative;
};
struct BendingStiffness {
  Eigen::Matrix4cd z, derivative;
};

/// ω may be complex, for motions that decay: e^{iωt} with Re ω > 0. Hysteretic damping is then that of positive frequencies.
RodStiffness rod_stiffness(const SpectralPiece& piece, Complex omega);
BendingStiffness bending_stiffness(const SpectralPiece& piece, Complex omega);

/// The motion at distance x from the left end when the ends move as given and no load acts between them.
Complex rod_motion(const SpectralPiece& piece, double omega, const Eigen::Vector2cd& ends, double x);
Eigen::Vector2cd bending_motion(const SpectralPiece& piece, double omega, const Eigen::Vector4cd& ends, double x);

/// Load at the ends of a piece whose base has the acceleration 1 m/s², along it or across: −∫ Nᵀ ρA dx with the exact
/// shapes N(x, ω) of the end motions, and its derivative. (A piece that rests in space while its base moves by −1/ω²
/// has no strain: Z t / ω², t = 1 at both ends. What would cancel in Z t is left out from the start.)
struct RodLoad {
  Eigen::Vector2cd load, derivative;
};
struct BendingLoad {
  Eigen::Vector4cd load, derivative;
};
RodLoad rod_base_acceleration(const SpectralPiece& piece, double omega);
BendingLoad bending_base_acceleration(const SpectralPiece& piece, double omega);

/// Number of natural frequencies below ω of the undamped piece with both ends held.
Index clamped_rod_frequencies_below(const SpectralPiece& piece, double omega);
Index clamped_bending_frequencies_below(const SpectralPiece& piece, double omega);

}  // namespace masing
