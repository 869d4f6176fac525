// Elastic materials, and what two bodies in contact have together.
#pragma once

namespace masing {

/// Isotropic and linear.
struct ElasticMaterial {
  double youngs_modulus;  ///< E [Pa], > 0
  double poisson_ratio;   ///< ν, in [0, 0.5)

  double shear_modulus() const { return 0.5 * youngs_modulus / (1.0 + poisson_ratio); }
  double plane_strain_modulus() const { return youngs_modulus / (1.0 - poisson_ratio * poisson_ratio); }
};

/// Throws a ModelError that names `whose` material it is unless E > 0 and 0 <= ν < 0.5.
void check(const ElasticMaterial& material, const char* whose);

/// Ē of Hertz: 1/Ē = (1−ν_l²)/E_l + (1−ν_u²)/E_u [Pa].
double contact_modulus(const ElasticMaterial& lower, const ElasticMaterial& upper);

/// Ḡ of Mindlin: 1/Ḡ = (2−ν_l)/G_l + (2−ν_u)/G_u [Pa]; a circular contact of radius a has the stiffness 8 Ḡ a.
double contact_shear_modulus(const ElasticMaterial& lower, const ElasticMaterial& upper);

}  // namespace masing
