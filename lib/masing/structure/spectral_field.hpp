// The field of a spectral beam between its nodes, at places where integrals along the beam are sums:
//
//   <a, b> = ∫ ρA (ū_a u_b + w̄_a w_b) + ρI φ̄_a φ_b dx + Σ m (ū_a u_b + w̄_a w_b) + J φ̄_a φ_b
//
// is the mass that a beam without mass matrix has for any two motions, each at a frequency of its own: a harmonic of a periodic
// motion and a natural mode. (For one and the same frequency −(dZ/dω)/2ω is that mass.) In every piece the field is exact
// (spectral_element.hpp), so only the quadrature counts: Gauss-Legendre, with as many places as waves of the highest frequency
// need for rounding errors. Lumped masses are places of their own.
//
//   SpectralField field(beam, highest);
//   field.at(omega, coordinates, motions);                                     // places × {u, w, phi}
//   const double mass = field.weights().cwiseProduct(motions.cwiseAbs2()).sum();
//
// Limits: what a load between the nodes adds to the field is not in it. Only a moving base is such a load of a harmonic; it
// adds what a piece bends by its own inertia with both ends held, little where nodes are close.
#pragma once

#include "masing/structure/spectral_beam.hpp"

namespace masing {

class SpectralField {
 public:
  /// For motions up to `highest` [rad/s], > 0. The beam must outlive the field.
  SpectralField(const SpectralBeam& beam, double highest);

  double highest() const { return highest_; }
  const Vector& places() const { return places_; }    ///< x [m], not sorted
  const Matrix& weights() const { return weights_; }  ///< places × {u, w, phi} [kg, kg, kg m²]

  /// u, w and phi at the places, when the coordinates move as `all` at ω.
  void at(double omega, const ComplexVector& all, ComplexMatrix& motions) const;

 private:
  const SpectralBeam& beam_;
  double highest_;
  std::vector<Index> piece_;  // of each place
  Vector places_;
  Matrix weights_;
};

}  // namespace masing
