// What can be said of a periodic motion from its coefficients alone.
//
// Coefficients are m × P matrices (see HarmonicSet). The complex amplitude of harmonic k is X_k = a_k − i b_k, so that
// x_k(t) = Re(X_k e^{ikΩt}) = amplitude · cos(kΩt + phase).
#pragma once

#include "masing/fourier/harmonic_set.hpp"

namespace masing {

/// Coefficients of the time derivative: (kΩ b_k, −kΩ a_k); the constant becomes zero. `result` has the size of `x`.
void differentiate(const HarmonicSet& set, double omega, const MatrixView& x, Eigen::Ref<Matrix> result);

/// X_k of the i-th harmonic for every coordinate.
void complex_amplitude(const HarmonicSet& set, const MatrixView& x, Index i, ComplexVector& amplitude);
/// The inverse: writes X_k into the coefficients; the imaginary part is ignored for harmonic 0.
void set_complex_amplitude(const HarmonicSet& set, Index i, const ComplexVector& amplitude, Eigen::Ref<Matrix> x);

/// Amplitude and phase of one coordinate (row of coefficients), a value a harmonic. Harmonic 0: the mean with its sign,
/// phase 0.
Vector amplitudes(const HarmonicSet& set, const Vector& row);
Vector phases(const HarmonicSet& set, const Vector& row);

/// A motion of m coordinates carried over from one set to another: harmonics that are new are zero, those that are not in the
/// new set are dropped. What stands behind the coefficients in x (frequency, level, …) is kept. With a `factor`, harmonic k
/// becomes factor · k: the same motion with a period so many times as long.
Vector carried_over(const Vector& x, Index m, const HarmonicSet& from, const HarmonicSet& to, int factor = 1);

/// Root mean square over the period, mean included (Parseval).
double root_mean_square(const HarmonicSet& set, const Vector& row);

/// Truncation indicator: share of the oscillating energy Σ(a² + b²) that the last `last` harmonics hold, over all
/// coordinates, as a ratio of amplitudes (square root). Near 0: the set is large enough. Sets with at most `last`
/// oscillating harmonics give 1 if they move at all: nothing can be said.
double truncation(const HarmonicSet& set, const MatrixView& x, Index last = 2);

/// The same of the last two harmonics of a smaller set, relative to all of `set`; harmonics of `set` above the smaller set
/// count as total only. The lowest oscillating harmonic never counts as a last one.
double tail(const HarmonicSet& set, const MatrixView& x, const HarmonicSet& smaller);

}  // namespace masing
