// How much of one harmonic of a motion is in each of some linear modes:
//
//   |φ_mᵀ M Q|² / (Qᴴ M Q),    φ_m of unit modal mass: the shares of all modes sum up to 1
//
// M is the mass matrix where there is one. A spectral beam has none: there Q and φ_m stand for the exact fields that belong to
// the motions of the nodes, each at its own frequency, and M for the inertia along the beam (structure/spectral_field.hpp).
#pragma once

#include "masing/structure/natural_modes.hpp"

#include <memory>
#include <vector>

namespace masing::detail {

class ModalProjection {
 public:
  virtual ~ModalProjection() = default;
  /// For a motion of all coordinates at ω [rad/s], > 0; of one without mass all are 0.
  virtual Vector shares(const ComplexVector& amplitude, double omega) = 0;
};

/// Modes of a structure with linear attachments.
struct ProjectedModes {
  std::shared_ptr<const Structure> structure;
  std::vector<LinearAttachment> attachments;
  std::vector<Index> numbers;  ///< from 0 among natural_modes(), ascending, at least one
  Matrix shapes;               ///< on the coordinates, a column each
  double highest = 0.0;        ///< their largest ω [rad/s]
};

/// Null when nothing is known of the structure's mass.
std::unique_ptr<ModalProjection> modal_projection(ProjectedModes modes);

}  // namespace masing::detail
