// The Galerkin reduction of a spectral beam against the beam itself: projection of the exact stiffness, derivatives, loads
// that are exact at the frequency of reference, convergence of the receptance, free bodies.
#include "masing/core/error.hpp"
#include "masing/structure/natural_modes.hpp"
#include "unit/structure/rubbed_beam.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <catch2/catch.hpp>

namespace masing {
namespace {

using test::basis_of;
using test::full_receptance;
using test::omega_reference;
using test::receptance;
using test::reference;
using test::Rubbed;
using test::small_receptance;

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

// A shaken base: every piece of the beam carries its inertia, also those between the Gauss points.
ComplexVector shaken(const Structure& structure, const InterfaceBasis& basis, const FrequencyLoad& base, double omega) {
  const auto condensed = structure.condense(basis);
  condensed->set_frequency(omega);
  ComplexVector load, load_derivative, kept, derivative, all;
  base.at(omega, load, load_derivative);
  condensed->condense_load(load, kept, derivative);
  condensed->recover(condensed->stiffness().partialPivLu().solve(kept), load, all);
  return all;
}

TEST_CASE("Galerkin: a shaken base moves the reduced beam as the full one", "[galerkin]") {
  const Rubbed rubbed(0.0);
  const auto base = rubbed.beam->base_acceleration(BeamMotion::w, 3.0);
  const InterfaceBasis interface = interface_basis(rubbed.directions);
  GalerkinOptions options = rubbed.options(2);
  ComplexVector load, derivative;
  base->at(omega_reference, load, derivative);
  options.loads = load.real();
  const auto error = [&](const GalerkinBeam& small, double omega) {
    const ComplexVector found = shaken(small, basis_of(small, rubbed.directions), *small.reduced_load(base), omega);
    return test::relative(small.shapes().cast<Complex>() * found, shaken(*rubbed.beam, interface, *base, omega));
  };
  // The load of the frequency of reference has its residual shape; elsewhere it takes all shapes to be exact.
  CHECK(error(GalerkinBeam(rubbed.beam, options), omega_reference) < rounding);
  CHECK(error(GalerkinBeam(rubbed.beam, rubbed.options(100)), 4.0 * omega_reference) < rounding);

  const GalerkinBeam small(rubbed.beam, options);
  const auto reduced = small.reduced_load(base);
  ComplexVector above, below, slope;
  const double step = 1e-4 * omega_reference;
  reduced->at(omega_reference + step, above, slope);
  reduced->at(omega_reference - step, below, slope);
  reduced->at(omega_reference, load, slope);
  // Second order in the relative step, 1e-8. The load hardly depends on the frequency, by (k ℓ)⁴ = 1e-3 of it between nodes:
  // the rounding of its difference is 1e-16 / (1e-3 1e-4).
  CHECK(test::relative((above - below) / (2.0 * step), slope) < 1e-7);
}

TEST_CASE("Galerkin: natural modes of the reduced beam with springs along the stretch", "[galerkin]") {
  const Rubbed rubbed(0.0);
  const auto frequencies = [&](const Structure& structure, const SparseMatrix& directions) {
    const Index count = directions.cols();
    // 1e12 N/m², as stiff as the shapes that are left out: the bar is held so that they matter.
    const double spring = 1e12 * test::stretch / static_cast<double>(test::points);
    const LinearAttachment springs{directions, spring * Matrix::Identity(count, count), Matrix::Zero(count, count)};
    std::vector<double> found;
    for (const NaturalMode& mode : natural_modes(structure, std::span(&springs, 1), {.count = 4})) {
      found.push_back(mode.omega);
      CHECK(mode.shape.size() == structure.size());
    }
    return found;
  };
  const std::vector<double> exact = frequencies(*rubbed.beam, rubbed.directions);
  double before = 1.0;
  for (const Index modes : {0, 4, 8}) {
    const GalerkinBeam small(rubbed.beam, rubbed.options(modes));
    const Matrix felt = small.shapes().transpose() * rubbed.directions;
    const std::vector<double> found = frequencies(small, felt.sparseView(1.0, 1e-15));
    REQUIRE(found.size() == 4);
    double error = 0.0;
    for (std::size_t i = 0; i < 4; ++i) error = std::max(error, std::abs(found[i] / exact[i] - 1.0));
    CHECK(error < before);
    before = error;
  }
  CHECK(before < 1e-2);
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
