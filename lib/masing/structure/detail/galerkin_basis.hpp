// The shapes of galerkin_beam.hpp.
#pragma once

#include "masing/structure/galerkin_beam.hpp"

namespace masing::detail {

/// The motions y that the joints along a stretch feel, weighted: ŷ = Rᵀ y, G = R Rᵀ (Cholesky), where shapes are orthonormal
/// in the ordinary sense; and the undamped beam at the frequency of reference as they see it.
struct Stretch {
  Matrix half_weight;  ///< R, lower triangle
  Matrix rigid;        ///< the rigid motions as ŷ, orthonormal
  Matrix stiffness;    ///< R⁻¹ S R⁻ᵀ
  Matrix loads;        ///< R⁻¹ p of the options' loads

  Matrix motions(const Matrix& shapes) const;  ///< y of shapes of ŷ, scaled to be of order one
};

/// Throws ModelError for options that do not fit.
Stretch make_stretch(const SpectralBeam& beam, const InterfaceBasis& interface, const GalerkinOptions& options);

/// Rigid shapes, modes and residual shapes of ŷ, orthonormal, and their numbers.
Matrix galerkin_shapes(const Stretch& stretch, const GalerkinOptions& options, GalerkinSummary& summary);

/// Which loads have an answer, at the frequency of reference, that these eigenvectors of the stiffness do not contain, each
/// independent of those before it.
std::vector<Index> loads_beside(const Stretch& stretch, const Matrix& eigenvectors);

/// R⁻¹ S R⁻ᵀ.
ComplexMatrix weighted(const Matrix& half_weight, const ComplexMatrix& stiffness);

/// ‖A⁻¹ − T(TᴴAT)⁻¹Tᴴ‖ / ‖A⁻¹ − (A⁻¹)_r‖ for the weighted stiffness A: what is missing with the shapes T.
double missing_flexibility(const ComplexMatrix& stiffness, const ComplexMatrix& shapes, const Matrix& rigid);

}  // namespace masing::detail
