#include "masing/analysis/backbone.hpp"
#include "masing/analysis/frequency_response.hpp"
#include "masing/analysis/internal_resonance.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>

using namespace masing;
using Catch::Matchers::Contains;
using test::joint;
using test::load;

namespace {

// Two equal masses between three springs: modes in phase, ω₁² = 1, and in opposition, ω₂² = 1 + 2 link. A cubic spring at the
// first mass ties them together.
Model two_modes(double ratio, double cubic) {
  const double link = 0.5 * (ratio * ratio - 1.0);
  Model model{.structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {1.0, link}, .dampings = {0.01, 0.005}}),
              .loads = {load(2, 0, 1.0)}};
  model.joints = {joint("wall", make_element(CubicSpring({.cubic_stiffness = 0.0, .stiffness = 1.0})), 2, {{{1, 1.0}}}),
                  joint("cubic", make_element(CubicSpring({.cubic_stiffness = cubic})), 2, {{{0, 1.0}}})};
  return model;
}

constexpr double hertz = 1.0 / (2.0 * pi);
const BalanceOptions balance = {.harmonics = {1, 3, 5}, .samples = 64};

ResponseBranch response(const Model& model, double level) {
  FrequencyResponseRequest ask;
  ask.from = 0.8 * hertz;
  ask.to = 1.4 * hertz;
  ask.levels = {level};
  ask.observables = {{.name = "x1", .coordinate = 0}, {.name = "x2", .coordinate = 1}};
  ask.peak_harmonics = {3};
  ask.balance = balance;
  return frequency_response(model, ask).branches.front();
}

}  // namespace

TEST_CASE("a third harmonic that meets the second mode is an internal resonance", "[internal]") {
  // 3 f reaches the second mode at 1.05 of the first frequency, on the flank of the bent resonance.
  const Model model = two_modes(3.15, 0.1);
  const ResponseBranch branch = response(model, 0.03);
  INFO(branch.end.message);
  REQUIRE(branch.end.complete);
  const std::vector<InternalResonance> found = internal_resonances(model, branch);
  REQUIRE(found.size() == 1);
  INFO(to_text(found[0]));
  CHECK(found[0].harmonic == 3);
  CHECK(found[0].mode == 2);
  CHECK(found[0].stuck_frequency == Approx(3.15 * hertz).epsilon(1e-9));
  CHECK(found[0].modal_share > 0.5);
  CHECK(found[0].driving_mode == 1);
  CHECK(found[0].frequencies.from <= found[0].frequency);
  CHECK(found[0].frequencies.to >= found[0].frequency);
  // The peak of the third harmonic of both masses, solved for, lies between the neighbours of the point.
  const auto index = static_cast<std::size_t>(found[0].point);
  const double low = std::min(branch.points[index - 1].frequency, branch.points[index + 1].frequency);
  const double high = std::max(branch.points[index - 1].frequency, branch.points[index + 1].frequency);
  const bool near = std::any_of(branch.special_points.begin(), branch.special_points.end(), [&](const auto& special) {
    return special.kind == "peak" && special.point.frequency > 0.99 * low && special.point.frequency < 1.01 * high;
  });
  CHECK(near);
  CHECK_THAT(to_text(found[0]), Contains("harmonic 3 resonates with mode 2"));
}

TEST_CASE("modes that no harmonic meets do not resonate", "[internal]") {
  const Model model = two_modes(2.2, 0.1);
  CHECK(internal_resonances(model, response(model, 0.03)).empty());
}

TEST_CASE("along a backbone the amplitude is told at which three times the first frequency meets the second",
          "[internal]") {
  const Model model = two_modes(3.15, 0.1);
  BackboneRequest request;
  request.name = "backbone";
  request.method = BackboneMethod::epmc;
  request.from = 0.01;
  request.to = 4.0;
  request.balance = {.harmonics = {1}, .samples = 32};
  request.observables = {{.name = "x1", .coordinate = 0}};
  const ResponseBranch branch = backbone(model, request).branches.front();
  REQUIRE(branch.end.complete);
  CHECK(internal_resonances(model, branch, true).empty());  // harmonic 3 is not balanced
  request.balance.harmonics = {1, 3};
  const ResponseBranch both = backbone(model, request).branches.front();
  const std::vector<InternalResonance> found = internal_resonances(model, both, true);
  const auto meeting = std::find_if(found.begin(), found.end(), [](const auto& one) { return one.meeting; });
  REQUIRE(meeting != found.end());
  const auto at = static_cast<std::size_t>(meeting->point);
  CHECK((both.points[at].frequency - meeting->frequency) * (both.points[at + 1].frequency - meeting->frequency) <= 0.0);
  // Both modes are stiffer there than stuck: the cubic spring counts with its secant stiffness.
  CHECK(meeting->frequency > 1.05 * hertz);
  CHECK(meeting->mode_frequency == Approx(3.0 * meeting->frequency).epsilon(1e-12));
  CHECK_THAT(to_text(*meeting), Contains("3 times the frequency meets mode 2"));
}

TEST_CASE("shares and secant modes of a point are those of its motion, computed by hand", "[internal]") {
  const double cubic = 0.1;
  const Model model = two_modes(3.15, cubic);
  const ResponseBranch branch = response(model, 0.03);
  REQUIRE(branch.header.modes.size() == 2);
  CHECK(branch.header.modes[0] == Approx(hertz).epsilon(1e-12));
  CHECK(branch.header.modes[1] == Approx(3.15 * hertz).epsilon(1e-12));
  const double root = std::sqrt(0.5);
  for (std::size_t i = 0; i < branch.points.size(); i += 5) {
    const ResponsePoint& point = branch.points[i];
    CAPTURE(point.frequency);
    REQUIRE(point.harmonic_share.size() == 3);
    REQUIRE(point.modal_share.size() == 6);
    // Unit masses: the velocity of harmonic k is k |A_k|; the modes are (1, 1)/√2 and (1, −1)/√2.
    double all = 0.0, mean_square = 0.0, work = 0.0;
    std::array<double, 3> velocity{};
    constexpr int samples = 256;
    for (int n = 0; n < samples; ++n) {
      double x = 0.0;
      for (Index h = 0; h < 3; ++h) {
        const Observation& seen = point.observations[0];
        x +=
            seen.amplitude[h] * std::cos((2.0 * static_cast<double>(h) + 1.0) * 2.0 * pi * n / samples + seen.phase[h]);
      }
      mean_square += x * x / samples;
      work += cubic * x * x * x * x / samples;
    }
    for (Index h = 0; h < 3; ++h) {
      const auto at = [&](std::size_t x) {
        const Observation& seen = point.observations[x];
        return std::polar(seen.amplitude[h], seen.phase[h]);
      };
      const double square = std::norm(at(0)) + std::norm(at(1));
      velocity[static_cast<std::size_t>(h)] = std::pow(2.0 * static_cast<double>(h) + 1.0, 2) * square;
      all += velocity[static_cast<std::size_t>(h)];
      if (point.harmonic_share[h] < 1e-10) continue;  // rounding error has no shape: no shares
      CHECK(point.modal_share[2 * h] == Approx(std::norm(root * (at(0) + at(1))) / square).margin(1e-9));
      CHECK(point.modal_share[2 * h + 1] == Approx(std::norm(root * (at(0) - at(1))) / square).margin(1e-9));
    }
    for (Index h = 0; h < 3; ++h) {
      CHECK(point.harmonic_share[h] == Approx(std::sqrt(velocity[static_cast<std::size_t>(h)] / all)).margin(1e-9));
    }
    // The cubic spring as <f x>/<x²>; then the two frequencies of a 2 × 2 problem.
    const double link = 0.5 * (3.15 * 3.15 - 1.0), secant = work / mean_square;
    const double a = 1.0 + link + secant, d = 1.0 + link;
    const double middle = 0.5 * (a + d), spread = std::hypot(0.5 * (a - d), link);
    CHECK(point.mode_frequency[0] == Approx(std::sqrt(middle - spread) * hertz).epsilon(1e-8));
    CHECK(point.mode_frequency[1] == Approx(std::sqrt(middle + spread) * hertz).epsilon(1e-8));
  }
}

TEST_CASE("a slipping joint lowers the frequency that harmonics are compared with", "[internal]") {
  // A Jenkins element in gross slip has the secant stiffness <f x>/<x²>, far below its stiffness.
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.02}), .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("damper", make_element(Jenkins({.stiffness = 0.5, .slip_force = 0.05})), 1, {{{0, 1.0}}})};
  FrequencyResponseRequest ask;
  ask.from = 0.8 * hertz;
  ask.to = 1.3 * hertz;
  ask.levels = {1e-4, 0.2};
  ask.observables = {{.name = "x", .coordinate = 0}};
  ask.balance = {.harmonics = {1}, .samples = 128};
  const FrequencyResponse responses = frequency_response(model, ask);
  CHECK(responses.branches[0].points[3].mode_frequency[0] == Approx(std::sqrt(1.5) * hertz).epsilon(1e-9));
  for (const ResponsePoint& point : responses.branches[1].points) {
    const double x = point.observations[0].amplitude[0], reach = 0.05 / 0.5;
    if (x < 1.5 * reach) continue;
    // First harmonic of the loop in phase with the motion: k (θ − ½ sin 2θ)/π with cos θ = 1 − 2 reach/x.
    const double theta = std::acos(1.0 - 2.0 * reach / x);
    const double secant = 0.5 / pi * (theta - 0.5 * std::sin(2.0 * theta));
    CHECK(point.mode_frequency[0] == Approx(std::sqrt(1.0 + secant) * hertz).epsilon(1e-8));
  }
}
