// Places that are tracked with harmonics that follow the motion: the curves are those of a large fixed set.
#include "adaptive.hpp"
#include "masing/analysis/bifurcation_tracking.hpp"
#include "masing/analysis/superharmonic_tracking.hpp"
#include "masing/analysis/tracking.hpp"
#include "masing/contact/jenkins.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using test::adaptive;
using test::duffing;
using test::fixed_set;
using test::hertz;
using test::joint;
using test::load;
using test::sets_used;

TEST_CASE("resonances and folds are tracked with adaptive harmonics; bifurcations refuse them", "[adaptive]") {
  ResonanceTrackingRequest peak;
  peak.observables = {{.name = "x", .coordinate = 0}};
  peak.observed = peak.observables.front();
  peak.harmonics = {1};
  peak.from = 0.8 * hertz;
  peak.to = 3.0 * hertz;
  peak.from_level = 0.02;
  peak.to_level = 0.4;
  peak.balance = adaptive();
  const ResponseBranch tracked = resonance_tracking(duffing(), peak).branches.front();
  CAPTURE(tracked.end.message);
  CHECK(sets_used(tracked).size() > 1);
  peak.balance = fixed_set(25);
  const ResponseBranch fixed = resonance_tracking(duffing(), peak).branches.front();
  REQUIRE(tracked.end.complete);
  CHECK(tracked.points.back().frequency == Approx(fixed.points.back().frequency).epsilon(1e-3));

  FoldTrackingRequest fold;
  fold.observables = peak.observables;
  fold.from = peak.from;
  fold.to = peak.to;
  fold.from_level = 0.4;
  fold.to_level = 0.1;
  fold.balance = adaptive();
  const ResponseBranch folds = fold_tracking(duffing(), fold).branches.front();
  fold.balance = fixed_set(25);
  REQUIRE(folds.points.size() > 3);
  CHECK(folds.points.back().frequency ==
        Approx(fold_tracking(duffing(), fold).branches.front().points.back().frequency).epsilon(1e-3));

  BifurcationTrackingRequest bifurcation;
  bifurcation.name = "ns";
  bifurcation.observables = peak.observables;
  bifurcation.from = peak.from;
  bifurcation.to = peak.to;
  bifurcation.from_level = 0.1;
  bifurcation.to_level = 0.4;
  bifurcation.of = "neimark-sacker";
  bifurcation.balance = adaptive();
  CHECK_THROWS_WITH(bifurcation_tracking(duffing(), bifurcation), Catch::Contains("one set of harmonics"));
}

TEST_CASE("a tracked place begins in the harmonics that it was found in", "[adaptive]") {
  // The peak of the third harmonic beside macroslip: with harmonics up to 3 or 5 there is none near the one found with 11.
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping_ratio = 0.01}),
              .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("damper", make_element(Jenkins({.stiffness = 0.5, .slip_force = 0.1})), 1, {{{0, 1.0}}})};
  ResonanceTrackingRequest third;
  third.observables = {{.name = "x", .coordinate = 0}};
  third.observed = third.observables.front();
  third.harmonics = {3};
  third.from = 0.04;
  third.to = 0.075;
  third.from_level = 0.3;
  third.to_level = 0.4;
  third.balance = adaptive();
  const ResponseBranch tracked = resonance_tracking(model, third).branches.front();
  INFO(tracked.end.message);
  REQUIRE(tracked.end.complete);
  third.balance = fixed_set(25);
  const ResponseBranch fixed = resonance_tracking(model, third).branches.front();
  // Tails of 1e-3 of the motion, which move the peak by less than that.
  CHECK(tracked.points.front().frequency == Approx(fixed.points.front().frequency).epsilon(1e-3));
  CHECK(tracked.points.back().frequency == Approx(fixed.points.back().frequency).epsilon(1e-3));

  SuperharmonicTrackingRequest phase;  // harmonic 5 is in every set, though no load needs it
  phase.observables = third.observables;
  phase.observed = third.observed;
  phase.harmonic = 5;
  phase.from = 0.025;
  phase.to = 0.05;
  phase.from_level = 0.3;
  phase.to_level = 0.4;
  phase.balance = adaptive();
  const ResponseBranch fifth = superharmonic_tracking(model, phase).branches.front();
  INFO(fifth.end.message);
  REQUIRE(fifth.end.complete);
  phase.balance = fixed_set(25);
  CHECK(fifth.points.back().frequency ==
        Approx(superharmonic_tracking(model, phase).branches.front().points.back().frequency).epsilon(1e-3));
}
