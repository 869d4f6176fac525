#include "masing/identification/four_parameter_estimate.hpp"

#include "masing/core/error.hpp"

#include <cmath>

namespace masing {
namespace {

void check(const ModalMeasurement& measured) {
  require(measured.modal_mass > 0.0, "modal mass {:g} kg must be > 0.", measured.modal_mass);
  require(
      measured.high_frequency > 0.0 && measured.low_frequency > measured.high_frequency,
      "the frequency must fall with the amplitude: {:g} Hz at small, {:g} Hz at large amplitude give no stiffness of "
      "the joint.",
      measured.low_frequency, measured.high_frequency);
  require(measured.amplitude.size() == measured.energy.size() && measured.amplitude.size() >= 2,
          "{} amplitudes and {} energies: at least two of both are needed, as many of one as of the other.",
          measured.amplitude.size(), measured.energy.size());
  require(measured.amplitude.minCoeff() > 0.0 && measured.energy.minCoeff() > 0.0,
          "amplitudes and energies must be > 0: their logarithms are used.");
  require(measured.amplitude.maxCoeff() > measured.amplitude.minCoeff(), "all amplitudes are the same.");
  require(
      measured.macroslip >= measured.amplitude.maxCoeff(),
      "macroslip at {:g} m lies below the largest amplitude {:g} m: the formulas hold in microslip. Leave the larger "
      "amplitudes out.",
      measured.macroslip, measured.amplitude.maxCoeff());
}

/// ln D = intercept + slope ln u, by least squares.
struct Line {
  double slope = 0.0, intercept = 0.0, scatter = 0.0;
};

Line line_through(const Vector& amplitude, const Vector& energy) {
  const Vector x = amplitude.array().log(), y = energy.array().log();
  const Vector dx = x.array() - x.mean();
  Line line;
  line.slope = dx.dot(y) / dx.squaredNorm();
  line.intercept = y.mean() - line.slope * x.mean();
  const Vector left = y.array() - line.intercept - line.slope * x.array();
  if (x.size() > 2) line.scatter = std::sqrt(left.squaredNorm() / static_cast<double>(x.size() - 2));
  return line;
}

}  // namespace

FourParameterEstimate estimate_four_parameters(const ModalMeasurement& measured) {
  check(measured);
  const Line line = line_through(measured.amplitude, measured.energy);
  const double chi = line.slope - 3.0, phi = measured.macroslip;
  require(
      chi > -1.0 && chi <= 0.0,
      "the energy grows with the power {:.3f} of the amplitude; a four-parameter joint needs one above 2 and at most 3 "
      "(chi = {:.3f} is not in (-1, 0]).",
      line.slope, chi);
  const double squares =
      measured.low_frequency * measured.low_frequency - measured.high_frequency * measured.high_frequency;
  const double stiffness = 4.0 * pi * pi * measured.modal_mass * squares;
  // D at ϕ_max, the line continued.
  const double energy = std::exp(line.intercept + line.slope * std::log(phi));
  const double most = 4.0 * stiffness * (chi + 1.0) * phi * phi / ((chi + 2.0) * (chi + 3.0));
  const double beta = most / energy - 1.0;
  require(
      beta >= 0.0,
      "these numbers contradict each other: a joint of {:.4g} N/m with chi = {:.3f} dissipates at most {:.4g} J at its "
      "macroslip displacement {:.4g} m (beta = 0), but the measured energies go on to {:.4g} J there, beta = {:.3f}. "
      "Macroslip must come later, or the joint be stiffer: is it really lost at {:g} Hz?",
      stiffness, chi, most, phi, energy, beta, measured.high_frequency);
  const double force = stiffness * phi * (beta + (chi + 1.0) / (chi + 2.0)) / (1.0 + beta);
  return {.parameters = {.stiffness = stiffness, .slip_force = force, .chi = chi, .beta = beta},
          .slope = line.slope,
          .scatter = line.scatter};
}

}  // namespace masing
