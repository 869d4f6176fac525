// Bifurcations of a Duffing oscillator with a joint that slides, against an event-driven shooting code: symmetry breaking and
// period doubling to eight digits, for every law that is located between samples.
#include "masing/analysis/frequency_response.hpp"
#include "masing/contact/backbones.hpp"
#include "masing/contact/friction.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/ripp.hpp"
#include "masing/contact/slider_population.hpp"
#include "masing/structure/lumped.hpp"
#include "shooting.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace masing;
using test::GrossSlipShooting;
using test::joint;
using test::load;
using Element = std::shared_ptr<const ContactElement>;

namespace {

constexpr double drive = 28.0, damping = 0.2;
// Masing's and shooting's points are each located to 1e-10. The joint's force has kinks where a slider lets go: its harmonics fall
// with 1/k², those of the motion with 1/k⁴. Beyond 63 that leaves out 5e-9 of it for friction of 0.2 N (the truncation of these
// points), as 95 do for the 0.8 N of the three sliders.
constexpr double eight_digits = 1e-8;

Model model_with(const Element& element) {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = damping}),
              .loads = {load(1, 0, drive)}};
  model.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = 1.0})), 1, {{{0, 1.0}}}),
                  joint("friction", element, 1, {{{0, 1.0}}})};
  return model;
}

GrossSlipShooting shooting_with(GrossSlipShooting::Backbone backbone) {
  return {damping,
          [](double x) {
            return GrossSlipShooting::Value{x + x * x * x, 1.0 + 3.0 * x * x};
          },
          std::move(backbone), drive};
}

/// Sliders in the order in which they let go.
GrossSlipShooting::Backbone sliders(const std::vector<SlipElement>& elements) {
  GrossSlipShooting::Backbone result;
  for (std::size_t slid = 0; slid <= elements.size(); ++slid) {
    double force = 0.0, stiffness = 0.0;
    for (std::size_t j = 0; j < elements.size(); ++j) {
      j < slid ? force += elements[j].slip_force : stiffness += elements[j].stiffness;
    }
    result.pieces.push_back([=](double u) { return GrossSlipShooting::Value{force + stiffness * u, stiffness}; });
    if (slid < elements.size()) result.corners.push_back(elements[slid].slip_force / elements[slid].stiffness);
  }
  return result;
}

GrossSlipShooting::Backbone four_parameters(const FourParameters& p) {
  const FourParameterConstants c = four_parameter_constants(p);
  const auto microslip = [p, c](double u) {
    const double lower = p.chi + 1.0, upper = p.chi + 2.0;
    const double grown = std::pow(u, lower), whole = std::pow(c.phi_max, lower) / lower;
    return GrossSlipShooting::Value{c.R * ((1.0 / upper - 1.0 / lower) * grown * u + whole * u) + c.S * u,
                                    c.R * (whole - grown / lower) + c.S};
  };
  const auto slip = [p](double) { return GrossSlipShooting::Value{p.slip_force, 0.0}; };
  return {.pieces = {microslip, slip}, .corners = {c.phi_max}};
}

struct Case {
  std::string name;
  Element element;
  GrossSlipShooting::Backbone backbone;
  int highest;
};

std::vector<const SpecialPoint*> all_of(const ResponseBranch& branch, const std::string& kind) {
  std::vector<const SpecialPoint*> found;
  for (const SpecialPoint& special : branch.special_points) {
    if (special.kind == kind) found.push_back(&special);
  }
  return found;
}

/// (x, v) at t = 0 and the last reversal before, which the motion has forgotten by the end of `periods`.
Vector state_of(const ResponsePoint& point, const GrossSlipShooting& shooting, double periods, double sign) {
  const double omega = 2.0 * pi * point.frequency;
  const Vector motion =
      test::state_at_zero(Eigen::Map<const Matrix>(point.coefficients.data(), 1, point.coefficients.size()), omega);
  Vector start(3);
  start << motion, motion[0] - (motion[1] > 0.0 ? 1e3 : -1e3);  // slides already
  start[2] = sign * shooting.map(start, omega, periods * 2.0 * pi / omega).end[2];
  return start;
}

void check_case(const Case& tested) {
  INFO(tested.name);
  FrequencyResponseRequest ask;
  ask.from = 0.4;
  ask.to = 0.26;
  ask.balance = {.harmonics = HarmonicSet::up_to(tested.highest).harmonics(), .samples = 8 * tested.highest};
  ask.observables = {{.name = "x", .coordinate = 0}};
  ask.stability = {.method = StabilityMethod::automatic};
  ask.follow = {.branch_points = true};
  const FrequencyResponse response = frequency_response(model_with(tested.element), ask);
  const GrossSlipShooting shooting = shooting_with(tested.backbone);

  CHECK(all_of(response.branches[0], "fold").empty());
  const auto breaking = all_of(response.branches[0], "branch-point");
  REQUIRE(breaking.size() == 1);
  // A symmetric motion repeats with opposite sign after half a period; that map has the multiplier −1 where symmetry breaks.
  const ResponsePoint& broken = breaking[0]->point;
  const double found = shooting.locate(state_of(broken, shooting, 0.5, -1.0), 2.0 * pi * broken.frequency, 0.5, -1.0,
                                       [](const Matrix& map) { return (Matrix::Identity(3, 3) - map).determinant(); });
  CHECK(broken.frequency == Approx(found / (2.0 * pi)).epsilon(eight_digits));

  REQUIRE(response.branches.size() >= 2);
  const auto doubling = all_of(response.branches[1], "period-doubling");
  REQUIRE(doubling.size() >= 1);
  const ResponsePoint& doubled = doubling[0]->point;
  const double there = shooting.locate(state_of(doubled, shooting, 1.0, 1.0), 2.0 * pi * doubled.frequency, 1.0, 1.0,
                                       [](const Matrix& map) { return (Matrix::Identity(3, 3) + map).determinant(); });
  CHECK(doubled.frequency == Approx(there / (2.0 * pi)).epsilon(eight_digits));
  WARN(tested.name << ": branch point " << broken.frequency << " Hz, off by "
                   << broken.frequency * 2.0 * pi / found - 1.0 << "; doubling " << doubled.frequency << " Hz, off by "
                   << doubled.frequency * 2.0 * pi / there - 1.0);
}

}  // namespace

TEST_CASE("with a slider that sticks and slips, symmetry breaks and the period doubles where shooting says so") {
  check_case({"jenkins", make_element(Jenkins({.stiffness = 1.0, .slip_force = 0.2})), sliders({{1.0, 0.2}}), 63});
}

TEST_CASE("so they do with three sliders side by side, two of which may let go between two samples") {
  const std::vector<SlipElement> three = {{0.3, 0.1}, {0.4, 0.3}, {0.3, 0.4}};
  check_case({"population", make_element(SliderPopulation(three)), sliders(three), 95});
}

TEST_CASE("so they do with an Iwan joint") {
  constexpr FourParameters p{.stiffness = 1.0, .slip_force = 0.4, .chi = -0.5, .beta = 0.3};
  check_case({"iwan", make_iwan(four_parameter_backbone(p)), four_parameters(p), 63});
}

TEST_CASE("so they do with the reduced Iwan law") {
  constexpr FourParameters p{.stiffness = 1.0, .slip_force = 0.4, .chi = -0.37, .beta = 0.1};
  check_case({"ripp", make_ripp(four_parameter_backbone(p)), four_parameters(p), 63});
}

TEST_CASE("with friction whose normal load follows the motion, the response folds where shooting says so") {
  constexpr double small_damping = 0.03, cubic = 0.5, level = 0.15, share = 0.3;
  constexpr double stiffness = 0.2, friction = 0.2, preload = 0.1, normal_stiffness = 0.1;
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = small_damping}),
              .loads = {load(1, 0, level)}};
  const NormalContact normal({.stiffness = normal_stiffness, .preload = preload});
  model.joints = {
      joint("cubic", make_element(CubicSpring({.cubic_stiffness = cubic})), 1, {{{0, 1.0}}}),
      joint("friction", make_element(Friction2d({.stiffness = stiffness, .friction = friction, .normal = normal})), 1,
            {{{0, 1.0}}, {{0, share}}})};
  FrequencyResponseRequest ask;
  ask.from = 0.8 / (2.0 * pi);
  ask.to = 1.8 / (2.0 * pi);
  ask.balance = {.harmonics = HarmonicSet::up_to(31).harmonics(), .samples = 256};
  ask.observables = {{.name = "x", .coordinate = 0}};
  ask.stability = {.method = StabilityMethod::automatic};
  const FrequencyResponse response = frequency_response(model, ask);
  CHECK(all_of(response.branches[0], "branch-point").empty());
  CHECK(all_of(response.branches[0], "period-doubling").empty());
  const auto folds = all_of(response.branches[0], "fold");
  REQUIRE(folds.size() == 2);

  const test::LimitedSliderShooting shooting(
      small_damping,
      [](double x) {
        const double linear = 1.0 + share * share * normal_stiffness;
        return GrossSlipShooting::Value{linear * x + cubic * x * x * x, linear + 3.0 * cubic * x * x};
      },
      {stiffness, friction * preload, friction * normal_stiffness * share}, level);
  for (const SpecialPoint* fold : folds) {
    const double omega = 2.0 * pi * fold->point.frequency;
    const Vector& c = fold->point.coefficients;
    const Matrix motion = Eigen::Map<const Matrix>(c.data(), 1, c.size());
    Vector start(3);
    start << test::state_at_zero(motion, omega), 0.0;
    for (int period = 0; period < 3; ++period) start[2] = shooting.map(start, omega, 2.0 * pi / omega).end[2];
    // Neither motion nor frequency can be solved for at a fold: both together, with the determinant as the further equation.
    const double found = shooting.locate_fold(start, omega);
    WARN("fold at " << fold->point.frequency << " Hz, off by " << omega / found - 1.0);
    CHECK(omega == Approx(found).epsilon(eight_digits));
  }
}
