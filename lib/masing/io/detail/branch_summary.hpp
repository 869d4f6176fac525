// What the summary says of one branch, line by line.
#pragma once

#include "masing/analysis/results.hpp"

#include <string>
#include <vector>

namespace masing::detail {

/// "levels, 0.2 N: 143 points, 2 folds, 0.1 s. Reached …", then indented lines: warnings, resonances, folds, what a backbone
/// covers, the energy balance.
std::vector<std::string> branch_summary(const ResponseBranch& branch);

/// "harmonics odd … 3 at 41 points, odd … 5 at 12 points; …" of a branch with adaptive harmonics; else empty.
std::string harmonics_used(const BranchHeader& header, const std::vector<ResponsePoint>& points);

}  // namespace masing::detail
