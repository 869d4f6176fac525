// Steady cycles against closed forms and symmetries.
#include "masing/contact/coulomb.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/linear.hpp"
#include "masing/contact/loop.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/unilateral.hpp"
#include "unit/contact/histories.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using support::cosine;
using support::harmonic;
using support::Samples;

namespace {

constexpr Index fine = 4096;
// Kinks of the force fall between samples: errors of order (2π/4096)² = 2.4e-6 times coefficients of order one.
constexpr double sampling_tolerance = 5e-6;
// Sums of 4096 terms of order one in double precision.
constexpr double rounding_tolerance = 1e-12;

template <class L>
CycleResult cycle_of(const L& law, const Samples& samples) {
  CycleResult result;
  steady_cycle(law, samples.view(), {}, result);
  return result;
}

}  // namespace

TEST_CASE("Jenkins: first harmonic and loop area of a single-harmonic motion", "[contact]") {
  const double k = 2.0;
  const double fs = 0.8;
  for (const double amplitude : {0.5, 1.0, 3.0}) {
    CAPTURE(amplitude);
    const Samples x = cosine(fine, amplitude);
    const CycleResult cycle = cycle_of(Jenkins({.stiffness = k, .slip_force = fs}), x);
    const auto first = harmonic(cycle.force.col(0), 1);
    const double theta = std::acos(1.0 - 2.0 * fs / (k * amplitude));
    const double area = 4.0 * fs * (amplitude - fs / k);
    CHECK(first.cosine ==
          Approx(k * amplitude / pi * (theta - 0.5 * std::sin(2.0 * theta))).epsilon(sampling_tolerance));
    CHECK(first.sine == Approx(-area / (pi * amplitude)).epsilon(sampling_tolerance));
    CHECK(harmonic(cycle.force.col(0), 2).cosine == Approx(0.0).margin(rounding_tolerance));
    CHECK(loop_area(x.displacement, cycle.force) == Approx(area).epsilon(sampling_tolerance));
    CHECK(pi * amplitude * -first.sine == Approx(loop_area(x.displacement, cycle.force)).epsilon(sampling_tolerance));
    CHECK(cycle.report.closed);
    CHECK(cycle.report.cycles == 1);
    CHECK(cycle.report.closure_error < rounding_tolerance);
    CHECK(cycle.sources.size() == 2);
  }
}

TEST_CASE("Jenkins: below the slip limit it is a linear spring", "[contact]") {
  const Samples x = cosine(64, 0.3);
  const CycleResult cycle = cycle_of(Jenkins({.stiffness = 2.0, .slip_force = 0.8}), x);
  CHECK((cycle.force - 2.0 * x.displacement).cwiseAbs().maxCoeff() < rounding_tolerance);
  CHECK(cycle.sources.empty());
  CHECK(cycle.uses.empty());
}

TEST_CASE("Jenkins: sticking with an offset, the slider was dragged by the extreme", "[contact]") {
  const Jenkins law({.stiffness = 2.0, .slip_force = 0.8});
  for (const double side : {1.0, -1.0}) {
    const Samples x = cosine(64, 0.3, 0.4, side * 0.5);
    const CycleResult cycle = cycle_of(law, x);
    const double extreme = side * (side * x.displacement).maxCoeff();
    const double slider = extreme - side * 0.4;
    CHECK((cycle.force.array() - 2.0 * (x.displacement.array() - slider)).abs().maxCoeff() < rounding_tolerance);
    REQUIRE(cycle.sources.size() == 1);
    CHECK(x.displacement(cycle.sources[0].sample, 0) == extreme);
    CHECK(cycle.sources[0].by_displacement[0] == 1.0);
  }
}

TEST_CASE("unilateral spring: half-wave coefficients", "[contact]") {
  const double k = 3.0;
  const double amplitude = 1.7;
  const CycleResult cycle = cycle_of(Unilateral({.stiffness = k}), cosine(fine, amplitude));
  CHECK(harmonic(cycle.force.col(0), 0).cosine == Approx(k * amplitude / pi).epsilon(sampling_tolerance));
  CHECK(harmonic(cycle.force.col(0), 1).cosine == Approx(k * amplitude / 2.0).epsilon(sampling_tolerance));
  CHECK(harmonic(cycle.force.col(0), 2).cosine == Approx(2.0 * k * amplitude / (3.0 * pi)).epsilon(sampling_tolerance));
}

TEST_CASE("unilateral spring: a negative gap is a preload", "[contact]") {
  const CycleResult cycle = cycle_of(Unilateral({.stiffness = 3.0, .gap = -2.0}), cosine(32, 1.0));
  CHECK(harmonic(cycle.force.col(0), 0).cosine == Approx(6.0).epsilon(rounding_tolerance));
  CHECK(harmonic(cycle.force.col(0), 1).cosine == Approx(3.0).epsilon(rounding_tolerance));
}

TEST_CASE("cubic spring: three quarters and one quarter", "[contact]") {
  const double amplitude = 1.3;
  const double cube = std::pow(amplitude, 3);
  const CycleResult cycle = cycle_of(CubicSpring({.cubic_stiffness = 1.0}), cosine(16, amplitude));
  CHECK(harmonic(cycle.force.col(0), 1).cosine == Approx(0.75 * cube).epsilon(rounding_tolerance));
  CHECK(harmonic(cycle.force.col(0), 3).cosine == Approx(0.25 * cube).epsilon(rounding_tolerance));
}

TEST_CASE("linear spring and dashpot: force in phase with displacement and with velocity", "[contact]") {
  const Samples x = cosine(16, 1.3, 0.2);
  CHECK((cycle_of(LinearSpring(4.0), x).force - 4.0 * x.displacement).isZero(rounding_tolerance));
  const CycleResult damping = cycle_of(Dashpot(0.6), x);
  CHECK((damping.force - 0.6 * x.velocity).isZero(rounding_tolerance));
  CHECK(damping.by_velocity.col(0).isConstant(0.6));
  CHECK(cycle_of(LinearSpring(4.0), x).by_velocity.cols() == 0);
}

TEST_CASE("regularised Coulomb: tends to the rectangular loop", "[contact]") {
  const double amplitude = 2.0;
  const Samples x = cosine(fine, amplitude);
  const CycleResult cycle = cycle_of(RegularisedCoulomb({.slip_force = 1.5, .reference_velocity = 0.01}), x);
  // The rounded corners cost about (v_ref / v_max)² = 2.5e-5 of 4 F A.
  const double corner = 1e-4;
  CHECK(loop_area(x.displacement, cycle.force) == Approx(4.0 * 1.5 * amplitude).epsilon(corner));
}

TEST_CASE("shifting time by whole samples shifts the force and nothing else", "[contact]") {
  std::mt19937_64 random(21);
  const Index n = 64;
  const Jenkins jenkins({.stiffness = 2.0, .slip_force = 0.8});
  for (int trial = 0; trial < 50; ++trial) {
    const Samples x = support::random_history(random, n, 1, 0.2 + 0.02 * trial);
    const CycleResult reference = cycle_of(jenkins, x);
    const Index shift = 1 + trial % (n - 1);
    Samples shifted = x;
    for (Index i = 0; i < n; ++i) shifted.displacement(i, 0) = x.displacement((i + shift) % n, 0);
    const CycleResult cycle = cycle_of(jenkins, shifted);
    CHECK(cycle.sources.size() == reference.sources.size());
    for (Index i = 0; i < n; ++i) {
      REQUIRE(cycle.force(i, 0) == Approx(reference.force((i + shift) % n, 0)).margin(rounding_tolerance));
    }
  }
}

TEST_CASE("scaling motion and slip force together scales the force", "[contact]") {
  std::mt19937_64 random(22);
  for (const double scale : {1e-6, 37.0}) {
    const Samples x = support::random_history(random, 64, 1, 1.0);
    Samples scaled = x;
    scaled.displacement *= scale;
    const CycleResult one = cycle_of(Jenkins({.stiffness = 2.0, .slip_force = 0.8}), x);
    const CycleResult other = cycle_of(Jenkins({.stiffness = 2.0, .slip_force = 0.8 * scale}), scaled);
    CHECK((other.force / scale - one.force).isZero(rounding_tolerance));
  }
}

TEST_CASE("a Jenkins element never gives energy back over a cycle", "[contact]") {
  std::mt19937_64 random(23);
  for (int trial = 0; trial < 200; ++trial) {
    const Samples x = support::random_history(random, 64, 1, 0.01 * (trial + 1));
    const CycleResult cycle = cycle_of(Jenkins({.stiffness = 2.0, .slip_force = 0.8}), x);
    CHECK(loop_area(x.displacement, cycle.force) > -rounding_tolerance);
    CHECK(cycle.force.cwiseAbs().maxCoeff() <= 0.8 * (1.0 + rounding_tolerance));
  }
}
