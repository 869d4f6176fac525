// Turning points of random signals, also those that come in pairs between two samples.
#include "unit/contact/slip_slap_oracle.hpp"

#include <catch2/catch.hpp>

using namespace masing;

namespace {

Vector samples_of(const PeriodicSignal& signal, Index count) {
  Vector samples(count);
  for (Index i = 0; i < count; ++i)
    samples[i] = signal.at(2.0 * pi * static_cast<double>(i) / static_cast<double>(count)).value;
  return samples;
}

}  // namespace

TEST_CASE("every turning point is found between few samples", "[contact]") {
  std::mt19937_64 random(55);
  std::vector<TurningPoint> few;
  std::vector<TurningPoint> many;
  int pairs = 0;  // between the same two of the few samples
  for (int trial = 0; trial < 3000; ++trial) {
    CAPTURE(trial);
    const support::Harmonics signal = support::random_harmonics(random, 0.2, 1.0, 3);
    find_turning_points(signal, samples_of(signal, 32), few);
    find_turning_points(signal, samples_of(signal, 4096), many);
    REQUIRE(few.size() == many.size());
    for (std::size_t i = 0; i < few.size(); ++i) {
      const double flat = 1e-12;  // of slopes of about one: rounding
      REQUIRE(std::abs(signal.at(few[i].time).slope) < flat);
      REQUIRE(few[i].maximum == many[i].maximum);
      REQUIRE(few[i].maximum != few[(i + 1) % few.size()].maximum);
      if (i > 0 && std::floor(few[i].time * 16.0 / pi) == std::floor(few[i - 1].time * 16.0 / pi)) ++pairs;
    }
  }
  CHECK(pairs > 10);
}
