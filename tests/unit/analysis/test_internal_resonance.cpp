#include "masing/analysis/backbone.hpp"
#include "masing/analysis/frequency_response.hpp"
#include "masing/analysis/internal_resonance.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
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
  const std::vector<InternalResonance> found = internal_resonances(model, balance, branch);
  REQUIRE(found.size() == 1);
  INFO(to_text(found[0]));
  CHECK(found[0].harmonic == 3);
  CHECK(found[0].mode == 2);
  CHECK(found[0].mode_frequency == Approx(3.15 * hertz).epsilon(1e-9));
  CHECK(found[0].modal_share > 0.5);
  CHECK(found[0].from <= found[0].frequency);
  CHECK(found[0].to >= found[0].frequency);
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
  CHECK(internal_resonances(model, balance, response(model, 0.03)).empty());
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
  CHECK(internal_resonances(model, request.balance, branch, true).empty());  // harmonic 3 is not balanced
  request.balance.harmonics = {1, 3};
  const ResponseBranch both = backbone(model, request).branches.front();
  const std::vector<InternalResonance> found = internal_resonances(model, request.balance, both, true);
  const auto meeting = std::find_if(found.begin(), found.end(), [](const auto& one) { return one.meeting; });
  REQUIRE(meeting != found.end());
  CHECK(meeting->frequency == Approx(1.05 * hertz).epsilon(1e-9));
  const auto at = static_cast<std::size_t>(meeting->point);
  CHECK((both.points[at].frequency - meeting->frequency) * (both.points[at + 1].frequency - meeting->frequency) <= 0.0);
  CHECK_THAT(to_text(*meeting), Contains("3 times the frequency meets mode 2"));
}
