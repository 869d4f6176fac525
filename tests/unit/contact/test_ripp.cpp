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

struct Marched {
  Matrix force;
  double change = 0.0;  ///< of the force over the last period
};

Marched marched(const ContactElement& element, const Samples& s, int periods) {
  const auto point = element.at_rest();
  Marched result{Matrix::Zero(s.displacement.rows(), 1)};
  for (int period = 0; period < periods; ++period) {
    const Matrix before = result.force;
    for (Index i = 0; i < before.rows(); ++i) result.force(i, 0) = advance(*point, s.displacement(i, 0));
    result.change = (result.force - before).cwiseAbs().maxCoeff();
  }
  return result;
}

/// The lowest θ whose branches, scaled by F_lim, do not let forces at reversals grow.
double lowest_theta(double chi, double beta) {
  return std::max((chi + 2.0) * (chi + 1.0 - 2.0 * beta) / ((chi + 1.0) * (chi + 3.0)), 0.0);
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
  // The longest branch, 0.4 from end to end, is at most 0.4 / g = 0.32 of first loading; all stick up to 0.4.
  constexpr double stiffness = 2.0;
  constexpr double stuck = 0.2;
  constexpr double rounding = 1e-14;  // of a dozen branches with forces up to 0.4
  std::mt19937_64 random(122);
  const std::vector<BackbonePointer> backbones = {
      maxwell_slip_backbone({{stiffness, 1.0}}), maxwell_slip_backbone({{0.7, 0.42}, {0.9, 0.7}, {0.4, 0.5}}),
      flat_backbone({stiffness, 1.0, 0.9}), flat_backbone({stiffness, 1.0, 1.1})};
  for (const BackbonePointer& backbone : backbones) {
    const auto element = make_ripp(backbone);
    for (int trial = 0; trial < 1000; ++trial) {
      Samples s = support::random_history(random, 64, 1, 1.0);
      if (trial % 3 == 1) s.displacement.array() -= 1.01 * s.displacement.minCoeff();
      if (trial % 3 == 2) s.displacement.array() -= 1.01 * s.displacement.maxCoeff();
      s.displacement *= stuck / s.displacement.cwiseAbs().maxCoeff();
      const CycleResult cycle = cycle_of(*element, s);
      REQUIRE((cycle.force - stiffness * s.displacement).cwiseAbs().maxCoeff() < rounding);
      REQUIRE((cycle.by_displacement.array() - stiffness).abs().maxCoeff() < rounding);
      REQUIRE(cycle.report.closed);
    }
  }
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

TEST_CASE("weakening backbones settle where marching leads, down to the lowest theta", "[contact][ripp]") {
  constexpr double settled = 1e-12;   // of the slip force, over the last of the periods marched
  constexpr double agreement = 1e-8;  // what slow convergence may still lack when a period changes less than `settled`
  constexpr double most_slow = 0.1;   // share of motions that take longer: barely sliding ones
  constexpr double highest_peak = 1.55;  // of F_lim, from the header
  std::mt19937_64 random(123);
  int slow = 0;
  int over_the_limit = 0;
  int count = 0;
  for (const auto& [chi, beta] : {std::pair{-0.5, 0.005}, {-0.8, 0.0}, {0.0, 0.1}, {-0.5, 0.3}}) {
    const double lowest = std::max(lowest_theta(chi, beta), 0.05);
    for (const double theta : {lowest, 0.5 * (lowest + 1.0)}) {
      CAPTURE(chi, beta, theta);
      const BackbonePointer five = five_parameter_backbone({2.0, 1.0, chi, beta, theta});
      const auto element = make_ripp(five);
      for (int trial = 0; trial < 60; ++trial) {
        const Samples s = trial % 4 == 0 ? support::cosine(48, 0.02 * (trial + 1) * five->macroslip())
                                         : support::random_history(random, 48, 1, 0.012 * trial * five->macroslip());
        const CycleResult cycle = cycle_of(*element, s);
        REQUIRE(cycle.report.closed);
        const double peak = cycle.force.cwiseAbs().maxCoeff() / five->slip_force();
        REQUIRE(peak < highest_peak);
        over_the_limit += peak > 1.001;
        const Marched reference = marched(*element, s, 600);
        ++count;
        if (reference.change > settled) {
          ++slow;
          continue;
        }
        REQUIRE((reference.force - cycle.force).cwiseAbs().maxCoeff() < agreement);
      }
    }
  }
  INFO(slow << " of " << count << " not settled when marched, " << over_the_limit << " over the limit");
  CHECK(slow < most_slow * count);
  CHECK(over_the_limit > 50);
}

TEST_CASE("a RIPP branch that starts above the limit returns to it", "[contact][ripp]") {
  const BackbonePointer five = five_parameter_backbone({1.5e7, 4e3, -0.5, 0.005, 0.65});
  const double limit = five->slip_force();
  const double top = 0.7 * phi_max;
  const double excess = five->at(top).force - limit;
  REQUIRE(excess > 0.05 * limit);
  const auto element = make_ripp(five);
  constexpr double rounding = 1e-12;
  const auto point = element->at_rest();
  march(*point, {top, top - 1e-12 * phi_max});  // the tiny reversal changes the force by 1e-12 of K_T ϕ_max
  constexpr double tiny = 1e-11;
  CHECK(advance(*point, top) == Approx(limit + excess).epsilon(tiny));
  CHECK(advance(*point, top + 0.5 * phi_max) == Approx(limit + 0.5 * excess).epsilon(tiny));
  CHECK(advance(*point, top + phi_max) == Approx(limit).epsilon(tiny));
  CHECK(advance(*point, top + 3.0 * phi_max) == Approx(limit).epsilon(rounding));
  const auto back = element->at_rest();
  march(*back, {top});
  CHECK(advance(*back, top - 3.0 * phi_max) == Approx(-limit).epsilon(rounding));
}

TEST_CASE("RIPP refuses backbones that let forces grow from cycle to cycle", "[contact][ripp]") {
  const FiveParameters weak{.stiffness = 1.5e7, .slip_force = 4e3, .chi = -0.5, .beta = 0.005, .theta = 0.45};
  CHECK_THROWS_WITH(make_ripp(five_parameter_backbone(weak)),
                    Catch::Contains("weakens too much") && Catch::Contains("Set scaling_force to at least 2512.32 N"));
  CHECK_NOTHROW(make_ripp(five_parameter_backbone(weak), 2512.33));
  CHECK_THROWS_WITH(make_ripp(maxwell_slip_backbone({{-1.0, -0.1}, {3.0, 1.0}})),
                    Catch::Contains("stiffens: F - u dF/du falls to -0.1 N"));
  constexpr double beside = 1e-6;
  for (const double chi : {-0.9, -0.5, -0.2, 0.0}) {
    for (const double beta : {0.0, 0.005, 0.02}) {
      FiveParameters p{.stiffness = 2.0, .slip_force = 1.0, .chi = chi, .beta = beta};
      p.theta = lowest_theta(chi, beta) + beside;
      CHECK_NOTHROW(make_ripp(five_parameter_backbone(p)));
      p.theta -= 2.0 * beside;
      CHECK_THROWS_WITH(make_ripp(five_parameter_backbone(p)), Catch::Contains("weakens too much"));
      p.theta = beside;
      CHECK_NOTHROW(make_ripp(five_parameter_backbone(p), p.slip_force));
    }
  }
}

TEST_CASE("RIPP needs a backbone that reaches macroslip", "[contact][ripp]") {
  CHECK_THROWS_WITH(make_ripp(nullptr), Catch::Contains("ripp: needs a backbone"));
  CHECK_THROWS_WITH(make_ripp(std::make_shared<const Endless>()),
                    Catch::Contains("macroslip displacement is inf m") && Catch::Contains("Use law = \"iwan\""));
  CHECK_THROWS_WITH(make_ripp(four_parameter_backbone(table), 3e3),
                    Catch::Contains("scaling_force = 3000 N must be at least the force in macroslip, 4000"));
}
