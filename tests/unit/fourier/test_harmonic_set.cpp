#include "masing/core/error.hpp"
#include "masing/fourier/harmonic_set.hpp"

#include <catch2/catch.hpp>

using namespace masing;

TEST_CASE("positions of coefficients with and without harmonic 0 and with gaps") {
  const HarmonicSet full = HarmonicSet::up_to(3);
  CHECK(full.positions() == 7);
  CHECK(full.cosine(0) == 0);
  CHECK(full.cosine(1) == 1);
  CHECK(full.sine(3) == 6);

  const HarmonicSet gaps({0, 1, 3, 6});
  CHECK(gaps.positions() == 7);
  CHECK(gaps.highest() == 6);
  CHECK(gaps.find(3) == 2);
  CHECK(gaps.find(2) == -1);
  CHECK(gaps.cosine(gaps.find(6)) == 5);

  const HarmonicSet odd({1, 3, 5});
  CHECK_FALSE(odd.has_zero());
  CHECK(odd.positions() == 6);
  CHECK(odd.cosine(0) == 0);
  CHECK(odd.sine(2) == 5);
}

TEST_CASE("a wrong list of harmonics is refused with the rule") {
  CHECK_THROWS_WITH(HarmonicSet({}), "The list of harmonics is empty; give at least one, such as [1].");
  CHECK_THROWS_WITH(HarmonicSet({-1, 0}), "Harmonic -1 is negative; harmonics are counted 0, 1, 2, …");
  CHECK_THROWS_WITH(HarmonicSet({0, 3, 3}),
                    "Harmonics must ascend without repetition, but 3 follows 3; sort the list.");
  CHECK_THROWS_AS(HarmonicSet::up_to(-2), ModelError);
}
