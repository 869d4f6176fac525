// The matrix of "multiply by a periodic gain g(t)" on coefficients: Γ⁺ diag(g) Γ.
//
// This is what a memoryless law contributes to the Jacobian. Products of sines and cosines are sums, so its P² entries
// follow from the Fourier coefficients of g up to twice the highest harmonic,
//
//   ⟨cos k|g|cos l⟩ = (C_{k−l} + C_{k+l})/2,   ⟨sin k|g|sin l⟩ = (C_{k−l} − C_{k+l})/2,   … with
//   C_n = (1/N) Σ g_i cos nτ_i,   S_n = (1/N) Σ g_i sin nτ_i,
//
// exactly (not only up to aliasing) the triple product of the sampled matrices, at the cost of one short transform.
#pragma once

#include "masing/fourier/harmonic_set.hpp"

namespace masing {

/// The same product between two sets: result (P of `out` × P of `in`) takes coefficients on `in` to those on `out`, for a
/// gain with the moments C_n and S_n, n = 0 … highest of `out` + highest of `in`. No allocation.
void multiplication_matrix(const HarmonicSet& out, const HarmonicSet& in, const Vector& cosine, const Vector& sine,
                           Eigen::Ref<Matrix> result);

class Multiplication {
 public:
  Multiplication(HarmonicSet set, Index samples);

  /// result (P × P) = Γ⁺ diag(gain) Γ for N samples of the gain. No allocation.
  void matrix(const VectorView& gain, Eigen::Ref<Matrix> result);
  /// The same from given moments C_n and S_n, n = 0 … 2 k_max: of a gain known as a function, C_n = (1/2π)∫ g cos nτ dτ.
  void matrix_from_moments(const Vector& cosine, const Vector& sine, Eigen::Ref<Matrix> result) const;

 private:
  void moments(const VectorView& gain);

  HarmonicSet set_;
  Index samples_;
  Matrix table_;   // N × 2(2k_max+1): cos nτ then sin nτ, n = 0 … 2 k_max
  Vector cosine_;  // C_n
  Vector sine_;    // S_n
  Vector both_;
};

}  // namespace masing
