// Floquet multipliers of a model by time integration, and the balanced motion they belong to.
#pragma once

#include "masing/analysis/frequency_response.hpp"
#include "masing/balance/harmonic_balance.hpp"
#include "masing/transient/integrator.hpp"

#include <Eigen/Eigenvalues>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace masing::test {

inline void check_same(const std::vector<Complex>& found, const std::vector<Complex>& expected, double tolerance) {
  REQUIRE(found.size() == expected.size());
  // Whatever the order: each expected one has a neighbour.
  for (const Complex& value : expected) {
    double nearest = 1e300;
    for (const Complex& other : found) nearest = std::min(nearest, std::abs(other - value));
    INFO("multiplier " << value << ", nearest differs by " << nearest);
    CHECK(nearest < tolerance);
  }
}

inline std::vector<Complex> eigenvalues(const Matrix& matrix) {
  const ComplexVector values = matrix.eigenvalues();
  return {values.begin(), values.end()};
}

/// The period map of (q, v) from t₀ by time integration and central differences, for joints whose memory is decided by q
/// at t₀ alone; steady after `settle` periods.
inline std::vector<Complex> by_period_map(const Model& model, double omega, double phase, int settle, Vector& q,
                                          Vector& v) {
  const auto& structure = dynamic_cast<const SecondOrderStructure&>(*model.structure);
  const double period = 2.0 * pi / omega;
  const double start = phase / omega;
  const IntegratorOptions tight{.relative_tolerance = 1e-13};
  TimeIntegrator integrator(structure, model.joints, model.loads, {.omega = omega}, tight);
  integrator.set_state(q, v, 0.0);
  integrator.advance_to(settle * period + start);
  q = integrator.displacement();
  v = integrator.velocity();
  const Index n = q.size();
  const auto after = [&](Index i, double step) {
    Vector q0 = q, v0 = v;
    (i < n ? q0[i] : v0[i - n]) += step;
    integrator.set_state(q0, v0, start);
    integrator.advance_to(start + period);
    Vector end(2 * n);
    end << integrator.displacement(), integrator.velocity();
    return end;
  };
  const double step = 1e-4 * q.cwiseAbs().maxCoeff();
  Matrix map(2 * n, 2 * n);
  for (Index i = 0; i < 2 * n; ++i) map.col(i) = (after(i, step) - after(i, -step)) / (2.0 * step);
  return eigenvalues(map);
}

struct Instant {
  double phase;
  double value;
};

/// Where in the period the first coordinate of a motion in harmonics 0 … H is least.
inline Instant lowest(const Matrix& all) {
  constexpr int samples = 100000;
  Instant least{0.0, std::numeric_limits<double>::infinity()};
  for (int i = 0; i < samples; ++i) {
    const double t = 2.0 * pi * i / samples;
    double x = all(0, 0);
    for (Index k = 1; 2 * k < all.cols(); ++k)
      x += all(0, 2 * k - 1) * std::cos(double(k) * t) + all(0, 2 * k) * std::sin(double(k) * t);
    if (x < least.value) least = {t, x};
  }
  return least;
}

/// The balanced motion at one frequency, from the linear answer.
inline Matrix balanced(const Model& model, const std::vector<int>& harmonics, double omega) {
  FrequencyResponseRequest ask;
  ask.from = 0.2 * omega * (1.0 / (2.0 * pi));
  ask.to = omega * (1.0 / (2.0 * pi));
  ask.balance = {.harmonics = harmonics, .samples = 512};
  ask.observables = {{.name = "x", .coordinate = 0}};
  const FrequencyResponse response = frequency_response(model, ask);
  REQUIRE(response.complete());
  HarmonicBalance balance(*model.structure, model.joints, model.loads, ask.balance);
  return balance.recover(response.branches[0].points.back().coefficients, omega);
}

}  // namespace masing::test
