#include "masing/identification/detail/penalised_spline.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <array>
#include <cmath>

namespace masing::detail {
namespace {

constexpr int degree = 5;
constexpr int difference_order = 3;
constexpr Index most_pieces = 40;

/// The cardinal B-spline of a degree: on [0, degree + 1], knots at the whole numbers.
double cardinal(int of_degree, double x) {
  if (x <= 0.0 || x >= of_degree + 1.0) return 0.0;
  if (of_degree == 0) return 1.0;
  const double left = x * cardinal(of_degree - 1, x);
  const double right = (of_degree + 1.0 - x) * cardinal(of_degree - 1, x - 1.0);
  return (left + right) / of_degree;
}

/// Its derivative: a difference of those of the next lower degree.
double cardinal_derivative(int of_degree, double x, int order) {
  if (order == 0) return cardinal(of_degree, x);
  return cardinal_derivative(of_degree - 1, x, order - 1) - cardinal_derivative(of_degree - 1, x - 1.0, order - 1);
}

Matrix third_differences(Index count) {
  constexpr std::array<double, difference_order + 1> weights = {-1.0, 3.0, -3.0, 1.0};
  Matrix differences = Matrix::Zero(count - difference_order, count);
  for (Index i = 0; i < differences.rows(); ++i) {
    for (Index j = 0; j <= difference_order; ++j) differences(i, i + j) = weights[static_cast<std::size_t>(j)];
  }
  return differences;
}

}  // namespace

PenalisedSpline::PenalisedSpline(const Vector& x, const Vector& y) {
  first_ = x[0];
  pieces_ = std::min<Index>(most_pieces, x.size());
  width_ = (x[x.size() - 1] - first_) / static_cast<double>(pieces_);
  Matrix design(x.size(), pieces_ + degree);
  for (Index i = 0; i < x.size(); ++i) design.row(i) = row(x[i], 0).transpose();
  PenalisedSpline best = *this;
  best.criterion_ = std::numeric_limits<double>::infinity();
  for (double exponent = -4.0; exponent <= 8.0; exponent += 0.25) {
    fit(design, y, std::pow(10.0, exponent));
    if (criterion_ < best.criterion_) best = *this;
  }
  *this = best;
}

Vector PenalisedSpline::row(double x, int order) const {
  Vector weights = Vector::Zero(pieces_ + degree);
  const double place = std::clamp((x - first_) / width_, 1e-12, static_cast<double>(pieces_) - 1e-12);
  const auto piece = static_cast<Index>(place);
  for (Index j = piece; j <= piece + degree; ++j) {
    weights[j] = cardinal_derivative(degree, place - static_cast<double>(j) + degree, order);
  }
  return weights / std::pow(width_, order);
}

void PenalisedSpline::fit(const Matrix& design, const Vector& y, double penalty) {
  const Matrix differences = third_differences(design.cols());
  const Matrix normal = design.transpose() * design;
  const Eigen::LDLT<Matrix> solver(normal + penalty * differences.transpose() * differences);
  const Matrix hat = solver.solve(normal);
  const auto count = static_cast<double>(y.size());
  penalty_ = penalty;
  effective_ = hat.trace();
  coefficients_ = solver.solve(design.transpose() * y);
  const double squares = (y - design * coefficients_).squaredNorm();
  const double free = std::max(count - effective_, 1e-9);
  criterion_ = count * squares / (free * free);
  scatter_ = std::sqrt(squares / free);
  covariance_ = scatter_ * scatter_ * hat * solver.solve(Matrix::Identity(design.cols(), design.cols()));
}

}  // namespace masing::detail
