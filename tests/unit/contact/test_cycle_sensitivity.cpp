// Sensitivities of whole steady cycles against central differences of whole steady cycles.
#include "masing/contact/coulomb.hpp"
#include "masing/contact/element.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/unilateral.hpp"
#include "support/cycle_jacobian.hpp"
#include "unit/contact/histories.hpp"
#include "unit/contact/test_laws.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using support::Samples;

namespace {

constexpr double step = 1e-6;
// A column of differences counts as smooth when its one-sided differences agree to this (a switch inside the step makes
// them differ by the order of the stiffness; curvature only by step times the second derivative, about 1e-5).
constexpr double kink = 1e-3;
// Central differences: rounding 1e-15 / step, and step² times third derivatives of up to about 1e3.
constexpr double tolerance = 1e-8;
// Histories are random: a sample is within `step` of a switch with a probability of about step / typical increment.
constexpr double most_kinks = 1e-3;

const CycleOptions tight{.max_cycles = 2000, .closure_tolerance = 1e-15};

struct Comparison {
  double worst = 0.0;
  long columns = 0;
  long kinks = 0;
};

template <class L>
Matrix force_of(const L& law, const Samples& s, CycleResult& scratch) {
  steady_cycle(law, s.view(), tight, scratch);
  return scratch.force;
}

/// Compares each column of G (part = displacement) or G_v (part = velocity).
template <class L>
void compare(const L& law, const Samples& s, Matrix Samples::*part, const Matrix& expected, Comparison& comparison) {
  CycleResult scratch;
  const Matrix base = force_of(law, s, scratch);
  for (Index column = 0; column < base.size(); ++column) {
    Samples moved = s;
    (moved.*part).data()[column] += step;
    const Matrix up = force_of(law, moved, scratch);
    (moved.*part).data()[column] = (s.*part).data()[column] - step;
    const Matrix down = force_of(law, moved, scratch);
    ++comparison.columns;
    if (((up - base) - (base - down)).cwiseAbs().maxCoeff() / step > kink) {
      ++comparison.kinks;
      continue;
    }
    const Matrix difference = (up - down) / (2.0 * step);
    const double error = (difference.reshaped() - expected.col(column)).cwiseAbs().maxCoeff();
    comparison.worst = std::max(comparison.worst, error);
  }
}

template <class L>
void check_sensitivities(const L& law, int histories, Index samples, double largest, unsigned seed) {
  std::mt19937_64 random(seed);
  Comparison comparison;
  for (int h = 0; h < histories; ++h) {
    const double size = largest * (h + 1) / histories;
    const Samples s = support::random_history(random, samples, law.inputs(), size);
    CycleResult cycle;
    steady_cycle(law, s.view(), tight, cycle);
    REQUIRE(cycle.report.closed);
    const auto jacobian = support::dense_jacobian(cycle);
    compare(law, s, &Samples::displacement, jacobian.by_displacement, comparison);
    if (L::uses_velocity) compare(law, s, &Samples::velocity, jacobian.by_velocity, comparison);
  }
  INFO(law_name<L>() << ": " << comparison.columns << " columns, " << comparison.kinks
                     << " at a kink, worst difference " << comparison.worst);
  CHECK(comparison.worst < tolerance);
  CHECK(static_cast<double>(comparison.kinks) < most_kinks * static_cast<double>(comparison.columns));
}

}  // namespace

TEST_CASE("sensitivities of Jenkins cycles on a thousand random histories", "[contact]") {
  check_sensitivities(Jenkins({.stiffness = 2.0, .slip_force = 0.8}), 1000, 32, 1.0, 31);
}

TEST_CASE("sensitivities of memoryless laws", "[contact]") {
  check_sensitivities(Unilateral({.stiffness = 2.0, .gap = 0.2}), 50, 16, 1.0, 32);
  check_sensitivities(RegularisedCoulomb({.slip_force = 0.8, .reference_velocity = 1.0}), 50, 16, 0.5, 33);
  check_sensitivities(Polynomial(2, {{0, 1.0, {1, 1}}, {1, 0.5, {2, 0}}, {1, 0.3, {0, 3}}}), 50, 16, 0.5, 34);
}

TEST_CASE("sensitivities of laws whose past fades slowly: the periodic fixed point", "[contact]") {
  check_sensitivities(support::FadingMemory(0.9), 50, 16, 1.0, 35);
  check_sensitivities(support::CoupledMemory{}, 20, 12, 0.4, 36);
}

TEST_CASE("sensitivities when one memory takes over what another held", "[contact]") {
  check_sensitivities(support::ShiftRegister{}, 100, 24, 1.0, 37);
  // With few samples some periods set the memory only once, so that one memory ends as another one began.
  check_sensitivities(support::ShiftRegister{}, 200, 5, 1.0, 40);
}

TEST_CASE("Jenkins marched until closed equals its exact periodic state", "[contact]") {
  const Jenkins::Parameters parameters{.stiffness = 2.0, .slip_force = 0.8};
  const double rounding = 1e-12;
  std::mt19937_64 random(38);
  int stuck = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Samples s = support::random_history(random, 48, 1, 0.002 * (trial + 1));
    CycleResult exact;
    CycleResult marched;
    steady_cycle(Jenkins(parameters), s.view(), {}, exact);
    steady_cycle(support::MarchedJenkins(parameters), s.view(), {}, marched);
    REQUIRE(marched.report.closed);
    REQUIRE(marched.report.cycles <= 3);
    REQUIRE((marched.force - exact.force).isZero(rounding));
    const Matrix difference =
        support::dense_jacobian(marched).by_displacement - support::dense_jacobian(exact).by_displacement;
    REQUIRE(difference.isZero(rounding));
    if (exact.by_displacement.isConstant(2.0)) ++stuck;
  }
  CHECK(stuck > 20);
  CHECK(stuck < 250);
}

TEST_CASE("sources are few and in order", "[contact]") {
  CycleResult cycle;
  const Samples s = support::cosine(1024, 2.0, 0.3);
  steady_cycle(Jenkins({.stiffness = 2.0, .slip_force = 0.8}), s.view(), {}, cycle);
  CHECK(cycle.sources.size() == 2);
  CHECK(cycle.parents.empty());

  std::mt19937_64 random(39);
  const Samples coupled = support::random_history(random, 16, 2, 0.4);
  steady_cycle(support::CoupledMemory{}, coupled.view(), tight, cycle);
  REQUIRE(!cycle.parents.empty());
  for (Index source = 0; source < static_cast<Index>(cycle.sources.size()); ++source) {
    for (Index p = cycle.sources[source].first_parent; p < cycle.sources[source].end_parent; ++p) {
      REQUIRE(cycle.parents[p].source < source);
    }
  }
}
