// A load on the coordinates of a structure: p(t) = level · shape · cos(k Ω t + phase).
// Harmonic 0 is static (preload, weight): it is not multiplied by the level and its phase has no meaning.
#pragma once

#include "masing/core/types.hpp"

#include <memory>
#include <string>

namespace masing {

/// A load that depends on the frequency, such as the inertia of a beam between its nodes.
class FrequencyLoad {
 public:
  virtual ~FrequencyLoad() = default;
  /// Entries [N] on all coordinates at ω > 0 [rad/s], and their derivatives to ω.
  virtual void at(double omega, ComplexVector& load, ComplexVector& derivative) const = 0;
};

struct Load {
  std::string name;
  Vector shape;        ///< [N], one entry a coordinate
  int harmonic = 1;    ///< k >= 0
  double phase = 0.0;  ///< [rad]
  /// What depends on the frequency kΩ, beside the shape; only for k > 0. Null: nothing.
  std::shared_ptr<const FrequencyLoad> varying = {};
};

}  // namespace masing
