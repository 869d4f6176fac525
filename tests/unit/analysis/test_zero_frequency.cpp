// Backbones of what softens to nothing: they end where the frequency has fallen to zero.
#include "backbone_request.hpp"
#include "masing/analysis/backbone.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace masing;
using test::backbone_request;
using test::joint;
using test::load;
using test::only;

namespace {

constexpr double hertz = 1.0 / (2.0 * pi);

}  // namespace

TEST_CASE("a backbone whose frequency falls to zero ends there, and says so") {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.05}), .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = -1.0})), 1, {{{0, 1.0}}})};
  // One harmonic: ω² = 1 − ¾ x², and the modal amplitude of a unit mass is x.
  const double vanishes = std::sqrt(4.0 / 3.0);
  const auto check_end = [&](const ResponseBranch& branch, double amplitude) {
    INFO(branch.end.message);
    CHECK(branch.end.stop == "frequency fell to zero");
    CHECK_THAT(branch.end.message, Catch::Contains("The frequency has fallen to zero at ") &&
                                       Catch::Contains("beyond it nothing oscillates"));
    CHECK(branch.special_points.empty());
    CHECK(branch.points.size() < 150);
    for (const ResponsePoint& point : branch.points) CHECK(point.frequency > 0.999e-4 * hertz);
    CHECK(branch.points.back().frequency == Approx(1e-4 * branch.points.front().frequency).epsilon(1e-6));
    CHECK(amplitude == Approx(vanishes).epsilon(1e-6));
  };
  for (const BackboneMethod method : {BackboneMethod::epmc, BackboneMethod::conservative}) {
    const auto ask = backbone_request(method, 1e-2, 100.0, {1});
    const ResponseBranch branch = only(backbone(model, ask));
    check_end(branch, branch.points.back().quantities[0]);
    BranchRestart restart;  // killed after its last point, or in the middle: it ends there again
    for (const std::size_t known : {branch.points.size(), branch.points.size() / 2}) {
      restart.points.assign(branch.points.begin(), branch.points.begin() + static_cast<Index>(known));
      const ResponseBranch resumed = only(backbone(model, ask, nullptr, {}, {restart}));
      CHECK(resumed.points.size() == branch.points.size());
      CHECK(resumed.end.message == branch.end.message);
    }
  }
  auto held = backbone_request(BackboneMethod::phase_resonance, 1e-3, 100.0, {1});
  held.controlled = Quantity::displacement;
  held.drive = Vector::Ones(1);
  const ResponseBranch over_displacement = only(backbone(model, held));
  check_end(over_displacement, over_displacement.points.back().coefficients.norm());
  // Over the force, which the vanishing frequency needs less and less of, the curve leaves where it began: on its way to zero.
  const ResponseCurves over_force = backbone(model, backbone_request(BackboneMethod::phase_resonance, 1e-4, 10.0, {1}));
  CHECK(over_force.branches[0].end.stop == "left at the start");
  CHECK_THAT(over_force.branches[0].end.message, Catch::Contains("The frequency is falling to zero there"));
}

TEST_CASE(
    "on a slider alone a backbone ends with its frequency, a spring without a linear part lets it fall and rise") {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 0.0, .damping = 0.05}), .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("slider", make_element(Jenkins({.stiffness = 1.0, .slip_force = 0.5})), 1, {{{0, 1.0}}})};
  const ResponseBranch slides =
      only(backbone(model, backbone_request(BackboneMethod::phase_resonance, 1e-3, 100.0, {1, 3, 5, 7})));
  CHECK(slides.end.stop == "frequency fell to zero");
  CHECK(slides.points.size() < 400);

  // ω ~ a: five decades down, and the frequency falls as far with the motion.
  Model cubic{.structure = oscillator({.mass = 1.0, .stiffness = 1e-10, .damping = 0.0})};
  cubic.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = 1.0})), 1, {{{0, 1.0}}})};
  const ResponseBranch down = only(backbone(cubic, backbone_request(BackboneMethod::conservative, 10.0, 1e-4, {1, 3})));
  CHECK(down.end.stop == "reached the end");
  CHECK(down.points.back().frequency < 0.5e-4 * down.points.front().frequency);
}
