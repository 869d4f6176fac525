// Bifurcations at which two multipliers pass at once: a ring of equal oscillators, against shooting.
#include "masing/analysis/frequency_response.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/unilateral.hpp"
#include "masing/structure/lumped.hpp"
#include "masing/structure/matrix_structure.hpp"
#include "shooting.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace masing;
using test::joint;
using test::Shooting;

namespace {

constexpr double damping = 0.04, stiffness = 1.1, coupling = -0.05, cubic = 0.5, force = 0.2;

Matrix ring_stiffness() { return (stiffness - coupling) * Matrix::Identity(3, 3) + coupling * Matrix::Ones(3, 3); }

/// All three driven alike.
Model ring() {
  Model model{.structure = std::make_shared<MatrixStructure>(
                  MatrixStructureOptions{.mass = Matrix::Identity(3, 3).sparseView(),
                                         .stiffness = ring_stiffness().sparseView(),
                                         .damping = {.viscous = (damping * Matrix::Identity(3, 3)).sparseView()}}),
              .loads = {{.name = "force", .shape = Vector::Constant(3, force)}}};
  for (Index i = 0; i < 3; ++i) {
    model.joints.push_back(
        joint("spring " + std::to_string(i), make_element(CubicSpring({.cubic_stiffness = cubic})), 3, {{{i, 1.0}}}));
  }
  return model;
}

Shooting ring_shooting() {
  return {damping * Matrix::Identity(3, 3),
          [](const Vector& q, Vector& f, Matrix& slope) {
            f = ring_stiffness() * q + cubic * q.cwiseProduct(q).cwiseProduct(q);
            slope = ring_stiffness();
            slope.diagonal() += 3.0 * cubic * q.cwiseProduct(q);
          },
          Vector::Constant(3, force)};
}

/// Of disturbances in which the first two move against each other: det (1 − map). The other pair of them has the same.
double opposed_test(const Matrix& map) {
  Matrix opposed = Matrix::Zero(6, 2);
  opposed.topLeftCorner(3, 1) = opposed.bottomRightCorner(3, 1) = Vector{{1.0, -1.0, 0.0}}.normalized();
  return (Matrix::Identity(2, 2) - opposed.transpose() * map * opposed).determinant();
}

std::vector<const SpecialPoint*> all_of(const ResponseBranch& branch, const std::string& kind) {
  std::vector<const SpecialPoint*> found;
  for (const SpecialPoint& special : branch.special_points) {
    if (special.kind == kind) found.push_back(&special);
  }
  return found;
}

}  // namespace

TEST_CASE("two multipliers that pass one at once are a double branch point, where shooting says so") {
  FrequencyResponseRequest ask;
  ask.from = 0.215;
  ask.to = 0.185;
  ask.balance = {.harmonics = HarmonicSet::up_to(21).harmonics(), .samples = 256};
  ask.observables = {{.name = "q1", .coordinate = 0}};
  ask.stability = {.method = StabilityMethod::automatic};
  ask.follow = {.branch_points = true};
  const FrequencyResponse response = frequency_response(ring(), ask);
  const auto doubles = all_of(response.branches[0], "double-branch-point");
  REQUIRE(doubles.size() == 2);
  for (const SpecialPoint* special : doubles) {
    const ResponsePoint& point = special->point;
    const Eigen::Map<const Matrix> all(point.coefficients.data(), 3, point.coefficients.size() / 3);
    const double omega = 2.0 * pi * point.frequency;
    const double expected =
        ring_shooting().locate(test::state_at_zero(Matrix(all), omega), omega, 1.0, 1.0, opposed_test);
    // Located to 1e-10 by both; the harmonics above 21 hold less than 1e-8 of the motion.
    CHECK(point.frequency == Approx(expected / (2.0 * pi)).epsilon(1e-7));
  }

  // On the branch that leaves there the three no longer move alike.
  REQUIRE(response.branches.size() >= 2);
  const ResponsePoint& apart = response.branches[1].points.back();
  const Eigen::Map<const Matrix> motion(apart.coefficients.data(), 3, apart.coefficients.size() / 3);
  const double spread = (motion.row(0) - motion.row(1)).norm() + (motion.row(1) - motion.row(2)).norm();
  CHECK(spread > 0.01 * motion.norm());
}

TEST_CASE("beside multipliers of 1e12 and more no bifurcation is invented") {
  // A softening spring and a stop: a disturbance grows by up to 1e22 in four periods. The small multipliers are rounding of the
  // large ones there, with signs at random.
  Model model{.structure = oscillator({.mass = 1.2489168, .stiffness = 1.4022475, .damping = 0.0052934533}),
              .loads = {test::load(1, 0, 0.0423406)}};
  model.joints = {
      joint("spring", make_element(CubicSpring({.cubic_stiffness = -0.13313373})), 1, {{{0, 1.0}}}),
      joint("stop", make_element(Unilateral({.stiffness = 0.66109507, .gap = 0.41406027})), 1, {{{0, 1.0}}})};
  FrequencyResponseRequest ask;
  ask.from = 0.2411580;
  ask.to = 0.0590247;
  ask.balance = {.harmonics = HarmonicSet::up_to(11).harmonics(), .samples = 512};
  ask.observables = {{.name = "x", .coordinate = 0}};
  ask.stability = {.method = StabilityMethod::automatic};
  ask.follow = {.branch_points = true, .period_doublings = true};
  const FrequencyResponse response = frequency_response(model, ask);
  REQUIRE(response.branches.size() >= 3);
  double largest = 0.0;
  for (const ResponseBranch& branch : response.branches) {
    const Index modulus = branch.header.find_quantity("largest_multiplier");
    for (const ResponsePoint& point : branch.points) largest = std::max(largest, point.quantities[modulus]);
    INFO(branch.header.label);
    CHECK(all_of(branch, "period-doubling").size() <= 2);
    CHECK(all_of(branch, "branch-point").size() <= 2);
  }
  CHECK(largest > 1e12);
}
