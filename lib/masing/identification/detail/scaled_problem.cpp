#include "masing/identification/detail/scaled_problem.hpp"

#include "masing/core/error.hpp"
#include "masing/core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace masing::detail {
namespace {

bool is_logarithmic(const FitParameter& parameter) { return parameter.scale == ParameterScale::logarithmic; }

double value_of(const FitParameter& parameter, double z) {
  const double lower = parameter.lower, upper = parameter.upper;
  const double value = is_logarithmic(parameter) ? lower * std::pow(upper / lower, z) : lower + z * (upper - lower);
  return std::clamp(value, lower, upper);
}

}  // namespace

Index ScaledProblem::priors() const {
  return std::count_if(problem_.parameters.begin(), problem_.parameters.end(),
                       [](const FitParameter& parameter) { return parameter.prior.has_value(); });
}

Vector ScaledProblem::scaled(const Vector& values) const {
  Vector z(parameters());
  for (Index j = 0; j < parameters(); ++j) {
    const FitParameter& parameter = problem_.parameters[static_cast<std::size_t>(j)];
    const double range = parameter.upper - parameter.lower;
    z[j] = is_logarithmic(parameter)
               ? std::log(values[j] / parameter.lower) / std::log(parameter.upper / parameter.lower)
               : (values[j] - parameter.lower) / range;
  }
  return z.cwiseMax(0.0).cwiseMin(1.0);
}

Vector ScaledProblem::values(const Vector& z) const {
  Vector all(parameters());
  for (Index j = 0; j < parameters(); ++j) all[j] = value_of(problem_.parameters[static_cast<std::size_t>(j)], z[j]);
  return all;
}

Vector ScaledProblem::slopes(const Vector& z) const {
  Vector all(parameters());
  for (Index j = 0; j < parameters(); ++j) {
    const FitParameter& parameter = problem_.parameters[static_cast<std::size_t>(j)];
    all[j] = is_logarithmic(parameter) ? value_of(parameter, z[j]) * std::log(parameter.upper / parameter.lower)
                                       : parameter.upper - parameter.lower;
  }
  return all;
}

Vector ScaledProblem::residuals(const Vector& z) const {
  const Vector p = values(z);
  ++evaluations_;
  const Vector data = problem_.residuals(p);
  if (!data.allFinite()) throw NumericalError("a computed quantity is not a finite number.");
  Index expected = -1;
  const bool first = count_.compare_exchange_strong(expected, data.size());
  if (!first && expected != data.size()) {
    throw NumericalError(fmt::format("there are {} residuals instead of {}.", data.size(), expected));
  }
  Vector all(data.size() + priors());
  all.head(data.size()) = data;
  Index next = data.size();
  for (Index j = 0; j < parameters(); ++j) {
    const auto& prior = problem_.parameters[static_cast<std::size_t>(j)].prior;
    if (prior) all[next++] = (p[j] - prior->mean) / prior->deviation;
  }
  ++succeeded_;
  return all;
}

Matrix ScaledProblem::jacobian(const Vector& z, const Vector& at) const {
  std::vector<Index> all(static_cast<std::size_t>(parameters()));
  std::iota(all.begin(), all.end(), Index{0});
  return jacobian(z, at, all);
}

Matrix ScaledProblem::jacobian(const Vector& z, const Vector& at, const std::vector<Index>& of) const {
  Matrix result(at.size(), static_cast<Index>(of.size()));
  for_each_task(static_cast<int>(of.size()), threads_,
                [&](int k) { result.col(k) = slope_along(z, at, of[static_cast<std::size_t>(k)]); });
  return result;
}

Vector ScaledProblem::slope_along(const Vector& z, const Vector& at, Index j) const {
  const auto moved = [&](double by) -> std::optional<std::pair<double, Vector>> {
    Vector there = z;
    there[j] = std::clamp(z[j] + by, 0.0, 1.0);
    const double moved_by = there[j] - z[j];
    if (moved_by == 0.0) return std::nullopt;
    try {
      return std::pair(moved_by, residuals(there));
    } catch (const Error&) {
      return std::nullopt;
    }
  };
  const auto ahead = moved(options_.step), behind = moved(-options_.step);
  if (ahead && behind) return (ahead->second - behind->second) / (ahead->first - behind->first);
  const auto& one = ahead ? ahead : behind;
  if (!one) {
    throw NumericalError(fmt::format("no derivative with respect to {}: it cannot be computed on either side.",
                                     problem_.parameters[static_cast<std::size_t>(j)].name));
  }
  return (one->second - at) / one->first;
}

}  // namespace masing::detail
