// The span of some eigenvectors of a complex symmetric matrix A, and its derivative along A'.
//
//   A Ψ = Ψ Λ,  Ψ = [Ψ₁ Ψ₂] with the wanted ones, those of the smallest |λ|, first
//   T = Ψ₁ (Φ₀ᵀ Ψ₁)⁻¹
//   T' = (1 − T Φ₀ᵀ) Ψ₂ D (Φ₀ᵀ Ψ₁)⁻¹,      D_ij = (Ψ⁻¹ A' Ψ)_ij / (λ_j − λ_i),   i unwanted, j wanted
//
// T depends on the span only. What the wanted eigenvectors do among themselves drops out of T', so that they may meet; only
// wanted and unwanted eigenvalues must differ.
#pragma once

#include "masing/core/types.hpp"

namespace masing::detail {

/// Which eigenvectors of a real symmetric matrix come first: the smallest |λ|.
struct SortedModes {
  Vector lambda;
  Matrix shapes;
};
SortedModes sorted_modes(const Matrix& symmetric);

struct InvariantSpan {
  ComplexMatrix value;       ///< T with referenceᵀ T = 1
  ComplexMatrix derivative;  ///< T'
};

/// `reference` (Φ₀, real, orthonormal) has as many columns as eigenvectors are wanted. Returns false when a wanted and an
/// unwanted eigenvalue coincide.
bool invariant_span(const ComplexMatrix& a, const ComplexMatrix& derivative, const Matrix& reference,
                    InvariantSpan& result);

}  // namespace masing::detail
