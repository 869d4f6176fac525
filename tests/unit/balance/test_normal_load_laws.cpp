// Harmonic balance with populations of sliders and with laws that feel a normal load: exact Jacobians.
#include "masing/balance/harmonic_balance.hpp"
#include "masing/balance/jacobian_check.hpp"
#include "masing/contact/backbones.hpp"
#include "masing/contact/binning.hpp"
#include "masing/contact/friction.hpp"
#include "masing/contact/hertz_spring.hpp"
#include "masing/contact/slider_population.hpp"
#include "masing/contact/variable_load_closed.hpp"
#include "masing/contact/variable_load_iwan.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace masing;
using test::joint;
using test::load;

namespace {

// Central differences with step 1e-6, as for the other laws; a kink moved across one of N samples would show as 1e-2.
constexpr double differences = 1e-7;

std::vector<Joint> all_joints() {
  const BackbonePointer backbone = uniform_backbone({.stiffness = 1.5, .slip_force = 0.3});
  const auto sliders = bin_backbone(*backbone, 10);
  const NormalContact linear({.stiffness = 0.8, .preload = 1.0});
  const NormalContact hertz({.stiffness = 0.8, .exponent = 1.5, .preload = 1.0});
  const FrictionParameters friction{.stiffness = 1.5, .friction = 0.3, .normal = linear};
  const FrictionParameters curved{.stiffness = 1.5, .friction = 0.3, .normal = hertz};
  const std::vector<std::map<Index, double>> tangential = {{{0, 1.0}, {1, -1.0}}};
  const std::vector<std::map<Index, double>> line = {{{0, 1.0}, {1, -1.0}}, {{2, 1.0}}};
  const std::vector<std::map<Index, double>> plane = {{{0, 1.0}}, {{1, 1.0}}, {{2, 1.0}}};
  return {
      joint("iwan-population", make_element(SliderPopulation(sliders)), 3, tangential),
      joint("hertz-spring", make_element(HertzSpring({.stiffness = 0.7, .gap = 0.1})), 3, tangential),
      joint("variable-load-iwan", make_element(VariableLoadIwan(sliders, LoadScaling::constant(1.0), linear)), 3, line),
      joint("variable-load-iwan-closed",
            make_element(
                VariableLoadClosed({.backbone = backbone, .scaling = LoadScaling::proportional(1.0), .normal = hertz})),
            3, line),
      joint("friction-2d", make_element(Friction2d(friction)), 3, line),
      joint("friction-3d", make_element(Friction3d(curved)), 3, plane)};
}

}  // namespace

TEST_CASE("exact Jacobian of populations and of laws with a normal load") {
  const auto structure =
      chain({.masses = {1.0, 1.3, 0.7}, .stiffnesses = {2.0, 1.5, 0.8}, .dampings = {0.03, 0.02, 0.01}});
  const std::vector<Load> loads = {load(3, 0, 1.0, 1, 0.3), load(3, 2, 0.4, 0)};
  const Events events = GENERATE(Events::located, Events::sampled);
  std::mt19937_64 generator(61);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const Joint& one : all_joints()) {
    HarmonicBalance balance(*structure, std::vector<Joint>{one}, loads,
                            {.harmonics = {0, 1, 2, 3}, .samples = 128, .events = events});
    const Vector x = Vector::NullaryExpr(balance.size(), [&] { return uniform(generator); });
    const JacobianCheck check = check_jacobian(balance, x, 1.3);
    INFO(one.name << ": " << check.worst_error << ", " << check.worst_entry);
    CHECK(check.worst_error < differences);
  }
}
