// Notices when the branch passes a point that it has been at before.
#pragma once

#include "masing/continuation/branch.hpp"
#include "masing/continuation/detail/corrector.hpp"

#include <optional>
#include <vector>

namespace masing::detail {

struct Passing {
  Index earlier = 0;           ///< index of the point passed
  bool same_direction = true;  ///< false: runs backwards
  BranchPoint here;            ///< the solution on the new step in the plane of that point
};

/// Whether the step from the last of `points` to `next` passes an earlier point, the two before the step excepted.
///
/// A point near the Hermite curve of the step is only a suspect: then the corrector is solved in the plane through the
/// point normal to the step. On the same path both solutions agree to the accuracy of Newton's method, far below the
/// distance of two different branches; and their tangents are parallel, unlike where a branch crosses itself.
std::optional<Passing> find_passing(Corrector& corrector, const std::vector<BranchPoint>& points,
                                    const BranchPoint& next);

/// Whether `found`, somewhere behind the last of `points`, lies on the way that led there.
bool is_way_back(Corrector& corrector, const std::vector<BranchPoint>& points, const BranchPoint& found);

}  // namespace masing::detail
