// The published four parameters of the Brake-Reuss beam contradict each other; these are the numbers that show it.
#include "masing/contact/backbones.hpp"
#include "masing/core/types.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace masing;

namespace {

// Brake 2017, Table 2 and the text above it: one mode of the beam.
constexpr double stiffness = 1.1e6;
constexpr double macroslip = 2e-3;
constexpr double slip_force = 400.0;
constexpr double chi = -0.76;
constexpr double beta = 0.16;
constexpr double modal_mass = 3.67;
constexpr double low_frequency = 230.0;
constexpr double amplitude = 100e-6;

/// F_S for the published ϕ_max: equation (10) solved for it.
constexpr double consistent_force = macroslip * stiffness * (beta + (chi + 1.0) / (chi + 2.0)) / (1.0 + beta);
constexpr FourParameters consistent{stiffness, consistent_force, chi, beta};

/// The joint's stiffness falls from K_T to `softer`.
double frequency(double softer) {
  const double lost = (stiffness - softer) / (modal_mass * 4.0 * pi * pi);
  return std::sqrt(low_frequency * low_frequency - lost);
}

}  // namespace

TEST_CASE("Brake-Reuss beam: the published macroslip displacement needs another slip force", "[contact][published]") {
  CHECK(consistent_force == Approx(670.5).margin(0.05));
  CHECK(four_parameter_constants(consistent).phi_max == Approx(macroslip).epsilon(1e-14));
  // With the published force macroslip comes at 1.19 mm.
  const FourParameters published{stiffness, slip_force, chi, beta};
  CHECK(four_parameter_constants(published).phi_max == Approx(1.193e-3).margin(0.5e-6));
}

TEST_CASE("Brake-Reuss beam: the published force gives a negative stiffness ratio", "[contact][published]") {
  // Equation (44).
  const double ratio = slip_force / (macroslip * stiffness);
  const double implied = (ratio - (chi + 1.0) / (chi + 2.0)) / (1.0 - ratio);
  CHECK(implied == Approx(-0.014).margin(0.5e-3));
  CHECK_THROWS(four_parameter_backbone({stiffness, slip_force, chi, implied}));
  // With the consistent force it gives back β.
  const double right = consistent_force / (macroslip * stiffness);
  CHECK((right - (chi + 1.0) / (chi + 2.0)) / (1.0 - right) == Approx(beta).epsilon(1e-12));
}

TEST_CASE("Brake-Reuss beam: the consistent model softens to 224.2 Hz at 100 µm, not to 213", "[contact][published]") {
  constexpr double digit = 0.05;
  // First harmonic of the loop. The secant to its tip would say 224.3.
  CHECK(frequency(four_parameter_describing_function(consistent, amplitude).real()) == Approx(224.2).margin(digit));
  const double secant = four_parameter_backbone(consistent)->at(amplitude).force / amplitude;
  CHECK(frequency(secant) == Approx(224.34).margin(0.1 * digit));
  // K_T itself, equation (40), is the difference of the squared frequencies: the joint lost altogether.
  CHECK(frequency(0.0) == Approx(213.0).margin(0.2));
}
