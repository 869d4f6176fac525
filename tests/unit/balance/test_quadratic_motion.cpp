// Joints that feel u = Bᵀq − ½ qᵀGq.
#include "masing/balance/harmonic_balance.hpp"
#include "masing/balance/jacobian_check.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/linear.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/variable_load_iwan.hpp"
#include "masing/core/error.hpp"
#include "masing/fourier/transform.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace masing;
using test::joint;
using test::load;

namespace {

SparseMatrix curvature() {
  Matrix g = Matrix::Zero(3, 3);
  g << 0.0, 0.0, 0.0, 0.0, 1.1, -0.4, 0.0, -0.4, 0.7;
  return g.sparseView();
}

Joint curved(std::shared_ptr<const ContactElement> element, const std::vector<std::map<Index, double>>& directions) {
  Joint result = joint("curved", std::move(element), 3, directions);
  result.quadratic = {{0, curvature()}};
  return result;
}

std::shared_ptr<const MatrixStructure> three_masses() {
  return chain({.masses = {1.0, 1.3, 0.7}, .stiffnesses = {2.0, 1.5, 0.8}, .dampings = {0.03, 0.02, 0.01}});
}

// f = u + c2 u² + c3 u³
Polynomial cubic(double c2, double c3) { return {1, {{0, 1.0, {1}}, {0, c2, {2}}, {0, c3, {3}}}}; }

Vector random_vector(Index size, unsigned seed, double scale) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-scale, scale);
  return Vector::NullaryExpr(size, [&] { return uniform(generator); });
}

const std::vector<Load> drive = {load(3, 0, 0.7)};

}  // namespace

TEST_CASE("the Jacobian with quadratic motions is exact, beside joints without") {
  const auto structure = three_masses();
  const std::vector<SlipElement> sliders = {{1.0, 0.05}, {0.8, 0.3}};
  const VariableLoadIwan friction(sliders, LoadScaling::proportional(1.0),
                                  NormalContact({.stiffness = 3.0, .preload = 4.0}));
  const Joint plain = joint("plain", make_element(cubic(0.0, 0.4)), 3, {{{1, 1.0}, {2, -1.0}}});
  const std::vector<std::vector<Joint>> cases = {
      {curved(make_element(LinearSpring(2.0)), {{{0, 1.0}, {2, 0.3}}})},
      {plain, curved(make_element(cubic(0.5, 0.7)), {{{0, 1.0}, {2, 0.3}}})},
      {curved(make_element(Jenkins({.stiffness = 2.0, .slip_force = 0.4})), {{{0, 1.0}}}), plain},
      {curved(make_element(Dashpot(0.6)), {{{0, 1.0}}})},
      {curved(make_element(friction), {{{0, 1.0}, {2, 0.3}}, {{1, 1.0}}})}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO("case " << i);
    HarmonicBalance balance(*structure, cases[i], drive, {.harmonics = {0, 1, 2, 3, 5}, .samples = 512});
    const Vector x = random_vector(balance.size(), 7, 0.3);
    const JacobianCheck check = check_jacobian(balance, x, 1.3);
    INFO(check.worst_entry);
    // Differences with a step of 1e-6: rounding 1e-10, truncation 1e-12; a slider of the sampled law that changes
    // between stick and slip within the step costs up to a sample of its force, so seeds are chosen where none does.
    CHECK(check.worst_error < 1e-7);
  }
}

TEST_CASE("forces of a joint with a quadratic motion are those of virtual work, sampled by hand") {
  const auto structure = three_masses();
  const std::vector<Joint> joints = {curved(make_element(cubic(0.5, 0.7)), {{{0, 1.0}, {2, 0.3}}})};
  HarmonicBalance with(*structure, joints, drive, {.harmonics = {0, 1, 2, 3}, .samples = 256});
  // The same structure and unknowns without the joint's force.
  std::vector<Joint> slack = joints;
  slack[0].element = make_element(LinearSpring(0.0));
  HarmonicBalance without(*structure, slack, drive, {.harmonics = {0, 1, 2, 3}, .samples = 256});
  REQUIRE(with.motions() == 3);
  const Vector x = random_vector(with.size(), 3, 0.4);
  Vector r, r0;
  with.residual(x, 1.3, r);
  without.residual(x, 1.3, r0);

  Transform transform(with.set(), 256, 3);
  Matrix q(256, 3);
  transform.to_samples(Eigen::Map<const Matrix>(x.data(), 3, with.set().positions()), q);
  const Vector b = Vector(joints[0].directions.col(0));
  const Matrix g = curvature();
  Matrix force(256, 3);
  for (Index i = 0; i < 256; ++i) {
    const Vector here = q.row(i).transpose();
    const double u = b.dot(here) - 0.5 * here.dot(g * here);
    force.row(i) = ((b - g * here) * (u + 0.5 * u * u + 0.7 * u * u * u)).transpose();
  }
  // Nothing aliases: the force has harmonics up to 3 · 2 · 3 + 3 = 21.
  Matrix coefficients(3, with.set().positions());
  transform.to_coefficients(force, coefficients);
  const Vector expected = Eigen::Map<const Vector>(coefficients.data(), coefficients.size());
  CHECK((r - r0 - expected).norm() < 1e-13 * expected.norm());
}

TEST_CASE(
    "a joint with a potential keeps it: the Jacobian of an undamped structure is symmetric in the energy's weights") {
  const auto structure =
      chain({.masses = {1.0, 1.3, 0.7}, .stiffnesses = {2.0, 1.5, 0.8}, .dampings = {0.0, 0.0, 0.0}});
  const std::vector<Joint> joints = {curved(make_element(cubic(0.5, 0.7)), {{{0, 1.0}, {2, 0.3}}})};
  HarmonicBalance balance(*structure, joints, drive, {.harmonics = {0, 1, 2, 3}, .samples = 256});
  const Vector x = random_vector(balance.size(), 5, 0.4);
  Matrix jacobian;
  Vector by_omega;
  balance.derivatives(x, 1.3, jacobian, by_omega);
  // ∂/∂a of the mean energy is R for the mean, R/2 for the others.
  jacobian.topRows(balance.motions()) *= 2.0;
  CHECK((jacobian - jacobian.transpose()).norm() < 1e-13 * jacobian.norm());
}

TEST_CASE("harmonics without 0 and 2, and matrices that do not fit, are refused") {
  const auto structure = three_masses();
  std::vector<Joint> joints = {curved(make_element(Jenkins({.stiffness = 2.0, .slip_force = 0.4})), {{{0, 1.0}}})};
  const auto build = [&](std::vector<int> harmonics, Index samples) {
    HarmonicBalance(*structure, joints, drive, {.harmonics = std::move(harmonics), .samples = samples});
  };
  CHECK_THROWS_WITH(build({1, 3, 5}, 64), Catch::Contains("'curved'") && Catch::Contains("must contain 0 and 2"));
  CHECK_THROWS_WITH(build({0, 1, 3}, 64), Catch::Contains("must contain 0 and 2"));
  CHECK_THROWS_AS(build({0, 1, 2, 3, 4}, 16), ModelError);  // the joint feels harmonic 8
  CHECK_NOTHROW(build({0, 1, 2}, 16));
  joints[0].quadratic[0].matrix.coeffRef(1, 2) += 0.1;
  CHECK_THROWS_WITH(build({0, 1, 2}, 16), Catch::Contains("symmetric"));
  joints[0].quadratic = {{0, SparseMatrix(2, 2)}};
  CHECK_THROWS_WITH(build({0, 1, 2}, 16), Catch::Contains("2 x 2"));
  joints[0].quadratic = {{1, curvature()}};
  CHECK_THROWS_WITH(build({0, 1, 2}, 16), Catch::Contains("input 1"));
}
