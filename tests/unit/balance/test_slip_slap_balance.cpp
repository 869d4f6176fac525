// Harmonic coefficients and Jacobian of the slip/slap law: located events, sources between samples and their shifts.
#include "masing/balance/joint_forces.hpp"
#include "masing/contact/slip_slap.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

using namespace masing;

namespace {

SlipSlap::Parameters parameters(int trial) {
  SlipSlap::Parameters p{.normal_coefficient = 4.0,
                         .friction_coefficient = 0.26,
                         .unloading_rate = 0.5,
                         .stiffness_ratio = 0.7,
                         .approach = 0.5};
  if (trial % 2 == 0) {
    p.normal_exponent = 1.3;
    p.friction_exponent = 1.16;
  }
  p.smooth_refresh = trial % 3 == 0;
  return p;
}

std::vector<Joint> joint(const SlipSlap::Parameters& p) {
  return {test::joint("contact", make_slip_slap(p), 2, {{{0, 1.0}}, {{1, 1.0}}})};
}

/// Harmonics 0 to 3 of u and w: small and large slip, with and without separation.
Matrix random_motion(std::mt19937_64& random, int trial) {
  std::normal_distribution<double> normal;
  const double tangential = 0.1 * std::pow(30.0, (trial % 7) / 6.0);
  Matrix motion(2, 7);
  motion(0, 0) = 0.3;
  motion(1, 0) = 0.5 * (trial % 5);
  for (Index c = 1; c < 7; ++c) {
    const double fall = static_cast<double>((c + 1) / 2);
    motion(0, c) = tangential * normal(random) / (fall * fall);
    motion(1, c) = 0.8 * normal(random) / (fall * fall);
  }
  return motion;
}

BalanceOptions options(Index samples, Events events) {
  return {.harmonics = {0, 1, 2, 3}, .samples = samples, .events = events, .cycle = {}};
}

/// ∂F/∂U as one 14 × 14 matrix, force after force and input after input.
Matrix jacobian(JointForces& forces) {
  Matrix full(14, 14);
  Matrix block(7, 7);
  forces.prepare_derivatives(0);
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      forces.derivative_block(0, a, b, block);
      full.block(7 * a, 7 * b, 7, 7) = block;
    }
  }
  return full;
}

struct Comparison {
  double worst = 0.0;
  long columns = 0;
  long kinks = 0;
};

// Central differences of two steps; where they disagree, a switch passes a sample and the column is left out.
void compare(JointForces& forces, const Matrix& motion, Comparison& comparison) {
  forces.evaluate(motion, 1.0);
  const Matrix exact = jacobian(forces);
  const double scale = std::max(exact.cwiseAbs().maxCoeff(), 1.0);
  const auto difference = [&](Index column, double step) {
    Matrix moved = motion;
    moved(column / 7, column % 7) += step;
    forces.evaluate(moved, 1.0);
    const Matrix up = forces.coefficients();
    moved(column / 7, column % 7) -= 2.0 * step;
    forces.evaluate(moved, 1.0);
    const Matrix rows = (up - forces.coefficients()) / (2.0 * step);
    return Vector(rows.transpose().reshaped());
  };
  for (Index column = 0; column < 14; ++column) {
    const Vector coarse = difference(column, 2e-5);
    const Vector fine = difference(column, 1e-5);
    ++comparison.columns;
    if ((coarse - fine).cwiseAbs().maxCoeff() > 1e-6 * scale) {
      ++comparison.kinks;
      continue;
    }
    const Vector extrapolated = fine + (fine - coarse) / 3.0;
    comparison.worst = std::max(comparison.worst, (extrapolated - exact.col(column)).cwiseAbs().maxCoeff() / scale);
  }
}

Comparison compare_many(Events events, Index samples, unsigned seed) {
  std::mt19937_64 random(seed);
  Comparison comparison;
  for (int trial = 0; trial < 1000; ++trial) {
    const auto joints = joint(parameters(trial));
    const BalanceOptions o = options(samples, events);
    JointForces forces(joints, HarmonicSet(o.harmonics), o);
    compare(forces, random_motion(random, trial), comparison);
  }
  return comparison;
}

}  // namespace

TEST_CASE("slip/slap: Jacobian with located events against differences on a thousand motions", "[slip-slap]") {
  // Between its kinks and jumps friction relaxes in layers behind reversals that 256 samples resolve to 7e-7, 512 to 2e-7.
  const Comparison c = compare_many(Events::located, 512, 71);
  WARN("slip/slap, located: " << c.columns << " columns, " << c.kinks << " too curved for differences, worst relative "
                              << "difference " << c.worst);
  CHECK(c.worst < 1e-6);
  CHECK(static_cast<double>(c.kinks) < 0.03 * static_cast<double>(c.columns));
}

TEST_CASE("slip/slap: Jacobian with sampled events against differences on a thousand motions", "[slip-slap]") {
  const Comparison c = compare_many(Events::sampled, 32, 72);
  WARN("slip/slap, sampled: " << c.columns << " columns, " << c.kinks << " at a switch, worst relative difference "
                              << c.worst);
  CHECK(c.worst < 1e-6);
  CHECK(static_cast<double>(c.kinks) < 0.03 * static_cast<double>(c.columns));
}

TEST_CASE("slip/slap: located coefficients have no error of sampling, sampled ones converge with it", "[slip-slap]") {
  std::mt19937_64 random(73);
  double located = 0.0, coarse = 0.0, fine = 0.0;
  const int trials = 30;
  for (int trial = 0; trial < trials; ++trial) {
    const auto joints = joint(parameters(trial));
    const Matrix motion = random_motion(random, trial);
    const auto coefficients = [&](Index samples, Events events) {
      const BalanceOptions o = options(samples, events);
      JointForces forces(joints, HarmonicSet(o.harmonics), o);
      forces.evaluate(motion, 1.0);
      return forces.coefficients();
    };
    const Matrix reference = coefficients(4096, Events::located);
    const double scale = reference.cwiseAbs().maxCoeff();
    const auto error = [&](Index samples, Events events) {
      return (coefficients(samples, events) - reference).cwiseAbs().maxCoeff() / scale;
    };
    located = std::max(located, error(512, Events::located));
    coarse += error(512, Events::sampled) / trials;
    fine += error(16384, Events::sampled) / trials;
  }
  INFO("N = 512 located: " << located << ", sampled: " << coarse << ", N = 16384 sampled: " << fine);
  CHECK(located < 1e-9);        // Gauss's rule has converged
  CHECK(fine < coarse / 16.0);  // a polygon touches and begins to slide a share of a sample too late: first order, 32
}
