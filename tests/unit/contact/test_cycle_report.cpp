// What the steady cycle says about itself, and what it refuses.
#include "masing/contact/coulomb.hpp"
#include "masing/contact/element.hpp"
#include "masing/core/error.hpp"
#include "unit/contact/histories.hpp"
#include "unit/contact/test_laws.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using support::cosine;
using support::FadingMemory;

TEST_CASE("a cycle that does not close in time says so with numbers", "[contact]") {
  const auto s = cosine(16, 1.0, 0.3, 0.5);
  CycleResult few;
  steady_cycle(FadingMemory(0.999), s.view(), {.max_cycles = 10, .closure_tolerance = 1e-10}, few);
  CHECK_FALSE(few.report.closed);
  CHECK(few.report.cycles == 10);
  CHECK(few.report.closure_error > 1e-10);
  CHECK(few.report.closure_error < 1.0);

  CycleResult enough;
  steady_cycle(FadingMemory(0.999), s.view(), {.max_cycles = 5000, .closure_tolerance = 1e-10}, enough);
  CHECK(enough.report.closed);
  CHECK(enough.report.cycles > 10);
  CHECK(enough.report.closure_error <= 1e-10);
}

TEST_CASE("one period alone can never prove that it closes", "[contact]") {
  CycleResult one;
  steady_cycle(FadingMemory(0.5), cosine(16, 1.0).view(), {.max_cycles = 1}, one);
  CHECK_FALSE(one.report.closed);
  CHECK(one.report.cycles == 1);
}

TEST_CASE("a motion of zero closes with zero force", "[contact]") {
  CycleResult result;
  steady_cycle(support::MarchedJenkins({.stiffness = 1.0, .slip_force = 1.0}), cosine(8, 0.0).view(), {}, result);
  CHECK(result.report.closed);
  CHECK(result.force.isZero(0.0));
}

TEST_CASE("memory of results is kept between calls", "[contact]") {
  std::mt19937_64 random(41);
  CycleResult result;
  const auto s = support::random_history(random, 64, 1, 1.0);
  const support::MarchedJenkins law({.stiffness = 2.0, .slip_force = 0.8});
  // The two lists of sources are exchanged in every period, so both need to have been used.
  for (int warm_up = 0; warm_up < 2; ++warm_up) steady_cycle(law, s.view(), {}, result);
  const double* force = result.force.data();
  const auto room = result.sources.capacity() + result.workspace.sources.capacity();
  const auto uses = result.uses.capacity();
  for (int call = 0; call < 5; ++call) steady_cycle(law, s.view(), {}, result);
  CHECK(result.force.data() == force);
  CHECK(result.sources.capacity() + result.workspace.sources.capacity() == room);
  CHECK(result.uses.capacity() == uses);
}

TEST_CASE("a law that returns NaN is named", "[contact]") {
  CycleResult result;
  auto s = cosine(8, 0.5);
  s.displacement(3, 0) = 1.5;
  CHECK_THROWS_AS(steady_cycle(support::BrokenLaw{}, s.view(), {}, result), NumericalError);
  CHECK_THROWS_WITH(steady_cycle(support::BrokenLaw{}, s.view(), {}, result),
                    Catch::StartsWith("Contact law 'broken' returned the force [nan] N at sample 3 of 8 (displacement "
                                      "[1.5] m, velocity [-0.35355"));
}

TEST_CASE("a motion that is not finite is told from a law that fails", "[contact]") {
  CycleResult result;
  auto s = cosine(4, 1.0);
  s.displacement(1, 0) = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(steady_cycle(Jenkins({.stiffness = 1.0, .slip_force = 1.0}), s.view(), {}, result),
                    "The motion handed to contact law 'jenkins' is not finite at sample 1 of 4: displacement [inf] m, "
                    "velocity [-1] m/s.");
}

TEST_CASE("a motion of the wrong size is refused", "[contact]") {
  CycleResult result;
  const Matrix two = Matrix::Zero(8, 2);
  const Matrix one = Matrix::Zero(8, 1);
  const Matrix none;
  CHECK_THROWS_WITH(
      steady_cycle(Jenkins({.stiffness = 1.0, .slip_force = 1.0}), {two, two}, {}, result),
      "Contact law 'jenkins' with 1 inputs cannot be marched over 8 x 2 displacements and 8 x 2 velocities.");
  CHECK_THROWS_WITH(
      steady_cycle(RegularisedCoulomb({.slip_force = 1.0, .reference_velocity = 1.0}), {one, none}, {}, result),
      "Contact law 'coulomb' with 1 inputs cannot be marched over 8 x 1 displacements and 0 x 0 velocities.");
}
