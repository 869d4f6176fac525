// Reductions against the full matrices: exact statics, upper bounds of frequencies, errors that fall and stay below their
// indicator, free bodies, damping.
#include "masing/core/error.hpp"
#include "masing/structure/detail/elastic_problem.hpp"
#include "masing/structure/finite_element_beam.hpp"
#include "masing/structure/reduction.hpp"
#include "support/lattice.hpp"
#include "unit/structure/support.hpp"

#include <Eigen/Eigenvalues>
#include <catch2/catch.hpp>

namespace masing {
namespace {

using test::Lattice;

std::shared_ptr<const MatrixStructure> structure_of(const Lattice& lattice, DampingOptions damping = {},
                                                    bool to_be_reduced = false) {
  return std::make_shared<const MatrixStructure>(MatrixStructureOptions{.mass = lattice.mass_matrix(),
                                                                        .stiffness = lattice.stiffness_matrix(),
                                                                        .damping = std::move(damping),
                                                                        .to_be_reduced = to_be_reduced});
}

Vector squares_of(const SecondOrderStructure& structure) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(Matrix(structure.stiffness()), Matrix(structure.mass()))
      .eigenvalues();
}

/// Response of all coordinates of the full structure to `load`, through the reduced one or directly.
ComplexVector response(const SecondOrderStructure& structure, double omega, const Vector& load) {
  return test::dynamic_stiffness(structure, omega).partialPivLu().solve(load.cast<Complex>());
}
ComplexVector recovered(const ReducedStructure& reduced, double omega, const Vector& load) {
  return reduced.shapes() * response(reduced, omega, reduced.reduced_load(load));
}

double difference(const ComplexVector& a, const ComplexVector& b) { return (a - b).norm() / b.norm(); }

const Lattice clamped_block{.nx = 3, .ny = 3, .nz = 7, .clamped = true};
const Lattice free_block{.nx = 3, .ny = 3, .nz = 7};
const std::vector<Index> two_nodes = {90, 91, 92, 186, 187, 188};

// Conditions of these blocks are of order 1e4, so that direct solutions agree to 1e-16 · 1e4; two orders are left.
constexpr double rounding = 1e-10;

TEST_CASE("Craig-Bampton is statically exact at every coordinate", "[reduction]") {
  const auto full = structure_of(clamped_block);
  const auto reduced = reduce(full, {.boundary = two_nodes, .modes = 3});
  CHECK(reduced->size() == 9);
  for (const Index loaded : two_nodes) {
    const Vector load = Vector::Unit(full->size(), loaded);
    CHECK(difference(recovered(*reduced, 0.0, load), response(*full, 0.0, load)) < rounding);
  }
}

TEST_CASE("a load along a pattern is statically exact too, in both kinds", "[reduction]") {
  const auto full = structure_of(clamped_block);
  Vector weight = Vector::Zero(full->size());
  for (Index i = 2; i < weight.size(); i += 3) weight[i] = -9.81e-3;
  for (const ReductionKind kind : {ReductionKind::craig_bampton, ReductionKind::modal}) {
    ReductionOptions options{.kind = kind, .patterns = weight.sparseView(), .modes = 2};
    if (kind == ReductionKind::craig_bampton) options.boundary = two_nodes;
    const auto reduced = reduce(full, options);
    CHECK(reduced->summary().residuals == 1);
    CHECK(difference(recovered(*reduced, 0.0, weight), response(*full, 0.0, weight)) < rounding);
    options.residual = false;
    CHECK(difference(recovered(*reduce(full, options), 0.0, weight), response(*full, 0.0, weight)) > 1e-3);
  }
}

// Below the first resonance Z = K − ω²M is positive definite, and the response in a space of shapes is the one whose error
// e has the least energy eᵀZe; pᵀe = eᵀZe >= 0 is what is missing of the compliance. So it falls with every shape more. The
// lowest m modes and the residual static deflection contain the motion Σ_m φ_j (φ_jᵀp)/(λ_j − ω²) + Σ_rest φ_j (φ_jᵀp)/λ_j:
//
//   0 <= pᵀe <= Σ_rest (φ_jᵀp)² ω⁴ / (λ_j² (λ_j − ω²))
TEST_CASE("below the first resonance the error falls with every mode and stays below its bound", "[reduction]") {
  const auto full = structure_of(clamped_block);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(Matrix(full->stiffness()), Matrix(full->mass()));
  const Vector& squares = solver.eigenvalues();
  const double square = 0.64 * squares[0];
  const Vector load = Vector::Unit(full->size(), 187);
  const Vector parts = solver.eigenvectors().transpose() * load;
  const double exact = response(*full, std::sqrt(square), load)[187].real();
  for (const ReductionKind kind : {ReductionKind::craig_bampton, ReductionKind::modal}) {
    ReductionOptions options{.kind = kind, .patterns = load.sparseView()};
    if (kind == ReductionKind::craig_bampton) options.boundary = two_nodes;
    double before = exact;
    for (const Index modes : {0, 1, 2, 4, 8, 20, 40}) {
      options.modes = modes;
      const double missing = exact - recovered(*reduce(full, options), std::sqrt(square), load)[187].real();
      CHECK(missing >= -rounding * exact);
      CHECK(missing <= before + rounding * exact);
      before = missing;
      if (kind != ReductionKind::modal) continue;
      double bound = 0.0;
      for (Index j = modes; j < squares.size(); ++j) {
        bound += std::pow(parts[j] * square / squares[j], 2) / (squares[j] - square);
      }
      CHECK(missing <= bound + rounding * exact);
    }
    CHECK(before < 1e-4 * exact);
  }
}

TEST_CASE("beyond a resonance, with damping, the error falls and vanishes with all modes", "[reduction]") {
  const auto full = structure_of(clamped_block, {.rayleigh_alpha = 5.0, .rayleigh_beta = 1e-6, .loss_factor = 0.01});
  const double omega = 1.2 * std::sqrt(squares_of(*full)[0]);
  const Vector load = Vector::Unit(full->size(), 187);
  const ComplexVector exact = response(*full, omega, load);
  for (const ReductionKind kind : {ReductionKind::craig_bampton, ReductionKind::modal}) {
    ReductionOptions options{.kind = kind, .patterns = load.sparseView()};
    if (kind == ReductionKind::craig_bampton) options.boundary = two_nodes;
    // With one mode a reduced resonance may lie anywhere near ω: nothing is promised there, and nothing is asked.
    options.modes = 8;
    const double few = difference(recovered(*reduce(full, options), omega, load), exact);
    CHECK(few < 0.1);
    options.modes = 40;
    CHECK(difference(recovered(*reduce(full, options), omega, load), exact) < 0.5 * few);
    options.modes = full->size();
    CHECK(difference(recovered(*reduce(full, options), omega, load), exact) < rounding);
  }
}

TEST_CASE("natural frequencies of a reduced structure are never too low", "[reduction]") {
  for (const Lattice& lattice : {clamped_block, free_block}) {
    const auto full = structure_of(lattice);
    const Vector exact = squares_of(*full);
    const double dust = 1e-12 * exact.maxCoeff();
    for (const Index modes : {0, 5, 20}) {
      const Vector found = squares_of(*reduce(full, {.boundary = two_nodes, .modes = modes}));
      CHECK(((found - exact.head(found.size())).array() >= -dust).all());
    }
    const auto modal = reduce(full, {.kind = ReductionKind::modal, .modes = 10});
    const Vector found = squares_of(*modal);
    CHECK((found - exact.head(found.size())).cwiseAbs().maxCoeff() < dust);
  }
}

TEST_CASE("the reduced matrices are symmetric and reciprocal", "[reduction]") {
  const auto full = structure_of(clamped_block, {.loss_factor = 0.02});
  const auto reduced = reduce(full, {.boundary = two_nodes, .modes = 6});
  const ComplexMatrix z = test::dynamic_stiffness(*reduced, 3e4);
  CHECK((z - z.transpose()).cwiseAbs().maxCoeff() == 0.0);
  const Vector a = Vector::Unit(full->size(), 186), b = Vector::Unit(full->size(), 20);
  const Complex ab = recovered(*reduced, 3e4, a)[20];
  CHECK(std::abs(ab - recovered(*reduced, 3e4, b)[186]) < rounding * std::abs(ab));
}

TEST_CASE("a free body keeps its rigid motions", "[reduction]") {
  const auto full = structure_of(free_block);
  const double first = squares_of(*full)[6];
  const Vector load = Vector::Unit(full->size(), 187);
  SECTION("the interface holds it") {
    const auto reduced = reduce(full, {.boundary = two_nodes, .modes = 12});
    // Two nodes leave the rotation about the line between them, which the fixed-interface modes contain.
    CHECK(reduced->summary().rigid == 1);
    CHECK((squares_of(*reduced).array().abs() < 1e-9 * first).count() == 6);
  }
  SECTION("one kept coordinate: the rest floats in five motions") {
    const double omega = 0.05 * std::sqrt(first);
    const auto reduced = reduce(full, {.boundary = {187}, .modes = 30, .highest_frequency = omega / (2.0 * pi)});
    CHECK(reduced->summary().rigid == 5);
    CHECK((squares_of(*reduced).array().abs() < 1e-9 * first).count() == 6);
    // One coordinate that the body follows freely has no stiffness, K_b = 0 and S ≈ −ω² M_b: the indicator is then the
    // relative error of S, and of the motion under the load.
    const double error = reduced->summary().error;
    CHECK(error < 1e-3);
    const Complex exact = response(*full, omega, load)[187];
    CHECK(std::abs(recovered(*reduced, omega, load)[187] - exact) < 1.01 * error * std::abs(exact));
  }
  SECTION("modal with residual flexibility") {
    const auto reduced = reduce(full, {.kind = ReductionKind::modal, .patterns = load.sparseView(), .modes = 4});
    CHECK(reduced->summary().rigid == 6);
    CHECK(reduced->size() == 11);
    const double omega = 0.01 * std::sqrt(first);
    const ComplexVector exact = response(*full, omega, load);
    // At a hundredth of the first frequency the modes left out answer statically up to (1/100)² / 10, and are a small part.
    CHECK(difference(recovered(*reduced, omega, load), exact) < 1e-6);
  }
}

TEST_CASE("damping goes through the reduction", "[reduction]") {
  const DampingOptions proportional{.rayleigh_alpha = 3.0, .rayleigh_beta = 2e-6, .loss_factor = 0.03};
  const auto reduced = reduce(structure_of(clamped_block, proportional), {.boundary = two_nodes, .modes = 5});
  const Matrix k = reduced->stiffness(), m = reduced->mass();
  const Matrix c = reduced->damping();
  CHECK((c - 3.0 * m - 2e-6 * k).cwiseAbs().maxCoeff() < rounding * c.cwiseAbs().maxCoeff());
  CHECK((Matrix(reduced->hysteretic()) - 0.03 * k).cwiseAbs().maxCoeff() < rounding * k.cwiseAbs().maxCoeff());
  CHECK(reduced->loss_factor() == 0.03);

  SparseMatrix dashpot(clamped_block.size(), clamped_block.size());
  dashpot.insert(100, 100) = 7.0;
  const auto local = reduce(structure_of(clamped_block, {.viscous = dashpot, .hysteretic = dashpot}),
                            {.boundary = two_nodes, .modes = 5});
  const Matrix expected = 7.0 * local->shapes().row(100).transpose() * local->shapes().row(100);
  CHECK((Matrix(local->damping()) - expected).cwiseAbs().maxCoeff() < rounding * expected.cwiseAbs().maxCoeff());
  CHECK((Matrix(local->hysteretic()) - expected).cwiseAbs().maxCoeff() < rounding * expected.cwiseAbs().maxCoeff());
}

TEST_CASE("hysteretic damping does not resist the rigid motions of a free beam, not by rounding either",
          "[reduction]") {
  const Beam beam{.theory = BeamTheory::timoshenko,
                  .sections = {{.end = 0.4,
                                .youngs_modulus = 70e9,
                                .density = 2700,
                                .area = 2.4e-4,
                                .inertia = 1.28e-9,
                                .loss_factor = 0.005}},
                  .points = {{"tip", 0.4}}};
  const auto mesh = finite_element_beam(beam, {.elements = 150});
  const auto reduced = reduce(mesh, {.kind = ReductionKind::modal, .modes = 10});
  REQUIRE(reduced->summary().rigid == 3);
  const Matrix hysteretic = reduced->hysteretic(), stiffness = reduced->stiffness();
  CHECK(hysteretic.topRows(3).isZero(0.0));
  // One material: H = ηK, to the rounding of a mesh of 150 elements (their number to the fourth power times 1e-16, 5e-8).
  CHECK((hysteretic - 0.005 * stiffness).norm() < 1e-6 * hysteretic.norm());
}

TEST_CASE("modal damping waits for the modes of the reduced structure", "[reduction]") {
  const auto full = structure_of(free_block, {.modal_ratio = 0.01, .modal_ratios = {0.02}}, true);
  CHECK(full->damping().nonZeros() == 0);
  CHECK_THROWS_WITH(full->condense(interface_basis(test::directions(full->size(), {{{0, 1.0}}}))),
                    Catch::Contains("waits for a reduction"));
  const auto reduced = reduce(full, {.boundary = two_nodes, .modes = 8});
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(Matrix(reduced->stiffness()), Matrix(reduced->mass()));
  const Matrix c = modes.eigenvectors().transpose() * reduced->damping() * modes.eigenvectors();
  for (Index j = 0; j < reduced->size(); ++j) {
    const double ratio = j < 6 ? 0.0 : (j == 6 ? 0.03 : 0.01);
    const double omega = std::sqrt(std::abs(modes.eigenvalues()[j]));
    CHECK(c(j, j) == Approx(2.0 * ratio * omega).margin(1e-9 * std::sqrt(modes.eigenvalues()[6])));
  }
}

/// Condensed on the kept coordinates.
Matrix condensed(const SecondOrderStructure& structure, const std::vector<Index>& kept, double omega) {
  const Matrix flexibility = test::dynamic_stiffness(structure, omega).real().inverse();
  return Matrix(flexibility(kept, kept)).inverse();
}

TEST_CASE("the error indicator bounds the error of the condensed stiffness, not by far", "[reduction]") {
  const auto full = structure_of(clamped_block);
  const double hertz = 0.9 * std::sqrt(squares_of(*full)[2]) / (2.0 * pi);
  const double omega = 2.0 * pi * hertz;
  for (const Index modes : {4, 10, 30}) {
    const auto reduced = reduce(full, {.boundary = two_nodes, .modes = modes, .highest_frequency = hertz});
    const Matrix error = condensed(*reduced, {0, 1, 2, 3, 4, 5}, omega) - condensed(*full, two_nodes, omega);
    const Matrix k = Matrix(reduced->stiffness()).topLeftCorner(6, 6), m = Matrix(reduced->mass()).topLeftCorner(6, 6);
    const Matrix energy = k + omega * omega * m;
    const double actual = Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(error, energy).eigenvalues().maxCoeff();
    CHECK(actual <= reduced->summary().error * (1.0 + 1e-6));
    CHECK(reduced->summary().error < 3.0 * actual);  // every term is over-estimated by 1/(1 − ω²/λ) at most
  }
}

TEST_CASE("modes are chosen by frequency and by error", "[reduction]") {
  const auto full = structure_of(clamped_block);
  const auto many = reduce(full, {.boundary = two_nodes, .modes = 30, .highest_frequency = 1000.0});
  const double limit = 0.5 * (many->summary().highest_mode + many->summary().first_left_out);
  CHECK(reduce(full, {.boundary = two_nodes, .up_to = limit})->summary().modes == 30);
  const double hertz = 0.5 * many->summary().highest_mode;
  for (const double error : {1e-2, 1e-4}) {
    const auto chosen = reduce(full, {.boundary = two_nodes, .error = error, .highest_frequency = hertz});
    CHECK(chosen->summary().error <= error);
    const Index fewer = chosen->summary().modes - 1;
    CHECK(reduce(full, {.boundary = two_nodes, .modes = fewer, .highest_frequency = hertz})->summary().error > error);
  }
}

TEST_CASE("Lanczos misses no mode, equal ones included", "[reduction]") {
  for (const bool clamped : {true, false}) {
    const Lattice square{.nx = 4, .ny = 4, .nz = 9, .clamped = clamped};  // pairs of equal bending modes
    const auto full = structure_of(square);
    const Vector exact = squares_of(*full);
    detail::ElasticProblem problem(full->stiffness(), full->mass(), full->coordinates());
    const detail::Modes& found = problem.lowest(24);
    CHECK(found.rigid == (clamped ? 0 : 6));
    REQUIRE(found.vibrating() >= 24);
    for (Index j = found.rigid; j < found.rigid + 24; ++j) CHECK(found.squares[j] == Approx(exact[j]).epsilon(1e-10));
    const Matrix gram = detail::projected(full->mass(), found.shapes);
    CHECK((gram - Matrix::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff() < rounding);
  }
}

TEST_CASE("every name of the full structure is a motion of the reduced one", "[reduction]") {
  const auto whole = MatrixStructureOptions{.mass = clamped_block.mass_matrix(),
                                            .stiffness = clamped_block.stiffness_matrix(),
                                            .motions = test::directions(clamped_block.size(), {{{5, 0.5}, {8, 0.5}}}),
                                            .motion_names = {"middle"}};
  const auto full = std::make_shared<const MatrixStructure>(whole);
  const auto reduced = reduce(full, {.boundary = two_nodes, .modes = 3});
  CHECK(reduced->coordinates() ==
        std::vector<std::string>{"q91", "q92", "q93", "q187", "q188", "q189", "mode1", "mode2", "mode3"});
  CHECK(reduced->motion("q188") == Vector::Unit(9, 4));
  CHECK((reduced->motion("q21") - reduced->shapes().row(20).transpose()).norm() == 0.0);
  const Vector middle = 0.5 * (reduced->shapes().row(5) + reduced->shapes().row(8)).transpose();
  CHECK((reduced->motion("middle") - middle).norm() < rounding * middle.norm());
  CHECK(reduced->motion("q1000").size() == 0);
  CHECK(reduced->motion_names().size() == static_cast<std::size_t>(full->size() + 4));
  const Vector inside = reduced->shapes() * Vector::Constant(9, 0.3);
  CHECK((reduced->nearest(inside) - Vector::Constant(9, 0.3)).norm() < 1e-8);
}

TEST_CASE("what cannot be reduced is refused", "[reduction]") {
  const auto full = structure_of(clamped_block);
  CHECK_THROWS_WITH(reduce(full, {}), Catch::Contains("exactly one of modes, up_to and error"));
  CHECK_THROWS_WITH(reduce(full, {.modes = 1, .up_to = 2.0}), Catch::Contains("2 are given"));
  CHECK_THROWS_WITH(reduce(full, {.error = 1e-3}), Catch::Contains("highest frequency"));
  CHECK_THROWS_WITH(reduce(full, {.boundary = {3, 3}, .modes = 1}), Catch::Contains("distinct"));
  Matrix mass = Matrix::Zero(2, 2), stiffness = Matrix::Zero(2, 2);
  mass(0, 0) = stiffness(0, 0) = 1.0;
  const auto loose = std::make_shared<const MatrixStructure>(
      MatrixStructureOptions{.mass = mass.sparseView(), .stiffness = stiffness.sparseView()});
  CHECK_THROWS_WITH(reduce(loose, {.boundary = {0}, .modes = 1}),
                    Catch::Contains("q2 (1) has neither stiffness nor mass"));
}

}  // namespace
}  // namespace masing
