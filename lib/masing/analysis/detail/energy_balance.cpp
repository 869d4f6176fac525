#include "masing/analysis/detail/energy_balance.hpp"

#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

#include <algorithm>
#include <limits>

namespace masing::detail {

namespace {

constexpr Index finer = 2;

BalanceOptions refined(BalanceOptions options) {
  options.samples *= finer;
  return options;
}

// Every coordinate is a kept motion.
InterfaceBasis everything(Index coordinates) {
  SparseMatrix identity(coordinates, coordinates);
  identity.setIdentity();
  return interface_basis(identity);
}

}  // namespace

EnergyBalance::EnergyBalance(const Model& model, const BalanceOptions& options)
    : structure_(model.structure),
      matrices_(dynamic_cast<const SecondOrderStructure*>(model.structure.get())),
      set_(options.harmonics),
      felt_set_(masing::felt_harmonics(set_, model.joints)),
      joint_forces_(model.joints, felt_set_, refined(options)) {
  if (!model.joints.empty()) {
    basis_ = interface_basis(felt_directions(model.joints, structure_->size()));
    coupling_ = std::make_unique<JointCoupling>(model.joints, structure_->size(), basis_, set_, felt_set_);
    relative_.setZero(joint_forces_.inputs(), felt_set_.positions());
  }
  terms_.joints.setZero(static_cast<Index>(model.joints.size()));
  terms_.joint_amplitude.setZero(terms_.joints.size());
  terms_.harmonic_kinetic.setZero(set_.count());
  if (matrices_ != nullptr) return;
  for (Index i = 0; i < set_.count(); ++i) whole_.push_back(structure_->condense(everything(structure_->size())));
}

const EnergyTerms& EnergyBalance::evaluate(const HarmonicBalance& balance, const Matrix& all, double omega) {
  terms_.input = terms_.material = terms_.kinetic = 0.0;
  add_structure(balance, all, omega);
  add_joints(all, omega);
  // A motion that dissipates next to nothing has rounding errors for input: they count relative to what a damping ratio
  // of 1e-6 would take.
  constexpr double least_ratio = 1e-6;
  const double size = std::max(std::abs(terms_.input), least_ratio * 4.0 * pi * terms_.kinetic);
  terms_.residual = size > 0.0 ? std::abs(terms_.input - terms_.dissipated()) / size : 0.0;
  return terms_;
}

void EnergyBalance::add_structure(const HarmonicBalance& balance, const Matrix& all, double omega) {
  for (Index i = 0; i < set_.count(); ++i) {
    const int k = set_[i];
    if (k == 0) continue;
    complex_amplitude(set_, all, i, amplitude_);
    terms_.input += pi * k * balance.level() * amplitude_.dot(balance.load(i)).imag();
    double mass = 0.0;
    if (matrices_ != nullptr) {
      product_ = matrices_->damping().cast<Complex>() * amplitude_ * (k * omega);
      product_ += matrices_->hysteretic().cast<Complex>() * amplitude_;
      terms_.material += pi * k * amplitude_.dot(product_).real();
      product_ = matrices_->mass().cast<Complex>() * amplitude_;
      mass = amplitude_.dot(product_).real();
    } else {
      CondensedStructure& whole = *whole_[static_cast<std::size_t>(i)];
      whole.set_frequency(k * omega);
      terms_.material += pi * k * amplitude_.dot(whole.stiffness() * amplitude_).imag();
      mass = -amplitude_.dot(whole.stiffness_derivative() * amplitude_).real() / (2.0 * k * omega);
    }
    terms_.harmonic_kinetic[i] = 0.5 * k * k * omega * omega * mass;
    terms_.kinetic += terms_.harmonic_kinetic[i];
    terms_.input -= balance.mass_damping() * pi * omega * k * k * mass;
  }
}

void EnergyBalance::add_joints(const Matrix& all, double omega) {
  terms_.joints.setZero();
  if (!coupling_) return;
  const Matrix kept = basis_.range.transpose() * all(basis_.touched, Eigen::all);
  coupling_->relative_motion(kept, relative_);
  try {
    joint_forces_.evaluate(relative_, omega);
  } catch (const NumericalError&) {
    terms_.joints.setConstant(std::numeric_limits<double>::quiet_NaN());
    terms_.joint_amplitude.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const Matrix& force = joint_forces_.coefficients();
  for (Index j = 0; j < joint_forces_.joints(); ++j) {
    const auto first = joint_forces_.motion_samples().col(joint_forces_.first_input(j));
    terms_.joint_amplitude[j] = 0.5 * (first.maxCoeff() - first.minCoeff());
    for (Index row = joint_forces_.first_input(j); row < joint_forces_.first_input(j) + joint_forces_.inputs_of(j);
         ++row) {
      for (Index i = 0; i < felt_set_.count(); ++i) {
        if (felt_set_[i] == 0) continue;
        const Index a = felt_set_.cosine(i), b = felt_set_.sine(i);
        terms_.joints[j] += pi * felt_set_[i] * (force(row, a) * relative_(row, b) - force(row, b) * relative_(row, a));
      }
    }
  }
}

JointCycles EnergyBalance::cycles() const {
  JointCycles result;
  if (!coupling_ || !terms_.joints.allFinite()) return result;
  const Matrix& motion = joint_forces_.motion_samples();
  const auto stored = Eigen::seqN(0, motion.rows() / finer, finer);
  result.motion = motion(stored, Eigen::all);
  result.force = joint_forces_.force_samples()(stored, Eigen::all);
  return result;
}

}  // namespace masing::detail
