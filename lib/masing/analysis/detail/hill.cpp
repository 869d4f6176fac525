#include "masing/analysis/detail/hill.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace masing::detail {

Hill::Hill(const ModalForm& form, const HarmonicSet& set, Index samples)
    : form_(form),
      set_(set),
      multiplication_(set, samples),
      modes_(form.size()),
      unknowns_(form.size() * set.positions()),
      gain_(Matrix::Zero(set.positions(), set.positions())) {}

Hill::Result Hill::exponents(const JointForces& forces, double omega) {
  assemble_structure(omega);
  for (Index j = 0; j < forces.joints(); ++j) add_joint(forces, j, omega);
  std::vector<Candidate> all = candidates();
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return std::abs(a.centre) < std::abs(b.centre); });
  std::vector<const Candidate*> taken;
  for (const Candidate& candidate : all) {
    if (static_cast<Index>(taken.size()) == 2 * modes_) break;
    const auto same = [&](const Candidate* other) { return is_copy(candidate, *other); };
    if (std::none_of(taken.begin(), taken.end(), same)) taken.push_back(&candidate);
  }
  Result result;
  Complex sum = 0.0;
  for (const Candidate* candidate : taken) {
    result.exponents.push_back(candidate->exponent);
    sum += candidate->exponent.real();
  }
  result.trace_error = 2.0 * pi * std::abs(sum - trace_);
  return result;
}

// In τ = Ωt: s'' + 2λs' + λ²s + C/Ω (s' + λs) + ω²/Ω² s, with s' = (k b_k, −k a_k).
void Hill::assemble_structure(double omega) {
  const Matrix damping = form_.damping_at(omega) / omega;
  trace_ = -damping.trace();
  stiffness_.setZero(unknowns_, unknowns_);
  damping_.setZero(unknowns_, unknowns_);
  const auto block = [&](Matrix& matrix, Index row, Index column) {
    return matrix.block(row * modes_, column * modes_, modes_, modes_);
  };
  for (Index i = 0; i < set_.count(); ++i) {
    const double k = set_[i];
    const Index cosine = set_.cosine(i);
    for (Index position = cosine; position <= (set_[i] == 0 ? cosine : cosine + 1); ++position) {
      block(stiffness_, position, position).diagonal() = form_.stiffness.array() / (omega * omega) - k * k;
      block(damping_, position, position) = damping;
    }
    if (set_[i] == 0) continue;
    block(stiffness_, cosine, cosine + 1) = k * damping;
    block(stiffness_, cosine + 1, cosine) = -k * damping;
    block(damping_, cosine, cosine + 1).diagonal().setConstant(2.0 * k);
    block(damping_, cosine + 1, cosine).diagonal().setConstant(-2.0 * k);
  }
}

void Hill::add_joint(const JointForces& forces, Index joint, double omega) {
  const CycleResult& cycle = forces.cycle(joint);
  const Index inputs = forces.inputs_of(joint);
  const Index first = forces.first_input(joint);
  const Index positions = set_.positions();
  const auto scatter = [&](const Matrix& shape, double factor, Matrix& target) {
    for (Index column = 0; column < positions; ++column) {
      for (Index row = 0; row < positions; ++row) {
        target.block(row * modes_, column * modes_, modes_, modes_) += (factor * gain_(row, column)) * shape;
      }
    }
  };
  for (Index b = 0; b < inputs; ++b) {
    for (Index a = 0; a < inputs; ++a) {
      const Index entry = a + inputs * b;
      const Matrix shape = form_.directions.col(first + a) * form_.directions.col(first + b).transpose();
      multiplication_.matrix(cycle.by_displacement.col(entry), gain_);
      scatter(shape, 1.0 / (omega * omega), stiffness_);
      if (cycle.by_velocity.cols() == 0) continue;
      multiplication_.matrix(cycle.by_velocity.col(entry), gain_);
      scatter(shape, 1.0 / omega, damping_);
      trace_ -= cycle.by_velocity.col(entry).mean() * shape.trace() / omega;
      const Matrix gain = gain_;
      for (Index i = 0; i < set_.count(); ++i) {
        const double k = set_[i];
        gain_.col(set_.cosine(i)).setZero();
        if (set_[i] == 0) continue;
        gain_.col(set_.cosine(i)) = -k * gain.col(set_.sine(i));
        gain_.col(set_.sine(i)) = k * gain.col(set_.cosine(i));
      }
      scatter(shape, 1.0 / omega, stiffness_);
    }
  }
}

std::vector<Hill::Candidate> Hill::candidates() const {
  Matrix companion(2 * unknowns_, 2 * unknowns_);
  companion << Matrix::Zero(unknowns_, unknowns_), Matrix::Identity(unknowns_, unknowns_), -stiffness_, -damping_;
  const Eigen::EigenSolver<Matrix> solver(companion);
  const ComplexMatrix vectors = solver.eigenvectors();
  std::vector<Candidate> result;
  for (Index i = 0; i < companion.rows(); ++i) {
    result.push_back(candidate(solver.eigenvalues()[i], vectors.col(i).head(unknowns_)));
  }
  return result;
}

Hill::Candidate Hill::candidate(const Complex& exponent, const ComplexVector& vector) const {
  const int highest = set_.highest();
  Candidate result{.exponent = exponent};
  result.harmonics.setZero(modes_, 2 * highest + 1);
  const Complex i_unit(0.0, 1.0);
  for (Index i = 0; i < set_.count(); ++i) {
    const auto cosine = vector.segment(set_.cosine(i) * modes_, modes_);
    if (set_[i] == 0) {
      result.harmonics.col(highest) = cosine;
      continue;
    }
    const auto sine = vector.segment(set_.sine(i) * modes_, modes_);
    result.harmonics.col(highest + set_[i]) = 0.5 * (cosine - i_unit * sine);
    result.harmonics.col(highest - set_[i]) = 0.5 * (cosine + i_unit * sine);
  }
  result.harmonics /= result.harmonics.norm();
  for (int k = -highest; k <= highest; ++k) result.centre += k * result.harmonics.col(highest + k).squaredNorm();
  return result;
}

// λ = λ' + im with s_k = s'_{k+m} is the same disturbance.
bool Hill::is_copy(const Candidate& candidate, const Candidate& other) const {
  constexpr double near = 0.05;
  constexpr double alike = 0.5;
  const Complex difference = candidate.exponent - other.exponent;
  const double shift = std::round(difference.imag());
  if (shift == 0.0 || std::abs(difference - Complex(0.0, shift)) > near) return false;
  const auto m = static_cast<Index>(shift);
  const Index columns = candidate.harmonics.cols();
  Complex overlap = 0.0;
  for (Index k = std::max<Index>(0, -m); k < std::min(columns, columns - m); ++k) {
    overlap += candidate.harmonics.col(k).dot(other.harmonics.col(k + m));
  }
  return std::abs(overlap) > alike;
}

}  // namespace masing::detail
