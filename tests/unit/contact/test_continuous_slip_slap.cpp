// The continuous form of slip/slap: what it shares with the published law, continuity, derivatives.
#include "masing/contact/continuous_slip_slap.hpp"

#include "masing/contact/loop.hpp"
#include "unit/contact/sensitivity.hpp"
#include "unit/contact/slip_slap_oracle.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using namespace masing::support;

namespace {

SlipSlap::Parameters worn(double m = 1.16) {
  return {.normal_exponent = 1.01,
          .friction_exponent = m,
          .normal_coefficient = 4.0,
          .friction_coefficient = 0.4,
          .unloading_rate = 0.5,
          .stiffness_ratio = 0.6};
}

std::shared_ptr<const ContactElement> continuous(const SlipSlap::Parameters& p, double depth) {
  return make_element(ContinuousSlipSlap(p, depth));
}

/// From a contact that rests closed to one that opens, with a tangential motion that gets a second pair of reversals.
SlipSlapMotion family(double lambda) {
  SlipSlapMotion motion;
  motion.u.a = {0.3, 0.3 * lambda, 0.1};
  motion.u.b = {0.0, 0.1, 0.25 * lambda};
  motion.w.mean = 0.6;
  motion.w.a = {0.2, 0.5 * lambda};
  motion.w.b = {0.3 * lambda, 0.0};
  return motion;
}

/// The largest change of a force from one of `steps` members of the family to the next.
double largest_change(const ContactElement& element, int steps) {
  constexpr Index samples = 128;
  double largest = 0.0;
  Matrix before;
  for (int i = 0; i <= steps; ++i) {
    const Matrix force = sampled_forces(element, family(static_cast<double>(i) / steps).sampled(samples));
    if (i > 0) largest = std::max(largest, (force - before).cwiseAbs().maxCoeff());
    before = force;
  }
  return largest;
}

}  // namespace

TEST_CASE("continuous slip/slap at constant penetration is the published law", "[contact][slip-slap]") {
  std::mt19937_64 random(91);
  const double depth = 1e-9;
  for (int trial = 0; trial < 100; ++trial) {
    SlipSlapMotion motion = random_slip_slap_motion(random, trial);
    motion.w = Harmonics();
    motion.w.mean = 0.5 + 0.01 * trial;
    const Samples s = motion.sampled(128);
    const Matrix published = sampled_forces(*make_slip_slap(worn()), s);
    // k_T is taken at w + d: 1.16 d/w of the exponents, which are at most about 10.
    const double same = 1e-7;
    REQUIRE((sampled_forces(*continuous(worn(), depth), s) - published).cwiseAbs().maxCoeff() < same);
  }
}

TEST_CASE("continuous slip/slap after a re-contact: the first loading in closed form, whatever the penetration does",
          "[contact][slip-slap]") {
  const SlipSlap::Parameters p = worn();
  const auto point = continuous(p, 1e-10)->at_rest();
  const auto advance = [&](double u, double w) {
    return point->advance({SmallVector<2>(u, w), SmallVector<2>::Zero()}).force;
  };
  advance(0.5, 0.3);
  advance(-0.2, -0.6);
  for (const auto& [u, w] : std::vector<std::pair<double, double>>{{0.1, 0.3}, {0.25, 0.9}, {0.4, 1.1}, {0.4, 1.3}}) {
    const auto force = advance(u, w);
    const double touch = -0.2 + 0.3 * 2.0 / 3.0;  // the surfaces meet two thirds of the way from w = −0.6 to 0.3
    const double normal = p.normal_coefficient * std::pow(w, p.normal_exponent);
    const double rate = p.normal_exponent * p.stiffness_ratio / p.friction_coefficient *
                        std::pow(p.normal_coefficient, 1.0 - p.friction_exponent) /
                        std::pow(w, 1.0 - p.normal_exponent * (1.0 - p.friction_exponent));
    const double share = -std::expm1(-rate * (u - touch));
    CHECK(force[1] == Approx(normal).epsilon(1e-12));
    CHECK(force[0] ==
          Approx(p.friction_coefficient * std::pow(normal, p.friction_exponent) * share).epsilon(1e-8));  // d/w
  }
  advance(0.4, -1.0);
  CHECK(advance(0.4, 0.5)[0] == Approx(0.0).margin(1e-12));  // it forgot
}

TEST_CASE("continuous slip/slap: forces follow the motion without jumps, where those of the published law jump",
          "[contact][slip-slap]") {
  // A change that shrinks with the step is a slope; one that stays is a jump. 16 times finer: 1/16 but for the curvature.
  const auto ratio = [](const ContactElement& element) {
    const double coarse = largest_change(element, 500), fine = largest_change(element, 8000);
    WARN("largest change of a force over 500 and 8000 steps: " << coarse << ", " << fine);
    return coarse / fine;
  };
  for (const double m : {0.9, 1.0, 1.16}) CHECK(ratio(*continuous(worn(m), 0.02)) > 8.0);
  CHECK(ratio(*make_slip_slap(worn())) < 2.0);
}

TEST_CASE("continuous slip/slap: random motions and small changes of them", "[contact][slip-slap]") {
  std::mt19937_64 random(92);
  const auto element = continuous(worn(), 0.05);
  double steepest = 0.0;
  for (int trial = 0; trial < 300; ++trial) {
    const Samples s = random_slip_slap_motion(random, trial).sampled(64);
    const Samples change = random_slip_slap_motion(random, trial).sampled(64);
    const Matrix force = sampled_forces(*element, s);
    for (const double size : {1e-4, 1e-6, 1e-8}) {
      Samples moved = s;
      moved.displacement += size * change.displacement;
      const double difference = (sampled_forces(*element, moved) - force).cwiseAbs().maxCoeff();
      steepest = std::max(steepest, difference / (size * change.displacement.cwiseAbs().maxCoeff()));
    }
  }
  WARN("continuous slip/slap: at most " << steepest << " N/m over 300 motions");
  // Forces below 20 N change over lengths of about d = 0.05 m, and at most a few such changes follow each other. A jump of
  // 1e-3 N would show as 1e5 N/m.
  CHECK(steepest < 2e3);
}

TEST_CASE("continuous slip/slap: steps err by their square while the contact is closed", "[contact][slip-slap]") {
  constexpr double closed = 0.4;  // w >= 0.08
  const auto element = continuous(worn(), 0.02);
  const auto error = [&](Index samples) {
    const Matrix force = sampled_forces(*element, family(closed).sampled(samples));
    const Matrix fine = sampled_forces(*element, family(closed).sampled(16 * 512));
    double largest = 0.0;
    for (Index i = 0; i < samples; ++i) {
      largest = std::max(largest, (force.row(i) - fine.row(i * 16 * 512 / samples)).cwiseAbs().maxCoeff());
    }
    return largest;
  };
  const double coarse = error(128), fine = error(512);
  WARN("continuous slip/slap: errors with 128 and 512 samples " << coarse << ", " << fine << " N");
  CHECK(std::log(coarse / fine) / std::log(4.0) > 1.6);
}

TEST_CASE("continuous slip/slap: no tension, and nothing while open", "[contact][slip-slap]") {
  std::mt19937_64 random(93);
  for (int trial = 0; trial < 200; ++trial) {
    const Samples s = random_slip_slap_motion(random, trial).sampled(128);
    const Matrix force = sampled_forces(*continuous(worn(), 0.02), s);
    for (Index i = 0; i < 128; ++i) {
      REQUIRE(force(i, 1) >= 0.0);
      if (s.displacement(i, 1) <= 0.0) REQUIRE(force.row(i).isZero(0.0));
    }
  }
}

TEST_CASE("continuous and published slip/slap differ as far as the penetration varies", "[contact][slip-slap]") {
  // Of the forces over the period, averaged over random motions. With the whole variation most contacts open.
  const auto difference = [](double variation) {
    std::mt19937_64 random(95);
    double sum = 0.0;
    constexpr int trials = 200;
    for (int trial = 0; trial < trials; ++trial) {
      SlipSlapMotion motion = random_slip_slap_motion(random, trial);
      for (double& a : motion.w.a) a *= variation;
      for (double& b : motion.w.b) b *= variation;
      const Samples s = motion.sampled(128);
      const Matrix published = sampled_forces(*make_slip_slap(worn()), s);
      const Matrix force = sampled_forces(*continuous(worn(), 1e-3), s);
      if (!published.isZero(0.0)) sum += (force - published).norm() / published.norm();
    }
    return sum / trials;
  };
  const double small = difference(0.01), moderate = difference(0.1), whole = difference(1.0);
  WARN("continuous against published slip/slap, penetration varies by 1, 10 and 100 %: " << small << ", " << moderate
                                                                                         << ", " << whole);
  CHECK(small < 0.01);
  CHECK(moderate < 0.1);
  CHECK(whole < 1.0);
}

TEST_CASE("sensitivities of continuous slip/slap on a thousand random histories", "[contact][slip-slap]") {
  std::mt19937_64 random(94);
  const auto findings =
      study_sensitivities(*continuous(worn(), 0.05), {.histories = 1000, .columns = 3, .step = 1e-7, .stiffness = 10.0},
                          random, [&](int h) { return random_slip_slap_motion(random, h).sampled(32); });
  WARN("continuous slip/slap: " << findings);
  CHECK(findings.worst < 1e-6);
  CHECK(findings.kink_share() < 0.01);
}
