#include "masing/analysis/detail/point_stability.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace masing::detail {

namespace {

constexpr std::string_view branch_point = "branch-point";
constexpr std::string_view period_doubling = "period-doubling";
constexpr std::string_view neimark_sacker = "neimark-sacker";

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
      {"multiplier_angle", "deg", "its argument: 0 towards a fold or branch point, 180 towards period doubling"}};
  return list;
}

Vector PointStability::describe(const Matrix& all, double omega) {
  Vector result = Vector::Constant(4, std::numeric_limits<double>::quiet_NaN());
  try {
    const FloquetMultipliers floquet = stability_.evaluate(all, omega);
    const double angle = floquet.values.empty() ? 0.0 : std::abs(std::arg(floquet.values.front()));
    result << (floquet.stable() ? 1.0 : 0.0), static_cast<double>(floquet.unstable()), floquet.largest(),
        angle * 180.0 / pi;
  } catch (const NumericalError&) {
  }
  return result;
}

void PointStability::add_events(HarmonicBalance& balance, const StateOf& state_of, bool folds_in_parameter,
                                ContinuationHooks& hooks) {
  const auto add = [&](std::string_view name, Test test, bool over_parameter) {
    hooks.events.push_back(
        {.name = std::string(name),
         .value = [this, &balance, state_of, test, over_parameter](const BranchPoint& point, const Vector& direction) {
           const double value = test(evaluate(balance, state_of(point)).values);
           return over_parameter ? value / direction[direction.size() - 1] : value;
         }});
  };
  if (folds_in_parameter) add(branch_point, ones, true);
  add(period_doubling, period_doubling_test, false);
  add(neimark_sacker, neimark_sacker_test, false);
}

bool PointStability::is_genuine(HarmonicBalance& balance, const BranchEvent& event, const State& state) {
  if (event.name == neimark_sacker) return has_pair_on_circle(evaluate(balance, state).values);
  return true;
}

}  // namespace masing::detail
