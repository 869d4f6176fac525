// The numbers of one point of a branch, by the names that validation and figures use.
#pragma once

#include "masing/analysis/results.hpp"

#include <string>

namespace masing::detail {

/// Which of the numbers of a point: whose amplitude, of which joint.
struct PointPlace {
  std::size_t sensor = 0;
  int harmonic = 1;
  std::string joint = {};  ///< empty: the energy of all, the amplitude of the first
};

/// One number of a point of a branch: "frequency", "amplitude", "phase", "harmonic-share", "rms", "peak", "highest",
/// "lowest", "joint-energy", "joint-amplitude" or the name of a quantity.
double point_value(const BranchHeader& header, const ResponsePoint& point, const std::string& what,
                   const PointPlace& place);

}  // namespace masing::detail
