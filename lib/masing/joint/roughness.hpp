// From the roughness of two surfaces to the backbone of an Iwan law.
//
// Two rough surfaces under a normal load touch at their summits. One rough surface of spheres (radius R̄, η on a unit
// of area, heights z with density Φ) against a rigid plane at the separation y stands for both. Each summit above the
// plane is a Hertzian contact that carries K (z−y)^{3/2}, K = 4/3 Ē √R̄, and slides as Cattaneo and Mindlin say, all
// with the same friction coefficient μ:
//
//   P(y)  = K η A ∫_y^{z_max} (z−y)^{3/2} Φ(z) dz        normal force; P(y) = N gives the separation under a load
//   Q(x)  = μ [P(y) − P(y + x/λ)],   λ = μ Ē/(4Ḡ)         first loading, up to x_L = λ (z_max − y), then μN
//   K_N   = −P'(y),   K_T = (μ/λ) K_N                     normal stiffness; tangential, all summits sticking
//   ρ(ϕ)  = (μ/λ²) P''(y + ϕ/λ)                           Iwan density of the slip displacements [N/m²]
//
// For equal materials λ = μ (2−ν)/(2−2ν). Everything is elastic, summits do not feel each other, the surfaces stay
// parallel.
//
// The cut-off z_max matters: a few highest summits carry a light load, and whether they exist decides how many share
// it. It is a parameter, 3σ unless said otherwise.
//
// Reference: H. Jamshidi, H. Ahmadian, J. Theor. Appl. Vib. Acoust. (2024); Greenwood & Williamson (1966).
#pragma once

#include "masing/contact/backbone.hpp"
#include "masing/contact/material.hpp"
#include "masing/joint/summits.hpp"

namespace masing {

enum class HeightDensity {
  gaussian,     ///< Φ = exp(−z²/2σ²)/(√2π σ)
  exponential,  ///< Φ = exp(−z/σ)/σ, z >= 0
};

struct RoughSurfaces {
  Summits summits;  ///< of the single rough surface that stands for both
  double area;      ///< nominal contact area A [m²], > 0
  ElasticMaterial lower;
  ElasticMaterial upper;
  double friction;  ///< μ, > 0
  HeightDensity heights = HeightDensity::gaussian;
  /// z_max/σ, > 0: the heights above are left out, the others are not rescaled. Infinite: none; so is more than 12
  /// (Gaussian) or 60 (exponential), beyond which a summit is less likely than one in 10²⁵.
  double cut_off = 3.0;
};

/// μ = S/H + 0.1: shear strength over hardness of the softer material, and what the inclination of the contacts adds.
double friction_of_strength(double strength_to_hardness);

class RoughInterface {
 public:
  /// Throws ModelError for values outside their ranges.
  explicit RoughInterface(const RoughSurfaces& surfaces);

  const RoughSurfaces& surfaces() const { return surfaces_; }
  double highest() const { return highest_; }              ///< z_max [m]
  double lowest_separation() const;                        ///< below, no summit is left to come into contact [m]
  double slip_ratio() const { return slip_ratio_; }        ///< λ: a summit pressed in by w slides at λw
  double summit_stiffness() const { return hertz_; }       ///< K = 4/3 Ē √R̄ [N/m^{3/2}]
  double shear_stiffness() const { return 8.0 * shear_; }  ///< 8Ḡ: of a summit, over its contact radius [N/m²]

  double normal_force(double separation) const;      ///< P(y) [N]
  double normal_stiffness(double separation) const;  ///< −P'(y) [N/m]
  double curvature(double separation) const;         ///< P''(y) [N/m²]
  double asperities(double separation) const;        ///< number of summits in contact

  /// η A ∫ (z−y)^{(power − 1)/2} Φ dz over the summits pressed in by `from` >= 0 to `to` <= z_max − y [m]. With
  /// z = y + t² the integrand is smooth: 2 t^power Φ.
  double summit_sum(double separation, double from, double to, int power) const;

  /// y with P(y) = load. Throws ModelError when load <= 0, when all summits together do not carry it, and when fewer
  /// than one summit would.
  double separation(double load) const;

 private:
  double height_density(double z) const;
  double solved_separation(double load) const;

  RoughSurfaces surfaces_;
  double highest_;
  double hertz_;
  double shear_;
  double slip_ratio_;
};

/// The interface under a load, in numbers.
struct RoughContact {
  double separation;            ///< y [m]
  double asperities;            ///< summits in contact
  double normal_stiffness;      ///< K_N [N/m]
  double tangential_stiffness;  ///< K_T [N/m]
  double slip_displacement;     ///< x_L, from which on everything slides [m]
  double slip_force;            ///< μN [N]
  double density;               ///< ρ(0) [N/m²]
};

RoughContact rough_contact(const RoughInterface& interface, double load);

/// K_T under the same load if there were no cut-off [N/m].
double stiffness_without_cut_off(const RoughInterface& interface, double load);

/// Q(x), precomputed: an evaluation costs a root and about twenty multiplications, and is good to 10⁻¹³ of its value.
BackbonePointer rough_backbone(const RoughInterface& interface, double load);

}  // namespace masing
