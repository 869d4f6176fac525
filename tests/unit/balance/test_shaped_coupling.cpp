// A beam that rubs along a stretch: harmonic balance with shapes (constant, and eigenfunctions per harmonic) against the
// balance with all Gauss points, which is the reference; and its exact derivatives.
#include "masing/balance/jacobian_check.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/linear.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/structure/eigenfunction_beam.hpp"
#include "support/at_frequency.hpp"
#include "unit/structure/rubbed_beam.hpp"

#include <catch2/catch.hpp>
#include <random>

namespace masing {
namespace {

using test::Rubbed;

constexpr double part = test::stretch / static_cast<double>(test::points);
// Below the second free-free frequency of the bar, and no resonance of it on its foundation.
constexpr double omega = 2.0 * pi * 190.0;

/// A hardening foundation and friction along the stretch.
std::vector<Joint> joints_along(const SparseMatrix& directions) {
  std::vector<Joint> joints;
  for (Index i = 0; i < test::points; ++i) {
    const SparseMatrix along = directions.col(2 * i), across = directions.col(2 * i + 1);
    joints.push_back({"friction", make_element(Jenkins({.stiffness = 1e9 * part, .slip_force = 40.0 * part})), along});
    joints.push_back({"bed", make_element(LinearSpring(2e8 * part)), across});
    joints.push_back({"stop", make_element(CubicSpring({.cubic_stiffness = 1e21 * part})), across});
  }
  return joints;
}

std::vector<Load> drive(const Vector& shape) { return {{.name = "drive", .shape = 20.0 * shape}}; }

const BalanceOptions options{.harmonics = {0, 1, 2, 3}, .samples = 128};

Vector solve(HarmonicBalance& balance) {
  test::AtFrequency system(balance, omega);
  Vector x = Vector::Zero(balance.size());
  Vector r;
  balance.residual(x, omega, r);
  NewtonSolver solver(balance.size(), {.residual_tolerance = 1e-10, .max_iterations = 100});
  const NewtonSummary summary = solver.solve(
      system, x, {Vector::Constant(x.size(), 1e-6), Vector::Constant(x.size(), r.lpNorm<Eigen::Infinity>())});
  INFO(summary.message);
  REQUIRE(summary.converged());
  return x;
}

/// Coefficients of the joints' relative motions.
Matrix felt_motion(const Structure& structure, const SparseMatrix& directions, const Vector& load) {
  HarmonicBalance balance(structure, joints_along(directions), drive(load), options);
  const Vector x = solve(balance);
  return directions.transpose() * balance.recover(x, omega);
}

TEST_CASE("a rubbing beam with few shapes comes nearer to the one with all Gauss points, in both bases", "[galerkin]") {
  const Rubbed rubbed;
  const Matrix exact = felt_motion(*rubbed.beam, rubbed.directions, rubbed.drive);
  // Friction slips and the stop hardens: the third harmonic is there.
  CHECK(exact.rightCols(2).norm() > 1e-3 * exact.norm());
  const auto constant = [&](Index modes) {
    const GalerkinBeam small(rubbed.beam, rubbed.options(modes));
    const Matrix felt = small.shapes().transpose() * rubbed.directions;
    return felt_motion(small, felt.sparseView(1.0, 1e-15), small.reduced_load(rubbed.drive));
  };
  const auto per_harmonic = [&](Index modes) {
    return felt_motion(EigenfunctionBeam(*rubbed.beam, rubbed.options(modes)), rubbed.directions, rubbed.drive);
  };
  const auto error = [&](const Matrix& found) { return (found - exact).norm() / exact.norm(); };
  const std::vector<Index> counts = {0, 3, 6, 10};
  double constant_before = 1.0, per_harmonic_before = 1.0;
  for (const Index modes : counts) {
    const double constant_error = error(constant(modes));
    const double per_harmonic_error = error(per_harmonic(modes));
    INFO(modes << " modes: constant " << constant_error << ", per harmonic " << per_harmonic_error);
    CHECK(constant_error < constant_before);
    CHECK(per_harmonic_error < per_harmonic_before);
    constant_before = constant_error;
    per_harmonic_before = per_harmonic_error;
  }
  // All shapes: the same equations in other unknowns. Newton stops at 1e-10 of the forces; stiffnesses of 1e10 N/m beside
  // contacts of 1e6 N/m let some four digits through.
  CHECK(error(constant(100)) < 1e-6);
  CHECK(error(per_harmonic(100)) < 1e-6);
}

TEST_CASE("eigenfunctions per harmonic: the Jacobian is exact, the change of basis with the frequency included",
          "[galerkin]") {
  const Rubbed rubbed(0.05);
  const EigenfunctionBeam small(*rubbed.beam, rubbed.options(3));
  HarmonicBalance balance(small, joints_along(rubbed.directions), drive(rubbed.drive), options);
  CHECK(balance.size() == 7 * 7);  // three rigid motions, three eigenfunctions, the answer to the load
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> uniform(-1e-6, 1e-6);
  const Vector x = Vector::NullaryExpr(balance.size(), [&] { return uniform(generator); });
  // Central differences with a relative step h = 1e-6: rounding 1e-16 of terms of 1e10 N/m over h, beside columns of 1e7 N/m.
  const JacobianCheck check = check_jacobian(balance, x, omega);
  INFO(check.worst_entry);
  CHECK(check.worst_error < 1e-5);
}

}  // namespace
}  // namespace masing
