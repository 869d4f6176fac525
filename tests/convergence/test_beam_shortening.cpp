// A beam that gets shorter as it bends, on a frictional support: harmonic balance against time integration.
#include "masing/balance/harmonic_balance.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/fourier/transform.hpp"
#include "masing/solve/newton.hpp"
#include "masing/structure/beam_shortening.hpp"
#include "masing/structure/finite_element_beam.hpp"
#include "masing/structure/spectral_beam.hpp"
#include "masing/transient/steady.hpp"
#include "support/at_frequency.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

using namespace masing;

namespace {

constexpr double length = 0.6;
constexpr double radius = 0.005;

Beam clamped_beam() {
  return {.theory = BeamTheory::euler_bernoulli,
          .sections = {{.begin = 0.0,
                        .end = length,
                        .youngs_modulus = 210e9,
                        .density = 7850.0,
                        .area = 2e-4,
                        .inertia = 0.04 * 0.005 * 0.005 * 0.005 / 12.0}},
          .points = {{"drive", 0.45}, {"tip", length}},
          .supports = {{.at = 0.0, .fixed = {true, true, true}}, {.at = length, .fixed = {false, true, false}}}};
}

struct Model {
  explicit Model(const Structure& structure) {
    const Index n = structure.size();
    joints = {test::joint("support", make_element(Jenkins({.stiffness = 5e6, .slip_force = 60.0})), n,
                          {{{structure.find("tip.u"), 1.0}, {structure.find("tip.phi"), radius}}})};
    joints[0].quadratic = {{0, shortening(structure, 0.0, length).matrix}};
    loads = {test::load(n, structure.find("drive.w"), 40.0)};
  }
  std::vector<Joint> joints;
  std::vector<Load> loads;
};

Vector solve(HarmonicBalance& balance, double omega) {
  test::AtFrequency system(balance, omega);
  Vector x = Vector::Zero(balance.size());
  NewtonSolver solver(balance.size(), {.residual_tolerance = 1e-11, .max_iterations = 200});
  const NewtonSummary summary =
      solver.solve(system, x, {Vector::Constant(x.size(), 1e-4), Vector::Constant(x.size(), 40.0)});
  INFO(summary.message);
  REQUIRE(summary.converged());
  return x;
}

}  // namespace

TEST_CASE("shortening and slip: harmonic balance agrees with time integration") {
  const auto beam =
      finite_element_beam(clamped_beam(), {.elements = 4, .damping = {.rayleigh_alpha = 30.0, .rayleigh_beta = 2e-5}});
  const Model model(*beam);
  const double omega = 2.0 * pi * 48.0;

  TimeIntegrator integrator(*beam, model.joints, model.loads, {.omega = omega}, {.relative_tolerance = 1e-9});
  const SteadySummary steady = run_to_steady(integrator, {.tolerance = 1e-7, .max_periods = 200});
  INFO(steady.message);
  REQUIRE(steady.steady());
  constexpr Index samples = 256;
  const Index drive = beam->find("drive.w");
  const Index tip = beam->find("tip.u");
  Matrix history(samples, 2);
  double shortened = 0.0;
  const double start = integrator.time();
  for (Index i = 0; i < samples; ++i) {
    integrator.advance_to(start + integrator.period() * static_cast<double>(i) / samples);
    history.row(i) << integrator.displacement()[drive], integrator.displacement()[tip];
    const Vector q = integrator.displacement();
    shortened = std::max(shortened, 0.5 * q.dot(model.joints[0].quadratic[0].matrix * q));
  }

  const HarmonicSet compared = HarmonicSet::up_to(3);
  Matrix expected(2, compared.positions());
  Transform(compared, samples, 2).to_coefficients(history, expected);
  // Largest difference of the harmonics 0 to 3, of drive.w and of tip.u, as shares of the first.
  const auto differences = [&](const std::vector<Joint>& joints, int highest) -> std::array<double, 2> {
    HarmonicBalance balance(*beam, joints, model.loads,
                            {.harmonics = HarmonicSet::up_to(highest).harmonics(), .samples = samples});
    const Matrix q = balance.recover(solve(balance, omega), omega).leftCols(compared.positions());
    const auto share = [&](Index row, Index coordinate) {
      return (q.row(coordinate) - expected.row(row)).cwiseAbs().maxCoeff() / expected.row(row).segment(1, 2).norm();
    };
    return {share(0, drive), share(1, tip)};
  };
  std::string table = "harmonics, differences of drive.w and tip.u\n";
  for (const int highest : {3, 7, 15}) {
    const auto [at_drive, at_tip] = differences(model.joints, highest);
    table += fmt::format("  {:2}  {:.2e}  {:.2e}\n", highest, at_drive, at_tip);
    // The slider's force has kinks, so harmonic k of it, and of the motion that it drives, is about k⁻² of the first. What
    // is left out comes back to the low harmonics through the tangent, which jumps (k⁻¹): Σ k⁻³ over k > H.
    const double left_out = 0.5 / (highest * highest);
    CHECK(at_drive < left_out);
    CHECK(at_tip < left_out);
  }
  std::vector<Joint> straight = model.joints;
  straight[0].quadratic.clear();
  const auto [at_drive, at_tip] = differences(straight, 7);
  table += fmt::format("without shortening {:.2e}  {:.2e}\n", at_drive, at_tip);
  const double even = std::hypot(expected(1, 0), expected.row(1).segment(3, 2).norm());
  table += fmt::format("shortening {:.3g} m, drive amplitude {:.3g} m, mean and second harmonic of tip.u {:.2g}\n",
                       shortened, history.col(0).maxCoeff(), even / expected.row(1).segment(1, 2).norm());
  WARN(table);
  // The agreement means something: without the quadratic motion it is lost.
  const std::array<double, 2> with = differences(model.joints, 7);
  CHECK(at_drive > 10.0 * with[0]);
  CHECK(at_tip > 10.0 * with[1]);
}
