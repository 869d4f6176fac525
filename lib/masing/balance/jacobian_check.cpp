#include "masing/balance/jacobian_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace masing {

namespace {

// "x2, sin 3" for an entry of the unknown vector.
std::string name_of(const HarmonicBalance& balance, Index entry) {
  const Index motion = entry % balance.motions();
  const Index position = entry / balance.motions();
  const HarmonicSet& set = balance.set();
  const std::string& name = balance.motion_names()[static_cast<std::size_t>(motion)];
  if (set.has_zero() && position == 0) return name + ", mean";
  const Index oscillating = set.has_zero() ? position - 1 : position;
  const Index harmonic = oscillating / 2 + (set.has_zero() ? 1 : 0);
  return fmt::format("{}, {} {}", name, oscillating % 2 == 0 ? "cos" : "sin", set[harmonic]);
}

// The comparison of one column: keeps the worst entry seen so far.
void compare_column(const HarmonicBalance& balance, const Vector& exact, const Vector& difference,
                    const std::string& unknown, JacobianCheck& check) {
  Index row = 0;
  const double error = (exact - difference).cwiseAbs().maxCoeff(&row);
  const double size = std::max(exact.cwiseAbs().maxCoeff(), difference.cwiseAbs().maxCoeff());
  const bool known_bad = std::isnan(check.worst_error);
  if (size == 0.0 || known_bad || error / size < check.worst_error) return;
  check.worst_error = error / size;
  check.worst_entry = fmt::format("∂R({})/∂({}): exact {:.9e}, by differences {:.9e}", name_of(balance, row), unknown,
                                  exact[row], difference[row]);
}

}  // namespace

JacobianCheck check_jacobian(HarmonicBalance& balance, const Vector& x, double omega, double relative_step) {
  Matrix jacobian;
  Vector by_omega;
  balance.derivatives(x, omega, jacobian, by_omega);

  JacobianCheck check;
  const double largest = x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
  const double step = relative_step * (largest > 0.0 ? largest : 1.0);
  Vector shifted = x;
  Vector above, below;
  for (Index column = 0; column < x.size(); ++column) {
    shifted[column] = x[column] + step;
    balance.residual(shifted, omega, above);
    shifted[column] = x[column] - step;
    balance.residual(shifted, omega, below);
    shifted[column] = x[column];
    compare_column(balance, jacobian.col(column), (above - below) / (2.0 * step), name_of(balance, column), check);
  }
  const double omega_step = relative_step * omega;
  balance.residual(x, omega + omega_step, above);
  balance.residual(x, omega - omega_step, below);
  compare_column(balance, by_omega, (above - below) / (2.0 * omega_step), "frequency", check);
  return check;
}

}  // namespace masing
