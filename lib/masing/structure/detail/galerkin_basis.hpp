// The shapes of galerkin_beam.hpp.
#pragma once

#include "masing/structure/galerkin_beam.hpp"

namespace masing::detail {

/// In weighted motions ŷ = Rᵀ y, G = R Rᵀ (Cholesky), where shapes are orthonormal in the ordinary sense.
struct GalerkinBasis {
  Matrix half_weight;  ///< R, lower triangle
  Matrix shapes;       ///< of ŷ, orthonormal: rigid, modes, residuals
  GalerkinSummary summary;

  Matrix motions() const;  ///< T: of y, scaled to be of order one
};

GalerkinBasis galerkin_basis(const SpectralBeam& beam, const InterfaceBasis& interface, const GalerkinOptions& options);

/// R⁻¹ S R⁻ᵀ.
ComplexMatrix weighted(const Matrix& half_weight, const ComplexMatrix& stiffness);

}  // namespace masing::detail
