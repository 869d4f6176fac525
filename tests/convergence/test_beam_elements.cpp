// Natural frequencies of finite-element rods and beams against closed forms: error over element length, observed order.
//
//   rod fixed-free              ω_n = (n − ½) π √(E/ρ) / L
//   Euler-Bernoulli             ω_n = (β_n L)² √(EI/ρA) / L²
//   Timoshenko, pinned-pinned   ρI ρA ω⁴ − (ρA κGA + k²(EI ρA + κGA ρI)) ω² + EI κGA k⁴ = 0,   k = nπ/L,
//                               two frequencies for each n: bending and shear
#include "masing/structure/finite_element_beam.hpp"
#include "masing/structure/spectral_beam.hpp"

#include <fmt/format.h>
#include <Eigen/Eigenvalues>
#include <catch2/catch.hpp>

#include <cmath>

using namespace masing;

namespace {

constexpr double length = 1.0;

BeamSection section_of_thickness(double thickness) {
  const double width = 0.05;
  return {.begin = 0.0,
          .end = length,
          .youngs_modulus = 70e9,
          .density = 2700.0,
          .poisson_ratio = 0.33,
          .area = width * thickness,
          .inertia = width * thickness * thickness * thickness / 12.0};
}

Vector frequencies(const SecondOrderStructure& structure) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(Matrix(structure.stiffness()), Matrix(structure.mass()),
                                                                Eigen::EigenvaluesOnly);
  return solver.eigenvalues().cwiseMax(0.0).cwiseSqrt();
}

/// The frequency nearest to a given one.
double nearest(const Vector& all, double wanted) {
  Index best = 0;
  (all.array() - wanted).abs().minCoeff(&best);
  return all[best];
}

/// Relative errors of the mode `exact` on a row of meshes, each twice as fine.
std::vector<double> errors(const Beam& beam, double exact, const std::vector<int>& meshes, const std::string& what) {
  std::vector<double> result;
  std::string table = what + ": elements, relative error\n";
  for (const int elements : meshes) {
    result.push_back(nearest(frequencies(*finite_element_beam(beam, {.elements = elements})), exact) / exact - 1.0);
    table += fmt::format("  {:4d}  {:.3e}\n", elements, result.back());
  }
  WARN(table);
  return result;
}

double order(const std::vector<double>& errors, std::size_t i) { return std::log2(errors[i] / errors[i + 1]); }

// Measured orders approach the theoretical one from meshes with a few elements a wave.
constexpr double order_margin = 0.15;

Beam beam_with(BeamTheory theory, double thickness, std::vector<BeamSupport> supports) {
  return {.theory = theory, .sections = {section_of_thickness(thickness)}, .supports = std::move(supports)};
}

const BeamSupport clamp_left{.at = 0.0, .fixed = {true, true, true}};
const BeamSupport clamp_right{.at = length, .fixed = {true, true, true}};
const BeamSupport pin_left{.at = 0.0, .fixed = {true, true, false}};
const BeamSupport pin_right{.at = length, .fixed = {true, true, false}};

/// Both Timoshenko frequencies of n half waves between pins: bending, shear.
std::pair<double, double> timoshenko_pinned(const BeamSection& s, int n) {
  const double k2 = std::pow(n * pi / length, 2);
  const double ei = s.youngs_modulus * s.inertia;
  const double shear = s.shear_factor * s.shear_modulus() * s.area;
  const double rho_a = s.density * s.area;
  const double rho_i = s.density * s.inertia;
  const double a = rho_i * rho_a;
  const double b = rho_a * shear + k2 * (ei * rho_a + shear * rho_i);
  const double c = ei * shear * k2 * k2;
  const double root = std::sqrt(b * b - 4.0 * a * c);
  return {std::sqrt(2.0 * c / (b + root)), std::sqrt((b + root) / (2.0 * a))};
}

/// Leading error of a Timoshenko frequency of n half waves between pins, as a share, with elements of length h.
///
/// Static shapes make the interpolant of a mode its projection in energy, so ω² is too high by the share a(e,e)/a(u,u) of
/// the energy in the interpolation error e. On an element e is the static deflection, ends held, under the inertia of the
/// mode, p = ω²ρA w and m = ω²ρI phi, nearly constant there:
///
///   energy a length   p² (h⁴/720EI + h²/12κGA)  +  m² h²/12EI · Φ/(1 + Φ),   Φ = 12 EI / κGA h²
///
/// (a beam held at both ends under a line load, and under a line moment), while a(u,u) = ω² (ρA w² + ρI phi²).
double timoshenko_error(const BeamSection& s, int n, double omega, double h) {
  const double k = n * pi / length;
  const double ei = s.youngs_modulus * s.inertia;
  const double kga = s.shear_factor * s.shear_modulus() * s.area;
  const double mass = s.density * s.area;
  const double rotary = s.density * s.inertia;
  const double ratio = (kga * k * k - omega * omega * mass) / (kga * k);  // phi / w
  const double shear = 12.0 * ei / (kga * h * h);
  const double line = mass * mass * (std::pow(h, 4) / (720.0 * ei) + h * h / (12.0 * kga));
  const double moment = std::pow(rotary * ratio, 2) * h * h / (12.0 * ei) * shear / (1.0 + shear);
  return 0.5 * omega * omega * (line + moment) / (mass + rotary * ratio * ratio);
}

}  // namespace

TEST_CASE("rod elements: frequencies converge with the square of the element length, from above") {
  const Beam rod = beam_with(BeamTheory::rod, 0.02, {clamp_left});
  for (const int n : {1, 3}) {
    const double exact = (n - 0.5) * pi * std::sqrt(70e9 / 2700.0) / length;
    const std::vector<double> e = errors(rod, exact, {8, 16, 32, 64}, fmt::format("rod, mode {}", n));
    for (std::size_t i = 0; i + 1 < e.size(); ++i) {
      CHECK(e[i] > 0.0);
      if (i > 0) CHECK(order(e, i) == Approx(2.0).margin(order_margin));
    }
  }
}

TEST_CASE("Euler-Bernoulli elements: all classical ends, fourth order, from above") {
  struct Case {
    std::string name;
    std::vector<BeamSupport> supports;
    std::vector<double> roots;  // β_n L
  };
  const std::vector<Case> cases = {
      {"clamped-free", {clamp_left}, {1.8751040687119611, 4.6940911329741746, 7.8547574382376126}},
      {"clamped-pinned", {clamp_left, pin_right}, {3.9266023120479188, 7.0685827456287321}},
      {"clamped-clamped", {clamp_left, clamp_right}, {4.7300407448627040, 7.8532046240958376}},
      {"free-free", {}, {4.7300407448627040, 7.8532046240958376}},
      {"pinned-pinned", {pin_left, pin_right}, {pi, 2.0 * pi}},
  };
  const BeamSection s = section_of_thickness(0.01);
  const double scale = std::sqrt(s.youngs_modulus * s.inertia / (s.density * s.area)) / (length * length);
  for (const Case& one : cases) {
    const Beam beam = beam_with(BeamTheory::euler_bernoulli, 0.01, one.supports);
    for (const double root : one.roots) {
      const std::vector<double> e =
          errors(beam, root * root * scale, {4, 8, 16}, fmt::format("{}, beta L = {:.4f}", one.name, root));
      CHECK(e[2] > 0.0);
      CHECK(order(e, 1) == Approx(4.0).margin(order_margin));
    }
  }
}

TEST_CASE("Timoshenko elements: fourth order while longer than the beam is thick, second order beyond") {
  const double thin = 0.005;
  const std::vector<double> slender =
      errors(beam_with(BeamTheory::timoshenko, thin, {pin_left, pin_right}),
             timoshenko_pinned(section_of_thickness(thin), 3).first, {6, 12, 24}, "slender Timoshenko, bending 3");
  CHECK(order(slender, 0) == Approx(4.0).margin(order_margin));
  CHECK(slender[2] < 1e-4);

  const double thick = 0.2;
  const Beam beam = beam_with(BeamTheory::timoshenko, thick, {pin_left, pin_right});
  const auto [bending, shear] = timoshenko_pinned(section_of_thickness(thick), 2);
  for (const double exact : {bending, shear}) {  // on both sides of ω_c = √(κGA/ρI)
    const std::vector<double> e =
        errors(beam, exact, {20, 40, 80}, fmt::format("thick Timoshenko, {:.0f} rad/s", exact));
    CHECK(e[2] > 0.0);
    CHECK(order(e, 1) == Approx(2.0).margin(order_margin));
    // The inertia is not quite constant on an element: a share (kh)² of the error, k of the shorter of the two waves at
    // this frequency, below √(ρ ω²/κG).
    const double h = length / 80.0;
    const BeamSection section = section_of_thickness(thick);
    const double wave = exact * std::sqrt(section.density / (section.shear_factor * section.shear_modulus()));
    CHECK(e[2] == Approx(timoshenko_error(section, 2, exact, h)).epsilon(std::pow(wave * h, 2)));
  }
}

TEST_CASE("a fine mesh and spectral elements agree from 0 to 5 kHz") {
  BeamSection thick = section_of_thickness(0.03);
  BeamSection left = section_of_thickness(0.02);
  left.end = thick.begin = 0.3;
  left.loss_factor = 0.01;
  thick.loss_factor = 0.03;
  const Beam both{.theory = BeamTheory::timoshenko,
                  .sections = {left, thick},
                  .points = {{"drive", 0.55}, {"tip", length}},
                  .supports = {clamp_left, {.at = length, .stiffness = {0.0, 1e6, 0.0}, .damping = {5.0, 20.0, 0.0}}},
                  .masses = {{.at = 0.55, .mass = 0.1, .rotary_inertia = 1e-5}},
                  .springs = {{.from = 0.3, .to = 0.55, .stiffness = {1e5, 0.0, 1e2}, .damping = {}}}};
  std::string table =
      "largest difference of the condensed stiffness, shares of its largest entry\n  Hz, theory, share\n";
  for (const BeamTheory theory : {BeamTheory::rod, BeamTheory::euler_bernoulli, BeamTheory::timoshenko}) {
    Beam beam = both;
    beam.theory = theory;
    const auto elements = finite_element_beam(beam, {.elements = 400});
    const auto coarse = finite_element_beam(beam, {.elements = 200});
    const SpectralBeam exact(beam);
    const auto condensed = [](const Structure& structure) {
      SparseMatrix directions(structure.size(), 2);
      directions.insert(structure.find("drive.u"), 0) = 1.0;
      directions.insert(structure.find("tip.u"), 1) = 1.0;
      if (structure.find("drive.w") >= 0) {
        directions.insert(structure.find("drive.w"), 0) = 1.0;
        directions.insert(structure.find("tip.phi"), 1) = 0.01;
      }
      return structure.condense(interface_basis(directions));
    };
    const auto a = condensed(*elements);
    const auto b = condensed(exact);
    const auto c = condensed(*coarse);
    for (const double hertz : {0.0, 20.0, 100.0, 500.0, 1000.0, 2000.0, 3500.0, 5000.0}) {
      a->set_frequency(2.0 * pi * hertz);
      b->set_frequency(2.0 * pi * hertz);
      const double share = (a->stiffness() - b->stiffness()).norm() / b->stiffness().norm();
      table += fmt::format("  {:5.0f}  {}  {:.2e}\n", hertz, static_cast<int>(theory), share);
      CHECK(share < (hertz == 0.0 ? 1e-7 : 2e-3));  // rounding of 400 elements; h² of the mesh near resonances
      if (hertz < 500.0) continue;
      // The difference is that of the mesh, and of nothing else: it falls with h² (what rod and shear err by), a fourth.
      c->set_frequency(2.0 * pi * hertz);
      const double coarse_share = (c->stiffness() - b->stiffness()).norm() / b->stiffness().norm();
      CHECK(coarse_share / share == Approx(4.0).epsilon(0.1));
    }
  }
  WARN(table);
}
