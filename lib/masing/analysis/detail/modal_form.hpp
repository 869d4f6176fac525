// A model in the modes of its structure without joints, for computations in the time domain:
//
//   q = Φ r,   r̈ + C ṙ + diag(ω²) r + Σ Bᵀ-forces = …,   relative motions of the joints u = Bᵀ r
//
// An exact beam has no matrices: it is taken as a mesh of 200 elements in its 40 lowest modes, with a shape for the static
// answer to each motion that a joint feels. Only the disturbance is computed so; the motion that is disturbed is the exact one.
#pragma once

#include "masing/analysis/model.hpp"

#include <string>
#include <vector>

namespace masing::detail {

/// One square in a quadratic motion that a joint feels, G = Σ sign l lᵀ: u(input) = y − ½ Σ sign (l·q)².
struct Bend {
  Index input = 0;   ///< of all joints
  Index motion = 0;  ///< l·q: its column among the directions
  double sign = 1.0;
};

struct ModalForm {
  Vector stiffness;   ///< ω² [1/s²]
  Matrix damping;     ///< viscous [1/s]
  Matrix hysteretic;  ///< [1/s²]
  Matrix directions;  ///< B: modes × relative motions of all joints, and further motions behind them that `bends` name
  Matrix physical;    ///< the same seen from the coordinates of the model's structure
  std::vector<Bend> bends;
  std::string basis;  ///< what stands for an exact beam, in words; empty: the structure itself

  Index size() const { return stiffness.size(); }
  Index inputs() const { return directions.cols(); }  ///< with the further motions
  /// C + H/Ω
  Matrix damping_at(double omega) const { return damping + hysteretic / omega; }
};

/// All modes. Throws ModelError, naming the remedy, when the structure has no matrices and is no exact beam, has no positive
/// definite mass matrix or more than `most` coordinates.
ModalForm modal_form(const Model& model, Index most);

}  // namespace masing::detail
