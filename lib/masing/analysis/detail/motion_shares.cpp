#include "masing/analysis/detail/motion_shares.hpp"

#include "masing/analysis/detail/joint_tangents.hpp"
#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace masing::detail {

namespace {

// Larger structures have no modes here: all their coordinates would be recovered in every mode.
constexpr Index most_coordinates = 1000;
constexpr std::size_t most_told = 10;
constexpr Index most_in_space = 60;
// A harmonic with less of the velocity than this is rounding error: it has no shape.
constexpr double no_motion = 1e-10;

// Mean square of the oscillating part, or mean product of two.
double mean_product(const HarmonicSet& set, const Eigen::Ref<const Eigen::RowVectorXd>& a,
                    const Eigen::Ref<const Eigen::RowVectorXd>& b) {
  const Index first = set.has_zero() ? 1 : 0;
  return 0.5 * a.tail(a.size() - first).dot(b.tail(b.size() - first));
}

}  // namespace

MotionShares::MotionShares(const Model& model) {
  if (model.structure->size() > most_coordinates) return;
  try {
    find_modes(model);
  } catch (const Error&) {  // no linear form, or no modes of this kind of structure
    frequencies_.clear();
  }
}

void MotionShares::find_modes(const Model& model) {
  const Vector rest = Vector::Zero(model.structure->size());
  std::vector<LinearAttachment> attachments;
  for (const Joint& joint : model.joints) {
    const JointTangent tangent = joint_tangent(joint, rest);
    if (!tangent.finite) return;
    joints_.push_back({joint.quadratic.empty() ? tangent.attachments.front().stiffness : Matrix(), {}});
    attachments.insert(attachments.end(), tangent.attachments.begin(), tangent.attachments.end());
  }
  const auto modes = natural_modes(*model.structure, attachments, {.count = most_in_space}, 2);
  Matrix space(model.structure->size(), static_cast<Index>(modes.size()));
  squares_.resize(space.cols());
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const auto at = static_cast<Index>(i);
    space.col(at) = modes[i].shape;
    squares_[at] = modes[i].omega * modes[i].omega * (modes[i].kind == ModeKind::unstable ? -1.0 : 1.0);
    if (modes[i].kind != ModeKind::vibrating || told_.size() >= most_told) continue;
    told_.push_back(at);
    frequencies_.push_back(modes[i].omega / (2.0 * pi));
  }
  if (told_.empty()) return;
  projection_ = modal_projection({.structure = model.structure,
                                  .attachments = std::move(attachments),
                                  .numbers = told_,
                                  .shapes = space(Eigen::all, told_),
                                  .highest = 2.0 * pi * frequencies_.back()});
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    joints_[j].directions = model.joints[j].directions.transpose() * space;
  }
}

void MotionShares::describe(const Motion& motion, const EnergyTerms& energy, const EnergyBalance& evaluated,
                            ResponsePoint& point) {
  point.harmonic_share = Vector::Zero(motion.stored.count());
  for (Index i = 0; energy.kinetic > 0.0 && i < motion.set.count(); ++i) {
    point.harmonic_share[motion.stored.find(motion.set[i])] =
        std::sqrt(std::max(energy.harmonic_kinetic[i] / energy.kinetic, 0.0));
  }
  if (frequencies_.empty()) return;
  fill_modal_shares(motion, point.harmonic_share, point.modal_share);
  point.mode_frequency.setConstant(std::ssize(told_), std::numeric_limits<double>::quiet_NaN());
  if (energy.joints.allFinite()) fill_frequencies(evaluated, point.mode_frequency);
}

void MotionShares::fill_modal_shares(const Motion& motion, const Vector& harmonic_share, Vector& shares) {
  const auto modes = std::ssize(told_);
  shares.setZero(motion.stored.count() * modes);
  for (Index i = 0; i < motion.set.count(); ++i) {
    const Index place = motion.stored.find(motion.set[i]);
    if (motion.set[i] == 0 || harmonic_share[place] < no_motion) continue;
    complex_amplitude(motion.set, motion.all, i, amplitude_);
    shares.segment(place * modes, modes) = projection_->shares(amplitude_, motion.set[i] * motion.omega);
  }
}

Matrix MotionShares::secant_stiffness(const EnergyBalance& evaluated, std::size_t joint, double negligible) const {
  const JointForces& forces = evaluated.joint_forces();
  const HarmonicSet& set = evaluated.felt_harmonics();
  Matrix secant = joints_[joint].stiffness;
  const Index first = forces.first_input(static_cast<Index>(joint));
  for (Index a = 0; a < secant.rows(); ++a) {
    const auto motion = evaluated.relative_motion().row(first + a);
    const double square = mean_product(set, motion, motion);
    if (!(square > negligible)) continue;
    secant.row(a).setZero();
    secant.col(a).setZero();
    secant(a, a) = mean_product(set, forces.coefficients().row(first + a), motion) / square;
  }
  return secant;
}

void MotionShares::fill_frequencies(const EnergyBalance& evaluated, Vector& frequencies) {
  constexpr double still = 1e-9;  // of the largest relative motion
  double largest = 0.0;
  for (Index row = 0; row < evaluated.relative_motion().rows(); ++row) {
    const auto motion = evaluated.relative_motion().row(row);
    largest = std::max(largest, mean_product(evaluated.felt_harmonics(), motion, motion));
  }
  stiffness_ = squares_.asDiagonal();
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const StuckJoint& joint = joints_[j];
    if (joint.stiffness.size() == 0) continue;
    const Matrix change = secant_stiffness(evaluated, j, still * still * largest) - joint.stiffness;
    stiffness_ += joint.directions.transpose() * change * joint.directions;
  }
  if (!stiffness_.allFinite()) return;
  const Eigen::SelfAdjointEigenSolver<Matrix> modes(stiffness_);
  for (std::size_t m = 0; m < told_.size(); ++m) {
    Index same = 0;
    modes.eigenvectors().row(told_[m]).cwiseAbs().maxCoeff(&same);
    frequencies[static_cast<Index>(m)] = std::sqrt(std::max(modes.eigenvalues()[same], 0.0)) / (2.0 * pi);
  }
}

}  // namespace masing::detail
