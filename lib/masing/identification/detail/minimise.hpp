// One start of a fit, minimised by Ceres Solver.
#pragma once

#include "masing/identification/detail/scaled_problem.hpp"

namespace masing::detail {

/// Called after every iteration with its number and the cost; false ends the minimisation.
using IterationReport = std::function<bool(int iteration, double cost)>;

/// From z, whose residuals were computed, to the next minimum between the bounds.
FitStart minimise(const ScaledProblem& problem, const Vector& z, const Vector& residuals, const FitOptions& options,
                  const IterationReport& report);

}  // namespace masing::detail
