#include "masing/contact/material.hpp"

#include "masing/core/error.hpp"

#include <cmath>

namespace masing {

void check(const ElasticMaterial& material, const char* whose) {
  require(material.youngs_modulus > 0.0 && std::isfinite(material.youngs_modulus),
          "{} material: E = {} Pa must be > 0 and finite.", whose, material.youngs_modulus);
  require(material.poisson_ratio >= 0.0 && material.poisson_ratio < 0.5, "{} material: nu = {} must be in [0, 0.5).",
          whose, material.poisson_ratio);
}

double contact_modulus(const ElasticMaterial& lower, const ElasticMaterial& upper) {
  return 1.0 / (1.0 / lower.plane_strain_modulus() + 1.0 / upper.plane_strain_modulus());
}

double contact_shear_modulus(const ElasticMaterial& lower, const ElasticMaterial& upper) {
  const auto compliance = [](const ElasticMaterial& m) { return (2.0 - m.poisson_ratio) / m.shear_modulus(); };
  return 1.0 / (compliance(lower) + compliance(upper));
}

}  // namespace masing
