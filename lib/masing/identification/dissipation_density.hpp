// The density of slip forces from the energy that a joint dissipates per cycle.
//
// For a population of Jenkins elements of total stiffness k, with a share φ(f) df of them sliding at the force f of the whole
// (∫φ df = 1), under cycles of amplitude A,
//
//   d²D/dA² = 4 A k² φ(kA)
//
// exactly. Second differences of measured energies are of no use (1 % of noise becomes more than 100 %). So ln D is fitted as a
// function g of s = ln A by a smoothing spline: quintic B-splines on even knots, with a penalty on the third difference of the
// coefficients, which leaves power laws and slow changes of their exponent alone. The weight of the penalty is that of
// generalised cross-validation. Then
//
//   φ(kA) = D (g'² − g' + g'') / (4 A³ k²)
//
//   const DissipationDensity found = density_from_dissipation(amplitudes, energies, 2e6);
//
// Reference: M. Rajaei, H. Ahmadian, Applied Mathematical Modelling 38 (2014) 4006-4018 (the identity); P. Eilers,
// B. Marx, Statistical Science 11 (1996) 89-121 (penalised splines).
#pragma once

#include "masing/core/types.hpp"

namespace masing {

struct DissipationDensity {
  Vector amplitude;  ///< [m], as given, rising
  Vector force;      ///< k A [N]: where the density is
  Vector density;    ///< φ [1/N]; negative values are noise that smoothing could not take away
  /// Standard deviation of φ as a share of it, from the scatter of the energies about the spline. The bias of the smoothing
  /// is not in it.
  Vector relative_error;
  Vector energy;            ///< of the spline [J]
  double scatter = 0.0;     ///< standard deviation of ln D about the spline: the relative noise of the energies
  double effective = 0.0;   ///< number of parameters that the spline amounts to
  double penalty = 0.0;     ///< its weight
  double slip_share = 0.0;  ///< ∫φ over the range: the share of the elements that slide within it
};

/// `amplitude` > 0 and rising, `energy` > 0, at least 8 of each; stiffness > 0 is that of all elements together, at small
/// amplitude. Throws ModelError otherwise.
DissipationDensity density_from_dissipation(const Vector& amplitude, const Vector& energy, double stiffness);

}  // namespace masing
