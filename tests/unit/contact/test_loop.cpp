// Loops of one law alone.
#include "masing/contact/coulomb.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/loop.hpp"
#include "masing/core/error.hpp"
#include "unit/contact/histories.hpp"

#include <catch2/catch.hpp>

using namespace masing;

TEST_CASE("work along a history: the last cycle is the loop area, no matter how it began", "[contact]") {
  const Index n = 256;
  const Index cycles = 3;
  const auto period = support::cosine(n, 1.5, 0.7);
  const auto element = make_element(Jenkins({.stiffness = 2.0, .slip_force = 0.8}));
  const Matrix x = period.displacement.replicate(cycles, 1);
  const History history = march_history(*element, x, Matrix());
  CycleResult steady;
  element->steady_cycle(period.view(), {}, steady);

  const double rounding = 1e-12;
  const Matrix last = history.force.bottomRows(n);
  CHECK((last - steady.force).isZero(rounding));
  const double area = loop_area(period.displacement, steady.force);
  CHECK(history.work[cycles * n - 1] - history.work[(cycles - 1) * n - 1] == Approx(area).epsilon(rounding));
  CHECK(history.work[0] == 0.0);
}

TEST_CASE("loading from rest: stored energy, then friction work", "[contact]") {
  const auto element = make_element(Jenkins({.stiffness = 2.0, .slip_force = 0.8}));
  const Vector x = Vector::LinSpaced(1001, 0.0, 1.0);  // slips from 0.4, which is a sample
  const History history = march_history(*element, x, Matrix());
  CHECK(history.force(1000, 0) == 0.8);
  CHECK(history.work[400] == Approx(0.5 * 2.0 * 0.16));
  CHECK(history.work[1000] == Approx(0.5 * 2.0 * 0.16 + 0.8 * 0.6));
}

TEST_CASE("histories of the wrong size are refused", "[contact]") {
  const auto jenkins = make_element(Jenkins({.stiffness = 2.0, .slip_force = 0.8}));
  const auto coulomb = make_element(RegularisedCoulomb({.slip_force = 1.0, .reference_velocity = 1.0}));
  const Matrix two = Matrix::Zero(5, 2);
  const Matrix one = Matrix::Zero(5, 1);
  CHECK_THROWS_WITH(march_history(*jenkins, two, Matrix()),
                    "The displacement history has 5 samples of 2 inputs; the law needs at least one sample of 1.");
  CHECK_THROWS_WITH(march_history(*coulomb, one, Matrix()),
                    "The velocity history is 0 x 0, the displacement history 5 x 1; they must have the same "
                    "size (a law that does not use the velocity also takes none at all).");
  CHECK_THROWS_WITH(loop_area(two, one), "A loop needs as many displacements (5 x 2) as forces (5 x 1).");
}
