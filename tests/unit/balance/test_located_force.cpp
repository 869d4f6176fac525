#include "masing/balance/joint_forces.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/parallel_springs.hpp"
#include "masing/contact/slider_population.hpp"
#include "masing/contact/unilateral.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace masing;

namespace {

constexpr double k = 3.0;
constexpr double slip_force = 0.9;
constexpr double d = slip_force / k;

// Closed form and integrals of a few pieces: rounding only.
constexpr double rounding = 1e-12;

std::vector<Joint> jenkins() {
  return {test::joint("jenkins", make_element(Jenkins({.stiffness = k, .slip_force = slip_force})), 1, {{{0, 1.0}}})};
}

BalanceOptions options(std::vector<int> harmonics, Index samples, Events events) {
  return {.harmonics = std::move(harmonics), .samples = samples, .events = events};
}

JointForces forces(const std::vector<Joint>& joints, const BalanceOptions& o) {
  return JointForces(joints, HarmonicSet(o.harmonics), o);
}

// Complex describing function κ(A) of a Jenkins element in slip, F₁ = κ X₁, and its derivative to A.
struct Describing {
  Complex value, slope;
};
Describing describing(double amplitude) {
  const double theta = std::acos(1.0 - 2.0 * d / amplitude);
  const double theta_rate = -2.0 * d / (amplitude * amplitude * std::sin(theta));
  const double elastic = k / pi * (theta - 0.5 * std::sin(2.0 * theta));
  const double elastic_rate = k / pi * (1.0 - std::cos(2.0 * theta)) * theta_rate;
  const double dissipative = 4.0 * slip_force * (amplitude - d) / (pi * amplitude * amplitude);
  const double dissipative_rate = 4.0 * slip_force / pi * (2.0 * d - amplitude) / (amplitude * amplitude * amplitude);
  return {{elastic, dissipative}, {elastic_rate, dissipative_rate}};
}

}  // namespace

TEST_CASE(
    "Jenkins coefficients and derivatives with located events equal the closed form at any phase and few samples") {
  const auto joints = jenkins();
  for (const double amplitude : {0.31, 0.5, 2.0, 50.0}) {
    for (const double phase : {0.0, 0.3, 1.9, 4.4}) {
      JointForces aft = forces(joints, options({1}, 16, Events::located));
      const Complex x = std::polar(amplitude, phase);
      Matrix motion(1, 2);
      motion << x.real(), -x.imag();
      aft.evaluate(motion, 1.0);
      const Describing kappa = describing(amplitude);
      const Complex force(aft.coefficients()(0, 0), -aft.coefficients()(0, 1));
      CHECK(std::abs(force - kappa.value * x) < rounding * std::abs(force));

      // dF = κ dX + κ' dA X with dA = Re(X̄ dX)/A, for dX = 1 (cosine) and dX = −i (sine).
      Matrix block(2, 2);
      aft.prepare_derivatives(0);
      aft.derivative_block(0, 0, 0, block);
      for (Index column = 0; column < 2; ++column) {
        const Complex dx = column == 0 ? Complex(1.0, 0.0) : Complex(0.0, -1.0);
        const Complex expected = kappa.value * dx + kappa.slope * (std::conj(x) * dx).real() / amplitude * x;
        CHECK(std::abs(Complex(block(0, column), -block(1, column)) - expected) < rounding * k);
      }
    }
  }
}

TEST_CASE("a unilateral spring over a half wave has the closed-form coefficients") {
  const std::vector<Joint> joints = {test::joint("stop", make_element(Unilateral({.stiffness = k})), 1, {{{0, 1.0}}})};
  JointForces aft = forces(joints, options({0, 1, 2}, 8, Events::located));
  Matrix motion = Matrix::Zero(1, 5);
  motion(0, 1) = 2.0;
  aft.evaluate(motion, 1.0);
  CHECK(aft.coefficients()(0, 0) == Approx(k * 2.0 / pi).epsilon(rounding));
  CHECK(aft.coefficients()(0, 1) == Approx(k * 2.0 / 2.0).epsilon(rounding));
  CHECK(aft.coefficients()(0, 3) == Approx(2.0 * k * 2.0 / (3.0 * pi)).epsilon(rounding));
  CHECK(aft.coefficients()(0, 4) == Approx(0.0).margin(rounding));
}

TEST_CASE("sliders side by side with a spring and a pinned shank are the sum of their parts") {
  const std::vector<SlipElement> elements = {{1.0, 0.1}, {2.0, 0.9}, {0.5, 1.5}};
  const std::vector<Joint> one = {
      test::joint("population",
                  with_springs(make_element(SliderPopulation(elements)),
                               {.residual_stiffness = 0.7, .pinning_gap = 0.6, .pinning_stiffness = 4.0}),
                  1, {{{0, 1.0}}})};
  std::vector<Joint> parts;
  for (const auto& [stiffness, limit] : elements) {
    parts.push_back(
        test::joint("slider", make_element(Jenkins({.stiffness = stiffness, .slip_force = limit})), 1, {{{0, 1.0}}}));
  }
  const auto stop = make_element(Unilateral({.stiffness = 4.0, .gap = 0.6}));
  parts.push_back(test::joint("stop", stop, 1, {{{0, 1.0}}}));
  parts.push_back(test::joint("stop behind", stop, 1, {{{0, -1.0}}}));
  const BalanceOptions o = options({0, 1, 2, 3}, 64, Events::located);
  JointForces whole = forces(one, o), split = forces(parts, o);
  REQUIRE(whole.is_located(0));
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal(0.0, 0.5);
  Matrix block(7, 7), part(7, 7);
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix motion = Matrix::NullaryExpr(1, 7, [&] { return normal(generator); });
    Matrix motions = motion.replicate(5, 1);
    motions.row(4) *= -1.0;
    whole.evaluate(motion, 1.0);
    split.evaluate(motions, 1.0);
    Matrix force = 0.7 * motion, derivative = 0.7 * Matrix::Identity(7, 7);
    Vector sampled = 0.7 * whole.motion_samples().col(0);
    for (Index j = 0; j < 5; ++j) {
      const double side = j < 4 ? 1.0 : -1.0;
      force += side * split.coefficients().row(j);
      sampled += side * split.force_samples().col(j);
      split.prepare_derivatives(j);
      split.derivative_block(j, 0, 0, part);
      derivative += part;
    }
    whole.prepare_derivatives(0);
    whole.derivative_block(0, 0, 0, block);
    CHECK((whole.coefficients() - force).cwiseAbs().maxCoeff() < rounding);
    CHECK((block - derivative).cwiseAbs().maxCoeff() < rounding * k);
    CHECK((whole.force_samples().col(0) - sampled).cwiseAbs().maxCoeff() < rounding);
  }
}

TEST_CASE("sampling converges to the located coefficients with second order on random motions") {
  std::mt19937_64 generator(5);
  std::normal_distribution<double> normal(0.0, 0.5);
  std::vector<Joint> joints = jenkins();
  joints.push_back(test::joint("stop", make_element(Unilateral({.stiffness = k, .gap = 0.2})), 1, {{{0, 1.0}}}));
  const std::vector<int> harmonics = {0, 1, 2, 3, 5};
  JointForces located = forces(joints, options(harmonics, 128, Events::located));
  JointForces coarse = forces(joints, options(harmonics, 256, Events::sampled));
  JointForces fine = forces(joints, options(harmonics, 16384, Events::sampled));
  double coarse_error = 0.0;
  double fine_error = 0.0;
  for (int trial = 0; trial < 200; ++trial) {
    const Matrix row = Matrix::NullaryExpr(1, 9, [&] { return normal(generator); });
    const Matrix motion = row.replicate(2, 1);
    located.evaluate(motion, 1.0);
    coarse.evaluate(motion, 1.0);
    fine.evaluate(motion, 1.0);
    coarse_error = std::max(coarse_error, (coarse.coefficients() - located.coefficients()).cwiseAbs().maxCoeff());
    fine_error = std::max(fine_error, (fine.coefficients() - located.coefficients()).cwiseAbs().maxCoeff());
  }
  // (2π/16384)² k |x''| with |x''| up to 25·2 is 2e-5.
  constexpr double second_order = 5e-5;
  CHECK(fine_error < second_order);
  CHECK(fine_error < coarse_error / 500.0);  // second order gives 64² = 4096, first order 64
}

TEST_CASE("located derivatives against central differences on a thousand random motions") {
  std::mt19937_64 generator(6);
  std::normal_distribution<double> normal(0.0, 0.5);
  const auto joints = jenkins();
  JointForces aft = forces(joints, options({0, 1, 2, 3}, 128, Events::located));
  constexpr double h = 1e-6;
  // The force coefficients are continuously differentiable with bounded second derivatives: error h·f'' ~ 1e-5 at worst
  // where turning points are about to vanish, 1e-8 elsewhere.
  constexpr double usual = 1e-7;
  int unusual = 0;
  Matrix block(7, 7);
  for (int trial = 0; trial < 1000; ++trial) {
    const Matrix motion = Matrix::NullaryExpr(1, 7, [&] { return normal(generator); });
    aft.evaluate(motion, 1.0);
    aft.prepare_derivatives(0);
    aft.derivative_block(0, 0, 0, block);
    double worst = 0.0;
    for (Index column = 0; column < 7; ++column) {
      Matrix shifted = motion;
      shifted(0, column) += h;
      aft.evaluate(shifted, 1.0);
      const Matrix above = aft.coefficients();
      shifted(0, column) -= 2.0 * h;
      aft.evaluate(shifted, 1.0);
      const Matrix difference = (above - aft.coefficients()) / (2.0 * h);
      worst = std::max(worst, (difference.transpose() - block.col(column)).cwiseAbs().maxCoeff());
    }
    if (worst > usual * k) ++unusual;
  }
  CHECK(unusual <= 5);
}

TEST_CASE(
    "flat tops that hide a minimum between two samples are located, so that forces do not depend on the samples") {
  const auto joints = jenkins();
  JointForces coarse = forces(joints, options({1, 3}, 64, Events::located));
  JointForces fine = forces(joints, options({1, 3}, 4096, Events::located));
  for (int i = -200; i <= 200; ++i) {
    const double delta = 1e-4 * i;  // the top of cos τ − (1 + δ)/9 cos 3τ splits at δ = 0
    for (const double shift : {0.0, 0.013, 0.05}) {
      Matrix motion(1, 4);
      motion << std::cos(shift), std::sin(shift), -(1.0 + delta) / 9.0 * std::cos(3.0 * shift),
          -(1.0 + delta) / 9.0 * std::sin(3.0 * shift);
      coarse.evaluate(motion, 1.0);
      fine.evaluate(motion, 1.0);
      CHECK((coarse.coefficients() - fine.coefficients()).cwiseAbs().maxCoeff() < rounding);
    }
  }
}

TEST_CASE("a stuck joint keeps the offset of the virgin convention and its sensitivity") {
  const auto joints = jenkins();
  for (const Events events : {Events::located, Events::sampled}) {
    JointForces aft = forces(joints, options({0, 1}, 64, events));
    Matrix motion(1, 3);
    motion << 1.0, 0.2, 0.0;  // 0.8 … 1.2, within ±d of a slider dragged to 1.2 − 0.3
    aft.evaluate(motion, 1.0);
    CHECK(aft.coefficients()(0, 0) == Approx(k * (1.0 - 0.9)).epsilon(rounding));
    CHECK(aft.coefficients()(0, 1) == Approx(k * 0.2).epsilon(rounding));
    Matrix block(3, 3);
    aft.prepare_derivatives(0);
    aft.derivative_block(0, 0, 0, block);
    CHECK(block(0, 0) == Approx(0.0).margin(rounding));  // the slider follows the mean
    CHECK(block(0, 1) == Approx(-k).epsilon(rounding));  // and the maximum
    CHECK(block(1, 1) == Approx(k).epsilon(rounding));
  }
}
