#include "masing/core/error.hpp"
#include "masing/structure/finite_element_beam.hpp"
#include "masing/structure/lumped.hpp"
#include "support.hpp"
#include "unit/structure/spectral_support.hpp"

#include <Eigen/Eigenvalues>
#include <catch2/catch.hpp>

using namespace masing;
using test::directions;

namespace {

// Condensation is exact: what is left is the rounding of two factorisations of matrices with condition below 1e4.
constexpr double exact = 1e-10;
// Central differences, relative step 3e-6: truncation 1e-8 near a resonance (damping 3 %), rounding 1e-9.
constexpr double difference_step = 3e-6;
constexpr double difference_tolerance = 1e-7;
// Symmetry of the condensed stiffness: rounding only.
constexpr double rounding = 1e-12;

double relative(const ComplexMatrix& a, const ComplexMatrix& b) { return (a - b).norm() / b.norm(); }

std::vector<SparseMatrix> interfaces(Index size) {
  return {directions(size, {{{2, 1.0}}}), directions(size, {{{2, 1.0}, {5, -1.0}}, {{7, 1.0}}}),
          directions(size, {{{0, 1.0}, {1, -1.0}}, {{1, 1.0}, {3, -1.0}}, {{0, 1.0}, {3, -1.0}}}),
          SparseMatrix(size, 0)};
}

}  // namespace

TEST_CASE("condensed and uncondensed solutions agree, loads on eliminated coordinates included", "[condensation]") {
  constexpr Index size = 12;
  const auto evaluation = GENERATE(Evaluation::dense, Evaluation::sparse);
  const double omega = GENERATE(0.0, 3.0, 10.4, 55.0);
  const MatrixStructure structure(test::random_structure(size, evaluation));
  std::mt19937_64 generator(7);
  for (const SparseMatrix& b : interfaces(size)) {
    const InterfaceBasis basis = interface_basis(b);
    const auto condensed = structure.condense(basis);
    REQUIRE(condensed->size() == basis.kept());
    condensed->set_frequency(omega);
    // Joints as linear springs with a coupling: the reference has them in the full matrix.
    const Matrix joint = 40.0 * test::random_definite(b.cols(), generator);
    const ComplexVector load = test::random_load(size, generator);
    const ComplexMatrix full =
        test::dynamic_stiffness(structure, omega) + (Matrix(b) * joint * Matrix(b).transpose()).cast<Complex>();
    const ComplexVector expected = full.partialPivLu().solve(load);

    const Matrix touched_rows = Matrix(b)(basis.touched, Eigen::all);
    const Matrix kept_directions = basis.range.transpose() * touched_rows;
    const ComplexMatrix held =
        condensed->stiffness() + (kept_directions * joint * kept_directions.transpose()).cast<Complex>();
    ComplexVector kept_load, derivative, all;
    condensed->condense_load(load, kept_load, derivative);
    const ComplexVector kept = held.rows() > 0 ? ComplexVector(held.partialPivLu().solve(kept_load)) : kept_load;
    condensed->recover(kept, load, all);
    CHECK(relative(all, expected) < exact);
    if (basis.kept() > 0) {
      const ComplexVector touched = expected(basis.touched);
      CHECK(relative(kept, ComplexMatrix(basis.range.transpose().cast<Complex>() * touched)) < exact);
    }
  }
}

TEST_CASE("derivatives to the frequency agree with differences", "[condensation]") {
  constexpr Index size = 12;
  const auto evaluation = GENERATE(Evaluation::dense, Evaluation::sparse);
  const double omega = GENERATE(2.0, 9.7);
  const MatrixStructure structure(test::random_structure(size, evaluation));
  std::mt19937_64 generator(11);
  const ComplexVector load = test::random_load(size, generator);
  for (const SparseMatrix& b : interfaces(size)) {
    if (b.cols() == 0) continue;
    const auto condensed = structure.condense(interface_basis(b));
    const double step = difference_step * omega;
    ComplexVector lower, upper, middle, derivative, unused;
    condensed->set_frequency(omega - step);
    const ComplexMatrix stiffness_lower = condensed->stiffness();
    condensed->condense_load(load, lower, unused);
    condensed->set_frequency(omega + step);
    const ComplexMatrix stiffness_upper = condensed->stiffness();
    condensed->condense_load(load, upper, unused);
    condensed->set_frequency(omega);
    condensed->condense_load(load, middle, derivative);
    CHECK(relative(condensed->stiffness_derivative(), (stiffness_upper - stiffness_lower) / (2.0 * step)) <
          difference_tolerance);
    CHECK(relative(derivative, (upper - lower) / (2.0 * step)) < difference_tolerance);
  }
}

TEST_CASE("the rate of the recovered motion agrees with differences", "[condensation]") {
  constexpr Index size = 12;
  const auto evaluation = GENERATE(Evaluation::dense, Evaluation::sparse);
  const MatrixStructure structure(test::random_structure(size, evaluation));
  std::mt19937_64 generator(13);
  const ComplexVector load = test::random_load(size, generator);
  const double omega = 9.0;
  const double omega_rate = 0.7;
  for (const SparseMatrix& b : interfaces(size)) {
    const auto condensed = structure.condense(interface_basis(b));
    const ComplexVector kept = test::random_load(condensed->size(), generator);
    const ComplexVector kept_rate = test::random_load(condensed->size(), generator);
    const auto recovered = [&](double time) {
      condensed->set_frequency(omega + time * omega_rate);
      ComplexVector all;
      condensed->recover(kept + time * kept_rate, load, all);
      return all;
    };
    const double step = difference_step * omega;
    const ComplexVector expected = (recovered(step) - recovered(-step)) / (2.0 * step);
    ComplexVector rate;
    const ComplexVector all = recovered(0.0);
    condensed->recover_rate(all, kept_rate, omega_rate, rate);
    CHECK(relative(rate, expected) < difference_tolerance);
  }
}

TEST_CASE("dense and sparse evaluation agree", "[condensation]") {
  constexpr Index size = 30;
  const MatrixStructure dense(test::random_structure(size, Evaluation::dense));
  const MatrixStructure sparse(test::random_structure(size, Evaluation::sparse));
  const InterfaceBasis basis = interface_basis(directions(size, {{{4, 1.0}, {9, -1.0}}, {{20, 1.0}}}));
  const auto first = dense.condense(basis);
  const auto second = sparse.condense(basis);
  for (const double omega : {0.0, 1.0, 14.0}) {
    first->set_frequency(omega);
    second->set_frequency(omega);
    CHECK(relative(first->stiffness(), second->stiffness()) < exact);
    if (omega > 0.0) CHECK(relative(first->stiffness_derivative(), second->stiffness_derivative()) < exact);
  }
}

TEST_CASE("reciprocity and dissipation of the condensed stiffness", "[condensation]") {
  constexpr Index size = 15;
  const MatrixStructure structure(test::random_structure(size, Evaluation::dense));
  const auto condensed =
      structure.condense(interface_basis(directions(size, {{{0, 1.0}}, {{3, 1.0}, {6, 2.0}}, {{9, 1.0}}})));
  for (const double omega : {0.5, 8.0, 11.0, 40.0}) {
    condensed->set_frequency(omega);
    const ComplexMatrix& s = condensed->stiffness();
    CHECK((s - s.transpose()).norm() < rounding * s.norm());
    const Matrix loss = s.imag();
    CHECK(loss.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff() > 0.0);
  }
  condensed->set_frequency(0.0);
  CHECK(condensed->stiffness().imag().isZero(0.0));
  CHECK(condensed->stiffness_derivative().isZero(0.0));
}

TEST_CASE("everything kept: the dynamic stiffness itself", "[condensation]") {
  constexpr Index size = 3;
  const MatrixStructure structure(test::random_structure(size, Evaluation::automatic));
  const auto condensed = structure.condense(interface_basis(directions(size, {{{0, 1.0}}, {{1, 1.0}}, {{2, 1.0}}})));
  condensed->set_frequency(4.0);
  CHECK(relative(condensed->stiffness(), test::dynamic_stiffness(structure, 4.0)) < rounding);
  const ComplexMatrix slope = (-8.0 * Matrix(structure.mass())).cast<Complex>() +
                              Complex(0.0, 1.0) * Matrix(structure.damping()).cast<Complex>();
  CHECK(relative(condensed->stiffness_derivative(), slope) < rounding);
}

TEST_CASE("going back to a frequency gives bit-identical results", "[condensation]") {
  const MatrixStructure structure(test::random_structure(10, Evaluation::dense));
  const auto condensed = structure.condense(interface_basis(directions(10, {{{1, 1.0}}})));
  condensed->set_frequency(5.0);
  const ComplexMatrix first = condensed->stiffness();
  condensed->set_frequency(0.0);
  const ComplexMatrix at_rest = condensed->stiffness();
  condensed->set_frequency(6.0);
  CHECK(condensed->stiffness() != first);
  condensed->set_frequency(5.0);
  CHECK(condensed->stiffness() == first);
  condensed->set_frequency(0.0);
  CHECK(condensed->stiffness() == at_rest);
}

TEST_CASE("rigid-body motions are legal when joints keep them", "[condensation]") {
  const auto structure = chain({.masses = {1.0, 2.0, 3.0}, .stiffnesses = {10.0, 20.0}, .ground = ChainGround::none});
  const auto condensed = structure->condense(interface_basis(directions(3, {{{0, 1.0}}})));
  condensed->set_frequency(0.0);
  // A free chain follows its held end without any force. Rounding of numbers of order ten.
  CHECK(std::abs(condensed->stiffness()(0, 0)) < 1e-13);
  ComplexVector kept, derivative, all;
  condensed->condense_load(ComplexVector{{0.0, 0.0, 6.0}}, kept, derivative);
  CHECK(std::abs(kept[0] - 6.0) < rounding);
  condensed->recover(ComplexVector{{0.5}}, ComplexVector{{0.0, 0.0, 6.0}}, all);
  CHECK(relative(all, ComplexVector{{0.5, 1.1, 1.4}}) < rounding);
}

TEST_CASE("a floating motion is named", "[condensation][errors]") {
  const auto evaluation = GENERATE(Evaluation::dense, Evaluation::sparse);
  Matrix stiffness = Matrix::Zero(4, 4);
  stiffness.block(0, 0, 2, 2) << 5.0, -2.0, -2.0, 5.0;
  stiffness.block(2, 2, 2, 2) << 7.0, -7.0, -7.0, 7.0;
  const MatrixStructure structure({.mass = test::sparse(Matrix::Identity(4, 4)),
                                   .stiffness = test::sparse(stiffness),
                                   .coordinates = {"a", "b", "left", "right"},
                                   .evaluation = evaluation});
  const auto condensed = structure.condense(interface_basis(directions(4, {{{0, 1.0}}})));
  CHECK_NOTHROW(condensed->set_frequency(1.0));
  CHECK_THROWS_AS(condensed->set_frequency(0.0), NumericalError);
  CHECK_THROWS_WITH(
      condensed->set_frequency(0.0),
      "The structure floats: no stiffness and no joint resists the static motion left (1), right (1). Ground "
      "it with a spring or a joint, or leave harmonic 0 out.");
}

TEST_CASE("a motion that floats beside the joints' relative motions is seen in spite of cancellation",
          "[condensation][errors]") {
  // All masses of a free chain joined to the first one: the common motion is eliminated, and its stiffness is a sum of
  // numbers that cancel.
  const auto evaluation = GENERATE(Evaluation::dense, Evaluation::sparse);
  constexpr Index size = 12;
  const auto free = chain({.masses = std::vector<double>(size, 1.0),
                           .stiffnesses = {1e6, 0.3, 7.7, 1e3, 3.1, 1.1, 0.9, 1e5, 2.3, 1e4, 0.7},
                           .ground = ChainGround::none});
  const MatrixStructure structure({.mass = free->mass(), .stiffness = free->stiffness(), .evaluation = evaluation});
  std::vector<std::vector<std::pair<Index, double>>> joints;
  for (Index i = 1; i < size; ++i) joints.push_back({{0, 1.0}, {i, -1.0}});
  const auto condensed = structure.condense(interface_basis(directions(size, joints)));
  REQUIRE(condensed->size() == size - 1);
  CHECK_THROWS_WITH(condensed->set_frequency(0.0), Catch::Contains("static motion q1 (1), q2 (1), q3 (1), q4 (1)."));
  CHECK_NOTHROW(condensed->set_frequency(1.0));
}

TEST_CASE("an undamped resonance of the eliminated part is refused with its frequency", "[condensation][errors]") {
  const auto evaluation = GENERATE(Evaluation::dense, Evaluation::sparse);
  const MatrixStructure structure({.mass = test::sparse(Matrix::Identity(2, 2)),
                                   .stiffness = test::sparse(Matrix(Matrix{{4.0, 0.0}, {0.0, 4.0}})),
                                   .evaluation = evaluation});
  const auto condensed = structure.condense(interface_basis(directions(2, {{{0, 1.0}}})));
  CHECK_THROWS_AS(condensed->set_frequency(2.0), NumericalError);
  CHECK_THROWS_WITH(condensed->set_frequency(2.0),
                    Catch::Contains("ω = 2 rad/s") && Catch::Contains("natural frequency"));
  CHECK_NOTHROW(condensed->set_frequency(2.1));
}

TEST_CASE("a large sparse model condenses on a few motions", "[condensation]") {
  // A chain of 10000 equal masses held at the left end and pulled at the right, statically: n springs in series.
  constexpr std::size_t count = 10000;
  const auto structure =
      chain({.masses = std::vector<double>(count, 1e-4), .stiffnesses = std::vector<double>(count, 1e4)});
  const auto condensed = structure->condense(interface_basis(directions(count, {{{count - 1, 1.0}}})));
  condensed->set_frequency(0.0);
  // Condition number of the chain is n² = 1e8.
  CHECK(condensed->stiffness()(0, 0).real() == Approx(1.0).epsilon(1e-7));
  // In motion: the dynamic stiffness at the end of a discrete rod, kept mass included,
  // x_j = sin jγ with 2 − 2cos γ = mω²/k, so S = k (x_{n+1} − x_n)/x_n.
  const double omega = 2.0;
  const double gamma = 2.0 * std::asin(0.5 * omega * std::sqrt(1e-4 / 1e4));
  const double n = static_cast<double>(count);
  const double expected = 1e4 * (std::sin((n + 1.0) * gamma) - std::sin(n * gamma)) / std::sin(n * gamma);
  condensed->set_frequency(omega);
  CHECK(condensed->stiffness()(0, 0).real() == Approx(expected).epsilon(1e-5));
}

namespace {

// Second differences over a tiny step are rounding alone; their variance is 6 times that of one value.
double noise_of_stiffness(CondensedStructure& condensed, double omega) {
  constexpr int count = 60;
  constexpr double step = 1e-9;  // the value itself changes by 1e-18 of it between three neighbours
  std::vector<Complex> values;
  for (int i = 0; i < count; ++i) {
    condensed.set_frequency(omega * (1.0 + step * i));
    values.push_back(condensed.stiffness()(0, 0));
  }
  double sum = 0.0;
  for (std::size_t i = 2; i < values.size(); ++i) sum += std::norm(values[i] - 2.0 * values[i - 1] + values[i - 2]);
  return std::sqrt(sum / (6.0 * (count - 2)));
}

}  // namespace

TEST_CASE("a fine mesh is condensed without loss of digits, and knows its rounding", "[condensation]") {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  Beam beam;
  beam.sections = {test::steel(0.0, 0.6)};
  beam.sections.front().loss_factor = 0.004;
  beam.points = {{"tip", 0.6}};
  beam.supports = {{.at = 0.0, .fixed = test::clamped}};
  for (const int elements : {20, 60, 200}) {
    const auto mesh = finite_element_beam(beam, {.elements = elements});
    const auto condensed = mesh->condense(interface_basis(directions(mesh->size(), {{{mesh->find("tip.w"), 1.0}}})));
    const double noise = noise_of_stiffness(*condensed, 2.0 * pi * 60.0);
    const double largest = mesh->stiffness().diagonal().maxCoeff();
    INFO(elements << " elements: noise " << noise << ", terms " << condensed->cancelling_terms());
    // Rounding of the elements' stiffness would show as 1 and more.
    CHECK(noise < 0.01 * epsilon * largest + 10.0 * epsilon * std::abs(condensed->stiffness()(0, 0)));
    // The estimate is one: right in order, and not too small.
    CHECK(noise < 10.0 * epsilon * condensed->cancelling_terms());
    CHECK(noise > 1e-3 * epsilon * condensed->cancelling_terms());
  }
}

TEST_CASE("the motion recovered in a fine mesh takes the energy that is put in", "[condensation]") {
  Beam beam;
  beam.sections = {test::steel(0.0, 0.6)};
  beam.sections.front().loss_factor = 0.002;
  beam.points = {{"drive", 0.3}, {"tip", 0.6}};
  beam.supports = {{.at = 0.0, .fixed = test::clamped}};
  const auto mesh = finite_element_beam(beam, {.elements = 200});
  const Index drive = mesh->find("drive.w");
  const auto condensed = mesh->condense(interface_basis(directions(mesh->size(), {{{mesh->find("tip.w"), 1.0}}})));
  const ComplexVector load = ComplexVector::Unit(mesh->size(), drive);
  ComplexVector kept, rate, all;
  double worst = 0.0;
  for (int frequency = 4; frequency <= 400; frequency += 4) {
    condensed->set_frequency(2.0 * pi * frequency);
    condensed->condense_load(load, kept, rate);
    kept /= condensed->stiffness()(0, 0) + 1e4;  // a spring at the tip, which takes nothing
    condensed->recover(kept, load, all);
    const double taken = all.dot(mesh->hysteretic().cast<Complex>() * all).real();
    worst = std::max(worst, std::abs(-all[drive].imag() / taken - 1.0));
  }
  INFO("off by " << worst);
  // An element is some 12 (0.6 m / 3 mm)³ / 3 = 3e7 times as stiff as the beam: so much larger than their sum are the terms
  // of Qᴴ H Q, each with a rounding error of 1e-16.
  CHECK(worst < 1e-7);
}
