// Folds that sit at corners of the response, where a slider begins to slip, followed over the level.
#include "masing/analysis/frequency_response.hpp"
#include "masing/analysis/tracking.hpp"
#include "masing/contact/backbones.hpp"
#include "masing/contact/binning.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/slider_population.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace masing;
using test::joint;
using test::load;

namespace {

BackbonePointer backbone() {
  return four_parameter_backbone({.stiffness = 0.5, .slip_force = 0.2, .chi = -0.5, .beta = 0.1});
}

/// A hardening oscillator with a joint.
Model hardening(std::shared_ptr<const ContactElement> element) {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping_ratio = 0.01}),
              .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("bolt", std::move(element), 1, {{{0, 1.0}}}),
                  joint("cubic", make_element(CubicSpring({.cubic_stiffness = 0.5})), 1, {{{0, 1.0}}})};
  return model;
}

FoldTrackingRequest request() {
  FoldTrackingRequest ask;
  ask.name = "folds";
  ask.from = 0.1;
  ask.to = 0.6;
  ask.from_level = 0.5;
  ask.to_level = 0.02;
  ask.levels = {0.0725, 0.3};
  ask.balance = {.harmonics = {1, 3, 5, 7, 9}, .samples = 128};
  ask.observables = {{.name = "x", .coordinate = 0}};
  return ask;
}

std::vector<double> frequencies(const ResponseBranch& branch, const std::string& kind, double level) {
  const Index of = branch.header.find_quantity("level");
  std::vector<double> found;
  for (const SpecialPoint& special : branch.special_points) {
    const bool here = of < 0 || std::abs(special.point.quantities[of] - level) < 1e-9;
    if (special.kind == kind && here) found.push_back(special.point.frequency);
  }
  std::sort(found.begin(), found.end());
  return found;
}

Index count(const ResponseBranch& branch, const std::string& kind) {
  return std::count_if(branch.special_points.begin(), branch.special_points.end(),
                       [&](const SpecialPoint& special) { return special.kind == kind; });
}

}  // namespace

TEST_CASE("folds are followed along corners of the response", "[tracking]") {
  const Model model = hardening(make_element(SliderPopulation(bin_backbone(*backbone(), 5))));
  const FoldTrackingRequest ask = request();
  const ResponseCurves curves = fold_tracking(model, ask);
  REQUIRE_FALSE(curves.branches.empty());
  const ResponseBranch& tracked = curves.branches[0];
  INFO(tracked.end.message);
  CHECK(tracked.end.complete);
  // Where a fold meets a corner both turn round: that is no birth of an isola.
  CHECK(count(tracked, "cusp") >= 1);
  CHECK(count(tracked, "isola birth") + count(tracked, "isola merging") == 0);
  // Independently: the folds of responses, of which one at 0.0725 N is a corner.
  FrequencyResponseRequest response;
  response.name = "response";
  response.from = ask.from;
  response.to = ask.to;
  response.levels = ask.levels;
  response.balance = ask.balance;
  response.observables = ask.observables;
  const FrequencyResponse responses = frequency_response(model, response);
  for (std::size_t i = 0; i < ask.levels.size(); ++i) {
    const std::vector<double> told = frequencies(tracked, "level", ask.levels[i]);
    const std::vector<double> folds = frequencies(responses.branches[i], "fold", ask.levels[i]);
    INFO("level " << ask.levels[i]);
    CHECK(folds.size() == 2);
    REQUIRE(told.size() == folds.size());
    for (std::size_t j = 0; j < told.size(); ++j) CHECK(told[j] == Approx(folds[j]).epsilon(1e-5));
  }
}

TEST_CASE("folds are followed through macroslip of a joint with a jump of its density", "[tracking]") {
  const ResponseCurves curves = fold_tracking(hardening(make_iwan(backbone())), request());
  REQUIRE_FALSE(curves.branches.empty());
  CHECK(curves.branches[0].end.complete);
  CHECK(count(curves.branches[0], "cusp") == 1);
}

TEST_CASE("with very many sliders a curve of folds that stops is told why", "[tracking]") {
  const ResponseCurves curves =
      fold_tracking(hardening(make_element(SliderPopulation(bin_backbone(*backbone(), 65)))), request());
  REQUIRE_FALSE(curves.complete());
  CHECK(std::any_of(curves.notes.begin(), curves.notes.end(), [](const std::string& note) {
    return Catch::contains(note, "perhaps at a corner") && Catch::contains(note, "up to 64 sliders, but here are 65");
  }));
}

TEST_CASE("isolas are born and merge in a system with a joint that remembers", "[tracking]") {
  // A nonlinear absorber. A slider that never slips in place of a part of the spring changes nothing.
  const auto absorber = [](bool with_slider) {
    const double slider = with_slider ? 0.05 : 0.0;
    Model model{
        .structure = chain({.masses = {1.0, 0.05}, .stiffnesses = {1.0 - slider, 0.0454}, .dampings = {0.002, 0.0129}}),
        .loads = {load(2, 0, 1.0)}};
    model.joints = {
        joint("host", make_element(CubicSpring({.cubic_stiffness = 1.0})), 2, {{{0, 1.0}}}),
        joint("absorber", make_element(CubicSpring({.cubic_stiffness = 0.0042})), 2, {{{0, -1.0}, {1, 1.0}}})};
    if (with_slider) {
      model.joints.push_back(
          joint("slider", make_element(Jenkins({.stiffness = slider, .slip_force = 1000.0})), 2, {{{0, 1.0}}}));
    }
    return model;
  };
  FoldTrackingRequest ask = request();
  ask.from_level = 0.115;
  ask.to_level = 0.3;
  ask.levels = {0.15};
  ask.balance = {.harmonics = {1, 3, 5}, .samples = 64};
  const ResponseCurves plain = fold_tracking(absorber(false), ask), with_slider = fold_tracking(absorber(true), ask);
  CHECK(with_slider.complete());
  REQUIRE(plain.branches.size() == with_slider.branches.size());
  for (const char* const kind : {"isola birth", "isola merging"}) {
    REQUIRE(count(plain.branches[0], kind) == 1);
    REQUIRE(count(with_slider.branches[0], kind) == 1);
    const auto place = [&](const ResponseCurves& curves) {
      const ResponseBranch& branch = curves.branches[0];
      return std::find_if(branch.special_points.begin(), branch.special_points.end(),
                          [&](const SpecialPoint& special) { return special.kind == kind; })
          ->point;
    };
    // Located to 1e-10 by the continuation.
    CHECK(place(with_slider).frequency == Approx(place(plain).frequency).epsilon(1e-8));
  }
}

TEST_CASE("a curve of folds of a softening oscillator ends where its frequency has fallen to zero", "[tracking]") {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping_ratio = 0.02}),
              .loads = {load(1, 0, 1.0)}};
  model.joints = {
      joint("slider", make_element(Jenkins({.stiffness = 0.13123, .slip_force = 0.240798})), 1, {{{0, 1.0}}}),
      joint("cubic", make_element(CubicSpring({.cubic_stiffness = -0.0306})), 1, {{{0, 1.0}}})};
  FoldTrackingRequest ask = request();
  ask.from = 0.06;
  ask.from_level = 2.0;
  ask.levels = {};
  ask.balance = {.harmonics = {1}, .samples = 256};
  const ResponseCurves curves = fold_tracking(model, ask);
  REQUIRE(curves.branches.size() == 1);
  const BranchEnd& end = curves.branches[0].end;
  INFO(end.message);
  CHECK(end.stop == "frequency fell to zero");
  CHECK(end.complete);
  CHECK(curves.branches[0].points.size() < 300);
}
