// Harmonic balance with a load that depends on the frequency: a spectral beam on a shaking base with a stop at its end.
#include "masing/balance/harmonic_balance.hpp"
#include "masing/balance/jacobian_check.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/structure/spectral_beam.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

using namespace masing;

TEST_CASE("derivatives with a load that depends on the frequency", "[base]") {
  const BeamSection section{.begin = 0.0,
                            .end = 0.3,
                            .youngs_modulus = 210e9,
                            .density = 7850.0,
                            .area = 2e-4,
                            .inertia = 1.6e-9,
                            .loss_factor = 0.01};
  const SpectralBeam beam({.theory = BeamTheory::euler_bernoulli,
                           .sections = {section},
                           .points = {{"middle", 0.14}, {"tip", 0.3}},
                           .supports = {{.at = 0.0, .fixed = {true, true, true}}},
                           .masses = {{.at = 0.14, .mass = 0.05}}});
  const Index tip = beam.find("tip.w");
  const Index middle = beam.find("middle.w");
  const std::vector<Joint> joints = {test::joint(
      "stop", make_element(CubicSpring({.cubic_stiffness = 1e12, .stiffness = 1e3})), beam.size(), {{{tip, 1.0}}})};
  const std::vector<Load> loads = {{.name = "base",
                                    .shape = Vector::Zero(beam.size()),
                                    .phase = 0.4,
                                    .varying = beam.base_acceleration(BeamMotion::w, 30.0)}};
  HarmonicBalance balance(beam, joints, loads, {.harmonics = {1, 3}, .samples = 64});
  balance.set_level(1.7);
  const Vector x = Vector::LinSpaced(balance.size(), 2e-4, -1e-4);
  const double omega = 2.0 * pi * 80.0;
  // As for other loads: central differences with a step of 1e-6.
  const JacobianCheck check = check_jacobian(balance, x, omega);
  INFO(check.worst_entry);
  CHECK(check.worst_error < 1e-7);

  // The rate of a condensed coordinate along a path on which x and Ω change.
  const Vector x_rate = Vector::LinSpaced(balance.size(), -1.0, 2.0);
  constexpr double omega_rate = 3e5;
  constexpr double step = 1e-9;
  const auto at = [&](double s) {
    return balance
        .recover_amplitude(x + s * x_rate, omega + s * omega_rate, 0, middle, Vector::Zero(balance.size()), 0.0)
        .value;
  };
  const Complex rate = balance.recover_amplitude(x, omega, 0, middle, x_rate, omega_rate).rate;
  const Complex difference = (at(step) - at(-step)) / (2.0 * step);
  CHECK(std::abs(rate - difference) < 1e-6 * std::abs(rate));
}
