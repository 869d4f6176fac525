// A load on the coordinates of a structure: p(t) = level · shape · cos(k Ω t + phase).
// Harmonic 0 is static (preload, weight): it is not multiplied by the level and its phase has no meaning.
#pragma once

#include "masing/core/types.hpp"

#include <string>

namespace masing {

struct Load {
  std::string name;
  Vector shape;        ///< [N], one entry a coordinate
  int harmonic = 1;    ///< k >= 0
  double phase = 0.0;  ///< [rad]
};

}  // namespace masing
