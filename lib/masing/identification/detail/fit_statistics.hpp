// How far the best point of a fit can be trusted.
#pragma once

#include "masing/identification/detail/scaled_problem.hpp"

namespace masing::detail {

/// Fills what FitResult says about its best point z: residuals, errors, correlations, bounds, undecided directions. A Jacobian
/// that cannot be computed, as after an interruption, leaves the errors NaN.
void add_statistics(const ScaledProblem& problem, const Vector& z, FitResult& result);

}  // namespace masing::detail
