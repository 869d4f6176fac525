#include "masing/identification/four_parameter_estimate.hpp"

#include "masing/core/error.hpp"

#include <cmath>

namespace masing {
namespace {

void check_frequencies(const ModalMeasurement& measured) {
  require(measured.modal_mass > 0.0, "modal mass {:g} kg must be > 0.", measured.modal_mass);
  require(
      measured.high_frequency > 0.0 && measured.low_frequency > measured.high_frequency,
      "the frequency must fall with the amplitude: {:g} Hz at small, {:g} Hz at large amplitude give no stiffness of "
      "the joint.",
      measured.low_frequency, measured.high_frequency);
}

void check(const ModalMeasurement& measured) {
  if (measured.stiffness == 0.0) check_frequencies(measured);
  require(measured.stiffness >= 0.0 && measured.slip_force >= 0.0,
          "stiffness {:g} N/m and slip force {:g} N must be > 0 where they are given.", measured.stiffness,
          measured.slip_force);
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

double stiffness_of(const ModalMeasurement& measured) {
  if (measured.stiffness > 0.0) return measured.stiffness;
  const double squares =
      measured.low_frequency * measured.low_frequency - measured.high_frequency * measured.high_frequency;
  return 4.0 * pi * pi * measured.modal_mass * squares;
}

/// (45), with the line continued to ϕ_max.
void beta_from_energy(const Line& line, const ModalMeasurement& measured, FourParameterEstimate& found) {
  FourParameters& p = found.parameters;
  const double phi = measured.macroslip;
  const double energy = std::exp(line.intercept + line.slope * std::log(phi));
  const double most = 4.0 * p.stiffness * (p.chi + 1.0) * phi * phi / ((p.chi + 2.0) * (p.chi + 3.0));
  p.beta = most / energy - 1.0;
  p.slip_force = p.stiffness * phi * (p.beta + (p.chi + 1.0) / (p.chi + 2.0)) / (1.0 + p.beta);
  if (p.beta >= 0.0) return;
  found.refusal = fmt::format(
      "these numbers contradict each other: a joint of {:.4g} N/m with chi = {:.3f} dissipates at most {:.4g} J at its "
      "macroslip displacement {:.4g} m (beta = 0), but the measured energies go on to {:.4g} J there, beta = {:.3f}. "
      "Macroslip must come later, or the joint be stiffer{}",
      p.stiffness, p.chi, most, phi, energy, p.beta,
      measured.stiffness > 0.0 ? "." : fmt::format(": is it really lost at {:g} Hz?", measured.high_frequency));
}

/// (44)
void beta_from_slip_force(const ModalMeasurement& measured, FourParameterEstimate& found) {
  FourParameters& p = found.parameters;
  const double share = measured.slip_force / (p.stiffness * measured.macroslip);
  const double least = (p.chi + 1.0) / (p.chi + 2.0);
  p.slip_force = measured.slip_force;
  p.beta = (share - least) / (1.0 - share);
  if (p.beta >= 0.0) return;
  found.refusal = fmt::format(
      "these numbers contradict each other: a joint of {:.4g} N/m with chi = {:.3f} that slides as a whole from {:.4g} "
      "m "
      "on has a slip force between {:.4g} N (beta = 0) and {:.4g} N, not {:.4g} N, beta = {:.3f}.",
      p.stiffness, p.chi, measured.macroslip, least * p.stiffness * measured.macroslip,
      p.stiffness * measured.macroslip, p.slip_force, p.beta);
}

}  // namespace

FourParameterEstimate unchecked_four_parameters(const ModalMeasurement& measured) {
  check(measured);
  const Line line = line_through(measured.amplitude, measured.energy);
  const double chi = line.slope - 3.0;
  require(
      chi > -1.0 && chi <= 0.0,
      "the energy grows with the power {:.3f} of the amplitude; a four-parameter joint needs one above 2 and at most 3 "
      "(chi = {:.3f} is not in (-1, 0]).",
      line.slope, chi);
  FourParameterEstimate found{.parameters = {.stiffness = stiffness_of(measured), .chi = chi},
                              .slope = line.slope,
                              .scatter = line.scatter,
                              .refusal = {}};
  if (measured.slip_force > 0.0) {
    beta_from_slip_force(measured, found);
  } else {
    beta_from_energy(line, measured, found);
  }
  return found;
}

FourParameterEstimate estimate_four_parameters(const ModalMeasurement& measured) {
  FourParameterEstimate found = unchecked_four_parameters(measured);
  require(found.refusal.empty(), "{}", found.refusal);
  return found;
}

}  // namespace masing
