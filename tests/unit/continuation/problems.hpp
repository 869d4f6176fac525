// Problems with known branches, in any units.
#pragma once

#include "masing/continuation/continuation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace masing::test {

/// One unknown: f(u, p) = 0 with u = x / unit of x, p = λ / unit of λ; the equation has a unit too.
struct PlaneCurve final : ContinuationProblem {
  using Function = std::function<double(double u, double p)>;
  Function f, f_u, f_p;
  double unit_x = 1.0, unit_lambda = 1.0, unit_r = 1.0;

  PlaneCurve(Function value, Function by_u, Function by_p)
      : f(std::move(value)), f_u(std::move(by_u)), f_p(std::move(by_p)) {}

  Index size() const override { return 1; }
  void residual(const Vector& x, double lambda, Vector& r) override {
    r(0) = unit_r * f(x(0) / unit_x, lambda / unit_lambda);
  }
  void derivatives(const Vector& x, double lambda, Matrix& j, Vector& r_lambda) override {
    const double u = x(0) / unit_x, p = lambda / unit_lambda;
    j(0, 0) = unit_r * f_u(u, p) / unit_x;
    r_lambda(0) = unit_r * f_p(u, p) / unit_lambda;
  }
  Scaling scaling(const Vector&, double) const override {
    return {Vector::Constant(1, unit_x), Vector::Constant(1, unit_r)};
  }
};

/// u² + p² = 1: folds at p = ±1, closed.
inline PlaneCurve circle() {
  return {[](double u, double p) { return u * u + p * p - 1.0; }, [](double u, double) { return 2.0 * u; },
          [](double, double p) { return 2.0 * p; }};
}

/// p = u³ − u: folds at u = ∓1/√3, p = ±2/(3√3).
inline PlaneCurve s_curve() {
  return {[](double u, double p) { return u * u * u - u - p; }, [](double u, double) { return 3.0 * u * u - 1.0; },
          [](double, double) { return -1.0; }};
}

/// Harmonic balance with one harmonic of x'' + c x' + x + α x³ = F cos Ωt; unknowns: cosine and sine coefficient, λ =
/// Ω.
struct Duffing final : ContinuationProblem {
  double c = 0.04, alpha = 0.5, force = 0.1, unit = 1.0;

  Index size() const override { return 2; }
  void residual(const Vector& x, double w, Vector& r) override {
    const double a = x(0) / unit, b = x(1) / unit, k = 1.0 - w * w + 0.75 * alpha * (a * a + b * b);
    r << k * a + c * w * b - force, k * b - c * w * a;
  }
  void derivatives(const Vector& x, double w, Matrix& j, Vector& r_lambda) override {
    const double a = x(0) / unit, b = x(1) / unit, q = 0.75 * alpha, k = 1.0 - w * w + q * (a * a + b * b);
    j << k + 2.0 * q * a * a, c * w + 2.0 * q * a * b, 2.0 * q * a * b - c * w, k + 2.0 * q * b * b;
    j /= unit;
    r_lambda << -2.0 * w * a + c * b, -2.0 * w * b - c * a;
  }
  Scaling scaling(const Vector& x, double) const override {
    return {Vector::Constant(2, std::max(x.norm(), 1e-6 * unit)), Vector::Constant(2, force)};
  }
  double amplitude(const Vector& x) const { return x.norm() / unit; }
  /// A²[(1 − Ω² + ¾αA²)² + c²Ω²] − F², which is zero on the response.
  double closed_form(double amplitude, double w) const {
    const double a2 = amplitude * amplitude, k = 1.0 - w * w + 0.75 * alpha * a2;
    return a2 * (k * k + c * c * w * w) - force * force;
  }
  /// Its derivative by A², which is zero at a fold.
  double fold_condition(double amplitude, double w) const {
    const double a2 = amplitude * amplitude, d = 1.0 - w * w;
    return (d + 0.75 * alpha * a2) * (d + 2.25 * alpha * a2) + c * c * w * w;
  }
};

inline Vector scalar(double value) { return Vector::Constant(1, value); }

inline std::vector<BranchEvent> events_named(const Branch& branch, const std::string& name) {
  std::vector<BranchEvent> found;
  std::copy_if(branch.events.begin(), branch.events.end(), std::back_inserter(found),
               [&](const BranchEvent& event) { return event.name == name; });
  return found;
}

}  // namespace masing::test
