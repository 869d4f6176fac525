#include "masing/core/error.hpp"
#include "masing/structure/beam_load.hpp"
#include "masing/structure/spectral_beam.hpp"
#include "spectral_support.hpp"
#include "support.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <catch2/catch.hpp>

using namespace masing;
using test::directions;
using test::relative;
using test::steel;

namespace {

// Elimination of a few motions of a matrix whose entries differ by the unit of rotations.
constexpr double exact = 1e-9;
// Central differences, relative step 1e-6, with 3 % damping: truncation and rounding below 1e-7.
constexpr double difference_step = 1e-6;
constexpr double difference_tolerance = 1e-6;

/// Three sections, everything a beam can have.
Beam rich_beam(BeamTheory theory) {
  Beam beam;
  beam.theory = theory;
  beam.sections = {steel(0.0, 0.2), steel(0.2, 0.5), steel(0.5, 0.6)};
  beam.sections[1].area *= 2.0, beam.sections[1].inertia *= 8.0;
  beam.sections[0].loss_factor = 0.03, beam.sections[1].loss_factor = 0.02, beam.sections[2].loss_factor = 0.03;
  beam.points = {{"root", 0.0}, {"drive", 0.1}, {"tip", 0.6}};
  beam.supports = {
      {.at = 0.0, .fixed = {true, true, false}, .stiffness = {0.0, 0.0, 900.0}, .damping = {0.0, 0.0, 0.1}},
      {.at = 0.5, .fixed = {}, .stiffness = {2e5, 4e4, 0.0}, .damping = {0.0, 3.0, 0.0}}};
  beam.masses = {{.at = 0.1, .mass = 0.05, .rotary_inertia = 2e-6}, {.at = 0.6, .mass = 0.1}};
  beam.springs = {{.from = 0.2, .to = 0.6, .stiffness = {1e5, 2e4, 10.0}, .damping = {5.0, 1.0, 0.0}}};
  return beam;
}

Vector unit_load(const Structure& structure, std::string_view name) {
  return Vector::Unit(structure.size(), structure.find(name));
}

}  // namespace

TEST_CASE("coordinates are the free motions of the nodes", "[spectral]") {
  CHECK(SpectralBeam(rich_beam(BeamTheory::timoshenko)).coordinates() ==
        std::vector<std::string>{"root.phi", "drive.u", "drive.w", "drive.phi", "x0.2.u", "x0.2.w", "x0.2.phi",
                                 "x0.5.u", "x0.5.w", "x0.5.phi", "tip.u", "tip.w", "tip.phi"});
  CHECK(SpectralBeam(rich_beam(BeamTheory::rod)).coordinates() ==
        std::vector<std::string>{"drive.u", "x0.2.u", "x0.5.u", "tip.u"});
  const SpectralBeam beam(rich_beam(BeamTheory::euler_bernoulli));
  CHECK(beam.coordinate(0, BeamMotion::w) == -1);
  CHECK(beam.coordinate(1, BeamMotion::w) == 2);
}

TEST_CASE("a cantilever's receptance against the closed form", "[spectral]") {
  const double length = 0.5;
  Beam beam = test::uniform_beam(BeamTheory::euler_bernoulli, length, test::clamped, test::unsupported);
  beam.sections[0].loss_factor = 0.01;
  beam.points = {{"tip", length}};
  const SpectralBeam structure(beam);
  const auto condensed =
      structure.condense(interface_basis(directions(structure.size(), {{{structure.find("tip.w"), 1.0}}})));
  const BeamSection& s = beam.sections[0];
  const Complex ei = s.youngs_modulus * s.inertia * Complex(1.0, s.loss_factor);
  for (double omega = 20.0; omega < 1e5; omega *= 1.7) {
    const Complex k = std::pow(omega * omega * s.density * s.area / ei, 0.25);
    const Complex kl = k * length;
    const Complex receptance = (std::sin(kl) * std::cosh(kl) - std::cos(kl) * std::sinh(kl)) /
                               (ei * k * k * k * (1.0 + std::cos(kl) * std::cosh(kl)));
    condensed->set_frequency(omega);
    CHECK(std::abs(condensed->stiffness()(0, 0) * receptance - 1.0) < exact);
  }
  condensed->set_frequency(0.0);
  CHECK(condensed->stiffness()(0, 0).real() ==
        Approx(3.0 * s.youngs_modulus * s.inertia / std::pow(length, 3)).epsilon(1e-12));
  CHECK(condensed->stiffness().imag().isZero(0.0));
  CHECK(condensed->stiffness_derivative().isZero(0.0));
}

TEST_CASE("more nodes change nothing", "[spectral]") {
  const auto theory = GENERATE(BeamTheory::rod, BeamTheory::euler_bernoulli, BeamTheory::timoshenko);
  const double omega = GENERATE(0.0, 300.0, 4e4, 8e5);
  Beam finer = rich_beam(theory);
  for (const double at : {0.03, 0.26, 0.31, 0.47, 0.59}) finer.points.push_back({"", at});
  const SpectralBeam coarse(rich_beam(theory)), fine(finer);
  const auto kept = [](const SpectralBeam& beam) {
    return interface_basis(directions(
        beam.size(), {{{beam.find("drive.u"), 1.0}, {beam.find("tip.u"), -1.0}}, {{beam.find("x0.5.u"), 1.0}}}));
  };
  const auto first = coarse.condense(kept(coarse));
  const auto second = fine.condense(kept(fine));
  first->set_frequency(omega);
  second->set_frequency(omega);
  CHECK(relative(first->stiffness(), second->stiffness()) < exact);
  if (omega > 0.0) CHECK(relative(first->stiffness_derivative(), second->stiffness_derivative()) < exact);

  const ComplexVector coarse_load = unit_load(coarse, "tip.u").cast<Complex>();
  const ComplexVector fine_load = unit_load(fine, "tip.u").cast<Complex>();
  const ComplexVector motion = ComplexVector::Constant(2, Complex(1e-3, 2e-3));
  ComplexVector coarse_all, fine_all;
  first->recover(motion, coarse_load, coarse_all);
  second->recover(motion, fine_load, fine_all);
  for (const double x : {0.0, 0.03, 0.28, 0.47, 0.6}) {
    const auto a = coarse.motion_at(x, omega, coarse_all);
    const auto b = fine.motion_at(x, omega, fine_all);
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(a[i] - b[i]) < exact * fine_all.norm());
  }
}

TEST_CASE("condensed equals full, with joints and loads on eliminated motions", "[spectral]") {
  const auto theory = GENERATE(BeamTheory::euler_bernoulli, BeamTheory::timoshenko);
  const double omega = GENERATE(0.0, 50.0, 3e3, 7e4);
  const SpectralBeam structure(rich_beam(theory));
  const Index n = structure.size();
  std::mt19937_64 generator(5);
  for (const SparseMatrix& b : {directions(n, {{{2, 1.0}}}),
                                directions(n, {{{2, 1.0}, {5, -1.0}}, {{11, 1.0}, {12, 0.01}}}), SparseMatrix(n, 0)}) {
    const InterfaceBasis basis = interface_basis(b);
    const auto condensed = structure.condense(basis);
    condensed->set_frequency(omega);
    const Matrix joint = 1e5 * test::random_definite(b.cols(), generator);
    const ComplexVector load = test::random_load(n, generator);
    ComplexMatrix z, derivative;
    structure.dynamic_stiffness(omega, z, derivative);
    const ComplexMatrix full = z + (Matrix(b) * joint * Matrix(b).transpose()).cast<Complex>();
    const ComplexVector expected = full.partialPivLu().solve(load);

    const Matrix kept_directions = basis.range.transpose() * Matrix(b)(basis.touched, Eigen::all);
    const ComplexMatrix held =
        condensed->stiffness() + (kept_directions * joint * kept_directions.transpose()).cast<Complex>();
    ComplexVector kept_load, unused, all;
    condensed->condense_load(load, kept_load, unused);
    const ComplexVector kept = held.rows() > 0 ? ComplexVector(held.partialPivLu().solve(kept_load)) : kept_load;
    condensed->recover(kept, load, all);
    CHECK(relative(all, expected) < exact);
  }
}

TEST_CASE("derivatives and rates of the condensed beam agree with differences", "[spectral]") {
  const SpectralBeam structure(rich_beam(BeamTheory::timoshenko));
  const double omega = GENERATE(400.0, 2e4);
  const Index n = structure.size();
  const auto condensed = structure.condense(interface_basis(directions(n, {{{2, 1.0}, {5, -1.0}}, {{11, 1.0}}})));
  std::mt19937_64 generator(17);
  const ComplexVector load = test::random_load(n, generator);
  const ComplexVector kept = test::random_load(2, generator);
  const ComplexVector kept_rate = test::random_load(2, generator);
  const double step = difference_step * omega;
  struct State {
    ComplexMatrix s;
    ComplexVector load, derivative, all;
  };
  const auto at = [&](double time) {
    State state;
    condensed->set_frequency(omega + time);
    state.s = condensed->stiffness();
    condensed->condense_load(load, state.load, state.derivative);
    condensed->recover(kept + time * kept_rate, load, state.all);
    return state;
  };
  const State lower = at(-step), upper = at(step), middle = at(0.0);
  CHECK(relative(condensed->stiffness_derivative(), (upper.s - lower.s) / (2.0 * step)) < difference_tolerance);
  CHECK(relative(middle.derivative, (upper.load - lower.load) / (2.0 * step)) < difference_tolerance);
  ComplexVector rate;
  condensed->recover_rate(middle.all, kept_rate, 1.0, rate);
  CHECK(relative(rate, (upper.all - lower.all) / (2.0 * step)) < difference_tolerance);
  CHECK(condensed->cancelling_terms() >= condensed->stiffness().cwiseAbs().minCoeff());
}

TEST_CASE("reciprocity and dissipation of the condensed beam", "[spectral]") {
  constexpr double rounding = 1e-11;  // of the elimination
  const SpectralBeam structure(rich_beam(BeamTheory::timoshenko));
  const auto condensed = structure.condense(
      interface_basis(directions(structure.size(), {{{2, 1.0}}, {{5, 1.0}}, {{8, 1.0}}, {{11, 1.0}}})));
  for (double omega = 10.0; omega < 1e6; omega *= 1.9) {
    condensed->set_frequency(omega);
    const ComplexMatrix& s = condensed->stiffness();
    CHECK((s - s.transpose()).norm() < rounding * condensed->cancelling_terms());
    CHECK(s.imag().selfadjointView<Eigen::Lower>().eigenvalues().minCoeff() > 0.0);
  }
}

TEST_CASE("static line loads and weight are exact at the nodes", "[spectral]") {
  constexpr double rounding = 1e-11;
  const double length = 0.5, q = 120.0;
  Beam beam = test::uniform_beam(BeamTheory::timoshenko, length, test::clamped, test::unsupported);
  beam.points = {{"tip", length}, {"", 0.17}};
  const BeamSection& s = beam.sections[0];
  const double ei = s.youngs_modulus * s.inertia, kga = s.shear_factor * s.shear_modulus() * s.area;
  const SpectralBeam structure(beam);
  const auto deflection = [&](const Matrix& nodal, std::string_view name) {
    const auto condensed = structure.condense(interface_basis(SparseMatrix(structure.size(), 0)));
    condensed->set_frequency(0.0);
    ComplexVector all;
    condensed->recover(ComplexVector(0), structure.to_coordinates(nodal).cast<Complex>(), all);
    return all[structure.find(name)].real();
  };
  const Matrix full = line_load(beam, structure.nodes(), BeamMotion::w, 0.0, length, q);
  CHECK(full.col(1).sum() == Approx(q * length).epsilon(rounding));
  CHECK(deflection(full, "tip.w") ==
        Approx(q * std::pow(length, 4) / (8.0 * ei) + q * length * length / (2.0 * kga)).epsilon(rounding));
  // On the part from 0 to a of the cantilever: q a³(4ℓ − a)/24EI + q a²/2κGA.
  const double a = 0.3;
  const Matrix part = line_load(beam, structure.nodes(), BeamMotion::w, 0.0, a, q);
  CHECK(deflection(part, "tip.w") ==
        Approx(q * a * a * a * (4.0 * length - a) / (24.0 * ei) + q * a * a / (2.0 * kga)).epsilon(rounding));
  // A distributed moment m: φ(ℓ) = m ℓ²/2EI.
  const Matrix moments = line_load(beam, structure.nodes(), BeamMotion::phi, 0.0, length, q);
  CHECK(deflection(moments, "tip.phi") == Approx(q * length * length / (2.0 * ei)).epsilon(rounding));

  beam.masses = {{.at = length, .mass = 0.3}};
  const double g = 9.81, weight = s.density * s.area * g;
  const Matrix hanging = self_weight(beam, structure.nodes(), g, 0.0);
  CHECK(hanging.col(1).isZero(0.0));
  CHECK(deflection(hanging, "tip.u") ==
        Approx((weight * length * length / 2.0 + 0.3 * g * length) / (s.youngs_modulus * s.area)).epsilon(rounding));
  CHECK(self_weight(beam, structure.nodes(), 0.0, -g).col(1).sum() ==
        Approx(-(weight * length + 0.3 * g)).epsilon(rounding));
}

TEST_CASE("what a spectral beam cannot do is said", "[spectral]") {
  using Catch::Matchers::Contains;
  const SpectralBeam structure(rich_beam(BeamTheory::rod));
  CHECK_THROWS_WITH(structure.base_acceleration_load(Vector::Ones(4)), Contains("Ask it for base_acceleration"));
  CHECK_THROWS_WITH(structure.motion_at(0.7, 1.0, ComplexVector::Zero(4)), Contains("x = 0.7 m is not on the beam"));
  CHECK_THROWS_WITH(line_load(structure.beam(), structure.nodes(), BeamMotion::w, 0.0, 0.1, 1.0),
                    Contains("a rod only has the motion u"));
  CHECK_THROWS_WITH(line_load(structure.beam(), structure.nodes(), BeamMotion::u, 0.3, 0.1, 1.0),
                    Contains("its end must lie behind its beginning"));
  CHECK_THROWS_WITH(line_load(structure.beam(), structure.nodes(), BeamMotion::u, 0.3, 0.8, 1.0),
                    Contains("is not on the beam, which reaches from 0 to 0.6 m"));
  const SpectralBeam held(test::uniform_beam(BeamTheory::timoshenko, 1.0, test::clamped, test::clamped));
  CHECK(held.size() == 0);
  CHECK_THROWS_WITH(held.condense(interface_basis(SparseMatrix(0, 0))), Contains("Every motion of every node"));

  // A free beam: the static motion that floats is named.
  Beam free = rich_beam(BeamTheory::rod);
  free.supports.clear();
  const SpectralBeam floating(free);
  const auto condensed = floating.condense(interface_basis(SparseMatrix(floating.size(), 0)));
  CHECK_THROWS_WITH(condensed->set_frequency(0.0), Contains("The structure floats") && Contains("drive.u (1)"));
  condensed->set_frequency(1.0);  // inertia holds it
}

TEST_CASE("places have names of their own", "[spectral]") {
  Beam beam = test::uniform_beam(BeamTheory::timoshenko, 0.5, test::clamped, test::unsupported);
  beam.points = {{"", 0.3}, {"", 0.3 + 1e-8}, {"end", 0.5}};
  const SpectralBeam structure(beam);
  CHECK(structure.find("x0.3.w") >= 0);
  CHECK(structure.find("x0.30000001.w") == structure.find("x0.3.w") + 3);
  beam.points.push_back({"x0.3", 0.4});
  CHECK_THROWS_WITH(SpectralBeam(beam),
                    "point 'x0.3' at 0.4 m has the name of the place at 0.3 m: give it another name.");
}
