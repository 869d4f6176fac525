// Multipliers do not depend on when a period is said to begin; and sliders under a common load have the same ones whether they are
// written as one law or as many joints.
#include "masing/analysis/stability.hpp"
#include "masing/contact/backbones.hpp"
#include "masing/contact/binning.hpp"
#include "masing/contact/friction.hpp"
#include "masing/contact/hertz_spring.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/slider_population.hpp"
#include "masing/contact/variable_load_iwan.hpp"
#include "masing/fourier/harmonic_set.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace masing;
using test::joint;

namespace {

using Element = std::shared_ptr<const ContactElement>;

constexpr double omega = 1.1;
const std::vector<int> harmonics = {0, 1, 2, 3};

/// Two masses: the first moves along a joint, the second presses it.
Model model_of(const std::vector<Element>& elements) {
  Model model{.structure = chain({.masses = {1.0, 0.6},
                                  .stiffnesses = {1.0, 0.5, 4.0},
                                  .dampings = {0.05, 0.02, 0.1},
                                  .ground = ChainGround::both}),
              .loads = {}};
  for (const Element& element : elements) {
    std::vector<std::map<Index, double>> directions = {{{0, 1.0}}};
    if (element->inputs() == 2) directions.push_back({{1, 1.0}});
    model.joints.push_back(joint("joint " + std::to_string(model.joints.size()), element, 2, directions));
  }
  return model;
}

/// Coordinates × positions; the second coordinate does not leave `press` much.
Matrix random_motion(unsigned seed, double press) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const HarmonicSet set(harmonics);
  Matrix motion(2, set.positions());
  for (Index p = 0; p < set.positions(); ++p) {
    const double scale = 1.0 / (1.0 + 0.8 * static_cast<double>(p));
    motion(0, p) = scale * normal(random);
    motion(1, p) = press * scale * normal(random);
  }
  return motion;
}

/// x(τ + angle).
Matrix later(const Matrix& motion, double angle) {
  const HarmonicSet set(harmonics);
  Matrix result = motion;
  for (Index h = 0; h < set.count(); ++h) {
    if (set[h] == 0) continue;
    const double c = std::cos(set[h] * angle), s = std::sin(set[h] * angle);
    result.col(set.cosine(h)) = c * motion.col(set.cosine(h)) + s * motion.col(set.sine(h));
    result.col(set.sine(h)) = c * motion.col(set.sine(h)) - s * motion.col(set.cosine(h));
  }
  return result;
}

std::vector<Complex> multipliers(const Model& model, const Matrix& motion) {
  Stability stability(model, harmonics, {.method = StabilityMethod::monodromy});
  return stability.evaluate(motion, omega).values;
}

/// The farthest that one of the larger multipliers of `a` is from its neighbour in `b`.
double distance(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double farthest = 0.0;
  for (const Complex& value : a) {
    if (std::abs(value) < 0.05) continue;
    double nearest = std::abs(value);
    for (const Complex& other : b) nearest = std::min(nearest, std::abs(value - other));
    farthest = std::max(farthest, nearest);
  }
  return farthest;
}

Element friction(const SlipElement& slider, const NormalContact& normal) {
  return make_element(Friction2d({.stiffness = slider.stiffness, .friction = slider.slip_force, .normal = normal}));
}

}  // namespace

TEST_CASE("multipliers do not depend on when a period begins", "[analysis][stability]") {
  const BackbonePointer backbone = uniform_backbone({.stiffness = 1.5, .slip_force = 0.6});
  const NormalContact linear({.stiffness = 0.8, .preload = 1.0});
  const NormalContact hertz({.stiffness = 0.8, .exponent = 1.5, .preload = 0.6});
  const auto sliders = [&](int count) { return bin_backbone(*backbone, count); };
  struct Case {
    std::string name;
    Element element;
    double press;  // how much the normal load varies
    double
        tolerance;  // slopes with roots and curved loads: the order of the steps; the others: rounding of located instants
  };
  const std::vector<Case> cases = {
      {"hertz-spring", make_element(HertzSpring({.stiffness = 1.5, .gap = 0.1})), 0.3, 1e-5},
      {"hertz backbone", make_iwan(hertz_backbone({.stiffness = 1.5, .slip_force = 0.6})), 0.3, 1e-5},
      {"iwan", make_iwan(backbone), 0.3, 1e-8},
      {"200 sliders", make_element(SliderPopulation(sliders(200))), 0.3, 1e-7},
      {"friction-2d", friction({.stiffness = 1.5, .slip_force = 0.6}, linear), 0.3, 1e-8},
      {"friction-2d, lift-off", friction({.stiffness = 1.5, .slip_force = 0.6}, hertz), 1.0, 1e-5},
      {"7 sliders", make_element(VariableLoadIwan(sliders(7), LoadScaling::constant(1.0), linear)), 0.3, 1e-8},
      {"100 sliders", make_element(VariableLoadIwan(sliders(100), LoadScaling::constant(1.0), linear)), 0.3, 1e-7},
      {"100 sliders, stiffer under load",
       make_element(VariableLoadIwan(sliders(100), LoadScaling::proportional(1.0), hertz)), 0.3, 1e-5},
      {"30 sliders, lift-off", make_element(VariableLoadIwan(sliders(30), LoadScaling::constant(1.0), hertz)), 1.0,
       1e-5}};
  for (const Case& c : cases) {
    const Model model = model_of({c.element});
    for (unsigned seed = 1; seed <= 6; ++seed) {
      const Matrix motion = random_motion(seed, c.press);
      const std::vector<Complex> found = multipliers(model, motion);
      for (const double angle : {0.7, 2.9, 5.2}) {
        INFO(c.name << ", motion " << seed << ", " << angle << " later");
        CHECK(distance(found, multipliers(model, later(motion, angle))) < c.tolerance);
      }
    }
  }
}

TEST_CASE("sliders of one law under a varying load have the multipliers of as many joints", "[analysis][stability]") {
  constexpr Index count = 7;
  std::vector<SlipElement> sliders;
  std::vector<Element> joints;
  for (Index i = 0; i < count; ++i) {
    const double stiffness = 0.2 + 0.03 * static_cast<double>(i % 3);
    sliders.push_back({.stiffness = stiffness, .slip_force = stiffness * (0.1 + 0.15 * static_cast<double>(i))});
    // Each joint takes its share of the normal load.
    joints.push_back(friction({.stiffness = stiffness, .slip_force = sliders.back().slip_force * count},
                              NormalContact({.stiffness = 0.8 / count, .preload = 1.0 / count})));
  }
  const NormalContact normal({.stiffness = 0.8, .preload = 1.0});
  const Model one = model_of({make_element(VariableLoadIwan(sliders, LoadScaling::constant(1.0), normal))});
  const Model many = model_of(joints);
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Matrix motion = random_motion(seed, 0.4);
    INFO("motion " << seed);
    CHECK(distance(multipliers(one, motion), multipliers(many, motion)) < 1e-8);  // rounding of located instants
  }
}
