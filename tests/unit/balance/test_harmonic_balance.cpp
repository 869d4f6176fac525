#include "masing/balance/harmonic_balance.hpp"
#include "masing/balance/jacobian_check.hpp"
#include "masing/contact/coulomb.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/linear.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/unilateral.hpp"
#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"
#include "masing/solve/newton.hpp"
#include "masing/structure/lumped.hpp"
#include "support/at_frequency.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace masing;
using test::joint;
using test::load;

namespace {

// Two ways to the same linear algebra: only rounding of a few hundred operations may differ.
constexpr double same_algebra = 1e-10;

Vector random_vector(Index size, unsigned seed, double scale = 1.0) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-scale, scale);
  return Vector::NullaryExpr(size, [&] { return uniform(generator); });
}

Vector solve(HarmonicBalance& balance, double omega) {
  test::AtFrequency system(balance, omega);
  Vector x = Vector::Zero(balance.size());
  Vector r;
  balance.residual(x, omega, r);
  NewtonSolver solver(balance.size(), {.residual_tolerance = 1e-13, .max_iterations = 100});
  const NewtonSummary summary =
      solver.solve(system, x, {Vector::Ones(x.size()), Vector::Constant(x.size(), r.lpNorm<Eigen::Infinity>())});
  INFO(summary.message);
  REQUIRE(summary.converged());
  return x;
}

std::shared_ptr<const MatrixStructure> three_masses() {
  return chain({.masses = {1.0, 1.3, 0.7}, .stiffnesses = {2.0, 1.5, 0.8}, .dampings = {0.03, 0.02, 0.01}});
}

}  // namespace

TEST_CASE("a linear spring and dashpot as joints equal the same spring and dashpot in the structure") {
  const std::vector<Load> loads = {load(1, 0, 0.7, 1, 0.4), load(1, 0, 0.2, 3)};
  const BalanceOptions options{.harmonics = {0, 1, 3}, .samples = 16};
  const auto inside = oscillator({.mass = 1.2, .stiffness = 5.0, .damping = 0.3});
  const auto outside = oscillator({.mass = 1.2, .stiffness = 2.0, .damping = 0.1});
  const std::vector<Joint> joints = {joint("spring", make_element(LinearSpring(3.0)), 1, {{{0, 1.0}}}),
                                     joint("dashpot", make_element(Dashpot(0.2)), 1, {{{0, 1.0}}})};
  HarmonicBalance structural(*inside, {}, loads, options);
  HarmonicBalance jointed(*outside, joints, loads, options);
  const double omega = 1.7;
  const Vector a = solve(structural, omega);
  const Vector b = solve(jointed, omega);
  CHECK((a - b).norm() < same_algebra * a.norm());

  // … and both equal the closed form |p| / |K − Ω²M + iΩC| with the load's phase.
  const Complex z(5.0 - omega * omega * 1.2, omega * 0.3);
  const Complex expected = 0.7 * std::polar(1.0, 0.4) / z;
  CHECK(a[1] == Approx(expected.real()));
  CHECK(a[2] == Approx(-expected.imag()));
}

TEST_CASE("Duffing oscillator with one harmonic satisfies the amplitude equation") {
  const auto structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.04});
  const std::vector<Joint> joints = {
      joint("cubic", make_element(CubicSpring({.cubic_stiffness = 0.5})), 1, {{{0, 1.0}}})};
  const std::vector<Load> loads = {load(1, 0, 0.3)};
  HarmonicBalance balance(*structure, joints, loads, {.harmonics = {1}, .samples = 16});
  const double omega = 0.7;
  const Vector x = solve(balance, omega);
  const double a = x.norm();
  const double elastic = (1.0 - omega * omega + 0.75 * 0.5 * a * a) * a;
  const double viscous = 0.04 * omega * a;
  CHECK(std::hypot(elastic, viscous) == Approx(0.3).epsilon(same_algebra));
}

TEST_CASE("exact Jacobian of every law against central differences") {
  const auto structure = three_masses();
  const std::vector<Load> loads = {load(3, 0, 1.0, 1, 0.3), load(3, 2, 0.4, 0)};
  const std::vector<PolynomialTerm> terms = {{.force = 0, .coefficient = 0.7, .exponents = {2, 1}},
                                             {.force = 1, .coefficient = 0.7 / 3.0, .exponents = {3, 0}},
                                             {.force = 1, .coefficient = -0.2, .exponents = {0, 2}}};
  const std::vector<Joint> all = {
      joint("spring", make_element(LinearSpring(0.3)), 3, {{{0, 1.0}, {1, -1.0}}}),
      joint("dashpot", make_element(Dashpot(0.2)), 3, {{{1, 1.0}}}),
      joint("cubic", make_element(CubicSpring({.cubic_stiffness = 0.5, .stiffness = 0.1})), 3, {{{0, 1.0}}}),
      joint("polynomial", make_element(Polynomial(2, terms)), 3, {{{0, 1.0}, {1, -0.5}}, {{2, 1.0}}}),
      joint("unilateral", make_element(Unilateral({.stiffness = 2.0, .gap = 0.1})), 3, {{{2, 1.0}, {1, -1.0}}}),
      joint("coulomb", make_element(RegularisedCoulomb({.slip_force = 0.3, .reference_velocity = 0.5})), 3,
            {{{1, 1.0}}}),
      joint("jenkins", make_element(Jenkins({.stiffness = 1.5, .slip_force = 0.2})), 3, {{{0, -1.0}, {2, 1.0}}})};
  // Central differences with step 1e-6: truncation 1e-12 f''', rounding 1e-16/1e-6; 1e-7 leaves room for kinks that a
  // step moves across one of N samples.
  constexpr double differences = 1e-7;
  const Events events = GENERATE(Events::located, Events::sampled);
  const BalanceOptions options{.harmonics = {0, 1, 2, 3}, .samples = 64, .events = events};
  for (const Joint& one : all) {
    HarmonicBalance balance(*structure, std::vector<Joint>{one}, loads, options);
    const JacobianCheck check = check_jacobian(balance, random_vector(balance.size(), 21), 1.3);
    INFO(one.name << ": " << check.worst_entry);
    CHECK(check.worst_error < differences);
    CHECK_FALSE(check.worst_entry.empty());
  }
  HarmonicBalance balance(*structure, all, loads, options);
  const JacobianCheck check = check_jacobian(balance, random_vector(balance.size(), 22), 0.9);
  INFO(check.worst_entry);
  CHECK(check.worst_error < differences);
}

TEST_CASE("the derivative to the level is that of the oscillating loads alone") {
  const auto structure = three_masses();
  const std::vector<Load> loads = {load(3, 1, 1.0, 1, 0.3), load(3, 2, 0.4, 0)};
  const std::vector<Joint> joints = {
      joint("cubic", make_element(CubicSpring({.cubic_stiffness = 1.0})), 3, {{{0, 1.0}}})};
  HarmonicBalance balance(*structure, joints, loads, {.harmonics = {0, 1}, .samples = 16});
  const Vector x = random_vector(balance.size(), 4);
  Vector low, high, exact;
  balance.set_level(0.5);
  balance.residual(x, 1.1, low);
  balance.set_level(1.5);
  balance.residual(x, 1.1, high);
  balance.derivative_by_level(exact);
  CHECK((high - low - exact).norm() < same_algebra * exact.norm());
  CHECK(exact[0] == 0.0);
}

TEST_CASE("condensed solutions equal uncondensed ones") {
  const Index n = 8;
  const std::vector<double> ones(static_cast<std::size_t>(n), 1.0);
  const auto structure =
      chain({.masses = ones, .stiffnesses = ones, .dampings = std::vector<double>(static_cast<std::size_t>(n), 0.02)});
  const std::vector<Load> loads = {load(n, 4, 0.6, 1, 0.2), load(n, 7, 0.3, 3), load(n, 5, 0.2, 0)};
  std::vector<Joint> joints = {
      joint("damper", make_element(Jenkins({.stiffness = 2.0, .slip_force = 0.3})), n, {{{2, 1.0}, {6, -1.0}}}),
      joint("cubic", make_element(CubicSpring({.cubic_stiffness = 0.4})), n, {{{2, 1.0}}})};
  const BalanceOptions options{.harmonics = {0, 1, 2, 3}, .samples = 64};
  const double omega = 0.83;
  HarmonicBalance condensed(*structure, joints, loads, options);
  CHECK(condensed.motions() == 2);
  const Matrix recovered = condensed.recover(solve(condensed, omega), omega);

  for (Index c = 0; c < n; ++c) joints.push_back(joint("nothing", make_element(LinearSpring(0.0)), n, {{{c, 1.0}}}));
  HarmonicBalance full(*structure, joints, loads, options);
  CHECK(full.motions() == n);
  const Matrix direct = full.recover(solve(full, omega), omega);
  CHECK((recovered - direct).norm() < same_algebra * direct.norm());

  SECTION("joints that feel fewer motions than they touch coordinates are reduced to them") {
    joints.assign(
        1, joint("damper", make_element(Jenkins({.stiffness = 2.0, .slip_force = 0.3})), n, {{{2, 1.0}, {6, -1.0}}}));
    HarmonicBalance relative(*structure, joints, loads, options);
    CHECK(relative.motions() == 1);
    CHECK(relative.motion_names() == std::vector<std::string>{"joint motion 1"});
    const Matrix reduced = relative.recover(solve(relative, omega), omega);
    joints.push_back(joint("nothing", make_element(LinearSpring(0.0)), n, {{{2, 1.0}}}));
    HarmonicBalance both(*structure, joints, loads, options);
    const Matrix touched = both.recover(solve(both, omega), omega);
    CHECK((reduced - touched).norm() < same_algebra * touched.norm());
  }
}

TEST_CASE("amplitudes of eliminated coordinates and their rates follow a path exactly") {
  const auto structure = three_masses();
  const std::vector<Load> loads = {load(3, 2, 1.0, 1, 0.3)};
  const std::vector<Joint> joints = {
      joint("cubic", make_element(CubicSpring({.cubic_stiffness = 1.0})), 3, {{{0, 1.0}}})};
  HarmonicBalance balance(*structure, joints, loads, {.harmonics = {0, 1}, .samples = 16});
  const Vector x = random_vector(balance.size(), 8);
  const Vector rate = random_vector(balance.size(), 9);
  const double omega = 1.1;
  const double omega_rate = 0.7;
  constexpr double h = 1e-6;
  constexpr double difference_error = 1e-8;  // h² f''' and rounding/h
  for (Index coordinate = 0; coordinate < 3; ++coordinate) {
    const auto amplitude = [&](double s) {
      return balance.recover_amplitude(x + s * rate, omega + s * omega_rate, 1, coordinate, rate, omega_rate);
    };
    const auto centre = amplitude(0.0);
    const Complex difference = (amplitude(h).value - amplitude(-h).value) / (2.0 * h);
    CHECK(std::abs(centre.rate - difference) < difference_error * std::abs(difference));
  }
}

TEST_CASE("derivatives are those of the point they are asked for, whatever was recovered in between") {
  const auto structure = three_masses();
  const std::vector<Joint> joints = {
      joint("cubic", make_element(CubicSpring({.cubic_stiffness = 1.0})), 3, {{{0, 1.0}}})};
  HarmonicBalance balance(*structure, joints, std::vector<Load>{load(3, 2, 1.0)}, {.harmonics = {0, 1}, .samples = 16});
  const Vector x = random_vector(balance.size(), 8);
  Vector r, direct_omega, after_omega;
  Matrix direct, after;
  balance.derivatives(x, 1.0, direct, direct_omega);
  balance.residual(x, 1.0, r);
  balance.recover(x, 2.0);
  balance.derivatives(x, 1.0, after, after_omega);
  CHECK(after == direct);
  CHECK(after_omega == direct_omega);
}

TEST_CASE("a static preload shifts the mean as the closed form says") {
  const auto structure = oscillator({.mass = 1.0, .stiffness = 2.0, .damping = 0.1});
  const std::vector<Load> loads = {load(1, 0, 3.0, 0)};
  const std::vector<Joint> joints = {
      joint("stop", make_element(Unilateral({.stiffness = 4.0, .gap = 0.5})), 1, {{{0, 1.0}}})};
  HarmonicBalance balance(*structure, joints, loads, {.harmonics = {0, 1}, .samples = 16});
  balance.set_level(7.0);  // must not touch static loads
  const Vector x = solve(balance, 1.0);
  CHECK(x[0] == Approx((3.0 + 4.0 * 0.5) / 6.0));  // 2 x + 4 (x − 0.5) = 3
}

TEST_CASE("shifting the load in time rotates every coefficient and nothing else") {
  const auto structure = three_masses();
  const Index samples = 64;
  const double shift = 2.0 * pi * 5.0 / static_cast<double>(samples);  // whole samples: exact for kinked laws too
  const std::vector<Joint> joints = {
      joint("damper", make_element(Jenkins({.stiffness = 2.0, .slip_force = 0.2})), 3, {{{0, 1.0}}}),
      joint("stop", make_element(Unilateral({.stiffness = 1.0, .gap = 0.1})), 3, {{{2, 1.0}}})};
  const BalanceOptions options{.harmonics = {0, 1, 2, 3}, .samples = samples};
  HarmonicBalance balance(*structure, joints, std::vector<Load>{load(3, 1, 0.8)}, options);
  HarmonicBalance shifted(*structure, joints, std::vector<Load>{load(3, 1, 0.8, 1, shift)}, options);
  const double omega = 0.9;
  const Matrix a = balance.recover(solve(balance, omega), omega);
  const Matrix b = shifted.recover(solve(shifted, omega), omega);
  ComplexVector before, after;
  for (Index i = 0; i < 4; ++i) {
    complex_amplitude(balance.set(), a, i, before);
    complex_amplitude(balance.set(), b, i, after);
    CHECK((after - std::polar(1.0, shift * static_cast<double>(i)) * before).norm() < same_algebra * a.norm());
  }
}

TEST_CASE("work of the load per cycle equals what dampers and joints dissipate") {
  const auto structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.05});
  const std::vector<Joint> joints = {
      joint("damper", make_element(Jenkins({.stiffness = 2.0, .slip_force = 0.2})), 1, {{{0, 1.0}}})};
  HarmonicBalance balance(*structure, joints, std::vector<Load>{load(1, 0, 0.6)}, {.harmonics = {1}, .samples = 64});
  const double omega = 1.2;
  const Vector x = solve(balance, omega);
  const double a = x.norm();
  const double input = pi * 0.6 * x[1];  // ∮ p dx for p = F cos, x = a cos + b sin
  const double viscous = pi * 0.05 * omega * a * a;
  const double friction = 4.0 * 0.2 * (a - 0.2 / 2.0);
  REQUIRE(a > 0.1);
  // With located events the loop is integrated exactly, whatever the samples.
  CHECK(input == Approx(viscous + friction).epsilon(same_algebra));
}

TEST_CASE("a floating structure is refused by name when harmonic 0 is balanced, and legal otherwise") {
  const auto free =
      chain({.masses = {1.0, 1.0}, .stiffnesses = {1.0}, .dampings = {0.01}, .ground = ChainGround::none});
  const std::vector<Joint> between = {
      joint("between", make_element(CubicSpring({.cubic_stiffness = 1.0})), 2, {{{0, 1.0}, {1, -1.0}}})};
  const std::vector<Joint> to_ground = {
      joint("ground", make_element(Jenkins({.stiffness = 1.0, .slip_force = 0.1})), 2, {{{0, 1.0}}})};
  const std::vector<Load> loads = {load(2, 0, 1.0)};
  CHECK_THROWS_WITH(HarmonicBalance(*free, between, loads, {.harmonics = {0, 1}, .samples = 16}),
                    Catch::Contains("The structure floats"));
  CHECK_NOTHROW(HarmonicBalance(*free, between, loads, {.harmonics = {1}, .samples = 16}));
  CHECK_NOTHROW(HarmonicBalance(*free, to_ground, loads, {.harmonics = {0, 1}, .samples = 16}));
  const std::vector<Joint> sliding = {joint(
      "slide", make_element(RegularisedCoulomb({.slip_force = 1.0, .reference_velocity = 0.1})), 2, {{{0, 1.0}}})};
  CHECK_THROWS_WITH(HarmonicBalance(*free, sliding, loads, {.harmonics = {0, 1}, .samples = 64}),
                    Catch::Contains("The structure floats"));
}

TEST_CASE("a body held by friction alone that slips has the mean position where the mean friction force vanishes") {
  const auto free = oscillator({.mass = 1.0, .stiffness = 0.0, .damping = 0.1});
  const std::vector<Joint> joints = {
      joint("slider", make_element(Jenkins({.stiffness = 1.0, .slip_force = 0.1})), 1, {{{0, 1.0}}})};
  const std::vector<Load> loads = {load(1, 0, 1.0)};
  HarmonicBalance with_mean(*free, joints, loads, {.harmonics = {0, 1, 3}, .samples = 64});
  HarmonicBalance without(*free, joints, loads, {.harmonics = {1, 3}, .samples = 64});
  const Vector x = solve(with_mean, 0.8);
  const Vector y = solve(without, 0.8);
  CHECK(std::abs(x[0]) < same_algebra);
  CHECK((x.tail(4) - y).norm() < same_algebra * y.norm());
}

TEST_CASE("a load outside the balanced harmonics is refused") {
  const auto structure = oscillator({});
  CHECK_THROWS_WITH(
      HarmonicBalance(*structure, {}, std::vector<Load>{load(1, 0, 1.0, 2)}, {.harmonics = {0, 1, 3}, .samples = 16}),
      "Load 'force' acts in harmonic 2, which is not among the balanced harmonics. Add 2 to `harmonics`.");
}
