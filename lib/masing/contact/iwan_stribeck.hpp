// Iwan-Stribeck: a four-parameter Iwan law whose sliding friction falls with the sliding speed. Rate-dependent.
//
// First loading with displacement u and speed v >= 0; z = u / ϕ_max, s(v) = exp(−(v/v_S)^δ), F̂₄ the four-parameter
// backbone, F̂_θ the five-parameter one (backbones.hpp), c = β + (χ+1)/(χ+2):
//
//   printed       C = F̂_θ(u) + (1/c) [F_S (1−θ) s(v) + F_V v] z^(χ+1)
//   consistent    C = F̂_θ(u) + s(v) [F̂₄(u) − F̂_θ(u)] + F_V v z^(χ+1),     F̂₄ − F̂_θ = (1−θ) ∫₀ᵘ ϕ R ϕ^χ dϕ
//
// The printed form is (39) of the paper. Each slider that slides carries the *joint's* F_S (1−θ) s(v) there, divided by the
// common stiffness, so for v → 0 macroslip does not start from F_S: the limit is F_lim + F_S (1−θ)/c, 1.49 F_S in the
// paper's example (χ = −0.5, β = 0.005, θ = 0.75). In the consistent form a slider of strength ϕ carries
// ϕ [θ + (1−θ) s(v)]: the limit is F_S for v → 0 and F_lim + F_V v for v ≫ v_S. In both forms the sliders at ϕ_max (β) keep
// their strength, as in the five-parameter law, so that the force does not jump when they let go.
//
// Reversals as in RIPP (ripp.hpp), which the paper proposes the law for: F = F₀ + d g C(d (x − x₀)/g, d v), g = 1 − d F₀/C_lim,
// with C_lim the limit for v → 0, because v = 0 at every reversal. So RIPP's limits hold here, too. For the same reason the
// speed has no influence on the forces at the reversals of a cycle, only on those in between.
//
// Limits. δ >= 1: below 1 the derivative ds/dv is infinite at every reversal. In the printed form, and in the viscous part of
// both, the slope ∂C/∂u is infinite at a reversal like u^χ; the force itself is continuous. Parameters are not measurable
// one by one; the paper gives the law as an example of how RIPP extends, not as a recommendation.
//
// Reference: M. R. W. Brake, Nonlinear Dynamics 87 (2017) 1335-1349, eqs. (34)-(39). B. Armstrong-Hélouvry, P. Dupont,
// C. Canudas de Wit, A survey of models, analysis tools and compensation methods for the control of machines with friction,
// Automatica 30 (1994) 1083-1138.
#pragma once

#include "masing/contact/backbones.hpp"
#include "masing/contact/element.hpp"

namespace masing {

enum class StribeckForm { printed, consistent };

struct IwanStribeckParameters {
  FiveParameters iwan;             ///< K_T, F_S, χ, β, θ
  double stribeck_velocity = 0.0;  ///< v_S > 0 [m/s]
  double exponent = 2.0;           ///< δ, 1 <= δ <= 10; 2: Gaussian
  double viscous = 0.0;            ///< F_V >= 0 [N s/m]
  StribeckForm form = StribeckForm::consistent;
};

/// One input; uses the velocity. In time integration the phases are "forward" and "backward".
std::shared_ptr<const ContactElement> make_iwan_stribeck(const IwanStribeckParameters& parameters);

/// C_lim: the macroslip force for v → 0 [N].
double stribeck_slip_force(const IwanStribeckParameters& parameters);

}  // namespace masing
