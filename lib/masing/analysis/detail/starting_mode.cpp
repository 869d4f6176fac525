#include "masing/analysis/detail/starting_mode.hpp"

#include "masing/contact/small_motion.hpp"
#include "masing/core/error.hpp"

#include <cmath>

namespace masing::detail {
namespace {

constexpr Index most_rigid_motions = 6;

std::vector<LinearAttachment> joints_about(const Model& model, const Vector& mean) {
  std::vector<LinearAttachment> attachments;
  for (const Joint& joint : model.joints) {
    const SmallMotion linear = small_motion(*joint.element, joint.directions.transpose() * mean);
    attachments.push_back({.directions = joint.directions,
                           .stiffness = 0.5 * (linear.stiffness + linear.stiffness.transpose()),
                           .damping = 0.5 * (linear.damping + linear.damping.transpose())});
  }
  return attachments;
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
