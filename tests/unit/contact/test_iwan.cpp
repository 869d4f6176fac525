// Masing's rules as properties of histories, and against a population of sliders.
#include "masing/contact/iwan.hpp"

#include "masing/contact/catalogue.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/core/error.hpp"
#include "unit/contact/histories.hpp"
#include "unit/contact/iwan_support.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using namespace masing::test;

namespace {

// Parameters near one: displacements and forces are comparable.
constexpr FourParameters joint{.stiffness = 2.0, .slip_force = 1.0, .chi = -0.5, .beta = 0.3};

// Sums of a few terms of order one.
constexpr double rounding = 1e-13;

std::vector<BackbonePointer> backbones() {
  return {four_parameter_backbone(joint), uniform_backbone({.stiffness = 2.0, .slip_force = 1.0}),
          hertz_backbone({.stiffness = 2.0, .slip_force = 1.0}),
          flat_backbone({.stiffness = 2.0, .slip_force = 1.0, .gamma = 0.2}),
          maxwell_slip_backbone({{1.0, 0.2}, {0.7, 0.5}, {0.3, 0.3}})};
}

double largest_difference(int sliders, const std::vector<double>& history) {
  SliderPopulation population(joint, sliders);
  const auto point = make_iwan(four_parameter_backbone(joint))->at_rest();
  double worst = 0.0;
  for (const double x : history) worst = std::max(worst, std::abs(population.advance(x) - advance(*point, x)));
  return worst;
}

}  // namespace

TEST_CASE("the exact Iwan law is the limit of sliders, on histories with nested loops", "[contact][iwan]") {
  std::mt19937_64 random(101);
  const std::vector<double> history = nested_history(random, 300, 5, 1.6);
  const double coarse = largest_difference(500, history);
  const double fine = largest_difference(4000, history);
  INFO("500 sliders: " << coarse << ", 4000 sliders: " << fine);
  // The polygon of n sliders errs by ρ h²/8 with h ~ 2 ϕ_max/n at its widest: 2e-8 for n = 4000, twice that after a turn.
  CHECK(fine < 1e-7);
  CHECK(coarse / fine > 40.0);  // second order: 64
}

TEST_CASE("a closed minor loop leaves no trace, however nested", "[contact][iwan]") {
  std::mt19937_64 random(102);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (const BackbonePointer& backbone : backbones()) {
    const auto element = make_iwan(backbone);
    for (int trial = 0; trial < 200; ++trial) {
      const auto point = element->at_rest();
      const std::vector<double> way = nested_history(random, 12, 1, 1.5);
      march(*point, way);
      const double x = way.back();
      const double before = advance(*point, x);
      const auto undisturbed = point->clone();
      // An excursion that stays between where the motion turned last and where it is: there and back, with a loop inside.
      const double back = x + (way[way.size() - 2] - x) * uniform(random);
      const double inner = back + (x - back) * uniform(random);
      march(*point, {back, inner, 0.5 * (inner + back), inner, back, x});
      REQUIRE(advance(*point, x) == Approx(before).margin(rounding));
      for (int i = 1; i <= 20; ++i) {
        const double onward = x + (x - way[way.size() - 2]) * 0.2 * i;
        REQUIRE(advance(*point, onward) == Approx(advance(*undisturbed, onward)).margin(rounding));
      }
    }
  }
}

TEST_CASE("loops between the same ends are congruent whatever happened before", "[contact][iwan]") {
  std::mt19937_64 random(103);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const BackbonePointer& backbone : backbones()) {
    const auto element = make_iwan(backbone);
    for (int ends = 0; ends < 20; ++ends) {
      const double one = uniform(random);
      const double other = uniform(random);
      std::vector<double> first;
      for (int trial = 0; trial < 10; ++trial) {
        const auto point = element->at_rest();
        march(*point, nested_history(random, 10, 1, 1.5));
        march(*point, {one, other});  // closes what lies between the ends
        const double start = advance(*point, one);
        std::vector<double> loop;
        for (int i = 0; i <= 16; ++i) loop.push_back(advance(*point, one + (other - one) * i / 16.0) - start);
        for (int i = 0; i <= 16; ++i) loop.push_back(advance(*point, other - (other - one) * i / 16.0) - start);
        REQUIRE(loop.back() == Approx(0.0).margin(rounding));
        if (first.empty()) first = loop;
        for (std::size_t i = 0; i < loop.size(); ++i) REQUIRE(loop[i] == Approx(first[i]).margin(rounding));
      }
    }
  }
}

TEST_CASE("beyond the largest displacement so far the backbone is back", "[contact][iwan]") {
  std::mt19937_64 random(104);
  for (const BackbonePointer& backbone : backbones()) {
    const auto point = make_iwan(backbone)->at_rest();
    march(*point, nested_history(random, 30, 1, 0.4));
    for (const double x : {0.5, -0.6, 0.7, -3.0}) {
      REQUIRE(advance(*point, x) == Approx(std::copysign(backbone->at(std::abs(x)).force, x)).margin(rounding));
    }
  }
}

TEST_CASE("symmetric loops have the energy of the backbone's formula", "[contact][iwan]") {
  // Trapezoidal rule in x with 4000 points a branch: ρ h² times the length, 1e-6 of the energy; less near ξ = 0.
  constexpr double quadrature = 2e-5;
  for (const BackbonePointer& backbone : backbones()) {
    for (const double amplitude : {0.3, 0.6, 2.0}) {
      const support::Samples s = support::cosine(8000, amplitude, 0.3);
      CycleResult cycle;
      make_iwan(backbone)->steady_cycle(s.view(), {}, cycle);
      const double energy = backbone->loop_energy(amplitude);
      CHECK(loop_area(s.displacement, cycle.force) == Approx(energy).epsilon(quadrature).margin(1e-12));
    }
  }
}

namespace {

/// Half the ranges of all loops that a period closes (rainflow counting from the farthest sample on).
std::vector<double> loop_amplitudes(const Matrix& x) {
  Index farthest = 0;
  x.col(0).cwiseAbs().maxCoeff(&farthest);
  std::vector<double> turns;
  std::vector<double> amplitudes;
  for (Index i = 0; i <= x.rows(); ++i) {
    const double next = x((farthest + i) % x.rows(), 0);
    const auto way = [&](std::size_t from_end) {
      return turns[turns.size() - from_end] - turns[turns.size() - from_end - 1];
    };
    if (turns.size() >= 2 && way(1) * (next - turns.back()) >= 0.0) turns.pop_back();
    turns.push_back(next);
    while (turns.size() >= 4 && std::abs(way(2)) <= std::abs(way(1)) && std::abs(way(2)) <= std::abs(way(3))) {
      amplitudes.push_back(0.5 * std::abs(way(2)));
      turns.erase(turns.end() - 3, turns.end() - 1);
    }
  }
  REQUIRE(turns.size() == 3);
  amplitudes.push_back(0.5 * std::abs(turns[1] - turns[0]));
  return amplitudes;
}

/// Work of the third period from rest by the trapezoidal rule with `parts` steps from sample to sample.
double period_work(const ContactElement& element, const Matrix& x, int parts) {
  const auto point = element.at_rest();
  double work = 0.0;
  double at = 0.0;
  double force = 0.0;
  for (int period = 0; period < 3; ++period) {
    work = 0.0;
    for (Index i = 0; i < x.rows(); ++i) {
      const double from = x((i + x.rows() - 1) % x.rows(), 0);
      for (int part = 1; part <= parts; ++part) {
        const double next = from + (x(i, 0) - from) * part / parts;
        const double next_force = advance(*point, next);
        work += 0.5 * (force + next_force) * (next - at);
        at = next;
        force = next_force;
      }
    }
  }
  return work;
}

}  // namespace

TEST_CASE("a closed cycle dissipates the energies of the loops it closes, and never gives any away",
          "[contact][iwan]") {
  std::mt19937_64 random(105);
  double largest = 0.0;
  for (const BackbonePointer& backbone : backbones()) {
    const auto element = make_iwan(backbone);
    for (int trial = 0; trial < 100; ++trial) {
      const support::Samples s = support::random_history(random, 64, 1, 0.01 * (trial + 1));
      double energy = 0.0;
      for (const double amplitude : loop_amplitudes(s.displacement)) {
        const double loop = backbone->loop_energy(amplitude);
        REQUIRE(loop >= -rounding);
        energy += loop;
      }
      const double coarse = period_work(*element, s.displacement, 8);
      const double fine = period_work(*element, s.displacement, 32);
      // Second order: the finer sum errs by a fifteenth of what the two differ by. Corners fall where they like, so
      // a third is allowed.
      const double quadrature = std::abs(fine - coarse) / 3.0 + 100.0 * rounding;
      REQUIRE(fine == Approx(energy).margin(quadrature).epsilon(0.0));
      largest = std::max(largest, quadrature / (energy + 1e-3));
    }
  }
  INFO("the quadrature's share of the energy was at most " << largest);
  CHECK(largest < 0.02);  // so the sign is certain
}

TEST_CASE("a single slider is a Jenkins element", "[contact][iwan]") {
  const auto iwan = make_iwan(maxwell_slip_backbone({{2.0, 0.8}}));
  const auto jenkins = make_element(Jenkins({.stiffness = 2.0, .slip_force = 0.8}));
  std::mt19937_64 random(106);
  for (int trial = 0; trial < 200; ++trial) {
    const support::Samples s = support::random_history(random, 48, 1, 0.005 * (trial + 1));
    CycleResult a;
    CycleResult b;
    iwan->steady_cycle(s.view(), {}, a);
    jenkins->steady_cycle(s.view(), {}, b);
    REQUIRE((a.force - b.force).isZero(rounding));
  }
}

TEST_CASE("located phases of an Iwan joint agree with fine sampling", "[contact][iwan]") {
  const auto element = make_iwan(four_parameter_backbone(joint));
  const auto motion = [](double t) {
    return motion_at(0.5 * std::sin(t) + 0.3 * std::sin(2.7 * t + 0.4) + 0.1,
                     0.5 * std::cos(t) + 0.81 * std::cos(2.7 * t + 0.4));
  };
  const auto phased = element->at_rest();
  const auto sampled = element->at_rest();
  phased->advance(motion(0.0));
  sampled->advance(motion(0.0));
  const double dt = 1e-3;
  int switches = 0;
  int reversals = 0;
  double worst = 0.0;
  for (int i = 0; i < 20000; ++i) {
    while (phased->distance_to_switch(motion((i + 1) * dt)) < 0.0) {
      double inside = i * dt;
      double outside = inside + dt;
      for (int halving = 0; halving < 50; ++halving) {
        const double middle = 0.5 * (inside + outside);
        (phased->distance_to_switch(motion(middle)) < 0.0 ? outside : inside) = middle;
      }
      const std::string_view before = phased->phase_name();
      phased->switch_phase(motion(outside));
      reversals += phased->phase_name() != before;
      ++switches;
    }
    const Motion<Eigen::Dynamic> now = motion((i + 1) * dt);
    worst = std::max(worst, std::abs(phased->force_in_phase(now)[0] - sampled->advance(now).force[0]));
    REQUIRE(phased->memory().size() == 2);
  }
  CHECK(reversals > 10);
  CHECK(switches > reversals + 4);     // loops closed, macroslip reached
  CHECK(worst < 2.0 * 3.0 * dt * dt);  // the sampled turn is missed by |x''| dt²/8, and the force by K_T times that
}

TEST_CASE("a joint at rest may start in either direction", "[contact][iwan]") {
  const BackbonePointer backbone = four_parameter_backbone(joint);
  const auto point = make_iwan(backbone)->at_rest();
  point->advance(motion_at(0.0, 0.0));
  REQUIRE(point->distance_to_switch(motion_at(0.0, -0.1)) < 0.0);
  point->switch_phase(motion_at(0.0, 0.0));
  CHECK(point->phase_name() == "backward");
  CHECK(point->force_in_phase(motion_at(-0.3, -0.1))[0] == Approx(-backbone->at(0.3).force).epsilon(rounding));
}

TEST_CASE("the Iwan laws of the catalogue put springs beside what slides", "[contact][iwan]") {
  const BackbonePointer whole = four_parameter_backbone(joint);
  const auto make = [&](std::string_view name, double share) {
    const LawEntry* entry = find_law(name);
    REQUIRE(entry != nullptr);
    OptionValues pinning;
    pinning.set("gap", 2.0);
    pinning.set("stiffness", 5.0);
    return entry->make_from_backbone(
        OptionValues::from(entry->parameters, {{"residual_share", share}, {"pinning", std::vector{pinning}}},
                           "joint 'a'"),
        whole);
  };
  for (const std::string_view name : {"iwan", "ripp"}) {
    const auto element = make(name, 0.1);
    CHECK(element->at_rest()->advance(motion_at(1e-12)).by_displacement(0, 0) == Approx(2.0).epsilon(1e-5));
    CHECK(advance(*element->at_rest(), 1.9) == Approx(1.0 + 0.1 * 2.0 * 1.9).epsilon(rounding));
    CHECK(advance(*element->at_rest(), 3.0) == Approx(1.0 + 0.1 * 2.0 * 3.0 + 5.0 * 1.0).epsilon(rounding));
  }
  CHECK_THROWS_WITH(make_iwan(nullptr), Catch::Contains("iwan: needs a backbone"));
}
