// The phase-wise form of a law, driven as a time integrator drives it, against the sampled form.
#include "masing/contact/coulomb.hpp"
#include "masing/contact/element.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/unilateral.hpp"
#include "unit/contact/phases.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace masing;

namespace {

using AnyMotion = Motion<Eigen::Dynamic>;
using Any = SmallVector<Eigen::Dynamic>;

/// Two incommensurate harmonics with several turning points.
AnyMotion motion_at(double t) {
  const double x = 1.2 * std::sin(t) + 0.6 * std::sin(2.7 * t + 0.4) + 0.1;
  const double v = 1.2 * std::cos(t) + 0.6 * 2.7 * std::cos(2.7 * t + 0.4);
  return {Any::Constant(1, x), Any::Constant(1, v)};
}

struct Followed {
  double largest_difference = 0.0;
  std::vector<std::string> phases;
};

Followed compare_forms(const ContactElement& element, int steps) {
  const double duration = 20.0;
  const double dt = duration / steps;
  const auto sampled = element.at_rest();
  const auto phased = element.at_rest();
  sampled->advance(motion_at(0.0));
  phased->advance(motion_at(0.0));
  Followed followed;
  for (int i = 0; i < steps; ++i) {
    support::follow(*phased, motion_at, i * dt, i * dt + dt, followed.phases);
    const AnyMotion motion = motion_at((i + 1) * dt);
    const double difference = phased->force_in_phase(motion)[0] - sampled->advance(motion).force[0];
    followed.largest_difference = std::max(followed.largest_difference, std::abs(difference));
  }
  return followed;
}

}  // namespace

TEST_CASE("Jenkins: located phases agree with fine sampling, with second order", "[contact]") {
  const auto element = make_element(Jenkins({.stiffness = 2.0, .slip_force = 0.8}));
  const Followed coarse = compare_forms(*element, 4000);
  const Followed fine = compare_forms(*element, 40000);
  // The sampled slider misses a turning point by at most acceleration · dt² / 8: 2 · 5.6 · (5e-4)² / 8.
  CHECK(fine.largest_difference < 4e-7);
  CHECK(fine.largest_difference < coarse.largest_difference / 50.0);
  CHECK(fine.phases == coarse.phases);
  REQUIRE(fine.phases.size() > 8);
  // Stick and slip alternate, because each slip ends in stick.
  for (std::size_t i = 1; i < fine.phases.size(); ++i) {
    CHECK((fine.phases[i] == "stick") != (fine.phases[i - 1] == "stick"));
  }
}

TEST_CASE("unilateral: located phases give exactly the sampled force", "[contact]") {
  const auto element = make_element(Unilateral({.stiffness = 3.0, .gap = 0.4}));
  const Followed followed = compare_forms(*element, 4000);
  CHECK(followed.largest_difference < 1e-12);  // rounding at a crossing located to the last bit
  CHECK(followed.phases.size() >= 6);
}

TEST_CASE("Jenkins: a fresh stick phase never starts outside its limit", "[contact]") {
  std::mt19937_64 random(51);
  std::uniform_real_distribution<double> uniform(-100.0, 100.0);
  for (int trial = 0; trial < 1000; ++trial) {
    const Jenkins law({.stiffness = 1.0 + std::abs(uniform(random)), .slip_force = 0.1 + std::abs(uniform(random))});
    const Motion<1> motion{SmallVector<1>(uniform(random)), SmallVector<1>(0.0)};
    for (const auto phase : {Jenkins::Phase::slip_forward, Jenkins::Phase::slip_backward}) {
      Jenkins::State state{.slider = 0.0, .phase = phase};
      const double before = law.force_in_phase(motion, state)[0];
      law.switch_phase(motion, state);
      REQUIRE(state.phase == Jenkins::Phase::stick);
      REQUIRE(law.distance_to_switch(motion, state) >= 0.0);
      REQUIRE(law.force_in_phase(motion, state)[0] == Approx(before).epsilon(1e-10));
    }
  }
}

TEST_CASE("Jenkins: distance to the switch is what is left of the stick, or the sliding velocity", "[contact]") {
  const Jenkins law({.stiffness = 2.0, .slip_force = 0.8});
  const Motion<1> motion{SmallVector<1>(0.3), SmallVector<1>(-0.5)};
  CHECK(law.distance_to_switch(motion, {.slider = 0.0}) == Approx(0.1));
  CHECK(law.distance_to_switch(motion, {.slider = 0.9}) == Approx(-0.2));
  CHECK(law.distance_to_switch(motion, {.slider = 0.0, .phase = Jenkins::Phase::slip_forward}) == -0.5);
  CHECK(law.distance_to_switch(motion, {.slider = 0.0, .phase = Jenkins::Phase::slip_backward}) == 0.5);
  CHECK(law.phase_name({.slider = 0.0, .phase = Jenkins::Phase::slip_backward}) == "slip-");
}

TEST_CASE("a smooth law never switches, and asking for its force does not move it", "[contact]") {
  const auto element = make_element(RegularisedCoulomb({.slip_force = 2.0, .reference_velocity = 0.5}));
  const auto point = element->at_rest();
  const AnyMotion motion{Any::Constant(1, 0.0), Any::Constant(1, 0.3)};
  CHECK_FALSE(point->switches());
  CHECK(std::isinf(point->distance_to_switch(motion)));
  CHECK(point->force_in_phase(motion)[0] == Approx(2.0 * std::tanh(0.6)));
  CHECK(point->phase_name() == "smooth");
  CHECK(point->memory().size() == 0);
}

TEST_CASE("a cloned point goes its own way", "[contact]") {
  const auto element = make_element(Jenkins({.stiffness = 2.0, .slip_force = 0.8}));
  const auto point = element->at_rest();
  point->advance({Any::Constant(1, 1.0), Any::Constant(1, 0.0)});
  const auto copy = point->clone();
  copy->advance({Any::Constant(1, 3.0), Any::Constant(1, 0.0)});
  CHECK(point->memory()[0] == Approx(0.6));
  CHECK(copy->memory()[0] == Approx(2.6));
  CHECK(point->phase_name() == "slip+");
}
