#include "masing/analysis/detail/starting_mode.hpp"

#include "masing/analysis/detail/joint_tangents.hpp"
#include "masing/core/error.hpp"

#include <cmath>

namespace masing::detail {
namespace {

constexpr Index most_rigid_motions = 6;

std::vector<LinearAttachment> joints_about(const Model& model, const Vector& mean) {
  std::vector<LinearAttachment> all;
  for (const Joint& joint : model.joints) {
    const JointTangent tangent = joint_tangent(joint, mean);
    require(tangent.finite, "Joint '{}': its tangent at rest is not finite; there is no linear mode to begin with.",
            joint.name);
    all.insert(all.end(), tangent.attachments.begin(), tangent.attachments.end());
  }
  return all;
}

}  // namespace

NaturalMode starting_mode(const Model& model, const Vector& mean, int number) {
  int vibrating = 0;
  const ModeRange enough{.count = number + most_rigid_motions};
  for (NaturalMode& mode : natural_modes(*model.structure, joints_about(model, mean), enough)) {
    if (mode.kind != ModeKind::vibrating || ++vibrating < number) continue;
    if (std::isnan(mode.damping_ratio)) mode.damping_ratio = 0.0;
    return std::move(mode);
  }
  throw ModelError(fmt::format("Mode {} is asked for, but the structure has only {}.", number, vibrating));
}

}  // namespace masing::detail
