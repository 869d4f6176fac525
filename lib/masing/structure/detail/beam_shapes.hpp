// The static shape functions of a piece of a beam with constant properties, and the matrices that follow from them.
//
//   u(x), w(x), phi(x) = N(ξ) · (u1, w1, phi1, u2, w2, phi2),   ξ = x/ℓ
//
// They solve the static equations without load exactly: u is linear; w is cubic and phi quadratic with the shear
// parameter Φ = 12 EI / (κGA ℓ²), 0 for Euler-Bernoulli, where they are Hermite's. A slender Timoshenko element becomes
// the Euler-Bernoulli one, so it cannot lock.
//
// Reference: J. S. Przemieniecki, Theory of Matrix Structural Analysis, McGraw-Hill, 1968, sections 5.6 and 11.4;
// Z. Friedman, J. B. Kosmatka, An improved two-node Timoshenko beam finite element, Computers & Structures 47 (1993) 473.
#pragma once

#include "masing/structure/beam.hpp"

#include <Eigen/Core>

namespace masing::detail {

using ElementMatrix = Eigen::Matrix<double, 6, 6>;

/// Rows u, w, phi; columns u1, w1, phi1, u2, w2, phi2. For a rod only u1 and u2 matter.
class BeamShapes {
 public:
  /// `shear_compliance` [1/N]: beside that of the theory.
  BeamShapes(const BeamSection& section, BeamTheory theory, double length, double shear_compliance = 0.0);

  Eigen::Matrix<double, 3, 6> at(double xi) const;
  Eigen::Matrix<double, 1, 6> slope_at(double xi) const;  ///< of w: dw/dx, not phi
  ElementMatrix stiffness() const;
  ElementMatrix mass() const;        ///< consistent; with rotary inertia for Timoshenko
  ElementMatrix shortening() const;  ///< ∫ w'² dx as a matrix: the geometric stiffness of a unit axial force

 private:
  BeamSection section_;
  BeamTheory theory_;
  double length_;
  double shear_ = 0.0;  // Φ
};

}  // namespace masing::detail
