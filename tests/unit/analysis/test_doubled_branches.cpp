// Branches of twice the period from where they leave another one to where they meet it again.
#include "masing/analysis/frequency_response.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using test::joint;
using test::load;

namespace {

/// x'' + c x' + x + 0.4 x² + 0.3 x³ = F cos Ωt doubles its period about twice its natural frequency.
Model unsymmetric_oscillator(double damping, double force) {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = damping}),
              .loads = {load(1, 0, force)}};
  model.joints = {joint("spring", make_element(Polynomial(1, {{0, 0.4, {2}}, {0, 0.3, {3}}})), 1, {{{0, 1.0}}})};
  return model;
}

FrequencyResponseRequest request(double from, double to, double longest_step) {
  FrequencyResponseRequest ask;
  ask.from = from;
  ask.to = to;
  ask.balance = {.harmonics = HarmonicSet::up_to(6).harmonics(), .samples = 64};
  ask.observables = {{.name = "x", .coordinate = 0}};
  ask.stability = {.method = StabilityMethod::automatic};
  ask.follow = {.period_doublings = true};
  ask.continuation.step.maximum = longest_step;
  return ask;
}

std::vector<SpecialPoint> all_of(const ResponseBranch& branch, const std::string& kind) {
  std::vector<SpecialPoint> found;
  for (const SpecialPoint& special : branch.special_points) {
    if (special.kind == kind) found.push_back(special);
  }
  return found;
}

}  // namespace

TEST_CASE("a doubled branch ends at the other doubling of the one that it left, and is followed once") {
  struct Case {
    double force, damping, from, to, longest_step;
  };
  // Without care, the second to fifth slide past the meeting, and the last one halts at it.
  const auto [force, damping, from, to, longest_step] =
      GENERATE(Case{1.5, 0.05, 0.45, 0.25, 0.1}, Case{0.8, 0.1, 0.6, 0.2, 0.1}, Case{1.2, 0.05, 0.45, 0.25, 0.3},
               Case{1.5, 0.1, 0.25, 0.45, 0.3}, Case{3.0, 0.2, 0.45, 0.25, 0.3}, Case{1.2, 0.1, 0.45, 0.25, 0.1});
  CAPTURE(force, damping, from, to, longest_step);
  const FrequencyResponse response =
      frequency_response(unsymmetric_oscillator(damping, force), request(from, to, longest_step));
  const auto doublings = all_of(response.branches[0], "period-doubling");
  REQUIRE(doublings.size() == 2);
  REQUIRE(response.branches.size() == 2);
  const ResponseBranch& twice = response.branches[1];
  CHECK(twice.header.periods == 2);
  CHECK(twice.end.stop == "met another branch");
  CHECK(twice.end.complete);
  const auto meetings = all_of(twice, "branch-point");
  REQUIRE(meetings.size() == 1);
  CHECK(meetings[0].after_point == static_cast<Index>(twice.points.size()) - 1);
  // Six harmonics of the motion are twelve of the doubled one: the same balance. Hill's multipliers, by which the doubling is
  // located, leave out less than 1e-6 with six harmonics; the motion there has lost its odd harmonics.
  CHECK(meetings[0].point.frequency == Approx(doublings[1].point.frequency).epsilon(1e-6));
  const Vector& amplitude = meetings[0].point.observations[0].amplitude;
  for (Index k = 1; k < amplitude.size(); k += 2) CHECK(amplitude[k] < 0.01 * amplitude[2]);
  // It was a motion of its own in between.
  double largest = 0.0;
  for (const ResponsePoint& point : twice.points) {
    largest = std::max(largest, point.observations[0].amplitude[1] / point.observations[0].amplitude[2]);
  }
  CHECK(largest > 0.5);
}
