#include "bench_models.hpp"

#include "masing/contact/backbones.hpp"
#include "masing/contact/element.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/structure/lumped.hpp"

#include <fmt/format.h>

namespace masing::app {
namespace {

/// From one coordinate to the ground.
SparseMatrix to_ground(Index coordinates, Index at) {
  SparseMatrix direction(coordinates, 1);
  direction.insert(at, 0) = 1.0;
  return direction;
}

Load unit_load(Index coordinates, Index at) {
  return {.name = "shaker", .shape = Vector::Unit(coordinates, at), .harmonic = 1, .phase = 0.0};
}

}  // namespace

Model duffing_model() {
  const auto cubic = make_element(CubicSpring({.cubic_stiffness = 0.5}));
  return {.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.04}),
          .joints = {{.name = "cubic", .element = cubic, .directions = to_ground(1, 0)}},
          .loads = {unit_load(1, 0)}};
}

Model jenkins_oscillator_model() {
  const auto damper = make_element(Jenkins({.stiffness = 0.5, .slip_force = 0.2}));
  return {.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.05}),
          .joints = {{.name = "damper", .element = damper, .directions = to_ground(1, 0)}},
          .loads = {unit_load(1, 0)}};
}

Model jenkins_chain_model(Index masses) {
  const auto count = static_cast<std::size_t>(masses);
  Model model;
  model.structure = chain({.masses = std::vector<double>(count, 0.05),
                           .stiffnesses = std::vector<double>(count, 2e6),
                           .further_damping = {.rayleigh_alpha = 1.0, .rayleigh_beta = 2e-6}});
  const auto damper = make_element(Jenkins({.stiffness = 5e3, .slip_force = 1.0}));
  for (Index i = 0; i < masses; ++i) {
    model.joints.push_back(
        {.name = fmt::format("damper{}", i + 1), .element = damper, .directions = to_ground(masses, i)});
  }
  model.loads = {unit_load(masses, masses - 1)};
  return model;
}

Model iwan_oscillator_model() {
  const auto iwan =
      make_iwan(four_parameter_backbone({.stiffness = 2e5, .slip_force = 20.0, .chi = -0.5, .beta = 0.5}));
  return {.structure = oscillator({.mass = 1.0, .stiffness = 4e5, .damping_ratio = 0.0005}),
          .joints = {{.name = "joint", .element = iwan, .directions = to_ground(1, 0)}},
          .loads = {unit_load(1, 0)}};
}

}  // namespace masing::app
