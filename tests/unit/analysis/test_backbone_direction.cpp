// Backbones of close modes, whose motion wanders from one coordinate to another, against shooting.
#include "masing/analysis/backbone.hpp"
#include "masing/balance/harmonic_balance.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/structure/lumped.hpp"
#include "shooting.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace masing;
using test::joint;
using test::load;

TEST_CASE("a backbone goes on in its direction where the phase equation moves to another coordinate") {
  // The motion wanders from the light mass to the heavy one, with a phase between them: seen from the new coordinate the tangent
  // is mostly a shift in time, which must not decide which way is forward.
  const double heavy = 1.0, light = 0.1, cubic_ground = 1.6903, cubic_between = 0.0103823;
  Model model{.structure = chain(
                  {.masses = {heavy, light}, .stiffnesses = {1.0, 0.120339}, .dampings = {0.00877355, 0.00174621}}),
              .loads = {load(2, 0, 1.0)}};
  model.joints = {
      joint("ground", make_element(CubicSpring({.cubic_stiffness = cubic_ground})), 2, {{{0, 1.0}}}),
      joint("between", make_element(CubicSpring({.cubic_stiffness = cubic_between})), 2, {{{0, -1.0}, {1, 1.0}}})};
  BackboneRequest ask;
  ask.name = "backbone";
  ask.from = 1e-3;
  ask.to = 10.0;
  ask.balance = {.harmonics = {1, 3, 5, 7, 9, 11, 13, 15}, .samples = 128};
  ask.observables = {{.name = "x", .coordinate = 0}};
  const ResponseCurves curves = backbone(model, ask);
  REQUIRE(curves.complete());
  const ResponseBranch& branch = curves.branches[0];
  CHECK(branch.end.stop == "reached the end");
  CHECK(branch.special_points.empty());
  // Independently: with artificial damping 2 ζ ω taken off, each motion repeats after a period.
  const auto& structure = dynamic_cast<const SecondOrderStructure&>(*model.structure);
  const Vector inverse_mass{{1.0 / heavy, 1.0 / light}};
  HarmonicBalance balance(*model.structure, model.joints, {}, ask.balance);
  for (const ResponsePoint& point : branch.points) {
    const double omega = 2.0 * pi * point.frequency;
    const Matrix damping =
        inverse_mass.asDiagonal() * Matrix(structure.damping()) -
        2.0 * point.quantities[branch.header.find_quantity("damping_ratio")] * omega * Matrix::Identity(2, 2);
    const test::Shooting free(
        damping,
        [&](const Vector& q, Vector& f, Matrix& slope) {
          const double stretch = q[1] - q[0];
          const double between = cubic_between * stretch * stretch * stretch;
          f = structure.stiffness() * q + Vector{{cubic_ground * std::pow(q[0], 3) - between, between}};
          f.array() *= inverse_mass.array();
          const double by_stretch = 3.0 * cubic_between * stretch * stretch;
          slope = Matrix(structure.stiffness());
          slope += Matrix{{3.0 * cubic_ground * q[0] * q[0] + by_stretch, -by_stretch}, {-by_stretch, by_stretch}};
          slope.array().colwise() *= inverse_mass.array();
        },
        Vector::Zero(2));
    const Matrix all = balance.recover(point.coefficients, omega);
    Matrix full = Matrix::Zero(2, 31);  // harmonics 0 … 15
    for (Index i = 0; i < balance.set().count(); ++i) {
      full.col(2 * balance.set()[i] - 1) = all.col(balance.set().cosine(i));
      full.col(2 * balance.set()[i]) = all.col(balance.set().sine(i));
    }
    const Vector start = test::state_at_zero(full, omega);
    // Sixteen harmonics of these smooth motions leave out less than 1e-6.
    INFO("modal amplitude " << point.quantities[branch.header.find_quantity("modal_amplitude")]);
    CHECK((free.map(start, omega, 2.0 * pi / omega).end - start).norm() < 1e-6 * start.norm());
  }
}
