#include "masing/analysis/detail/point_stability.hpp"

#include "masing/analysis/detail/balance_problem.hpp"
#include "masing/core/error.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

namespace masing::detail {

namespace {

constexpr std::string_view branch_point = "branch-point";
constexpr std::string_view period_doubling = "period-doubling";
constexpr std::string_view neimark_sacker = "neimark-sacker";
constexpr std::string_view jump = "jump";

/// Multipliers turn by ω_m/Ω times 360° while modes with ω_m < H Ω swing: a piece lets none of them turn by more than 90°.
int pieces(const HarmonicSet& set, double from, double to) {
  constexpr double most = 8.0, a_quarter = 4.0;
  const double turns = set.harmonics().back() * std::abs(to - from) / std::min(from, to);
  return static_cast<int>(std::clamp(std::ceil(a_quarter * turns), 1.0, most));
}

using Test = double (*)(const std::vector<Complex>& multipliers);

double ones(const std::vector<Complex>& multipliers) {
  Complex product = 1.0;
  for (const Complex& value : multipliers) product *= 1.0 - value;
  return product.real();
}

/// The complex multiplier nearest to the unit circle is on it.
bool has_pair_on_circle(const std::vector<Complex>& multipliers) {
  constexpr double near = 1e-3;
  return std::any_of(multipliers.begin(), multipliers.end(), [](const Complex& value) {
    return std::abs(std::abs(value) - 1.0) < near && std::abs(value.imag()) > near;
  });
}

}  // namespace

double period_doubling_test(const std::vector<Complex>& multipliers) {
  Complex product = 1.0;
  for (const Complex& value : multipliers) product *= 1.0 + value;
  return product.real();
}

double neimark_sacker_test(const std::vector<Complex>& multipliers) {
  Complex product = 1.0;
  for (std::size_t i = 0; i < multipliers.size(); ++i) {
    for (std::size_t j = i + 1; j < multipliers.size(); ++j) product *= 1.0 - multipliers[i] * multipliers[j];
  }
  return product.real();
}

const std::vector<PointQuantity>& PointStability::quantities() {
  static const std::vector<PointQuantity> list = {
      {"stable", "1", "1: every small disturbance dies out, 0: one grows"},
      {"unstable_multipliers", "1", "number of Floquet multipliers of modulus above one"},
      {"largest_multiplier", "1", "modulus of the largest Floquet multiplier, structural ones left out"},
      {"multiplier_angle", "deg", "its argument: 0 towards a fold or branch point, 180 towards period doubling"},
      {"stability_method", "1", "2: by Hill's method, 3: by the monodromy"}};
  return list;
}

Vector PointStability::describe(const Matrix& all, double omega) {
  Vector result = Vector::Constant(static_cast<Index>(quantities().size()), std::numeric_limits<double>::quiet_NaN());
  try {
    const FloquetMultipliers floquet = stability_.evaluate(all, omega);
    const double angle = floquet.values.empty() ? 0.0 : std::abs(std::arg(floquet.values.front()));
    result << (floquet.stable() ? 1.0 : 0.0), static_cast<double>(floquet.unstable()), floquet.largest(),
        angle * 180.0 / pi, static_cast<double>(floquet.method);
  } catch (const NumericalError&) {
  }
  return result;
}

void PointStability::add_events(HarmonicBalance& balance, const StateOf& state_of, bool folds_in_parameter,
                                ContinuationHooks& hooks) {
  const auto add = [&](std::string_view name, Test test, bool over_parameter) {
    hooks.events.push_back(
        {.name = std::string(name),
         .value =
             [this, &balance, state_of, test, over_parameter](const BranchPoint& point, const Vector& direction) {
               const double value = test(evaluate(balance, state_of(point)).values);
               return over_parameter ? value / direction[direction.size() - 1] : value;
             },
         .inside_steps = true});
  };
  folds_in_parameter ? add(branch_point, ones, true) : add(jump, ones, false);
  add(period_doubling, period_doubling_test, false);
  add(neimark_sacker, neimark_sacker_test, false);
  hooks.pieces = [&balance, state_of](const BranchPoint& from, const BranchPoint& to) {
    return pieces(balance.set(), state_of(from).omega, state_of(to).omega);
  };
}

/// A direction in which the balance is singular there, and which neither level nor frequency push.
bool PointStability::is_symmetric_break(HarmonicBalance& balance, const State& state) {
  constexpr double singular = 1e-5, not_pushed = 1e-4;
  const Scaling scaling = balance_scaling(balance, state.x, state.omega);
  Matrix jacobian;
  Vector by_omega, by_level;
  balance.derivatives(state.x, state.omega, jacobian, by_omega);
  balance.derivative_by_level(by_level);
  jacobian.array().rowwise() *= scaling.unknown.transpose().array();
  jacobian.array().colwise() /= scaling.residual.array();
  const Eigen::JacobiSVD<Matrix> decomposition(jacobian, Eigen::ComputeFullU);
  const Index last = jacobian.rows() - 1;
  const Vector& values = decomposition.singularValues();
  if (values[last] > singular * values[0]) return true;  // the direction is not among the balanced harmonics
  const Vector left = decomposition.matrixU().col(last);
  const auto push = [&](const Vector& by) {
    const Vector scaled = by.cwiseQuotient(scaling.residual);
    return scaled.norm() > 0.0 ? std::abs(left.dot(scaled)) / scaled.norm() : 0.0;
  };
  return push(by_level) < not_pushed && push(by_omega) < not_pushed;
}

std::string PointStability::kind_of(HarmonicBalance& balance, const BranchEvent& event, const State& state) {
  const bool breaks = event.name == jump && is_symmetric_break(balance, state);
  return breaks ? std::string(branch_point) : event.name;
}

bool PointStability::is_genuine(HarmonicBalance& balance, const BranchEvent& event, const State& state) {
  if (event.name == neimark_sacker) return has_pair_on_circle(evaluate(balance, state).values);
  return true;
}

}  // namespace masing::detail
