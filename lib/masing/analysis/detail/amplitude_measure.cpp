#include "masing/analysis/detail/amplitude_measure.hpp"

namespace masing::detail {

SquaredAmplitude squared_amplitude(HarmonicBalance& balance, const Observable& observable, Index i,
                                   const BranchPoint& point, const Vector& direction) {
  const double omega = 2.0 * pi * point.lambda;
  const Index unknowns = point.x.size();
  const double omega_rate = 2.0 * pi * direction[unknowns];
  const Vector rate_of_x = direction.head(unknowns);
  const auto q = observable.is_combination()
                     ? balance.recover_amplitude(point.x, omega, i, observable.motion, rate_of_x, omega_rate)
                     : balance.recover_amplitude(point.x, omega, i, observable.coordinate, rate_of_x, omega_rate);
  const Complex factor = quantity_factor(observable.quantity, balance.set()[i], omega);
  const int order = static_cast<int>(observable.quantity);
  const Complex amplitude = factor * q.value;
  const Complex rate = factor * (q.rate + order * omega_rate / omega * q.value);
  return {std::norm(amplitude), 2.0 * (std::conj(amplitude) * rate).real()};
}

}  // namespace masing::detail
