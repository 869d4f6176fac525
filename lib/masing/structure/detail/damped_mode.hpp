// From a mode without damping to the same mode with it.
//
//   T(ω, s) x = 0,   T symmetric, s = 0 … 1 the share of the damping that is there
//
// is followed in s from the real pair (ω, x) at s = 0 to the complex one at s = 1; the motion is e^{iωt}, so that Im ω > 0
// is decay. Each step is Newton's method for the pair with x as left vector too, which converges cubically for symmetric T:
//
//   y = T⁻¹ T' x,   ω ← ω − (xᵀ T' x)/(xᵀ T' y),   x ← y/‖y‖
//
// In a fine mesh the solution of T y = T' x has an error of rounding that ω does not fall below. The steps end where they
// stop to shrink, and the last word is that of the Rayleigh functional, ω − (xᵀ T x)/(xᵀ T' x): it errs by the square of
// what x does, and its rounding errors are sums, not solutions.
//
// Reference: A. Ruhe, Algorithms for the nonlinear eigenvalue problem, SIAM J. Numer. Anal. 10 (1973) 674-689.
#pragma once

#include "masing/core/types.hpp"

#include <optional>

namespace masing::detail {

/// T and T' = ∂T/∂ω at one place.
class DampedFamily {
 public:
  virtual ~DampedFamily() = default;
  virtual void go_to(Complex omega, double share) = 0;
  virtual ComplexVector times(const ComplexVector& x) const = 0;
  virtual ComplexVector derivative_times(const ComplexVector& x) const = 0;
  /// x becomes T⁻¹ x; false when T is exactly singular.
  virtual bool solve_in_place(ComplexVector& x) = 0;
};

/// The complex ω of the mode that is (omega, shape) without damping; none when it cannot be followed, such as a mode that
/// becomes overdamped.
std::optional<Complex> damped_frequency(DampedFamily& family, double omega, const Vector& shape);

/// What a complex ω means: the ratio −Re λ/|λ| of λ = iω.
inline double ratio_of(Complex omega) { return omega.imag() / std::abs(omega); }

}  // namespace masing::detail
