// The published transient: 1 kg behind a joint, 5 sin(2π·100 t) kN from rest, displacement at 10, 20 … 50 ms.
#include "masing/contact/backbones.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/parallel_springs.hpp"
#include "masing/contact/ripp.hpp"
#include "masing/transient/integrator.hpp"
#include "unit/transient/systems.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace masing;

namespace {

constexpr FourParameters table{.stiffness = 1.5e7, .slip_force = 4e3, .chi = -0.5, .beta = 0.005};
constexpr ParallelSprings pinning{.pinning_gap = 2e-3, .pinning_stiffness = 1e7};

using Element = std::shared_ptr<const ContactElement>;

/// [mm]
std::array<double, 5> displacements(const Element& element, double sign = 1.0) {
  const auto mass = oscillator({.mass = 1.0, .stiffness = 0.0});
  const std::vector<Joint> joints = {{"joint", element, test::column({1.0})}};
  const std::vector<Load> loads = {test::load({sign}, 1, -0.5 * pi)};
  TimeIntegrator integrator(*mass, joints, loads, {.level = 5e3, .omega = 2.0 * pi * 100.0},
                            {.relative_tolerance = 1e-11});
  std::array<double, 5> result{};
  for (int i = 0; i < 5; ++i) {
    integrator.advance_to(0.01 * (i + 1));
    result[static_cast<std::size_t>(i)] = 1e3 * integrator.displacement()[0];
  }
  return result;
}

void check(const Element& element, const std::array<double, 5>& expected) {
  constexpr double last_digit = 0.6e-6;  // mm, in the numbers given
  const std::array<double, 5> computed = displacements(element);
  for (std::size_t i = 0; i < 5; ++i) {
    CAPTURE(i, computed[i], expected[i]);
    CHECK(std::abs(computed[i] - expected[i]) < last_digit);
  }
}

}  // namespace

TEST_CASE("transient of the exact Iwan law without pinning", "[transient][iwan]") {
  check(make_iwan(four_parameter_backbone(table)), {-1.712805, -1.961637, -2.040564, -2.065462, -2.073303});
}

TEST_CASE("a joint at rest that is pushed backward mirrors one that is pushed forward", "[transient][iwan]") {
  constexpr double rounding = 1e-9;  // [mm], grown over 50 ms
  const BackbonePointer backbone = four_parameter_backbone(table);
  for (const Element& element : {make_iwan(backbone), with_springs(make_ripp(backbone), pinning)}) {
    const std::array<double, 5> forward = displacements(element);
    const std::array<double, 5> backward = displacements(element, -1.0);
    for (std::size_t i = 0; i < 5; ++i) CHECK(std::abs(forward[i] + backward[i]) < rounding);
  }
}

TEST_CASE("transient of RIPP without pinning: the same", "[transient][ripp]") {
  check(make_ripp(four_parameter_backbone(table)), {-1.712805, -1.961637, -2.040564, -2.065462, -2.073303});
}

TEST_CASE("transient of RIPP with pinning", "[transient][ripp]") {
  check(with_springs(make_ripp(four_parameter_backbone(table)), pinning),
        {-1.465631, -1.746084, -1.969225, -1.984055, -1.983550});
}

TEST_CASE("transient of the five-parameter RIPP with pinning, branches scaled by F_S as in the paper",
          "[transient][ripp]") {
  const BackbonePointer five = five_parameter_backbone({1.5e7, 4e3, -0.5, 0.005, 0.75});
  check(with_springs(make_ripp(five, 4e3), pinning), {-1.541643, -2.278173, -2.308292, -2.315797, -2.317697});
}
