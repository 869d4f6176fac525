// The Galerkin reduction of a spectral beam against the beam itself: projection of the exact stiffness, derivatives, loads
// that are exact at the frequency of reference, convergence of the receptance, free bodies.
#include "masing/core/error.hpp"
#include "masing/structure/galerkin_beam.hpp"
#include "unit/structure/spectral_support.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <catch2/catch.hpp>

namespace masing {
namespace {

constexpr Index points = 9;
constexpr double stretch = 0.04;
constexpr double reference = 150.0;  // [Hz]
constexpr double omega_reference = 2.0 * pi * reference;

double place(Index i) { return stretch * (static_cast<double>(i) + 0.5) / static_cast<double>(points); }

/// A free Timoshenko bar with joints along its first 40 mm, at the middles of equal parts.
struct Rubbed {
  explicit Rubbed(double loss_factor = 0.01) {
    Beam description;
    description.theory = BeamTheory::timoshenko;
    description.sections = {test::steel(0.0, 0.4)};
    description.sections.front().loss_factor = loss_factor;
    description.points = {{"drive", 0.15}, {"tip", 0.4}};
    description.masses = {{.at = 0.15, .mass = 0.03}};
    for (Index i = 0; i < points; ++i) description.points.push_back({"", place(i)});
    beam = std::make_shared<const SpectralBeam>(description);
    Matrix felt = Matrix::Zero(beam->size(), 2 * points);
    for (Index i = 0; i < points; ++i) {
      const std::size_t node = node_at(beam->nodes(), place(i));
      felt(beam->coordinate(node, BeamMotion::u), 2 * i) = 1.0;
      felt(beam->coordinate(node, BeamMotion::phi), 2 * i) = 0.005;
      felt(beam->coordinate(node, BeamMotion::w), 2 * i + 1) = -1.0;
    }
    directions = felt.sparseView();
    drive = beam->motion("drive.w");
  }

  GalerkinOptions options(Index modes, bool residual = true) const {
    return {.directions = directions,
            .lengths = Vector::Constant(2 * points, stretch / static_cast<double>(points)),
            .loads = drive,
            .modes = modes,
            .frequency = reference,
            .highest_frequency = 5.0 * reference,
            .residual = residual};
  }

  std::shared_ptr<const SpectralBeam> beam;
  SparseMatrix directions;
  Vector drive;
};

InterfaceBasis basis_of(const GalerkinBeam& small, const SparseMatrix& directions) {
  const Matrix felt = small.shapes().transpose() * directions;
  return interface_basis(felt.sparseView(1.0, 1e-15));
}

/// What the joints feel under a force along each of them: Dᵀ Z⁻¹ D, condensed.
ComplexMatrix receptance(const Structure& structure, const InterfaceBasis& basis, const Matrix& felt, double omega) {
  const auto condensed = structure.condense(basis);
  condensed->set_frequency(omega);
  const Matrix seen = basis.range.transpose() * felt(basis.touched, Eigen::all);
  return seen.transpose() * condensed->stiffness().partialPivLu().solve(ComplexMatrix(seen.cast<Complex>()));
}

ComplexMatrix full_receptance(const Rubbed& rubbed, double omega) {
  return receptance(*rubbed.beam, interface_basis(rubbed.directions), Matrix(rubbed.directions), omega);
}
ComplexMatrix small_receptance(const GalerkinBeam& small, const Rubbed& rubbed, double omega) {
  return receptance(small, basis_of(small, rubbed.directions), small.shapes().transpose() * rubbed.directions, omega);
}

// Entries of S reach EA/(4 mm) = 1e10 N/m, the rigid receptance is 1/(omega² m) = 2e-6 m/N: products lose four to five
// digits of 1e-16; two are left.
constexpr double rounding = 1e-9;

TEST_CASE("Galerkin: the receptance converges with the modes, and all of them change nothing", "[galerkin]") {
  const Rubbed rubbed;
  for (const double omega : {omega_reference, 5.0 * omega_reference}) {
    const ComplexMatrix exact = full_receptance(rubbed, omega);
    double before = 1.0;
    for (const Index modes : {0, 2, 4, 8, 12}) {
      const GalerkinBeam small(rubbed.beam, rubbed.options(modes, false));
      CHECK(small.summary().rigid == 3);
      CHECK(small.summary().modes == modes);
      const double error = test::relative(small_receptance(small, rubbed, omega), exact);
      CHECK(error < before);
      before = error;
    }
    const GalerkinBeam all(rubbed.beam, rubbed.options(100));
    CHECK(all.size() == rubbed.beam->size());
    CHECK(all.summary().residuals == 0);
    CHECK(test::relative(small_receptance(all, rubbed, omega), exact) < rounding);
  }
}

TEST_CASE("Galerkin: the indicator falls with the modes and is the smaller with residual shapes", "[galerkin]") {
  const Rubbed rubbed;
  for (const std::size_t which : {0u, 1u}) {
    const auto indicator = [&](Index modes, bool residual) {
      return GalerkinBeam(rubbed.beam, rubbed.options(modes, residual)).summary().errors.at(which).second;
    };
    CHECK(indicator(0, false) == Approx(1.0));  // rigid shapes alone miss the whole elastic flexibility
    CHECK(indicator(3, false) < 0.5);
    CHECK(indicator(8, false) < indicator(3, false));
    CHECK(indicator(3, true) < indicator(3, false));
    CHECK(indicator(100, true) == 0.0);
  }
}

TEST_CASE("Galerkin: residual shapes make the study's load exact at the frequency of reference", "[galerkin]") {
  const Rubbed rubbed(0.0);
  const auto felt = [&](const Structure& structure, const InterfaceBasis& basis, const Vector& load) {
    const auto condensed = structure.condense(basis);
    condensed->set_frequency(omega_reference);
    ComplexVector kept, derivative, all;
    condensed->condense_load(load.cast<Complex>(), kept, derivative);
    condensed->recover(condensed->stiffness().partialPivLu().solve(kept), load.cast<Complex>(), all);
    return all;
  };
  const ComplexVector exact = felt(*rubbed.beam, interface_basis(rubbed.directions), rubbed.drive);
  const auto error = [&](bool residual) {
    const GalerkinBeam small(rubbed.beam, rubbed.options(0, residual));
    const ComplexVector found = felt(small, basis_of(small, rubbed.directions), small.reduced_load(rubbed.drive));
    // Recovered are all coordinates of the beam.
    return test::relative(small.shapes().cast<Complex>() * found, exact);
  };
  CHECK(error(true) < rounding);
  CHECK(error(false) > 1e3 * rounding);
}

TEST_CASE("Galerkin: the stiffness is symmetric, and its derivative that of differences", "[galerkin]") {
  const Rubbed rubbed;
  const GalerkinBeam small(rubbed.beam, rubbed.options(4));
  const auto condensed = small.condense(basis_of(small, rubbed.directions));
  CHECK(condensed->size() == 3 + 4 + small.summary().residuals);
  const double omega = 3.1 * omega_reference;
  const double step = 1e-4 * omega;
  condensed->set_frequency(omega + step);
  const ComplexMatrix above = condensed->stiffness();
  condensed->set_frequency(omega - step);
  const ComplexMatrix below = condensed->stiffness();
  condensed->set_frequency(omega);
  CHECK((condensed->stiffness() - condensed->stiffness().transpose()).norm() < 1e-12 * condensed->stiffness().norm());
  // Second order in the relative step: 1e-8 times a factor of order one; rounding of S over the step: entries of 1e10 N/m
  // with 1e-16 over 0.3 rad/s, beside derivatives of some 1e3.
  const ComplexMatrix differences = (above - below) / (2.0 * step);
  CHECK(test::relative(condensed->stiffness_derivative(), differences) < 1e-6);
}

TEST_CASE("Galerkin: a free beam floats", "[galerkin]") {
  const Rubbed rubbed;
  const GalerkinBeam small(rubbed.beam, rubbed.options(3));
  const auto condensed = small.condense(basis_of(small, rubbed.directions));
  condensed->set_frequency(0.0);
  const Matrix rigid = condensed->stiffness().real().leftCols(3);
  CHECK(rigid.norm() < 1e-12 * condensed->cancelling_terms());
  CHECK(condensed->stiffness().real().norm() > 1e-6 * condensed->cancelling_terms());
}

TEST_CASE("Galerkin: names of the full beam go on naming its motions", "[galerkin]") {
  const Rubbed rubbed;
  const GalerkinBeam small(rubbed.beam, rubbed.options(2));
  CHECK(small.coordinates().front() == "rigid1");
  CHECK(small.find("tip.w") >= 0);
  const std::string gauss = rubbed.beam->nodes().at(1).name + ".w";
  CHECK(small.find(gauss) < 0);
  CHECK(small.motion(gauss) == small.reduced_load(rubbed.beam->motion(gauss)));
  CHECK(small.motion("nowhere.w").size() == 0);
  const auto names = small.motion_names();
  CHECK(std::count(names.begin(), names.end(), gauss) == 1);
  CHECK(std::count(names.begin(), names.end(), "tip.w") == 1);
}

TEST_CASE("Galerkin: options that do not fit are refused", "[galerkin]") {
  const Rubbed rubbed;
  GalerkinOptions wrong = rubbed.options(2);
  wrong.frequency = 0.0;
  CHECK_THROWS_AS(GalerkinBeam(rubbed.beam, wrong), ModelError);
  wrong = rubbed.options(2);
  wrong.lengths[3] = 0.0;
  CHECK_THROWS_AS(GalerkinBeam(rubbed.beam, wrong), ModelError);
  wrong = rubbed.options(2);
  wrong.directions = SparseMatrix(rubbed.beam->size(), 0);
  CHECK_THROWS_AS(GalerkinBeam(rubbed.beam, wrong), ModelError);
}

}  // namespace
}  // namespace masing
