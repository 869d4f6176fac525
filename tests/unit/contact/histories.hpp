// Periodic histories shared by the tests of the contact room.
#pragma once

#include "masing/contact/cycle.hpp"

#include <cmath>
#include <random>

namespace masing::support {

/// One period of a motion with its own storage.
struct Samples {
  Matrix displacement;
  Matrix velocity;

  PeriodicMotion view() const { return {displacement, velocity}; }
};

/// x = offset + amplitude cos(τ + shift) with angular frequency 1.
inline Samples cosine(Index samples, double amplitude, double shift = 0.0, double offset = 0.0) {
  Samples s{Matrix(samples, 1), Matrix(samples, 1)};
  for (Index i = 0; i < samples; ++i) {
    const double tau = 2.0 * pi * static_cast<double>(i) / static_cast<double>(samples) + shift;
    s.displacement(i, 0) = offset + amplitude * std::cos(tau);
    s.velocity(i, 0) = -amplitude * std::sin(tau);
  }
  return s;
}

/// Random harmonics 0 to 5, falling off like 1/k, of the given size.
inline Samples random_history(std::mt19937_64& random, Index samples, int inputs, double size) {
  std::normal_distribution<double> normal;
  Samples s{Matrix::Zero(samples, inputs), Matrix::Zero(samples, inputs)};
  for (int a = 0; a < inputs; ++a) {
    s.displacement.col(a).setConstant(0.5 * size * normal(random));
    for (int k = 1; k <= 5; ++k) {
      const double c = size * normal(random) / k;
      const double d = size * normal(random) / k;
      for (Index i = 0; i < samples; ++i) {
        const double tau = 2.0 * pi * k * static_cast<double>(i) / static_cast<double>(samples);
        s.displacement(i, a) += c * std::cos(tau) + d * std::sin(tau);
        s.velocity(i, a) += k * (d * std::cos(tau) - c * std::sin(tau));
      }
    }
  }
  return s;
}

/// (cos, sin) coefficients of harmonic k of a sampled signal; k = 0: (mean, 0).
struct Harmonic {
  double cosine;
  double sine;
};
inline Harmonic harmonic(VectorView signal, int k) {
  Harmonic h{0.0, 0.0};
  const double n = static_cast<double>(signal.size());
  for (Index i = 0; i < signal.size(); ++i) {
    const double tau = 2.0 * pi * k * static_cast<double>(i) / n;
    h.cosine += signal[i] * std::cos(tau);
    h.sine += signal[i] * std::sin(tau);
  }
  const double scale = (k == 0 ? 1.0 : 2.0) / n;
  return {scale * h.cosine, scale * h.sine};
}

}  // namespace masing::support
