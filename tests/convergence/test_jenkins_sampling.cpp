// Harmonic coefficients of a Jenkins cycle and their derivatives, from plain samples, against closed forms.
//
// Motion x = c cos τ + s sin τ = A cos ψ with ψ = τ + φ, c = A cos φ, s = −A sin φ; d = f_s/k, cos θ = 1 − 2d/A.
// From the reversal at ψ = 0 the contact sticks until ψ = θ, then slips until ψ = π. First harmonic of the force:
//
//   F_c = α c − β s,   F_s = β c + α s,   α = (k/π)(θ − ½ sin 2θ),   β = −4 f_s (A − d)/(π A²)
//   dα/dA = −(4 k d/(π A²)) sin θ,        dβ/dA = −(4 f_s/π)(2d − A)/A³
//
// Observed orders in 1/N:
//   coefficients  2   wherever the events (two reversals, two slip onsets) fall between the samples
//   derivatives   1   in general: the derivative of the force jumps at a slip onset, and a sampled maximum, unlike the
//                     true one, changes with the phase
//                 2   where reversals fall on samples and slip onsets half-way between two of them
#include "masing/contact/jenkins.hpp"
#include "masing/contact/steady_cycle.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace masing;

namespace {

using Pair = Eigen::Vector2d;        // (cos, sin)
using Derivative = Eigen::Matrix2d;  // rows: force coefficients, columns: by c, by s

constexpr double stiffness = 2.0;
constexpr double slip_force = 0.8;
constexpr double limit = slip_force / stiffness;

struct Harmonics {
  Pair first;
  Pair third;
  Derivative first_by_motion;
};

Pair third_harmonic(double amplitude, double phase) {
  const double theta = std::acos(1.0 - 2.0 * limit / amplitude);
  const double ka = stiffness * amplitude;
  const double in_phase = (slip_force - ka) * std::sin(3 * theta) / 3 +
                          ka * (std::sin(4 * theta) / 8 + std::sin(2 * theta) / 4) +
                          slip_force * std::sin(3 * theta) / 3;
  const double quadrature = (slip_force - ka) * (1 - std::cos(3 * theta)) / 3 +
                            ka * ((1 - std::cos(4 * theta)) / 8 + (1 - std::cos(2 * theta)) / 4) -
                            slip_force * (std::cos(3 * theta) + 1) / 3;
  const double a = 2.0 / pi * in_phase;
  const double b = 2.0 / pi * quadrature;
  return {a * std::cos(3 * phase) + b * std::sin(3 * phase), b * std::cos(3 * phase) - a * std::sin(3 * phase)};
}

Harmonics closed_form(double amplitude, double phase) {
  const double theta = std::acos(1.0 - 2.0 * limit / amplitude);
  const double alpha = stiffness / pi * (theta - 0.5 * std::sin(2 * theta));
  const double beta = -4.0 * slip_force * (amplitude - limit) / (pi * amplitude * amplitude);
  const double alpha_by = -4.0 * stiffness * limit / (pi * amplitude * amplitude) * std::sin(theta);
  const double beta_by = -4.0 * slip_force / pi * (2.0 * limit - amplitude) / std::pow(amplitude, 3);
  const Pair motion(amplitude * std::cos(phase), -amplitude * std::sin(phase));
  const Pair turned(-motion[1], motion[0]);
  Derivative rotation;
  rotation << alpha, -beta, beta, alpha;
  return {.first = rotation * motion,
          .third = third_harmonic(amplitude, phase),
          .first_by_motion = rotation + (alpha_by * motion + beta_by * turned) * motion.transpose() / amplitude};
}

/// Change of every force sample when the motion changes by `direction`.
Vector force_change(const CycleResult& cycle, const Vector& direction) {
  Vector change = cycle.by_displacement.col(0).cwiseProduct(direction);
  std::vector<double> source_change;
  for (const MemorySource& source : cycle.sources) {
    source_change.push_back(source.by_displacement[0] * direction[source.sample]);
  }
  for (const MemoryUse& use : cycle.uses) change[use.sample] += use.weight[0] * source_change[use.source];
  return change;
}

Harmonics sampled(double amplitude, double phase, Index samples) {
  const Vector tau =
      Vector::LinSpaced(samples, 0.0, 2.0 * pi * static_cast<double>(samples - 1) / static_cast<double>(samples));
  const Vector cosine = tau.array().cos();
  const Vector sine = tau.array().sin();
  const Matrix x = (tau.array() + phase).cos() * amplitude;
  CycleResult cycle;
  steady_cycle(Jenkins({.stiffness = stiffness, .slip_force = slip_force}), {x, Matrix()}, {}, cycle);
  const Vector force = cycle.force.col(0);
  const auto transform = [&](const Vector& signal) -> Pair {
    return Pair(signal.dot(cosine), signal.dot(sine)) * 2.0 / static_cast<double>(samples);
  };
  Harmonics h;
  h.first = transform(force);
  h.third = Pair(force.dot((3.0 * tau.array()).cos().matrix()), force.dot((3.0 * tau.array()).sin().matrix())) * 2.0 /
            static_cast<double>(samples);
  h.first_by_motion.col(0) = transform(force_change(cycle, cosine));
  h.first_by_motion.col(1) = transform(force_change(cycle, sine));
  return h;
}

struct Errors {
  double coefficients = 0.0;
  double derivatives = 0.0;
};

/// Relative errors, the larger of both harmonics for the coefficients.
Errors errors_at(double amplitude, double phase, Index samples) {
  const Harmonics exact = closed_form(amplitude, phase);
  const Harmonics found = sampled(amplitude, phase, samples);
  return {.coefficients =
              std::max((found.first - exact.first).norm(), (found.third - exact.third).norm()) / exact.first.norm(),
          .derivatives = (found.first_by_motion - exact.first_by_motion).norm() / exact.first_by_motion.norm()};
}

/// Slope of log error over log 1/N by least squares.
double observed_order(const std::vector<double>& samples, const std::vector<double>& errors) {
  const Index n = static_cast<Index>(samples.size());
  const Vector x = -Eigen::Map<const Vector>(samples.data(), n).array().log();
  const Vector y = Eigen::Map<const Vector>(errors.data(), n).array().log();
  const Vector centred = x.array() - x.mean();
  return centred.dot(y) / centred.squaredNorm();
}

// The reversal misses by k A h²/2 and each kink by about J h²/12, h = 2π/N; at the finest N this is some 1e-11.
constexpr double goal = 1e-10;

}  // namespace

TEST_CASE("Jenkins coefficients from samples converge with order 2 to 1e-10", "[convergence]") {
  const std::vector<double> phases = {0.1, 0.77, 1.9, 3.3, 5.2};
  for (const double amplitude : {1.2 * limit, 2.0 * limit, 6.0 * limit}) {
    std::vector<double> sizes;
    std::vector<double> coefficients;
    std::vector<double> derivatives;
    for (Index samples = 64; samples <= (1 << 20); samples *= 4) {
      Errors worst;
      for (const double phase : phases) {
        const Errors errors = errors_at(amplitude, phase, samples);
        worst.coefficients = std::max(worst.coefficients, errors.coefficients);
        worst.derivatives = std::max(worst.derivatives, errors.derivatives);
      }
      sizes.push_back(static_cast<double>(samples));
      coefficients.push_back(worst.coefficients);
      derivatives.push_back(worst.derivatives);
    }
    const double coefficient_order = observed_order(sizes, coefficients);
    const double derivative_order = observed_order(sizes, derivatives);
    INFO("A k/f_s = " << amplitude / limit << ": order of coefficients " << coefficient_order << ", error at N = 2^20 "
                      << coefficients.back() << "; order of derivatives " << derivative_order << ", error "
                      << derivatives.back());
    CHECK(coefficient_order == Approx(2.0).margin(0.1));
    CHECK(coefficients.back() < goal);
    CHECK(derivative_order == Approx(1.0).margin(0.15));
  }
}

TEST_CASE("Jenkins derivatives converge with order 2 to 1e-10 where events are well placed", "[convergence]") {
  struct Placed {
    double theta;
    Index factor;  // N = factor · odd puts the slip onset half-way between two samples
  };
  for (const Placed placed : {Placed{0.5 * pi, 2}, Placed{0.25 * pi, 4}, Placed{0.75 * pi, 4}}) {
    const double amplitude = 2.0 * limit / (1.0 - std::cos(placed.theta));
    std::vector<double> sizes;
    std::vector<double> coefficients;
    std::vector<double> derivatives;
    for (Index samples = placed.factor * 27; samples < 3'000'000; samples *= 3) {
      const double shift = std::floor(0.3 * static_cast<double>(samples));
      const Errors errors = errors_at(amplitude, 2.0 * pi * shift / static_cast<double>(samples), samples);
      sizes.push_back(static_cast<double>(samples));
      coefficients.push_back(errors.coefficients);
      derivatives.push_back(errors.derivatives);
    }
    const double coefficient_order = observed_order(sizes, coefficients);
    const double derivative_order = observed_order(sizes, derivatives);
    INFO("A k/f_s = " << amplitude / limit << ": order of coefficients " << coefficient_order
                      << ", error at N = " << sizes.back() << " " << coefficients.back() << "; order of derivatives "
                      << derivative_order << ", error " << derivatives.back());
    CHECK(coefficient_order == Approx(2.0).margin(0.1));
    CHECK(derivative_order == Approx(2.0).margin(0.1));
    CHECK(coefficients.back() < goal);
    CHECK(derivatives.back() < goal);
  }
}
