// What continuation follows: R(x, λ) = 0 with exact derivatives. It knows nothing of vibration.
#pragma once

#include "masing/core/types.hpp"
#include "masing/solve/newton.hpp"

namespace masing {

class ContinuationProblem {
 public:
  virtual ~ContinuationProblem() = default;
  virtual Index size() const = 0;

  virtual void residual(const Vector& x, double lambda, Vector& r) = 0;
  /// J = ∂R/∂x and r_lambda = ∂R/∂λ, at the point of the last residual() call or anywhere else.
  virtual void derivatives(const Vector& x, double lambda, Matrix& j, Vector& r_lambda) = 0;

  /// Typical sizes near (x, λ): what "one" means for each unknown and each equation. Called once a step, so the scaling
  /// follows the solution; it needs no help from the user.
  virtual Scaling scaling(const Vector& x, double lambda) const = 0;
};

}  // namespace masing
