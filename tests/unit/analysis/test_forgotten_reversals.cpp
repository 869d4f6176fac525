// Laws that remember one reversal jump where a motion gets a new pair of them: found in any law, and told where a branch ends.
#include "masing/analysis/detail/forgotten_reversals.hpp"

#include "masing/analysis/frequency_response.hpp"
#include "masing/contact/backbones.hpp"
#include "masing/contact/binning.hpp"
#include "masing/contact/friction.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/iwan_stribeck.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/linear.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/ripp.hpp"
#include "masing/contact/slider_population.hpp"
#include "masing/contact/variable_load_iwan.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace masing;
using test::joint;
using test::load;

namespace {

using Element = std::shared_ptr<const ContactElement>;

constexpr FourParameters parameters{.stiffness = 2.0, .slip_force = 0.5, .chi = -0.5, .beta = 0.1};

/// Tangential motion in partial slip with a third harmonic, and a normal motion beside it.
Matrix motion(int inputs) {
  constexpr Index n = 128;
  Matrix u(n, inputs);
  for (Index i = 0; i < n; ++i) {
    const double tau = 2.0 * pi * static_cast<double>(i) / static_cast<double>(n);
    u(i, 0) = 0.3 * std::sin(tau) + 0.04 * std::cos(3.0 * tau);
    if (inputs > 1) u(i, 1) = 0.2 * std::cos(2.0 * tau);
  }
  return u;
}

double jump(const Element& element) { return detail::jump_at_new_reversals(*element, motion(element->inputs()), 1.3); }

ResponseBranch response(Element element) {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping_ratio = 0.002}),
              .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("bolt", std::move(element), 1, {{{0, 1.0}}})};
  FrequencyResponseRequest request;
  request.name = "response";
  request.from = 0.01;
  request.to = 0.04;
  request.levels = {2.0};
  request.balance = {.harmonics = {1, 3, 5, 7, 9, 11, 13, 15}, .samples = 256};
  request.observables = {{.name = "x", .coordinate = 0}};
  return frequency_response(model, request).branches.front();
}

}  // namespace

TEST_CASE("a small inner loop changes the force of laws that remember one reversal, and of no other") {
  const BackbonePointer backbone = four_parameter_backbone(parameters);
  const IwanStribeckParameters stribeck{.iwan = {2.0, 0.5, -0.5, 0.1, 0.75}, .stribeck_velocity = 4.0};
  CHECK(jump(make_ripp(backbone)) > 0.05);
  CHECK(jump(make_iwan_stribeck(stribeck)) > 0.05);
  const NormalContact normal({.stiffness = 0.8, .preload = 1.0});
  const std::vector<Element> continuous = {
      make_iwan(backbone),
      make_element(SliderPopulation(bin_backbone(*backbone, 50))),
      make_element(Jenkins({.stiffness = 2.0, .slip_force = 0.5})),
      make_element(CubicSpring({.cubic_stiffness = 1.0})),
      make_element(Dashpot(0.4)),
      make_element(Friction2d({.stiffness = 2.0, .friction = 0.4, .normal = normal})),
      make_element(VariableLoadIwan(bin_backbone(*backbone, 20), LoadScaling::constant(1.0), normal))};
  for (std::size_t i = 0; i < continuous.size(); ++i) {
    INFO("law " << i);
    CHECK(jump(continuous[i]) < 1e-4);
  }
}

TEST_CASE("a response that ends or has a gap where the motion gets new reversals says why, and the exact law goes on") {
  // Well below resonance superharmonics make the motion turn within its loops.
  FourParameters stiff = parameters;
  stiff.stiffness = 6.0;
  const ResponseBranch ends = response(make_ripp(four_parameter_backbone(stiff)));
  CHECK_THAT(ends.end.message, Catch::Contains("Joint 'bolt': its law forgets older reversals."));
  const ResponseBranch goes_on = response(make_iwan(four_parameter_backbone(stiff)));
  CHECK(goes_on.end.stop == "reached the end");
  CHECK_THAT(goes_on.end.message, !Catch::Contains("reversals"));
}
