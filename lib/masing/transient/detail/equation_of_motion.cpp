#include "masing/transient/detail/equation_of_motion.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

// Pivots below this share of the diagonal entry count as zero: rounding in the factorisation leaves about 1e-15.
constexpr double zero_pivot = 1e-13;

void require_no_hysteretic_damping(const SecondOrderStructure& structure) {
  const double eta = structure.loss_factor();
  require(
      !structure.has_hysteretic_damping() || eta > 0.0,
      "Time integration needs viscous damping: parts of the structure have a loss factor (hysteretic damping), which "
      "has no time-domain form. Use viscous, Rayleigh or modal damping.");
  require(
      eta == 0.0,
      "Time integration needs viscous damping: the structure has loss_factor = {:g} (hysteretic damping), which has "
      "no time-domain form. Use viscous, Rayleigh or modal damping; a modal damping ratio of loss_factor/2 = {:g} is "
      "equivalent at resonance.",
      eta, eta / 2.0);
}

void require_masses(const SecondOrderStructure& structure) {
  const Vector diagonal = structure.mass().diagonal();
  for (Index i = 0; i < diagonal.size(); ++i) {
    require(
        diagonal[i] > 0.0,
        "Time integration needs a mass at every coordinate: the mass of coordinate '{}' is {:g}. Massless coordinates "
        "cannot be integrated; give it a mass or eliminate it from the matrices.",
        structure.coordinates()[i], diagonal[i]);
  }
}

// xᵀ G y
double bilinear(const SparseMatrix& g, const double* x, const double* y) {
  double sum = 0.0;
  for (Index column = 0; column < g.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(g, column); entry; ++entry) {
      sum += x[entry.row()] * entry.value() * y[column];
    }
  }
  return sum;
}

}  // namespace

EquationOfMotion::EquationOfMotion(const SecondOrderStructure& structure, std::span<const Joint> joints,
                                   std::span<const Load> loads, double level, double omega)
    : mass_(structure.mass()),
      damping_(structure.damping()),
      stiffness_(structure.stiffness()),
      static_load_(Vector::Zero(structure.size())),
      omega_(omega),
      force_(Vector::Zero(structure.size())) {
  require(std::isfinite(omega) && omega >= 0.0,
          "Time integration: the excitation frequency is {:g} rad/s; it must be "
          "finite and >= 0.",
          omega);
  require(std::isfinite(level), "Time integration: the load level is {:g}; it must be finite.", level);
  require_no_hysteretic_damping(structure);
  factorise_mass(structure);
  for (const Joint& joint : joints) attach(joint);
  for (const Load& load : loads) add_load(load, level);
}

void EquationOfMotion::factorise_mass(const SecondOrderStructure& structure) {
  require_masses(structure);
  mass_factor_.compute(mass_);
  bool definite = mass_factor_.info() == Eigen::Success;
  if (definite) {
    const Vector pivots = mass_factor_.vectorD();
    const Vector diagonal = mass_factor_.permutationP() * Vector(mass_.diagonal());
    definite = (pivots.array() > zero_pivot * diagonal.array()).all();
  }
  require(
      definite,
      "Time integration needs a positive definite mass matrix: this one is singular or indefinite, so some motion has "
      "no inertia. Massless motions cannot be integrated; eliminate them from the matrices.");
}

void EquationOfMotion::attach(const Joint& joint) {
  AttachedJoint attached;
  attached.name = joint.name;
  attached.element = joint.element;
  attached.inputs = joint.element->inputs();
  const SparseMatrix& directions = joint.directions;
  require(directions.rows() == size() && directions.cols() == attached.inputs,
          "joint '{}': its directions are {} x {}; they must be {} x {} (coordinates x inputs of the law).", joint.name,
          directions.rows(), directions.cols(), size(), attached.inputs);
  for (Index column = 0; column < directions.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(directions, column); entry; ++entry) {
      attached.entries.push_back({entry.row(), static_cast<int>(column), entry.value()});
    }
  }
  check_quadratic_motions(joint, size());
  attached.quadratic = joint.quadratic;
  attached.point = joint.element->at_rest();
  joints_.push_back(std::move(attached));
}

void EquationOfMotion::add_load(const Load& load, double level) {
  require(load.varying == nullptr, "load '{}' depends on the frequency: it has no time-domain form.", load.name);
  require(load.shape.size() == size(), "load '{}': its shape has {} entries; the structure has {} coordinates.",
          load.name, load.shape.size(), size());
  require(load.harmonic >= 0, "load '{}': harmonic = {} must be >= 0.", load.name, load.harmonic);
  if (load.harmonic == 0) {
    static_load_ += load.shape;
    return;
  }
  require(
      omega_ > 0.0 || level == 0.0,
      "load '{}' oscillates (harmonic {}), but the excitation frequency is 0. Give a frequency > 0, or remove the load "
      "for a ringdown.",
      load.name, load.harmonic);
  oscillations_.push_back({level * load.shape, load.harmonic * omega_, load.phase});
}

void EquationOfMotion::operator()(const StateVector& x, StateVector& dxdt, double t) {
  const Index n = size();
  const Eigen::Map<const Vector> q(x.data(), n);
  const Eigen::Map<const Vector> v(x.data() + n, n);
  force_ = static_load_;
  for (const Oscillation& load : oscillations_) force_ += std::cos(load.frequency * t + load.phase) * load.amplitude;
  force_.noalias() -= damping_ * v;
  force_.noalias() -= stiffness_ * q;
  for (Index j = 0; j < joints(); ++j) subtract_joint_force(j, x);
  Eigen::Map<Vector>(dxdt.data(), n) = v;
  Eigen::Map<Vector>(dxdt.data() + n, n) = mass_factor_.solve(force_);
}

void EquationOfMotion::subtract_joint_force(Index j, const StateVector& x) {
  const JointVector f = joints_[j].point->force_in_phase(motion(j, x));
  for (const Entry& entry : joints_[j].entries) force_[entry.coordinate] -= entry.weight * f[entry.input];
  const Eigen::Map<const Vector> q(x.data(), size());
  for (const QuadraticMotion& quadratic : joints_[j].quadratic) {
    force_.noalias() += f[quadratic.input] * (quadratic.matrix * q);
  }
}

bool EquationOfMotion::any_switches() const {
  return std::any_of(joints_.begin(), joints_.end(), [](const AttachedJoint& j) { return j.point->switches(); });
}

JointVector EquationOfMotion::relative(Index j, const double* coordinates) const {
  JointVector u = JointVector::Zero(joints_[j].inputs);
  for (const Entry& entry : joints_[j].entries) u[entry.input] += entry.weight * coordinates[entry.coordinate];
  return u;
}

JointMotion EquationOfMotion::motion(Index j, const StateVector& x) const {
  const double* q = x.data();
  const double* v = x.data() + size();
  JointMotion motion{relative(j, q), relative(j, v)};
  for (const QuadraticMotion& quadratic : joints_[j].quadratic) {
    motion.displacement[quadratic.input] -= 0.5 * bilinear(quadratic.matrix, q, q);
    motion.velocity[quadratic.input] -= bilinear(quadratic.matrix, q, v);
  }
  return motion;
}

JointVector EquationOfMotion::acceleration(Index j, const StateVector& x, const StateVector& derivative) const {
  const double* v = x.data() + size();
  const double* a = derivative.data() + size();
  JointVector result = relative(j, a);
  for (const QuadraticMotion& quadratic : joints_[j].quadratic) {
    result[quadratic.input] -= bilinear(quadratic.matrix, x.data(), a) + bilinear(quadratic.matrix, v, v);
  }
  return result;
}

void EquationOfMotion::reset_joints(const StateVector& x) {
  for (Index j = 0; j < joints(); ++j) {
    joints_[j].point = joints_[j].element->at_rest();
    joints_[j].point->advance(motion(j, x));
  }
}

double EquationOfMotion::fastest_frequency() const {
  constexpr int iterations = 60;  // of the power method on M⁻¹(K + Σ B k Bᵀ)
  const Index n = size();
  std::vector<Matrix> tangents;
  for (const AttachedJoint& joint : joints_) {
    const JointVector zero = JointVector::Zero(joint.inputs);
    tangents.emplace_back(joint.element->at_rest()->advance({zero, zero}).by_displacement);
  }
  Vector x(n);
  for (Index i = 0; i < n; ++i) x[i] = std::cos(2.0 * static_cast<double>(i)) + (i % 2 == 0 ? 1.0 : -1.0);
  x.normalize();
  double squared = 0.0;
  for (int i = 0; i < iterations; ++i) {
    Vector y = stiffness_ * x;
    for (Index j = 0; j < joints(); ++j) {
      const Vector f = tangents[j] * relative(j, x.data());
      for (const Entry& entry : joints_[j].entries) y[entry.coordinate] += entry.weight * f[entry.input];
    }
    y = mass_factor_.solve(y).eval();
    squared = y.norm();
    if (squared == 0.0) return 0.0;
    x = y / squared;
  }
  return std::sqrt(squared);
}

}  // namespace masing::detail
