#include "masing/balance/harmonic_balance.hpp"

#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace masing {

namespace {

// A model without joints keeps one coordinate instead, so that a linear structure is a harmonic balance like any other: the
// one that is loaded most.
Index most_loaded_coordinate(Index coordinates, std::span<const Load> loads) {
  Vector size = Vector::Zero(coordinates);
  for (const Load& load : loads) {
    size += load.shape.cwiseAbs();
    if (!load.varying) continue;
    ComplexVector entries, derivatives;
    load.varying->at(1.0, entries, derivatives);
    size += entries.cwiseAbs();
  }
  Index most = 0;
  size.maxCoeff(&most);
  return most;
}

SparseMatrix kept_directions(Index coordinates, std::span<const Joint> joints, std::span<const Load> loads) {
  if (!joints.empty()) return felt_directions(joints, coordinates);
  SparseMatrix directions(coordinates, 1);
  directions.insert(most_loaded_coordinate(coordinates, loads), 0) = 1.0;
  return directions;
}

// The structure's forces are differences of large terms. A residual of 1e-9 of the forces must not lie below their
// rounding errors, about 64 ε of those terms.
constexpr double noticeable_noise = 64.0 * std::numeric_limits<double>::epsilon() / 1e-9;

Eigen::Map<const Matrix> as_coefficients(const Vector& x, Index motions, Index positions) {
  return {x.data(), motions, positions};
}

// How joints resist a mean motion: by a spring, however far it goes, or only until they slip.
struct Hold {
  bool by_spring = false;
  double friction = 0.0;  // stiffness at rest of joints that yield [N/m]
};

constexpr double weak_share = 1e-6;

// From rest to a distance along `motion`: how the law resists there.
double stiffness_along(const ContactElement& element, const Vector& motion, double distance) {
  const Vector still = Vector::Zero(motion.size());
  const auto point = element.at_rest();
  point->advance({still, still});  // some laws make contact where they begin
  const auto tangent = point->advance({distance * motion, still}).by_displacement;
  return motion.dot(tangent * motion);
}

// Each law is tried far away on both sides.
bool holds_by_spring(const ContactElement& element, const Vector& motion) {
  constexpr double far_away = 1e3;  // [m]
  return stiffness_along(element, motion, far_away) != 0.0 || stiffness_along(element, motion, -far_away) != 0.0;
}

// `felt` is the motion of every joint input.
Hold hold_of(std::span<const Joint> joints, const Vector& felt) {
  constexpr double noticeable = 1e-8;
  Hold hold;
  Index first = 0;
  for (const Joint& joint : joints) {
    const int inputs = joint.element->inputs();
    // Without the dust: a spring across the motion must not count.
    const Vector part =
        felt.segment(first, inputs).unaryExpr([](double u) { return std::abs(u) > noticeable ? u : 0.0; });
    first += inputs;
    if (part.isZero(0.0)) continue;
    if (holds_by_spring(*joint.element, part)) {
      hold.by_spring = true;
    } else {
      hold.friction += std::abs(stiffness_along(*joint.element, part, 0.0));
    }
  }
  return hold;
}

// Of the rigid motions (columns of `rigid`, orthonormal), a basis of those that no input feels which is held by a spring
// when it moves alone. A body on a contact floats up and along it: only the latter is left to friction.
Matrix without_springs(std::span<const Joint> joints, const Matrix& projection, const Matrix& rigid) {
  if (projection.rows() == 0 || rigid.cols() == 0) return rigid;
  Matrix felt = projection * rigid;
  const double largest = felt.squaredNorm();
  Index row = 0;
  for (const Joint& joint : joints) {
    const int inputs = joint.element->inputs();
    for (int i = 0; i < inputs; ++i, ++row) {
      if (!holds_by_spring(*joint.element, Vector::Unit(inputs, i))) felt.row(row).setZero();
    }
  }
  constexpr double unfelt = 1e-16;  // the square of 1e-8
  const Eigen::SelfAdjointEigenSolver<Matrix> modes(felt.transpose() * felt);
  const Index count = (modes.eigenvalues().array() <= unfelt * largest).count();
  return rigid * modes.eigenvectors().leftCols(count);
}

}  // namespace

HarmonicBalance::HarmonicBalance(const Structure& structure, std::span<const Joint> joints, std::span<const Load> loads,
                                 const BalanceOptions& options)
    : structure_(structure),
      set_(options.harmonics),
      felt_set_(felt_harmonics(set_, joints)),
      joint_forces_(joints, felt_set_, options) {
  build_basis(joints, loads);
  build_loads(loads);
  name_motions(joints);
  settle_floating_motions(joints);
  relative_.setZero(joint_forces_.inputs(), felt_set_.positions());
  motion_.setZero(motions_);
  product_.setZero(motions_);
  no_motion_.setZero(motions_);
}

void HarmonicBalance::build_basis(std::span<const Joint> joints, std::span<const Load> loads) {
  const SparseMatrix directions = kept_directions(structure_.size(), joints, loads);
  basis_ = interface_basis(directions);
  coupling_ = std::make_unique<JointCoupling>(joints, structure_.size(), basis_, set_, felt_set_);
}

void HarmonicBalance::name_motions(std::span<const Joint> joints) {
  const bool shaped = parts_.front().structure->shapes() != nullptr;
  const bool identity = basis_.complement.cols() == 0 && !shaped;
  for (Index i = 0; i < motions_; ++i) {
    motion_names_.push_back(
        identity ? structure_.coordinates()[static_cast<std::size_t>(basis_.touched[static_cast<std::size_t>(i)])]
                 : fmt::format("{} {}", shaped ? "shape" : "joint motion", i + 1));
  }
  if (!shaped) return;
  require(!any_quadratic(joints),
          "A joint that feels a shortening needs constant shapes, reduction = {{ kind = \"galerkin\", basis = "
          "\"constant\" }}: the shortening multiplies harmonics with each other, and shapes that each harmonic makes "
          "anew at its own frequency would change in these products.");
  shaped_coupling_ = std::make_unique<ShapedCoupling>(coupling_->projection(), set_, motions_);
}

void HarmonicBalance::build_loads(std::span<const Load> loads) {
  for (Index i = 0; i < set_.count(); ++i) {
    HarmonicPart part;
    part.k = set_[i];
    part.structure = structure_.condense_in_shapes(basis_);
    motions_ = part.structure->size();
    part.mass_damped = dynamic_cast<MassDamped*>(part.structure.get());
    part.constant_load = part.full_load_by_omega = ComplexVector::Zero(structure_.size());
    part.load = ComplexVector::Zero(motions_);
    part.load_by_omega = ComplexVector::Zero(motions_);
    parts_.push_back(std::move(part));
  }
  for (const Load& load : loads) {
    const Index i = set_.find(load.harmonic);
    require(i >= 0, "Load '{}' acts in harmonic {}, which is not among the balanced harmonics. Add {} to `harmonics`.",
            load.name, load.harmonic, load.harmonic);
    const Complex factor = load.harmonic == 0 ? Complex(1.0) : std::polar(1.0, load.phase);
    HarmonicPart& part = parts_[static_cast<std::size_t>(i)];
    part.constant_load += factor * load.shape.cast<Complex>();
    if (!load.varying) continue;
    require(load.harmonic > 0, "Load '{}' depends on the frequency, so it cannot be static.", load.name);
    part.varying.push_back({factor, load.varying});
  }
  for (HarmonicPart& part : parts_) part.full_load = part.constant_load;
}

// A body that neither the structure nor a joint holds has no mean position: harmonic 0 would be singular.
void HarmonicBalance::settle_floating_motions(std::span<const Joint> joints) {
  weak_springs_.setZero(motions_, motions_);
  if (!set_.has_zero()) return;
  CondensedStructure& statics = *parts_.front().structure;
  statics.set_frequency(0.0);
  const Matrix stiffness = statics.stiffness().real();
  const Eigen::SelfAdjointEigenSolver<Matrix> modes(0.5 * (stiffness + stiffness.transpose()));
  const double largest = modes.eigenvalues().cwiseAbs().maxCoeff();
  // Rounding in the condensation leaves a rigid-body mode at about 1e-13 of the largest stiffness.
  constexpr double rigid = 1e-10;
  const Index count = (modes.eigenvalues().cwiseAbs().array() <= rigid * largest).count();
  Matrix projection = coupling_->projection();
  if (const MotionShapes* shapes = statics.shapes()) projection = projection * shapes->value.real();
  const Matrix floating = without_springs(joints, projection, modes.eigenvectors().leftCols(count));
  for (Index m = 0; m < floating.cols(); ++m) {
    const Vector shape = floating.col(m);
    const Hold hold = hold_of(joints, joints.empty() ? Vector() : Vector(projection * shape));
    if (hold.by_spring) continue;
    if (hold.friction > 0.0) {
      weak_springs_ += weak_share * hold.friction * shape * shape.transpose();
      continue;
    }
    Index where = 0;
    shape.cwiseAbs().maxCoeff(&where);
    throw ModelError(
        fmt::format("The structure floats: nothing holds its mean position, largest in '{}', neither the structure nor "
                    "a joint. Ground it with a spring, or leave harmonic 0 out of `harmonics`.",
                    motion_names_[static_cast<std::size_t>(where)]));
  }
}

void HarmonicBalance::set_level(double level) {
  if (level == level_) return;
  level_ = level;
  evaluated_omega_ = -1.0;
}

void HarmonicBalance::go_to(double omega) {
  if (omega == omega_) return;
  for (HarmonicPart& part : parts_) {
    if (part.k == 0 && omega_ >= 0.0) continue;
    go_to(part, part.k * omega);
  }
  for (Index i = 0; shaped_coupling_ && i < set_.count(); ++i) {
    shaped_coupling_->set_shapes(i, *parts_[static_cast<std::size_t>(i)].structure->shapes());
  }
  omega_ = omega;
}

void HarmonicBalance::go_to(HarmonicPart& part, double omega) {
  part.structure->set_frequency(omega);
  if (!part.varying.empty()) {
    part.full_load = part.constant_load;
    part.full_load_by_omega.setZero();
    for (const HarmonicPart::Varying& one : part.varying) {
      one.load->at(omega, varying_, varying_by_omega_);
      part.full_load += one.factor * varying_;
      part.full_load_by_omega += one.factor * varying_by_omega_;
    }
    part.structure->condense_load(part.full_load_by_omega, varying_, varying_by_omega_);
  }
  part.structure->condense_load(part.full_load, part.load, part.load_by_omega);
  if (!part.varying.empty()) part.load_by_omega += varying_;
}

void HarmonicBalance::residual(const Vector& x, double omega, Vector& r) {
  go_to(omega);
  const auto y = as_coefficients(x, motions_, set_.positions());
  shaped_coupling_ ? shaped_coupling_->relative_motion(y, relative_) : coupling_->relative_motion(y, relative_);
  joint_forces_.evaluate(relative_, omega);
  evaluated_x_ = x;
  evaluated_omega_ = omega;

  r.setZero(size());
  Eigen::Map<Matrix> equations(r.data(), motions_, set_.positions());
  add_joint_forces(joint_forces_.coefficients(), equations);
  force_scale_ = {};
  for (Index i = 0; i < set_.count(); ++i) {
    double& scale = set_[i] == 0 ? force_scale_.mean : force_scale_.oscillating;
    scale = std::max(scale, equations.col(set_.cosine(i)).lpNorm<Eigen::Infinity>());
    if (set_[i] != 0) scale = std::max(scale, equations.col(set_.sine(i)).lpNorm<Eigen::Infinity>());
  }
  add_structure_residual(r);
}

void HarmonicBalance::add_joint_forces(const Matrix& forces, Eigen::Ref<Matrix> equations) {
  shaped_coupling_ ? shaped_coupling_->add_forces(forces, equations) : coupling_->add_forces(forces, equations);
}

void HarmonicBalance::add_structure_residual(Vector& r) {
  const auto y = as_coefficients(evaluated_x_, motions_, set_.positions());
  Eigen::Map<Matrix> equations(r.data(), motions_, set_.positions());
  for (Index i = 0; i < set_.count(); ++i) {
    const HarmonicPart& part = parts_[static_cast<std::size_t>(i)];
    complex_amplitude(set_, y, i, motion_);
    product_.noalias() = part.structure->stiffness() * motion_;
    if (part.k == 0) product_ += weak_springs_ * motion_;
    const double level = level_of(part);
    const double noise = part.structure->cancelling_terms() * motion_.cwiseAbs().maxCoeff();
    double& scale = part.k == 0 ? force_scale_.mean : force_scale_.oscillating;
    scale = std::max(
        {scale, product_.cwiseAbs().maxCoeff(), level * part.load.cwiseAbs().maxCoeff(), noticeable_noise * noise});
    product_ -= level * part.load;
    equations.col(set_.cosine(i)) += product_.real();
    if (part.k != 0) equations.col(set_.sine(i)) -= product_.imag();
  }
}

void HarmonicBalance::derivatives(const Vector& x, double omega, Matrix& jacobian, Vector& by_omega) {
  if (omega != evaluated_omega_ || omega != omega_ || x != evaluated_x_) residual(x, omega, by_omega);
  jacobian.setZero(size(), size());
  shaped_coupling_ ? shaped_coupling_->add_jacobian(joint_forces_, jacobian)
                   : coupling_->add_jacobian(joint_forces_, jacobian);
  add_structure_jacobian(jacobian);

  by_omega.setZero(size());
  Eigen::Map<Matrix> equations(by_omega.data(), motions_, set_.positions());
  add_joint_forces(joint_forces_.derivative_by_omega(), equations);
  if (shaped_coupling_) shaped_coupling_->add_change_of_shapes(joint_forces_.coefficients(), equations);
  add_structure_by_omega(x, by_omega);
}

// Z (a − ib): real part Z' a + Z'' b, minus imaginary part −Z'' a + Z' b.
void HarmonicBalance::add_structure_jacobian(Matrix& jacobian) const {
  for (Index i = 0; i < set_.count(); ++i) {
    const ComplexMatrix& s = parts_[static_cast<std::size_t>(i)].structure->stiffness();
    const Index c = set_.cosine(i) * motions_;
    jacobian.block(c, c, motions_, motions_) += s.real();
    if (set_[i] == 0) {
      jacobian.block(c, c, motions_, motions_) += weak_springs_;
      continue;
    }
    const Index n = set_.sine(i) * motions_;
    jacobian.block(c, n, motions_, motions_) += s.imag();
    jacobian.block(n, c, motions_, motions_) -= s.imag();
    jacobian.block(n, n, motions_, motions_) += s.real();
  }
}

void HarmonicBalance::add_structure_by_omega(const Vector& x, Vector& by_omega) {
  const auto y = as_coefficients(x, motions_, set_.positions());
  Eigen::Map<Matrix> equations(by_omega.data(), motions_, set_.positions());
  for (Index i = 0; i < set_.count(); ++i) {
    const HarmonicPart& part = parts_[static_cast<std::size_t>(i)];
    if (part.k == 0) continue;
    complex_amplitude(set_, y, i, motion_);
    product_.noalias() = part.structure->stiffness_derivative() * motion_;
    product_ -= level_of(part) * part.load_by_omega;
    equations.col(set_.cosine(i)) += part.k * product_.real();
    equations.col(set_.sine(i)) -= part.k * product_.imag();
  }
}

double HarmonicBalance::frequency_rounding() {
  const auto y = as_coefficients(evaluated_x_, motions_, set_.positions());
  double largest = 0.0;
  for (Index i = 0; i < set_.count(); ++i) {
    const HarmonicPart& part = parts_[static_cast<std::size_t>(i)];
    if (part.k == 0) continue;
    complex_amplitude(set_, y, i, motion_);
    product_.noalias() = part.structure->stiffness_derivative() * motion_;
    largest = std::max(largest, part.k * omega_ * product_.cwiseAbs().maxCoeff());
  }
  return std::numeric_limits<double>::epsilon() * largest;
}

void HarmonicBalance::derivative_by_level(Vector& by_level) const {
  by_level.setZero(size());
  Eigen::Map<Matrix> equations(by_level.data(), motions_, set_.positions());
  for (Index i = 0; i < set_.count(); ++i) {
    if (set_[i] == 0) continue;
    const ComplexVector& load = parts_[static_cast<std::size_t>(i)].load;
    equations.col(set_.cosine(i)) = -load.real();
    equations.col(set_.sine(i)) = load.imag();
  }
}

Matrix HarmonicBalance::recover(const Vector& x, double omega) {
  go_to(omega);
  const auto y = as_coefficients(x, motions_, set_.positions());
  Matrix all(structure_.size(), set_.positions());
  for (Index i = 0; i < set_.count(); ++i) {
    recover_harmonic(y, i);
    set_complex_amplitude(set_, i, recovered_, all);
  }
  return all;
}

void HarmonicBalance::recover_harmonic(const MatrixView& y, Index i) {
  HarmonicPart& part = parts_[static_cast<std::size_t>(i)];
  complex_amplitude(set_, y, i, motion_);
  scaled_load_ = level_of(part) * part.full_load;
  part.structure->recover(motion_, scaled_load_, recovered_);
}

HarmonicBalance::Amplitude HarmonicBalance::recover_amplitude(const Vector& x, double omega, Index i, Index coordinate,
                                                              const Vector& x_rate, double omega_rate) {
  recover_with_rate(x, omega, i, x_rate, omega_rate);
  return {recovered_[coordinate], recovered_rate_[coordinate]};
}

HarmonicBalance::Amplitude HarmonicBalance::recover_amplitude(const Vector& x, double omega, Index i,
                                                              const Vector& motion, const Vector& x_rate,
                                                              double omega_rate) {
  recover_with_rate(x, omega, i, x_rate, omega_rate);
  return {motion.transpose() * recovered_, motion.transpose() * recovered_rate_};
}

void HarmonicBalance::recover_with_rate(const Vector& x, double omega, Index i, const Vector& x_rate,
                                        double omega_rate) {
  go_to(omega);
  recover_harmonic(as_coefficients(x, motions_, set_.positions()), i);
  complex_amplitude(set_, as_coefficients(x_rate, motions_, set_.positions()), i, motion_);
  HarmonicPart& part = parts_[static_cast<std::size_t>(i)];
  part.structure->recover_rate(recovered_, motion_, part.k * omega_rate, recovered_rate_);
  add_load_rate(part, part.k * omega_rate);
}

// What the change of the load with its frequency does while the kept motions rest.
void HarmonicBalance::add_load_rate(const HarmonicPart& part, double frequency_rate) {
  if (part.varying.empty()) return;
  scaled_load_ = (level_of(part) * frequency_rate) * part.full_load_by_omega;
  part.structure->recover(no_motion_, scaled_load_, load_rate_);
  recovered_rate_ += load_rate_;
}

}  // namespace masing
