// Frequency responses of an oscillator with a Jenkins element, from stick to full slip, against time integration of the
// same law code with located events.
#include "masing/analysis/frequency_response.hpp"
#include "masing/analysis/transient_response.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

using namespace masing;

namespace {

Model oscillator_with_damper() {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.04}),
              .loads = {test::load(1, 0, 1.0)}};
  model.joints = {test::joint("damper", make_element(Jenkins({.stiffness = 1.0, .slip_force = 0.2})), 1, {{{0, 1.0}}})};
  return model;
}

double steady_amplitude(const Model& model, double frequency, double level) {
  TransientRequest ask;
  ask.frequency = frequency;
  ask.levels = {level};
  ask.observables = {{.name = "x"}};
  ask.steady_tolerance = 1e-8;
  const auto history = transient_response(model, ask);
  INFO(history[0].message);
  REQUIRE(history[0].is_steady);
  return history[0].steady[0].amplitude[1];
}

}  // namespace

TEST_CASE("Jenkins responses from stick to full slip agree with time integration to 1e-4 of the peak") {
  const Model model = oscillator_with_damper();
  FrequencyResponseRequest ask;
  ask.from = 0.08;
  ask.to = 0.35;
  ask.levels = {0.005, 0.05, 0.15, 0.5, 3.0};  // stuck … full slip
  ask.observables = {{.name = "x"}};
  ask.balance.harmonics = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  ask.balance.samples = 1024;
  ask.threads = 2;
  const FrequencyResponse response = frequency_response(model, ask);
  REQUIRE(response.complete());
  constexpr double of_the_peak = 1e-4;
  double worst = 0.0;
  for (std::size_t level = 0; level < ask.levels.size(); ++level) {
    const ResponseBranch& branch = response.branches[level];
    const double peak = branch.end.resonances[0].amplitude;
    const std::size_t stride = std::max<std::size_t>(1, branch.points.size() / 8);
    for (std::size_t i = 0; i < branch.points.size(); i += stride) {
      const ResponsePoint& point = branch.points[i];
      const double reference = steady_amplitude(model, point.frequency, ask.levels[level]);
      const double error = std::abs(point.observations[0].amplitude[1] - reference) / peak;
      INFO("level " << ask.levels[level] << " at " << point.frequency << " Hz");
      CHECK(error < of_the_peak);
      worst = std::max(worst, error);
    }
  }
  // Stuck, the resonance is that of both springs; in full slip that of the structure's alone.
  const double stuck = response.branches.front().end.resonances[0].frequency * 2.0 * pi;
  const double slipping = response.branches.back().end.resonances[0].frequency * 2.0 * pi;
  CHECK(stuck == Approx(std::sqrt(2.0)).epsilon(1e-3));  // light damping: ζ² = 2e-4
  CHECK(slipping == Approx(1.0).epsilon(2e-2));          // the friction force is 7 % of the load
  WARN(fmt::format("largest difference to time integration: {:.2e} of the peak", worst));
}
