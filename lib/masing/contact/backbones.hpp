// The backbones of the Iwan family: each factory checks its parameters (ModelError with the rule) and returns F̂(u).
//
//   BackbonePointer joint = four_parameter_backbone({.stiffness = 1.5e7, .slip_force = 4e3, .chi = -0.5, .beta = 0.005});
//   BackboneValue value = joint->at(1e-4);
//
// All of them are given by physical quantities: the stiffness K_T while everything sticks [N/m] and the force F_S when
// everything slides [N]; the rest is shape. What the density looks like, z = u / ϕ_max:
//
//   uniform        ρ constant on [0, ϕ_max]                                                Iwan 1966
//   four-parameter ρ = R ϕ^χ on [0, ϕ_max) + S δ(ϕ − ϕ_max)                                Segalman 2005
//   five-parameter the same, but a slider that slides carries only θ of its strength       Wang & Mignolet 2014
//   end-singular   ρ = R ϕ^χ + S (ϕ_max − ϕ)^−g: the Dirac smeared out                     Brake 2017, (33)
//   Hertz          ρ ∝ (ϕ_max − ϕ)^−½: a sphere on a plane; Mindlin's solution             Li et al. 2020
//   flat           from a quadratic line load whose value in the middle is γ times the mean  Li et al. 2020
//   Maxwell slip   a finite number of sliders
//   tables         of the density, or of the backbone itself
//
// D. J. Segalman, J. Appl. Mech. 72 (2005) 752; M. R. W. Brake, Nonlinear Dyn. 87 (2017) 1335; D. Li, D. Botto, C. Xu,
// M. Gola, Int. J. Mech. Sci. 180 (2020) 105671; W. D. Iwan, J. Appl. Mech. 33 (1966) 893.
#pragma once

#include "masing/contact/backbone.hpp"
#include "masing/contact/slip_element.hpp"

#include <complex>
#include <vector>

namespace masing {

/// ϕ_max = 2 F_S / K_T,  F̂ = 2 F_S (z − z²/2), then F_S.
struct UniformParameters {
  double stiffness = 0.0;   ///< K_T > 0 [N/m]
  double slip_force = 0.0;  ///< F_S > 0 [N]
};
BackbonePointer uniform_backbone(const UniformParameters& parameters);

/// With c = β + (χ+1)/(χ+2):  ϕ_max = F_S (1+β) / (K_T c),  F̂ = K_T u [1 − z^(χ+1) / ((χ+2)(1+β))], then F_S.
struct FourParameters {
  double stiffness = 0.0;   ///< K_T > 0 [N/m]
  double slip_force = 0.0;  ///< F_S > 0 [N]
  double chi = 0.0;         ///< −1 < χ <= 0; dissipation in microslip grows as amplitude^(χ+3)
  double beta = 0.0;  ///< β >= 0: stiffness of the sliders that let go together at ϕ_max, over that of the others
};
BackbonePointer four_parameter_backbone(const FourParameters& parameters);

/// What the four numbers imply.
struct FourParameterConstants {
  double phi_max = 0.0;  ///< displacement at macroslip [m]
  double R = 0.0;        ///< F_S (χ+1) / (ϕ_max^(χ+2) c) [N/m^(χ+2)]
  double S = 0.0;        ///< (F_S / ϕ_max) (β / c) [N/m]
};
FourParameterConstants four_parameter_constants(const FourParameters& parameters);

/// First-harmonic stiffness K' + i K'' of the loop x = A cos τ, for 0 < A <= ϕ_max [N/m]; W = π A² K''. Closed form:
///
///   K'  = K_T − (4/√π) R A^(χ+1) / ((χ+1)(p+1)) · Γ(p+½)/Γ(p+1),  p = χ+2
///   K'' = 4 R A^(χ+1) / (π p (p+1))
std::complex<double> four_parameter_describing_function(const FourParameters& parameters, double amplitude);

/// F̂ = K_T u [1 − (1 − θ(χ+1)/(χ+2)) z^(χ+1) / (1+β)] up to the four-parameter ϕ_max, then F_lim. As published, the
/// sliders at ϕ_max keep their strength: F_lim = F_S (β + θ(χ+1)/(χ+2)) / c, which is what slip_force() returns. For
/// θ < 1 the force has a maximum before ϕ_max and the stiffness is negative behind it.
struct FiveParameters {
  double stiffness = 0.0;   ///< K_T > 0 [N/m]
  double slip_force = 0.0;  ///< F_S > 0 [N]: the macroslip force if θ were 1
  double chi = 0.0;         ///< −1 < χ <= 0
  double beta = 0.0;        ///< β >= 0
  double theta = 1.0;       ///< 0 < θ <= 1: dynamic over static friction
};
BackbonePointer five_parameter_backbone(const FiveParameters& parameters);

/// The power law and the end singularity share the stiffness as 1 : β; with c = (χ+1)/(χ+2) + β/(2−g):
///
///   ϕ_max = F_S (1+β) / (K_T c),  F̂' = K_T [1 − z^(χ+1) + β (1−z)^(1−g)] / (1+β)
///
/// g → 1 is the four-parameter law; g >= 1 does not integrate.
struct EndSingularParameters {
  double stiffness = 0.0;   ///< K_T > 0 [N/m]
  double slip_force = 0.0;  ///< F_S > 0 [N]
  double chi = 0.0;         ///< −1 < χ <= 0: exponent of the power law
  double beta = 0.0;        ///< β >= 0: stiffness of the end singularity over that of the power law
  double exponent = 0.0;    ///< 0 <= g < 1 of the end singularity
};
BackbonePointer end_singular_backbone(const EndSingularParameters& parameters);

/// F̂ = μN [1 − (1 − 2 k_t u / (3 μN))^(3/2)], full slip at 1.5 μN / k_t. A sphere has k_t = 8 G a / (2 − ν), a the
/// radius of contact, for equal materials. The same curve as Mindlin's partial slip,
/// u = (3 μN / (2 k_t)) [1 − (1 − T/μN)^(2/3)].
struct HertzParameters {
  double stiffness = 0.0;   ///< k_t > 0 [N/m]
  double slip_force = 0.0;  ///< μN > 0 [N]
};
BackbonePointer hertz_backbone(const HertzParameters& parameters);

/// D = k_t u / μN, τ = F̂ / μN:
///
///   γ < 1 (pressed most at the edges)      τ = D − 2(1−γ) w^(3/2),  w = (D−γ) / (3(1−γ)),  on γ <= D <= 3−2γ
///   γ > 1 (pressed most in the middle)     τ = 1 − 2(γ−1) w^(3/2),  w = (γ−D) / (3(γ−1)),  on 3−2γ <= D <= γ
///
/// τ = D below, 1 above. γ = 1 is one Jenkins element, γ = 1.5 is Hertz.
struct FlatParameters {
  double stiffness = 0.0;   ///< k_t > 0 [N/m]
  double slip_force = 0.0;  ///< μN > 0 [N]
  double gamma = 1.0;       ///< 0 <= γ <= 1.5: pressure in the middle over the mean pressure
};
BackbonePointer flat_backbone(const FlatParameters& parameters);

/// Parallel sliders, each with stiffness and slip force of its own: F̂ is a polygon. Elements of negative stiffness
/// (and then negative slip force) are allowed as long as the sums of stiffnesses and of slip forces are positive.
BackbonePointer maxwell_slip_backbone(const std::vector<SlipElement>& elements);

struct DensityRow {
  double displacement = 0.0;  ///< ϕ >= 0 [m]
  double density = 0.0;       ///< ρ >= 0 [N/m²]
};
/// Linear between the rows, zero outside of them, `end_stiffness` >= 0 [N/m] at the last ϕ as a Dirac. Integrated
/// exactly: F̂ is a piecewise cubic. A singular density cannot be tabulated at its singularity: put the rows around it.
BackbonePointer tabulated_density_backbone(const std::vector<DensityRow>& table, double end_stiffness = 0.0);

struct BackboneRow {
  double displacement = 0.0;  ///< u >= 0 [m]
  double force = 0.0;         ///< F̂ >= 0 [N]
};
/// Passes through the rows (a first row (0, 0) may be left out) and is constant behind the last one, so the last row
/// should lie in macroslip. Between the rows F̂ is a quadratic spline with one knot an interval (L. L. Schumaker, SIAM
/// J. Numer. Anal. 20 (1983) 853), placed so that F̂' falls linearly from a row's slope to the secant's and on to the
/// next row's: F̂ is monotone, concave and C¹ (but for corners between straight pieces), third order in the spacing,
/// and the density −F̂'' is never negative.
///
/// The rows must rise and be concave, else some closed loops would create energy. Rows that lie less than 1e-3 of the
/// largest force below the concave hull (rounding of a printed table) are left out; more is refused.
BackbonePointer tabulated_backbone(const std::vector<BackboneRow>& table);

}  // namespace masing
