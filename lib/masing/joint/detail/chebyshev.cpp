#include "masing/joint/detail/chebyshev.hpp"

#include "masing/core/error.hpp"
#include "masing/core/types.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {
namespace {

constexpr std::size_t fewest_terms = 9;
constexpr std::size_t most_terms = 513;
/// Coefficients below this share of the largest are rounding and are dropped.
constexpr double rounding = 1e-15;
/// The series has converged when its last quarter is below this: the samples are sums, with rounding of their own.
constexpr double converged = 1e-14;

/// Coefficients of the interpolation at the n roots of the n-th Chebyshev polynomial.
std::vector<double> interpolation(const std::function<double(double)>& function, double length, std::size_t n) {
  std::vector<double> cosines(4 * n);  // cos(πm/2n): a table, since large arguments would cost digits
  for (std::size_t m = 0; m < 4 * n; ++m)
    cosines[m] = std::cos(0.5 * pi * static_cast<double>(m) / static_cast<double>(n));
  std::vector<double> samples(n);
  for (std::size_t i = 0; i < n; ++i) samples[i] = function(0.5 * length * (1.0 + cosines[2 * i + 1]));
  std::vector<double> coefficients(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) coefficients[k] += samples[i] * cosines[k * (2 * i + 1) % (4 * n)];
    coefficients[k] *= (k == 0 ? 1.0 : 2.0) / static_cast<double>(n);
  }
  return coefficients;
}

double largest(const std::vector<double>& coefficients, std::size_t first) {
  double result = 0.0;
  for (std::size_t k = first; k < coefficients.size(); ++k) result = std::max(result, std::abs(coefficients[k]));
  return result;
}

}  // namespace

ChebyshevSeries::ChebyshevSeries(const std::function<double(double)>& function, double length)
    : to_unit_(2.0 / length) {
  for (std::size_t n = fewest_terms; n <= most_terms; n = 2 * n - 1) {
    coefficients_ = interpolation(function, length, n);
    const double scale = largest(coefficients_, 0);
    if (largest(coefficients_, n - n / 4) <= converged * scale) {
      while (coefficients_.size() > 1 && std::abs(coefficients_.back()) <= rounding * scale) coefficients_.pop_back();
      return;
    }
  }
  throw NumericalError("a curve is too rough to be interpolated by polynomials to rounding.");
}

ChebyshevSeries::Value ChebyshevSeries::at(double x) const {
  const double t = to_unit_ * x - 1.0;
  double b1 = 0.0, b2 = 0.0;  // Clenshaw's recurrence
  double d1 = 0.0, d2 = 0.0;  // and its derivative
  for (std::size_t k = coefficients_.size() - 1; k > 0; --k) {
    const double d = 2.0 * (b1 + t * d1) - d2;
    const double b = coefficients_[k] + 2.0 * t * b1 - b2;
    d2 = d1;
    d1 = d;
    b2 = b1;
    b1 = b;
  }
  return {coefficients_[0] + t * b1 - b2, to_unit_ * (b1 + t * d1 - d2)};
}

}  // namespace masing::detail
