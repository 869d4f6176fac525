#include "masing/analysis/detail/point_stability.hpp"

#include "masing/analysis/detail/balance_problem.hpp"
#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

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
constexpr std::string_view double_branch_point = "double-branch-point";
constexpr std::string_view double_period_doubling = "double-period-doubling";
constexpr std::string_view double_neimark_sacker = "double-neimark-sacker";

/// Multipliers turn by ω_m/Ω times 360° while modes with ω_m < H Ω swing: a piece lets none of them turn by more than 90°.
int pieces(const HarmonicSet& set, double from, double to) {
  constexpr double most = 8.0, a_quarter = 4.0;
  const double turns = set.harmonics().back() * std::abs(to - from) / std::min(from, to);
  return static_cast<int>(std::clamp(std::ceil(a_quarter * turns), 1.0, most));
}

using Test = double (*)(const std::vector<Complex>& multipliers);

/// 1 − μ in proportion: a large multiplier elsewhere does not drown the critical one. Smooth also at μ = 0.
Complex distance_from_one(const Complex& value) { return (1.0 - value) / std::sqrt(1.0 + std::norm(value)); }

double ones(const std::vector<Complex>& multipliers) {
  Complex product = 1.0;
  for (const Complex& value : multipliers) product *= distance_from_one(value);
  return product.real();
}

/// Of each two multipliers that coincide, as symmetric structures have them, f of their mean: it changes its sign where both
/// pass, which no product over all multipliers does. One of a pair of conjugates counts.
template <class F>
double over_twins(const std::vector<Complex>& multipliers, const F& f) {
  constexpr double coincident = 1e-5;
  double product = 1.0;
  for (std::size_t i = 0; i < multipliers.size(); ++i) {
    for (std::size_t j = i + 1; j < multipliers.size(); ++j) {
      const Complex &a = multipliers[i], &b = multipliers[j];
      const double limit = coincident * (1.0 + std::abs(a));
      const bool lower = std::min(a.imag(), b.imag()) < -limit;
      if (!lower && std::abs(a - b) < limit) product *= f(0.5 * (a + b));
    }
  }
  return product;
}

bool is_real(const Complex& value) { return std::abs(value.imag()) < 1e-4 * (1.0 + std::abs(value)); }

double twin_ones(const std::vector<Complex>& multipliers) {
  return over_twins(multipliers, [](const Complex& mu) { return is_real(mu) ? distance_from_one(mu).real() : 1.0; });
}

double twin_minus_ones(const std::vector<Complex>& multipliers) {
  return over_twins(multipliers, [](const Complex& mu) { return is_real(mu) ? distance_from_one(-mu).real() : 1.0; });
}

double twin_pairs(const std::vector<Complex>& multipliers) {
  return over_twins(multipliers,
                    [](const Complex& mu) { return is_real(mu) ? 1.0 : distance_from_one(std::norm(mu)).real(); });
}

/// How many multipliers are as good as `value`.
Index count_near(const std::vector<Complex>& multipliers, const Complex& value) {
  constexpr double near = 1e-3;
  return std::count_if(multipliers.begin(), multipliers.end(),
                       [&](const Complex& mu) { return std::abs(mu - value) < near; });
}

/// Multipliers of joints may jump past a value, where a slider begins to slip at a reversal. Beside very large ones, of which the
/// small are rounding, one must be there.
bool has_passed(const std::vector<Complex>& multipliers, const Complex& value) {
  constexpr double very_large = 1e10;
  return count_near(multipliers, value) > 0 || multipliers.empty() || std::abs(multipliers.front()) < very_large;
}

/// The multiplier in the upper half-plane that is nearest to the unit circle; 1 if there is none.
Complex nearest_to_circle(const std::vector<Complex>& multipliers) {
  Complex nearest = 1.0;
  double smallest = std::numeric_limits<double>::infinity();
  for (const Complex& value : multipliers) {
    const double distance = std::abs(std::abs(value) - 1.0);
    if (value.imag() <= 0.0 || distance >= smallest) continue;
    smallest = distance;
    nearest = value;
  }
  return nearest;
}

bool is_on_circle(const Complex& value) {
  constexpr double near = 1e-3;
  return std::abs(std::abs(value) - 1.0) < near && value.imag() > near;
}

/// How singular J is in the directions that neither level nor frequency push, and in the others: smallest singular values,
/// relative to the largest.
struct Singularity {
  double unpushed = std::numeric_limits<double>::infinity();
  double pushed = std::numeric_limits<double>::infinity();
};

Singularity singularity(HarmonicBalance& balance, const Vector& x, double omega) {
  constexpr double not_pushed = 1e-3;
  const Scaling scaling = balance_scaling(balance, x, omega);
  Matrix jacobian;
  Vector by_omega, by_level;
  balance.derivatives(x, omega, jacobian, by_omega);
  balance.derivative_by_level(by_level);
  jacobian.array().rowwise() *= scaling.unknown.transpose().array();
  jacobian.array().colwise() /= scaling.residual.array();
  const Eigen::JacobiSVD<Matrix> decomposition(jacobian, Eigen::ComputeFullU);
  const auto push = [&](const Vector& by, const auto& left) {
    const Vector scaled = by.cwiseQuotient(scaling.residual);
    return scaled.norm() > 0.0 ? std::abs(left.dot(scaled)) / scaled.norm() : 0.0;
  };
  Singularity result;
  for (Index i = jacobian.rows() - 1; i >= 0; --i) {
    const auto left = decomposition.matrixU().col(i);
    const bool is_free = push(by_level, left) < not_pushed && push(by_omega, left) < not_pushed;
    double& smallest = is_free ? result.unpushed : result.pushed;
    smallest = std::min(smallest, decomposition.singularValues()[i] / decomposition.singularValues()[0]);
  }
  return result;
}

}  // namespace

double period_doubling_test(const std::vector<Complex>& multipliers) {
  Complex product = 1.0;
  for (const Complex& value : multipliers) product *= distance_from_one(-value);
  return product.real();
}

double neimark_sacker_test(const std::vector<Complex>& multipliers) {
  Complex product = 1.0;
  for (std::size_t i = 0; i < multipliers.size(); ++i) {
    for (std::size_t j = i + 1; j < multipliers.size(); ++j)
      product *= distance_from_one(multipliers[i] * multipliers[j]);
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
  add(double_branch_point, twin_ones, false);
  add(double_period_doubling, twin_minus_ones, false);
  add(double_neimark_sacker, twin_pairs, false);
  hooks.pieces = [&balance, state_of](const BranchPoint& from, const BranchPoint& to) {
    return pieces(balance.set(), state_of(from).omega, state_of(to).omega);
  };
}

/// A direction in which the balance is singular there, and which neither level nor frequency push.
bool PointStability::is_symmetric_break(HarmonicBalance& balance, const State& state) {
  constexpr double singular = 1e-5;
  const Singularity found = singularity(balance, state.x, state.omega);
  return found.unpushed < found.pushed ||
         found.pushed > singular;  // or the direction is not among the balanced harmonics
}

/// Among all harmonics there is a direction in which J is singular and that nothing pushes, no less so than in the direction in
/// which the curve may turn. "Singular" leaves room for what truncation moves.
bool PointStability::is_branch_point(HarmonicBalance& balance, const State& state) {
  constexpr double singular = 1e-2, as_much = 3.0;
  const HarmonicSet all = HarmonicSet::up_to(balance.set().highest());
  const bool is_complete = balance.set() == all;
  if (!is_complete && (!complete_ || complete_->set() != all)) {
    BalanceOptions options = options_;
    options.harmonics = all.harmonics();
    complete_.emplace(*model_.structure, model_.joints, model_.loads, options);
  }
  HarmonicBalance& judging = is_complete ? balance : *complete_;
  judging.set_level(balance.level());
  const Vector x = carried_over(state.x, balance.motions(), balance.set(), all);
  const Singularity found = singularity(judging, x, state.omega);
  return found.unpushed < singular && found.unpushed < as_much * found.pushed;
}

std::string PointStability::kind_of(HarmonicBalance& balance, const BranchEvent& event, const State& state) {
  const bool breaks = event.name == jump && is_symmetric_break(balance, state);
  return breaks ? std::string(branch_point) : event.name;
}

bool PointStability::is_genuine(HarmonicBalance& balance, const BranchEvent& event, const State& state) {
  if (event.name == branch_point) return is_branch_point(balance, state);
  const bool known = event.name == jump || event.name == period_doubling || event.name == neimark_sacker ||
                     event.name.starts_with("double-");
  if (!known) return true;
  const std::vector<Complex> multipliers = evaluate(balance, state).values;
  if (event.name == jump) return has_passed(multipliers, 1.0);
  if (event.name == period_doubling) return has_passed(multipliers, -1.0);
  if (event.name == double_branch_point) return count_near(multipliers, 1.0) >= 2;
  if (event.name == double_period_doubling) return count_near(multipliers, -1.0) >= 2;
  const Complex critical = nearest_to_circle(multipliers);
  return is_on_circle(critical) && count_near(multipliers, critical) >= (event.name == neimark_sacker ? 1 : 2);
}

double PointStability::modulation_angle(const Matrix& all, double omega) {
  return std::arg(nearest_to_circle(stability_.evaluate(all, omega).values)) * 180.0 / pi;
}

}  // namespace masing::detail
