// Exact derivatives against central differences: a public check, not only a test (`masing run --check-jacobian`).
#pragma once

#include "masing/balance/harmonic_balance.hpp"

#include <string>

namespace masing {

struct JacobianCheck {
  double worst_error = 0.0;  ///< largest |exact − difference| over the largest entry of its column
  std::string worst_entry;   ///< "∂R(x2, sin 3)/∂(x1, cos 1): exact 1.234e+03, by differences 1.235e+03"
};

/// At the point (x, Ω), with steps of `relative_step` times the largest unknown (times Ω for the frequency).
JacobianCheck check_jacobian(HarmonicBalance& balance, const Vector& x, double omega, double relative_step = 1e-6);

}  // namespace masing
