// A motion in words, for messages about structures that float.
#pragma once

#include "masing/core/types.hpp"

#include <string>
#include <vector>

namespace masing::detail {

/// "x2 (1), x3 (-0.5)": the largest entries of a motion, at most four, those above a tenth of the largest.
std::string describe_motion(const Vector& motion, const std::vector<std::string>& coordinates);

}  // namespace masing::detail
