// Hill's method: Floquet exponents of smooth laws without memory, from a quadratic eigenvalue problem in the harmonics.
// Which of its eigenvalues are meant is explained in analysis/stability.hpp.
#pragma once

#include "masing/analysis/detail/modal_form.hpp"
#include "masing/balance/joint_forces.hpp"
#include "masing/fourier/multiplication.hpp"

namespace masing::detail {

class Hill {
 public:
  /// `set`: 0 … H without gaps.
  Hill(const ModalForm& form, const HarmonicSet& set, Index samples);

  struct Result {
    std::vector<Complex> exponents;  ///< λ/Ω, 2n
    double trace_error = 0.0;        ///< 2π |Σ λ/Ω − what Liouville's formula says|
  };
  /// With the tangents of the last evaluate() of `forces`.
  Result exponents(const JointForces& forces, double omega);

 private:
  struct Candidate {
    Complex exponent;
    double centre = 0.0;      // mean harmonic index, weighted by energy
    ComplexMatrix harmonics;  // n × (2H + 1), −H … H, of unit norm
  };

  void assemble_structure(double omega);
  void add_joint(const JointForces& forces, Index joint, double omega);
  std::vector<Candidate> candidates() const;
  Candidate candidate(const Complex& exponent, const ComplexVector& vector) const;
  bool is_copy(const Candidate& candidate, const Candidate& other) const;

  const ModalForm& form_;
  HarmonicSet set_;
  Multiplication multiplication_;
  Index modes_;
  Index unknowns_;    // n (2H + 1)
  Matrix stiffness_;  // J/Ω²
  Matrix damping_;    // Δ₁/Ω
  Matrix gain_;
  double trace_ = 0.0;  // Σ λ/Ω by Liouville's formula
};

}  // namespace masing::detail
