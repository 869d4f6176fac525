// A joint linearised about a constant motion of the structure, as springs and dashpots: for small vibrations friction
// sticks, closed contacts stay closed (contact/small_motion.hpp). An input with a quadratic motion −½ qᵀGq feels the
// direction b − G q there, and its force f stiffens or softens the structure by −f G.
#pragma once

#include "masing/contact/joint.hpp"
#include "masing/structure/natural_modes.hpp"

namespace masing::detail {

struct JointTangent {
  std::vector<LinearAttachment> attachments;  ///< symmetric parts
  double asymmetry = 0.0;                     ///< of the tangent, relative
  bool finite = true;
};

JointTangent joint_tangent(const Joint& joint, const Vector& q);

}  // namespace masing::detail
