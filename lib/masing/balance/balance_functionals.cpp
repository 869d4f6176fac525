// What stands beside the balance itself: artificial damping, and functionals of all coordinates with their derivatives.
#include "masing/balance/harmonic_balance.hpp"
#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

namespace masing {

void HarmonicBalance::set_mass_damping(double c) {
  if (c == mass_damping_) return;
  for (HarmonicPart& part : parts_) {
    require(part.mass_damped != nullptr,
            "This structure has no mass matrix, so it cannot be damped in proportion to it.");
    part.mass_damped->set_mass_damping(c);
  }
  mass_damping_ = c;
  omega_ = -1.0;
  evaluated_omega_ = -1.0;
}

void HarmonicBalance::derivative_by_mass_damping(const Vector& x, Vector& by_mass_damping) {
  by_mass_damping.setZero(size());
  const Eigen::Map<const Matrix> y(x.data(), motions_, set_.positions());
  Eigen::Map<Matrix> equations(by_mass_damping.data(), motions_, set_.positions());
  for (Index i = 0; i < set_.count(); ++i) {
    HarmonicPart& part = parts_[static_cast<std::size_t>(i)];
    if (part.k == 0 || part.mass_damped == nullptr) continue;
    complex_amplitude(set_, y, i, motion_);
    part.mass_damped->stiffness_by_mass_damping(stiffness_rate_);
    product_.noalias() = stiffness_rate_ * motion_;
    equations.col(set_.cosine(i)) = product_.real();
    equations.col(set_.sine(i)) = -product_.imag();
  }
}

const ComplexVector& HarmonicBalance::recover_amplitudes(const Vector& x, double omega, Index i) {
  go_to(omega);
  recover_harmonic(Eigen::Map<const Matrix>(x.data(), motions_, set_.positions()), i);
  return recovered_;
}

void HarmonicBalance::functional(const Vector& x, double omega, Index i, const ComplexVector& weights,
                                 Functional& result) {
  recover_amplitudes(x, omega, i);
  HarmonicPart& part = parts_[static_cast<std::size_t>(i)];
  const auto weighted = [&](const ComplexVector& all) { return (weights.array() * all.array()).sum(); };
  result.value = weighted(recovered_);
  // Eliminating is its own transpose: what condenses a load also sums up the weights of all coordinates.
  part.structure->condense_load(weights, result.by_motion, product_);
  motion_.setZero();
  part.structure->recover_rate(recovered_, motion_, part.k, recovered_rate_);
  add_load_rate(part, part.k);
  result.by_omega = weighted(recovered_rate_);
  result.by_mass_damping = 0.0;
  if (part.mass_damped != nullptr) {
    part.mass_damped->recover_rate_by_mass_damping(recovered_, recovered_rate_);
    result.by_mass_damping = weighted(recovered_rate_);
  }
  result.by_level = 0.0;
  if (part.k != 0) {
    part.structure->recover(motion_, part.full_load, recovered_rate_);
    result.by_level = weighted(recovered_rate_);
  }
}

}  // namespace masing
