// What every backbone must do, whatever its kind.
#include "masing/contact/detail/power_table.hpp"
#include "unit/contact/backbone_support.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace masing;
using namespace masing::test;

namespace {

/// Central differences of step 1e-6 of the macroslip displacement: rounding of the force leaves 1e-16 / 1e-6, curvature
/// of singular densities more. Points within the step of a kink are passed over.
constexpr double difference_tolerance = 1e-6;
/// 20000 panels with kinks inside some of them: each costs the square of its width.
constexpr double quadrature_tolerance = 1e-8;
/// Sums of a few rounded numbers.
constexpr double rounding = 1e-13;

bool has_kink(const Backbone& backbone, double u, double step) {
  const double jump = std::abs(backbone.at(u - step).stiffness - backbone.at(u + step).stiffness);
  return jump > 1e-4 * backbone.stick_stiffness();
}

}  // namespace

TEST_CASE("a backbone starts at rest and is constant in macroslip", "[backbones]") {
  for (const auto& [name, backbone] : all_backbones()) {
    INFO(name);
    const double end = backbone->macroslip();
    CHECK(backbone->at(0.0).force == 0.0);
    CHECK(backbone->work(0.0) == 0.0);
    CHECK(backbone->stick_stiffness() > 0.0);
    CHECK(backbone->at(end).stiffness == 0.0);
    CHECK(backbone->at(3.0 * end).force == backbone->slip_force());
    CHECK(backbone->at(std::nextafter(end, 0.0)).force == Approx(backbone->slip_force()).epsilon(rounding));
    CHECK(backbone->work(3.0 * end) ==
          Approx(backbone->work(end) + 2.0 * end * backbone->slip_force()).epsilon(rounding));
  }
}

TEST_CASE("the stiffness is the derivative of the force", "[backbones]") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> share(0.001, 1.1);
  for (const auto& [name, backbone] : all_backbones()) {
    const double step = 1e-6 * backbone->macroslip();
    int compared = 0;
    for (int i = 0; i < 500; ++i) {
      const double u = share(random) * backbone->macroslip();
      if (has_kink(*backbone, u, step)) continue;
      const double difference = (backbone->at(u + step).force - backbone->at(u - step).force) / (2.0 * step);
      INFO(name << " at " << u / backbone->macroslip() << " of macroslip");
      CHECK(std::abs(backbone->at(u).stiffness - difference) < difference_tolerance * backbone->stick_stiffness());
      ++compared;
    }
    CHECK(compared > 400);
  }
}

TEST_CASE("the work is the integral of the force", "[backbones]") {
  for (const auto& [name, backbone] : all_backbones()) {
    for (const double share : {0.01, 0.2, 0.7, 1.0, 1.6}) {
      const double u = share * backbone->macroslip();
      INFO(name << " at " << share << " of macroslip");
      CHECK(backbone->work(u) == Approx(integrate_force(*backbone, u, 20000)).epsilon(quadrature_tolerance));
    }
  }
}

TEST_CASE("densities are not negative: the stiffness falls and loops dissipate", "[backbones]") {
  for (const auto& [name, backbone] : all_backbones()) {
    const double elastic = backbone->stick_stiffness() * backbone->macroslip() * backbone->macroslip();
    double stiffness = backbone->stick_stiffness();
    double energy = 0.0;
    for (int i = 1; i <= 1000; ++i) {
      const double u = 1.2e-3 * i * backbone->macroslip();
      INFO(name << " at " << 1.2e-3 * i << " of macroslip");
      const double next = backbone->at(u).stiffness;
      const bool softened = name == "five-parameter" && stiffness < 0.0;  // macroslip ends its falling branch
      CHECK((softened || next <= stiffness + rounding * backbone->stick_stiffness()));
      CHECK(backbone->loop_energy(u) >= energy - rounding * elastic);
      stiffness = next;
      energy = backbone->loop_energy(u);
    }
  }
}

TEST_CASE("tabulated powers are as exact as a power can be rounded", "[backbones]") {
  // Two factors of half a unit in the last place each, their product and the last operation: 2 units, 4.4e-16.
  constexpr double two_units = 4.5e-16;
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  double worst = 0.0;
  for (int trial = 0; trial < 200; ++trial) {
    const double exponent = detail::PowerTable::largest_exponent * std::max(uniform(random), 1e-3);
    const detail::PowerTable power(exponent);
    for (int i = 0; i < 500; ++i) {
      const double z = std::pow(uniform(random), 1 + i % 12);
      const long double exact = std::pow(static_cast<long double>(z), static_cast<long double>(exponent));
      if (exact > 1e-290L) worst = std::max(worst, static_cast<double>(std::abs(power(z) - exact) / exact));
    }
    CHECK(power(0.0) == 0.0);
    CHECK(std::abs(power(1.0) - 1.0) <= two_units);
    CHECK(power(1e-300) == std::pow(1e-300, exponent));
  }
  INFO("worst " << worst);
  CHECK(worst <= two_units);
}

TEST_CASE("many displacements at once give what one at a time gives", "[backbones]") {
  // More than one batch, from rest over twelve decades of partial slip into macroslip; rounding is a few units in the last
  // place of the stick stiffness.
  constexpr double few_units = 1e-15;
  for (const auto& [name, backbone] : all_backbones()) {
    std::vector<double> u = {0.0, backbone->macroslip(), 2.0 * backbone->macroslip()};
    for (int i = 0; i < 600; ++i) u.push_back(backbone->macroslip() * std::pow(10.0, -12.0 + i / 50.0));
    std::vector<BackboneValue> values(u.size());
    backbone->at_all(u, values);
    for (std::size_t i = 0; i < u.size(); ++i) {
      INFO(name << " at " << u[i] / backbone->macroslip() << " of macroslip");
      const BackboneValue one = backbone->at(u[i]);
      const double reach = std::min(u[i], backbone->macroslip());
      CHECK(std::abs(values[i].force - one.force) <= few_units * backbone->stick_stiffness() * reach);
      CHECK(std::abs(values[i].stiffness - one.stiffness) <= few_units * backbone->stick_stiffness());
    }
  }
}
