#include "masing/analysis/detail/starting_mode.hpp"

#include "masing/analysis/detail/joint_tangents.hpp"
#include "masing/balance/joint_forces.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
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

/// Every joint as springs of the secant stiffness that its inputs have in the motion q cos Ωt.
std::vector<LinearAttachment> joints_in_motion(const Model& model, JointForces& forces, const Vector& q, double omega) {
  const HarmonicSet first({1});
  Matrix motion = Matrix::Zero(forces.inputs(), first.positions());
  for (Index j = 0; j < forces.joints(); ++j) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    motion.col(first.cosine(0)).segment(forces.first_input(j), forces.inputs_of(j)) = joint.directions.transpose() * q;
  }
  forces.evaluate(motion, omega);
  std::vector<LinearAttachment> all;
  for (Index j = 0; j < forces.joints(); ++j) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    Matrix stiffness = joint_tangent(joint, Vector::Zero(q.size())).attachments.front().stiffness;
    for (Index a = 0; a < stiffness.rows(); ++a) {
      const double u = motion(forces.first_input(j) + a, first.cosine(0));
      if (u == 0.0) continue;
      stiffness.row(a).setZero();
      stiffness.col(a).setZero();
      stiffness(a, a) = forces.coefficients()(forces.first_input(j) + a, first.cosine(0)) / u;
    }
    all.push_back({joint.directions, stiffness, Matrix::Zero(stiffness.rows(), stiffness.rows())});
  }
  return all;
}

}  // namespace

NaturalMode secant_mode(const Model& model, const BalanceOptions& options, Vector q) {
  constexpr int most_repetitions = 60;
  constexpr double settled = 1e-6;
  const auto& structure = dynamic_cast<const SecondOrderStructure&>(*model.structure);
  BalanceOptions one_harmonic = options;
  one_harmonic.harmonics = {1};
  JointForces forces(model.joints, HarmonicSet({1}), one_harmonic);
  const double size = std::sqrt(q.dot(structure.mass() * q));
  double omega = std::sqrt(std::max(q.dot(structure.stiffness() * q), 0.0)) / size;
  NaturalMode best;
  for (int i = 0; i < most_repetitions; ++i) {
    const Vector momentum = structure.mass() * q / size;
    double likeness = -1.0;
    for (NaturalMode& mode : natural_modes(structure, joints_in_motion(model, forces, q, std::max(omega, 1e-30)),
                                           {.count = std::min<Index>(structure.size(), 60)}, 2)) {
      if (mode.kind != ModeKind::vibrating || std::abs(momentum.dot(mode.shape)) <= likeness) continue;
      likeness = std::abs(momentum.dot(mode.shape));
      best = std::move(mode);
    }
    if (likeness < 0.0) throw NumericalError("No mode vibrates with the joints at their secant stiffness.");
    if (momentum.dot(best.shape) < 0.0) best.shape = -best.shape;
    const double change = std::abs(best.omega / omega - 1.0);
    omega = best.omega;
    q = 0.5 * (q + size * best.shape);  // half way: whole steps swing about where springs harden
    q *= size / std::sqrt(q.dot(structure.mass() * q));
    if (change < settled) break;
  }
  if (std::isnan(best.damping_ratio)) best.damping_ratio = 0.0;
  return best;
}

Index vibrating_modes(const Model& model, const Vector& mean, Index wanted) {
  const std::vector<NaturalMode> modes =
      natural_modes(*model.structure, joints_about(model, mean), {.count = wanted + most_rigid_motions}, 2);
  return std::count_if(modes.begin(), modes.end(),
                       [](const NaturalMode& mode) { return mode.kind == ModeKind::vibrating; });
}

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
