// Eigenfunctions per harmonic against the beam itself: the span is invariant, derivatives are those of differences, the
// receptance converges and is exact with all of them, the answer to a load is exact, no energy comes out, statics are real.
#include "masing/core/error.hpp"
#include "masing/structure/detail/invariant_span.hpp"
#include "masing/structure/eigenfunction_beam.hpp"
#include "unit/structure/rubbed_beam.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <catch2/catch.hpp>
#include <random>

namespace masing {
namespace {

using test::omega_reference;
using test::Rubbed;

// As for constant shapes: stiffnesses of 1e10 N/m and receptances of 1e-6 m/N leave some five digits of 1e-16.
constexpr double rounding = 1e-9;

/// V S_c⁻¹ Vᴴ, as the joints see it.
ComplexMatrix receptance(const EigenfunctionBeam& beam, const Rubbed& rubbed, double omega) {
  const InterfaceBasis basis = interface_basis(rubbed.directions);
  const auto condensed = beam.condense_in_shapes(basis);
  condensed->set_frequency(omega);
  const Matrix felt = basis.range.transpose() * Matrix(rubbed.directions)(basis.touched, Eigen::all);
  const ComplexMatrix seen = condensed->shapes()->value.adjoint() * felt;
  return seen.adjoint() * condensed->stiffness().partialPivLu().solve(seen);
}

TEST_CASE("invariant span: A maps it into itself, its basis is fixed, its derivative is that of differences",
          "[eigenfunctions]") {
  constexpr Index size = 9, wanted = 4;
  std::mt19937_64 generator(7);
  std::normal_distribution<double> normal;
  const auto symmetric = [&] {
    const Matrix any = Matrix::NullaryExpr(size, size, [&] { return normal(generator); });
    return Matrix(any + any.transpose());
  };
  // Eigenvalues of order one, the wanted ones below the others; two of them meet at t = 0, which may not matter.
  const Matrix turned = symmetric().householderQr().householderQ() * Matrix::Identity(size, size);
  Vector levels(size);
  levels << 0.5, 0.5, -0.8, 1.0, 3.0, -3.5, 4.0, 5.0, 8.0;
  const ComplexMatrix middle =
      (turned * levels.asDiagonal() * turned.transpose()).cast<Complex>() + Complex(0.0, 0.02) * symmetric();
  const ComplexMatrix slope = 0.3 * symmetric() + Complex(0.0, 0.05) * symmetric();
  const Matrix reference = turned.leftCols(wanted);
  const auto span = [&](double t) {
    detail::InvariantSpan result;
    REQUIRE(detail::invariant_span(middle + t * slope, slope, reference, result));
    return result;
  };
  const detail::InvariantSpan here = span(0.0);
  const ComplexMatrix image = middle * here.value;
  // A few hundred operations on numbers of order ten.
  CHECK((image - here.value * (reference.transpose() * image)).norm() < 1e-12);
  CHECK((reference.transpose() * here.value - ComplexMatrix::Identity(wanted, wanted)).norm() < 1e-13);
  CHECK(here.value.imag().norm() > 1e-4);
  // Central differences: t² = 1e-8 times a third derivative of order one; rounding 1e-15 / t.
  constexpr double t = 1e-4;
  const ComplexMatrix differences = (span(t).value - span(-t).value) / (2.0 * t);
  CHECK((here.derivative - differences).norm() < 1e-6 * differences.norm());
}

TEST_CASE("eigenfunctions: the receptance converges with their number, and all of them change nothing",
          "[eigenfunctions]") {
  const Rubbed rubbed;
  for (const double omega : {omega_reference, 5.0 * omega_reference}) {
    const ComplexMatrix exact = test::full_receptance(rubbed, omega);
    double before = 1.0;
    for (const Index modes : {0, 2, 4, 8, 12}) {
      const EigenfunctionBeam small(*rubbed.beam, rubbed.options(modes));
      CHECK(small.summary().modes == modes + 3);
      const double error = test::relative(receptance(small, rubbed, omega), exact);
      CHECK(error < before);
      before = error;
    }
    const EigenfunctionBeam all(*rubbed.beam, rubbed.options(100));
    CHECK(test::relative(receptance(all, rubbed, omega), exact) < rounding);
    CHECK(all.summary().errors.front().second == 0.0);
  }
}

TEST_CASE("eigenfunctions: the indicator falls with their number", "[eigenfunctions]") {
  const Rubbed rubbed;
  for (const std::size_t which : {0u, 1u}) {
    double before = 2.0;
    for (const Index modes : {0, 3, 8}) {
      const EigenfunctionBeam small(*rubbed.beam, rubbed.options(modes));
      const double indicator = small.summary().errors.at(which).second;
      CHECK(indicator < before);
      before = indicator;
    }
  }
}

struct Condensed {
  ComplexMatrix shapes, stiffness;
  ComplexVector load, all;
};

TEST_CASE("eigenfunctions: derivatives of stiffness, shapes, load and recovered motion contain the change of basis",
          "[eigenfunctions]") {
  const Rubbed rubbed;
  const bool with_answer = GENERATE(false, true);
  const Index size = with_answer ? 8 : 7;
  const EigenfunctionBeam small(*rubbed.beam, rubbed.options(4, with_answer));
  const auto condensed = small.condense_in_shapes(interface_basis(rubbed.directions));
  REQUIRE(condensed->size() == size);
  const ComplexVector load = rubbed.drive.cast<Complex>();
  const ComplexVector unknowns = ComplexVector::LinSpaced(size, Complex(1.0, 0.5), Complex(-0.3, 2.0));
  ComplexVector load_derivative;
  const auto at = [&](double omega) {
    Condensed result;
    condensed->set_frequency(omega);
    result.shapes = condensed->shapes()->value;
    result.stiffness = condensed->stiffness();
    condensed->condense_load(load, result.load, load_derivative);
    condensed->recover(unknowns, load, result.all);
    return result;
  };
  const double omega = 3.1 * omega_reference;
  const double step = 1e-4 * omega;
  const Condensed above = at(omega + step), below = at(omega - step), here = at(omega);
  const auto difference = [&](const auto& high, const auto& low) -> ComplexMatrix {
    return (high - low) / (2.0 * step);
  };
  ComplexVector rate;
  condensed->recover_rate(here.all, ComplexVector::Zero(size), 1.0, rate);
  // Second order in the relative step, 1e-8 times a factor of order one, and rounding as for constant shapes.
  CHECK(test::relative(condensed->stiffness_derivative(), difference(above.stiffness, below.stiffness)) < 1e-6);
  CHECK(test::relative(condensed->shapes()->derivative, difference(above.shapes, below.shapes)) < 1e-6);
  CHECK(test::relative(load_derivative, difference(above.load, below.load)) < 1e-6);
  CHECK(test::relative(rate, difference(above.all, below.all)) < 1e-6);
}

TEST_CASE("eigenfunctions: whatever the shapes do, the beam takes energy", "[eigenfunctions]") {
  const Rubbed rubbed(0.02);
  const EigenfunctionBeam small(*rubbed.beam, rubbed.options(2));
  const auto condensed = small.condense_in_shapes(interface_basis(rubbed.directions));
  for (const double frequency : {100.0, 700.0, 1500.0, 3000.0, 6000.0}) {
    condensed->set_frequency(2.0 * pi * frequency);
    const ComplexMatrix& s = condensed->stiffness();
    // cᴴSc has an imaginary part >= 0 for every c: its anti-Hermitian part is positive, but for rounding of the terms of S.
    const ComplexMatrix taken = (s - s.adjoint()) / Complex(0.0, 2.0);
    const Vector values = Eigen::SelfAdjointEigenSolver<ComplexMatrix>(taken).eigenvalues();
    CHECK(values[0] > -1e-12 * condensed->cancelling_terms());
  }
}

// Between the joints' stretch and the far support a bar has resonances with the stretch held; the load there prescribes what
// the stretch does.
TEST_CASE("eigenfunctions: the answer to a load is exact, also where the beam resonates with its stretch held",
          "[eigenfunctions]") {
  const Rubbed rubbed;
  const InterfaceBasis basis = interface_basis(rubbed.directions);
  const auto exact = rubbed.beam->condense(basis);
  const EigenfunctionBeam small(*rubbed.beam, rubbed.options(2));
  const EigenfunctionBeam without(*rubbed.beam, rubbed.options(2, false));
  const ComplexVector load = rubbed.drive.cast<Complex>();
  // A bed of springs, as joints that stick.
  const Matrix bed = 1e6 * Matrix::Identity(basis.kept(), basis.kept());
  const auto answer = [&](CondensedStructure& condensed, double omega, double stiffness) {
    condensed.set_frequency(omega);
    ComplexVector kept, derivative, all;
    condensed.condense_load(load, kept, derivative);
    ComplexMatrix v = ComplexMatrix::Identity(basis.kept(), basis.kept());
    if (condensed.shapes() != nullptr) v = condensed.shapes()->value;
    const ComplexMatrix s = condensed.stiffness() + v.adjoint() * (stiffness * bed) * v;
    return ComplexVector(v * s.partialPivLu().solve(kept));
  };
  double worst_with = 0.0, worst_without = 0.0;
  for (double frequency = 20.0; frequency < 1500.0; frequency *= 1.03) {
    const double omega = 2.0 * pi * frequency;
    const ComplexVector free_answer = answer(*exact, omega, 0.0);
    // Without joints the answer is one of the shapes: rounding only.
    CHECK(test::relative(answer(*small.condense_in_shapes(basis), omega, 0.0), free_answer) < 1e-7);
    const ComplexVector held_answer = answer(*exact, omega, 1.0);
    worst_with =
        std::max(worst_with, test::relative(answer(*small.condense_in_shapes(basis), omega, 1.0), held_answer));
    worst_without =
        std::max(worst_without, test::relative(answer(*without.condense_in_shapes(basis), omega, 1.0), held_answer));
  }
  INFO("with " << worst_with << ", without " << worst_without);
  CHECK(worst_with < 0.1);
  CHECK(worst_without > 10.0 * worst_with);
}

TEST_CASE("eigenfunctions: statics are real, and a free beam floats", "[eigenfunctions]") {
  const Rubbed rubbed;
  const EigenfunctionBeam small(*rubbed.beam, rubbed.options(3));
  const auto condensed = small.condense_in_shapes(interface_basis(rubbed.directions));
  condensed->set_frequency(0.0);
  CHECK(condensed->shapes()->value.imag().norm() == 0.0);
  const Vector stiffness = Eigen::SelfAdjointEigenSolver<Matrix>(condensed->stiffness().real()).eigenvalues();
  CHECK((stiffness.array().abs() < 1e-12 * condensed->cancelling_terms()).count() == 3);
}

TEST_CASE("eigenfunctions: motions of other joints stay beside those of the stretch", "[eigenfunctions]") {
  const Rubbed rubbed;
  const EigenfunctionBeam small(*rubbed.beam, rubbed.options(100));
  Matrix felt(rubbed.beam->size(), rubbed.directions.cols() + 1);
  felt << Matrix(rubbed.directions), rubbed.beam->motion("tip.w");
  const InterfaceBasis basis = interface_basis(felt.sparseView());
  const auto exact = rubbed.beam->condense(basis);
  const auto found = small.condense_in_shapes(basis);
  exact->set_frequency(omega_reference);
  found->set_frequency(omega_reference);
  const ComplexMatrix& v = found->shapes()->value;
  const ComplexMatrix flexibility = v * found->stiffness().partialPivLu().solve(ComplexMatrix(v.adjoint()));
  CHECK(test::relative(flexibility, exact->stiffness().partialPivLu().inverse()) < rounding);
  // A balance whose joints do not feel the stretch has nothing to reduce.
  CHECK_THROWS_AS(small.condense_in_shapes(interface_basis(SparseMatrix(Matrix(felt.rightCols(1)).sparseView()))),
                  ModelError);
}

}  // namespace
}  // namespace masing
