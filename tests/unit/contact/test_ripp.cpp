// RIPP as published: where it equals the exact law, where it does not, and its periodic state.
#include "masing/contact/ripp.hpp"

#include "masing/contact/iwan.hpp"
#include "masing/core/error.hpp"
#include "unit/contact/histories.hpp"
#include "unit/contact/iwan_support.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace masing;
using namespace masing::test;
using support::Samples;

namespace {

// Table 1 of the paper.
constexpr FourParameters table{.stiffness = 1.5e7, .slip_force = 4e3, .chi = -0.5, .beta = 0.005};
const double phi_max = four_parameter_constants(table).phi_max;

CycleResult cycle_of(const ContactElement& element, const Samples& s) {
  CycleResult cycle;
  element.steady_cycle(s.view(), {}, cycle);
  return cycle;
}

double energy(const ContactElement& element, double amplitude) {
  const Samples s = support::cosine(4096, amplitude);
  return loop_area(s.displacement, cycle_of(element, s).force);
}

/// Never reaches macroslip.
class Endless final : public Backbone {
 public:
  BackboneValue at(double u) const override { return {std::log1p(u), 1.0 / (1.0 + u)}; }
  double work(double u) const override { return (1.0 + u) * std::log1p(u) - u; }
  double macroslip() const override { return std::numeric_limits<double>::infinity(); }
};

}  // namespace

TEST_CASE("RIPP equals the exact law when every reversal comes from macroslip", "[contact][ripp]") {
  constexpr double rounding = 1e-12;
  const std::vector<BackbonePointer> backbones = {four_parameter_backbone(table),
                                                  uniform_backbone({.stiffness = 1.5e7, .slip_force = 4e3}),
                                                  hertz_backbone({.stiffness = 1.5e7, .slip_force = 4e3})};
  for (const BackbonePointer& backbone : backbones) {
    for (const double amplitude : {1.01, 1.5, 5.0}) {
      const Samples s = support::cosine(256, amplitude * backbone->macroslip(), 0.4);
      const Matrix exact = cycle_of(*make_iwan(backbone), s).force;
      const Matrix ripp = cycle_of(*make_ripp(backbone), s).force;
      CHECK((exact - ripp).cwiseAbs().maxCoeff() < rounding * backbone->slip_force());
    }
  }
}

TEST_CASE("the published cycle of ±2.25 mm dissipates 28.3207455 J", "[contact][ripp]") {
  const BackbonePointer backbone = four_parameter_backbone(table);
  constexpr double digits = 1e-8;
  CHECK(backbone->loop_energy(2.25e-3) == Approx(28.3207455).epsilon(digits));
  // The trapezoidal rule in 4096 samples misses the corner at macroslip by the square of a step.
  constexpr double quadrature = 2e-6;
  CHECK(energy(*make_ripp(backbone), 2.25e-3) == Approx(28.3207455).epsilon(quadrature));
}

TEST_CASE("in partial slip RIPP dissipates too much, by the shares that its description tells", "[contact][ripp]") {
  const BackbonePointer backbone = four_parameter_backbone(table);
  const auto ripp = make_ripp(backbone);
  const auto excess = [&](double amplitude) {
    return energy(*ripp, amplitude * phi_max) / backbone->loop_energy(amplitude * phi_max) - 1.0;
  };
  constexpr double percent = 0.005;  // the numbers are given in whole percents
  CHECK(excess(0.1) == Approx(0.28).margin(percent));
  CHECK(excess(0.3) == Approx(0.15).margin(percent));
  CHECK(excess(0.6) == Approx(0.05).margin(percent));
  CHECK(excess(1e-4) == Approx(std::sqrt(2.0) - 1.0).margin(percent));
}

TEST_CASE("a tiny reversal during loading raises the force by up to 10 % of the slip force", "[contact][ripp]") {
  const BackbonePointer backbone = four_parameter_backbone(table);
  double highest = 0.0;
  for (int turn = 1; turn < 50; ++turn) {
    for (int end = turn; end < 60; ++end) {
      const double x = 0.02 * turn * phi_max;
      const auto point = make_ripp(backbone)->at_rest();
      march(*point, {x, x - 1e-9 * phi_max, x});
      const double u = 0.02 * end * phi_max;
      highest = std::max(highest, (advance(*point, u) - backbone->at(u).force) / table.slip_force);
    }
  }
  INFO("raised by " << highest);
  CHECK(highest > 0.09);
  CHECK(highest < 0.11);
}

TEST_CASE("the peak of a symmetric RIPP cycle solves its scalar equation", "[contact][ripp]") {
  constexpr double rounding = 1e-11;
  for (const BackbonePointer& backbone :
       {four_parameter_backbone(table), uniform_backbone({.stiffness = 1.5e7, .slip_force = 4e3}),
        five_parameter_backbone({1.5e7, 4e3, -0.5, 0.005, 0.75})}) {
    for (const double amplitude : {0.01, 0.1, 0.4, 0.9, 2.0}) {
      const Samples s = support::cosine(64, amplitude * backbone->macroslip());
      const CycleResult cycle = cycle_of(*make_ripp(backbone), s);
      const double peak = cycle.force(0, 0);
      const double g = 1.0 + peak / backbone->slip_force();
      CHECK(2.0 * peak ==
            Approx(g * backbone->at(2.0 * amplitude * backbone->macroslip() / g).force).epsilon(rounding));
      CHECK(cycle.force(32, 0) == Approx(-peak).epsilon(rounding));
      CHECK(cycle.report.closed);
    }
  }
}

TEST_CASE("the periodic state of RIPP is where marching leads", "[contact][ripp]") {
  std::mt19937_64 random(121);
  const FourParameters unit{.stiffness = 2.0, .slip_force = 1.0, .chi = -0.5, .beta = 0.3};
  const auto element = make_ripp(four_parameter_backbone(unit));
  constexpr double marched = 1e-9;  // what is left after 400 periods
  for (int trial = 0; trial < 60; ++trial) {
    const Samples s = support::random_history(random, 24, 1, 0.1 + 0.02 * trial);
    const CycleResult cycle = cycle_of(*element, s);
    const auto point = element->at_rest();
    double worst = 0.0;
    for (int period = 0; period < 400; ++period) {
      worst = 0.0;
      for (Index i = 0; i < 24; ++i) {
        worst = std::max(worst, std::abs(advance(*point, s.displacement(i, 0)) - cycle.force(i, 0)));
      }
    }
    REQUIRE(worst < marched);
  }
}

TEST_CASE("where nothing slides RIPP is a spring, and virgin", "[contact][ripp]") {
  const auto element = make_ripp(maxwell_slip_backbone({{2.0, 0.8}}));
  const Samples s = support::cosine(32, 0.1, 0.0, 0.2);
  const CycleResult cycle = cycle_of(*element, s);
  CHECK((cycle.force - 2.0 * s.displacement).isZero(1e-14));
}

TEST_CASE("peaks of a five-parameter RIPP stay when branches are scaled by the force in macroslip", "[contact][ripp]") {
  const BackbonePointer five = five_parameter_backbone({1.5e7, 4e3, -0.5, 0.005, 0.75});
  const double limit = five->slip_force();
  const auto steady = make_ripp(five)->at_rest();
  const auto drifting = make_ripp(five, 4e3)->at_rest();
  constexpr double rounding = 1e-12;
  for (int turn = 0; turn < 6; ++turn) {
    const double x = turn % 2 == 0 ? 5e-3 : -5e-3;
    CHECK(advance(*steady, x) == Approx(std::copysign(limit, x)).epsilon(rounding));
    const double peak = advance(*drifting, x);
    if (turn == 0) CHECK(peak == Approx(limit).epsilon(rounding));
    if (turn > 0) CHECK(std::abs(peak) < 0.95 * limit);
  }
}

TEST_CASE("RIPP needs a backbone that reaches macroslip", "[contact][ripp]") {
  CHECK_THROWS_WITH(make_ripp(nullptr), Catch::Contains("ripp: needs a backbone"));
  CHECK_THROWS_WITH(make_ripp(std::make_shared<const Endless>()),
                    Catch::Contains("macroslip displacement is inf m") && Catch::Contains("Use law = \"iwan\""));
  CHECK_THROWS_WITH(make_ripp(four_parameter_backbone(table), 3e3),
                    Catch::Contains("scaling_force = 3000 N must be at least the force in macroslip, 4000"));
}
