// Coefficients ↔ samples of one period.
//
// Samples stand at τ_i = 2πi/N, i = 0 … N−1. With Γ (N × P: columns 1, cos kτ, sin kτ)
//
//   samples = Γ coefficients,     coefficients = Γ⁺ samples (rows 1/N, (2/N) cos kτ, (2/N) sin kτ),     N > 2 k_max,
//
// Γ⁺Γ = 1. Forces with content up to harmonic H_f are free of aliasing in the kept coefficients when N > k_max + H_f.
//
// Two ways lead there: FFTW plans (owned here, reused, batched over coordinates) and the precomputed matrix Γ. They agree
// to rounding; `automatic` takes the one that measured faster for that size (tests/bench): the matrix
// while P·N is small, the FFT beyond. Plans are made with FFTW_ESTIMATE: the same plan in every run, hence bit-identical
// results. An object owns its buffers: one a thread. Nothing is allocated after construction.
#pragma once

#include "masing/fourier/harmonic_set.hpp"

#include <memory>

namespace masing {

enum class TransformMethod { automatic, fft, matrix };

class Transform {
 public:
  /// For `coordinates` signals at once. Throws ModelError unless samples > 2 · highest harmonic.
  Transform(HarmonicSet set, Index samples, Index coordinates, TransformMethod method = TransformMethod::automatic);
  ~Transform();
  Transform(Transform&&) noexcept;
  Transform& operator=(Transform&&) noexcept;

  const HarmonicSet& set() const { return set_; }
  Index samples() const { return samples_; }
  Index coordinates() const { return coordinates_; }
  TransformMethod method() const { return method_; }  ///< fft or matrix

  /// coefficients (m × P) -> samples (N × m, time contiguous)
  void to_samples(const MatrixView& coefficients, Eigen::Ref<Matrix> samples);
  /// samples (N × m) -> coefficients (m × P)
  void to_coefficients(const MatrixView& samples, Eigen::Ref<Matrix> coefficients);

 private:
  struct Plans;
  HarmonicSet set_;
  Index samples_;
  Index coordinates_;
  TransformMethod method_;
  Matrix basis_;                  // Γᵀ, P × N (matrix method)
  Vector weight_;                 // rows of Γ⁺ are Γᵀ rows times this
  std::unique_ptr<Plans> plans_;  // (fft method)
};

/// The table Γᵀ (P × N): column i holds 1, cos kτ_i, sin kτ_i.
Matrix sampled_basis(const HarmonicSet& set, Index samples);
/// The factors that turn Γᵀ into Γ⁺: 1/N for harmonic 0, 2/N for the others.
Vector inverse_weights(const HarmonicSet& set, Index samples);

}  // namespace masing
