#include "masing/analysis/observable.hpp"

#include "masing/fourier/coefficients.hpp"

#include <algorithm>
#include <cmath>

namespace masing {

std::string_view to_string(Quantity quantity) {
  switch (quantity) {
    case Quantity::displacement:
      return "displacement";
    case Quantity::velocity:
      return "velocity";
    case Quantity::acceleration:
      return "acceleration";
  }
  return "";
}

std::string_view unit_of(Quantity quantity, bool rotation) {
  switch (quantity) {
    case Quantity::displacement:
      return rotation ? "rad" : "m";
    case Quantity::velocity:
      return rotation ? "rad/s" : "m/s";
    case Quantity::acceleration:
      return rotation ? "rad/s^2" : "m/s^2";
  }
  return "";
}

Complex quantity_factor(Quantity quantity, int k, double omega) {
  switch (quantity) {
    case Quantity::displacement:
      return 1.0;
    case Quantity::velocity:
      return {0.0, k * omega};
    case Quantity::acceleration:
      return -(k * omega) * (k * omega);
  }
  return 0.0;
}

Observable observable_of(std::string name, const Vector& motion, Quantity quantity, bool rotation) {
  Index coordinate = 0;
  const bool single = motion.maxCoeff(&coordinate) == 1.0 && (motion.array() != 0.0).count() == 1;
  if (single) return {.name = std::move(name), .coordinate = coordinate, .quantity = quantity, .rotation = rotation};
  return {.name = std::move(name), .coordinate = -1, .quantity = quantity, .motion = motion, .rotation = rotation};
}

namespace {

// x(τ) with its first two derivatives.
struct Jet {
  double value = 0.0, slope = 0.0, curvature = 0.0;
};

Jet evaluate(const HarmonicSet& set, const Vector& row, double tau) {
  Jet jet;
  for (Index i = 0; i < set.count(); ++i) {
    const double k = set[i];
    const double a = row[set.cosine(i)];
    const double b = set[i] == 0 ? 0.0 : row[set.sine(i)];
    const double c = std::cos(k * tau);
    const double s = std::sin(k * tau);
    jet.value += a * c + b * s;
    jet.slope += k * (b * c - a * s);
    jet.curvature -= k * k * (a * c + b * s);
  }
  return jet;
}

// Largest |x(τ)|: the best of a sampled period, improved by Newton steps on the slope that stay next to that sample.
double peak_over_period(const HarmonicSet& set, const Vector& row) {
  const int samples = 16 * std::max(1, set.highest());
  const double spacing = 2.0 * pi / samples;
  double best = 0.0;
  double where = 0.0;
  for (int s = 0; s < samples; ++s) {
    const double value = std::abs(evaluate(set, row, s * spacing).value);
    if (value > best) best = value, where = s * spacing;
  }
  double tau = where;
  for (int step = 0; step < 4; ++step) {
    const Jet jet = evaluate(set, row, tau);
    if (jet.curvature == 0.0) break;
    tau = std::clamp(tau - jet.slope / jet.curvature, where - spacing, where + spacing);
    best = std::max(best, std::abs(evaluate(set, row, tau).value));
  }
  return best;
}

}  // namespace

Observation Observation::in_set(const HarmonicSet& from, const HarmonicSet& to) const {
  Observation result{Vector::Zero(to.count()), Vector::Zero(to.count()), rms, peak};
  for (Index i = 0; i < from.count(); ++i) {
    const Index there = to.find(from[i]);
    if (there < 0) continue;
    result.amplitude[there] = amplitude[i];
    result.phase[there] = phase[i];
  }
  return result;
}

Observation observe(const Observable& observable, const HarmonicSet& set, const Matrix& coefficients, double omega) {
  const Matrix own = observable.row_of(coefficients);
  Matrix row(1, set.positions());
  ComplexVector amplitude;
  for (Index i = 0; i < set.count(); ++i) {
    complex_amplitude(set, own, i, amplitude);
    set_complex_amplitude(set, i, quantity_factor(observable.quantity, set[i], omega) * amplitude, row);
  }
  const Vector signal = row.transpose();
  return {.amplitude = amplitudes(set, signal),
          .phase = phases(set, signal),
          .rms = root_mean_square(set, signal),
          .peak = peak_over_period(set, signal)};
}

}  // namespace masing
