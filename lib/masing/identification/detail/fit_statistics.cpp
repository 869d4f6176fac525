#include "masing/identification/detail/fit_statistics.hpp"

#include "masing/core/error.hpp"

#include <Eigen/SVD>

#include <cmath>

namespace masing::detail {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();
/// A scaled parameter this close to 0 or 1 is on its bound.
constexpr double on_bound = 1e-6;
/// Singular values below this share of the largest are zero.
constexpr double singular = 1e-10;

std::vector<Index> free_parameters(const std::vector<bool>& at_bound) {
  std::vector<Index> free;
  for (std::size_t j = 0; j < at_bound.size(); ++j) {
    if (!at_bound[j]) free.push_back(static_cast<Index>(j));
  }
  return free;
}

/// Covariance of the free scaled parameters. Parameters with a part in a direction that nothing decides have an infinite
/// variance.
Matrix covariance(const Matrix& jacobian) {
  const Eigen::JacobiSVD<Matrix> svd(jacobian, Eigen::ComputeFullV);
  const Vector& s = svd.singularValues();
  const Index n = jacobian.cols();
  Matrix result = Matrix::Zero(n, n);
  Vector lost = Vector::Zero(n);  // how much of each parameter lies in undecided directions
  for (Index i = 0; i < n; ++i) {
    const Vector v = svd.matrixV().col(i);
    if (i < s.size() && s[i] > singular * s[0]) {
      result += v * v.transpose() / (s[i] * s[i]);
    } else {
      lost += v.cwiseAbs2();
    }
  }
  for (Index j = 0; j < n; ++j) {
    if (lost[j] > 1e-12) result(j, j) = infinite;
  }
  return result;
}

/// Directions in which the data alone leave more than the whole range open.
void add_undecided(const Matrix& data, const std::vector<Index>& free, Index parameters, FitResult& result) {
  const Eigen::JacobiSVD<Matrix> svd(data, Eigen::ComputeFullV);
  const Vector& s = svd.singularValues();
  for (Index i = 0; i < data.cols(); ++i) {
    const double strength = i < s.size() && s[i] > singular * s[0] ? s[i] : 0.0;
    if (strength > 1.0) continue;
    UndecidedDirection one{.direction = Vector::Zero(parameters),
                           .deviation = strength > 0.0 ? 1.0 / strength : infinite};
    for (std::size_t k = 0; k < free.size(); ++k) one.direction[free[k]] = svd.matrixV()(static_cast<Index>(k), i);
    Index largest = 0;
    one.direction.cwiseAbs().maxCoeff(&largest);
    if (one.direction[largest] < 0.0) one.direction = -one.direction;
    result.undecided.push_back(std::move(one));
  }
}

void add_errors(const Matrix& free_covariance, const std::vector<Index>& free, const Vector& slopes,
                FitResult& result) {
  for (std::size_t a = 0; a < free.size(); ++a) {
    const auto i = static_cast<Index>(a);
    result.standard_errors[free[a]] = slopes[free[a]] * std::sqrt(free_covariance(i, i));
    for (std::size_t b = 0; b < free.size(); ++b) {
      const auto k = static_cast<Index>(b);
      const double size = std::sqrt(free_covariance(i, i) * free_covariance(k, k));
      if (std::isfinite(size)) result.correlation(free[a], free[b]) = i == k ? 1.0 : free_covariance(i, k) / size;
    }
  }
}

}  // namespace

void add_statistics(const ScaledProblem& problem, const Vector& z, FitResult& result) {
  const Index n = problem.parameters();
  result.values = problem.values(z);
  for (Index j = 0; j < n; ++j) result.at_bound.push_back(z[j] < on_bound || z[j] > 1.0 - on_bound);
  result.standard_errors = Vector::Constant(n, none);
  result.correlation = Matrix::Constant(n, n, none);
  const std::vector<Index> free = free_parameters(result.at_bound);
  try {
    const Vector all = problem.residuals(z);
    const Index count = all.size() - problem.priors();
    result.residuals = all.head(count);
    result.chi_squared = result.residuals.squaredNorm();
    result.degrees_of_freedom = count - static_cast<Index>(free.size());
    if (free.empty()) return;
    const Matrix jacobian = problem.jacobian(z, all, free);
    add_undecided(jacobian.topRows(count), free, n, result);
    add_errors(covariance(jacobian), free, problem.slopes(z), result);
  } catch (const Error& error) {
    result.message += fmt::format(" Standard errors could not be computed: {}", error.what());
  }
}

}  // namespace masing::detail
