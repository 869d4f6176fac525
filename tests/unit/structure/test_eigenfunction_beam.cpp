// Eigenfunctions per harmonic against the beam itself: the span is invariant, derivatives are those of differences, the
// receptance converges and is exact with all of them, statics are real.
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

/// V S_c⁻¹ Vᵀ, as the joints see it.
ComplexMatrix receptance(const EigenfunctionBeam& beam, const Rubbed& rubbed, double omega) {
  const InterfaceBasis basis = interface_basis(rubbed.directions);
  const auto condensed = beam.condense_in_shapes(basis);
  condensed->set_frequency(omega);
  const Matrix felt = basis.range.transpose() * Matrix(rubbed.directions)(basis.touched, Eigen::all);
  const ComplexMatrix seen = condensed->shapes()->value.transpose() * felt;
  return seen.transpose() * condensed->stiffness().partialPivLu().solve(seen);
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
  const EigenfunctionBeam small(*rubbed.beam, rubbed.options(4));
  const auto condensed = small.condense_in_shapes(interface_basis(rubbed.directions));
  REQUIRE(condensed->size() == 7);
  const ComplexVector load = rubbed.drive.cast<Complex>();
  const ComplexVector unknowns = ComplexVector::LinSpaced(7, Complex(1.0, 0.5), Complex(-0.3, 2.0));
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
  condensed->recover_rate(here.all, ComplexVector::Zero(7), 1.0, rate);
  CHECK((here.stiffness - here.stiffness.transpose()).norm() < 1e-12 * here.stiffness.norm());
  // Second order in the relative step, 1e-8 times a factor of order one, and rounding as for constant shapes.
  CHECK(test::relative(condensed->stiffness_derivative(), difference(above.stiffness, below.stiffness)) < 1e-6);
  CHECK(test::relative(condensed->shapes()->derivative, difference(above.shapes, below.shapes)) < 1e-6);
  CHECK(test::relative(load_derivative, difference(above.load, below.load)) < 1e-6);
  CHECK(test::relative(rate, difference(above.all, below.all)) < 1e-6);
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
  const ComplexMatrix flexibility = v * found->stiffness().partialPivLu().solve(ComplexMatrix(v.transpose()));
  CHECK(test::relative(flexibility, exact->stiffness().partialPivLu().inverse()) < rounding);
  // A balance whose joints do not feel the stretch has nothing to reduce.
  CHECK_THROWS_AS(small.condense_in_shapes(interface_basis(SparseMatrix(Matrix(felt.rightCols(1)).sparseView()))),
                  ModelError);
}

}  // namespace
}  // namespace masing
