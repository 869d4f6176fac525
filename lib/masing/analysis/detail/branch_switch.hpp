// From a branch point onto the other branch: a step along the null vector φ of J, corrected by
//
//   R(x, λ) = 0,   φ·(x − x₀) = ε
//
// in scaled unknowns, with λ among the unknowns. ε is made larger until a solution is found.
#pragma once

#include "masing/continuation/continuation.hpp"

#include <optional>
#include <string>

namespace masing::detail {

/// A point on the other branch that leaves (x₀, λ₀), with the tangent that leads away from it. Empty: not found, `message`
/// says why.
std::optional<BranchPoint> leave_branch_point(ContinuationProblem& problem, Continuation& continuation, const Vector& x,
                                              double lambda, std::string& message);

}  // namespace masing::detail
