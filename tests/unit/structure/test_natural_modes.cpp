// Modes of structures with attachments: closed forms, two methods against each other, damping light and strong.
#include "masing/structure/natural_modes.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/finite_element_beam.hpp"
#include "masing/structure/lumped.hpp"
#include "masing/structure/rotation.hpp"
#include "spectral_support.hpp"
#include "support.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <catch2/catch.hpp>

using namespace masing;
using Catch::Matchers::Contains;
using test::clamped;
using test::directions;
using test::unsupported;

namespace {

constexpr double rounding = 1e-10;
constexpr double length = 0.5;

std::vector<NaturalMode> modes_of(const Structure& structure, Index count) {
  return natural_modes(structure, {}, {.count = count});
}

LinearAttachment spring(Index size, Index at, double stiffness, double damping = 0.0) {
  return {.directions = directions(size, {{{at, 1.0}}}),
          .stiffness = Matrix::Constant(1, 1, stiffness),
          .damping = Matrix::Constant(1, 1, damping)};
}

std::shared_ptr<const MatrixStructure> uniform_chain(std::size_t masses, ChainGround ground) {
  return chain({.masses = std::vector<double>(masses, 0.5),
                .stiffnesses = std::vector<double>(chain_springs(masses, ground), 800.0),
                .ground = ground});
}

/// ω_k of n masses between two walls.
double between_walls(std::size_t masses, std::size_t k) {
  return 2.0 * std::sqrt(800.0 / 0.5) * std::sin(0.5 * pi * static_cast<double>(k) / static_cast<double>(masses + 1));
}

Matrix shapes_of(const std::vector<NaturalMode>& modes) {
  Matrix shapes(modes.front().shape.size(), std::ssize(modes));
  for (Index i = 0; i < shapes.cols(); ++i) shapes.col(i) = modes[static_cast<std::size_t>(i)].shape;
  return shapes;
}

/// Damping ratios of all oscillating eigenvalues, by the eigenvalues of the first-order system.
std::vector<double> ratios_of_state_space(const Matrix& m, const Matrix& c, const Matrix& k) {
  const Index n = m.rows();
  Matrix a = Matrix::Zero(2 * n, 2 * n);
  a.topRightCorner(n, n).setIdentity();
  a.bottomLeftCorner(n, n) = -m.inverse() * k;
  a.bottomRightCorner(n, n) = -m.inverse() * c;
  std::vector<std::pair<double, double>> found;
  for (const Complex& value : a.eigenvalues()) {
    if (value.imag() > 0.0) found.emplace_back(std::abs(value), -value.real() / std::abs(value));
  }
  std::sort(found.begin(), found.end());
  std::vector<double> ratios;
  for (const auto& [frequency, ratio] : found) ratios.push_back(ratio);
  return ratios;
}

}  // namespace

TEST_CASE("modes of a chain: closed form, orthogonal to the mass, none missed", "[modes]") {
  const std::size_t masses = GENERATE(5, 40, 600);  // the last one by subspace iteration
  const auto structure = uniform_chain(masses, ChainGround::both);
  const std::vector<NaturalMode> modes = modes_of(*structure, 24);
  REQUIRE(modes.size() == std::min<std::size_t>(24, masses));
  for (std::size_t k = 1; k <= modes.size(); ++k) {
    CHECK(modes[k - 1].omega == Approx(between_walls(masses, k)).epsilon(rounding));
    CHECK(modes[k - 1].damping_ratio == 0.0);
    CHECK(modes[k - 1].kind == ModeKind::vibrating);
  }
  const Matrix shapes = shapes_of(modes);
  const Matrix gram = shapes.transpose() * structure->mass() * shapes;
  // Shapes err by the square root of what the frequencies do.
  CHECK((gram - Matrix::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("modes up to a frequency are those that a count gives", "[modes]") {
  const std::size_t masses = GENERATE(40, 600);
  const auto structure = uniform_chain(masses, ChainGround::both);
  const double limit = 0.5 * (between_walls(masses, 7) + between_walls(masses, 8));
  const auto all = static_cast<Index>(masses);
  CHECK(natural_modes(*structure, {}, {.count = all, .up_to = limit}).size() == 7);
  CHECK(natural_modes(*structure, {}, {.count = 3, .up_to = limit}).size() == 3);
  CHECK_THROWS_WITH(natural_modes(*structure, {}, {.count = 0}), Contains("0 modes: the number must be >= 1"));
  CHECK_THROWS_WITH(natural_modes(*structure, {}, {.up_to = -1.0}), Contains("up to -1 rad/s"));
}

TEST_CASE("rigid-body modes are told, with zero frequency", "[modes]") {
  const std::size_t masses = GENERATE(6, 500);
  const std::vector<NaturalMode> modes = modes_of(*uniform_chain(masses, ChainGround::none), 3);
  REQUIRE(modes.size() == 3);
  CHECK(modes[0].kind == ModeKind::rigid);
  CHECK(modes[0].omega == 0.0);
  CHECK(std::isnan(modes[0].damping_ratio));
  CHECK(modes[1].kind == ModeKind::vibrating);
  const double first = 2.0 * std::sqrt(1600.0) * std::sin(0.5 * pi / static_cast<double>(masses));
  CHECK(modes[1].omega == Approx(first).epsilon(1e-8));
}

TEST_CASE("an attachment is a spring like any other", "[modes]") {
  const auto held = chain({.masses = {1.0, 2.0}, .stiffnesses = {30.0, 50.0}, .dampings = {0.4, 0.0}});
  const auto loose = chain({.masses = {1.0, 2.0}, .stiffnesses = {50.0}, .ground = ChainGround::none});
  const std::vector<LinearAttachment> ground = {spring(2, 0, 30.0, 0.4)};
  const std::vector<NaturalMode> expected = modes_of(*held, 2);
  const std::vector<NaturalMode> modes = natural_modes(*loose, ground, {.count = 2});
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(modes[i].omega == Approx(expected[i].omega).epsilon(rounding));
    CHECK(modes[i].damping_ratio == Approx(expected[i].damping_ratio).epsilon(rounding));
    CHECK(modes[i].damping_ratio > 0.001);
  }
}

TEST_CASE("massless coordinates have no mode; negative stiffness makes one unstable", "[modes]") {
  MatrixStructureOptions options;
  options.mass = test::sparse(Matrix{{2.0, 0.0}, {0.0, 0.0}});
  options.stiffness = test::sparse(Matrix{{30.0, -30.0}, {-30.0, 90.0}});
  const MatrixStructure structure(options);
  const std::vector<NaturalMode> modes = modes_of(structure, 5);
  REQUIRE(modes.size() == 1);
  CHECK(modes[0].omega == Approx(std::sqrt(20.0 / 2.0)).epsilon(rounding));  // 30 and 60 in series

  const std::vector<LinearAttachment> negative = {spring(2, 0, -52.0)};
  const std::vector<NaturalMode> unstable = natural_modes(structure, negative, {.count = 5});
  REQUIRE(unstable.size() == 1);
  CHECK(unstable[0].kind == ModeKind::unstable);
  CHECK(unstable[0].omega == Approx(4.0).epsilon(rounding));
}

TEST_CASE("damping of one oscillator, light to overdamped", "[modes][damping]") {
  const double ratio = GENERATE(1e-4, 0.3, 0.99, 1.5);
  const NaturalMode viscous = modes_of(*oscillator({.mass = 2.0, .stiffness = 50.0, .damping_ratio = ratio}), 1)[0];
  CHECK(viscous.omega == Approx(5.0).epsilon(rounding));
  CHECK(viscous.damping_ratio == Approx(ratio).epsilon(rounding));
  CHECK(viscous.damped_omega == Approx(5.0 * std::sqrt(std::max(0.0, 1.0 - ratio * ratio))).margin(1e-9));
  const NaturalMode lossy =
      modes_of(*oscillator({.mass = 2.0, .stiffness = 50.0, .further_damping = {.loss_factor = ratio}}), 1)[0];
  CHECK(lossy.damping_ratio == Approx(std::sin(0.5 * std::atan(ratio))).epsilon(rounding));  // λ² = −ω²(1 + iη)
}

TEST_CASE("modal damping is found again, mode by mode", "[modes][damping]") {
  const std::vector<double> ratios = {0.01, 0.2, 1.3};
  const auto structure = chain(
      {.masses = {1.0, 2.0, 1.0}, .stiffnesses = {100.0, 50.0, 80.0}, .further_damping = {.modal_ratios = ratios}});
  const std::vector<NaturalMode> modes = modes_of(*structure, 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(modes[i].damping_ratio == Approx(ratios[i]).epsilon(1e-8));
}

TEST_CASE("uneven damping: the eigenvalues of the state space", "[modes][damping]") {
  const std::size_t masses = GENERATE(4, 120);  // all eigenvalues; one mode at a time
  const auto structure = uniform_chain(masses, ChainGround::left);
  const auto size = static_cast<Index>(masses);
  const double damping = masses > 100 ? 8.0 : 4.0;
  const std::vector<LinearAttachment> dashpot = {spring(size, size - 1, 0.0, damping)};
  const std::vector<NaturalMode> modes = natural_modes(*structure, dashpot, {.count = 4});
  Matrix c = Matrix::Zero(size, size);
  c(size - 1, size - 1) = damping;
  const std::vector<double> expected = ratios_of_state_space(structure->mass(), c, structure->stiffness());
  for (std::size_t i = 0; i < 4; ++i) {
    INFO("mode " << i + 1);
    CHECK(modes[i].damping_ratio == Approx(expected[i]).epsilon(1e-8));
  }
  CHECK(expected[0] > 0.05);  // strong enough that energies would not do
}

TEST_CASE("equal frequencies: the damped and the undamped motion are told apart", "[modes][damping]") {
  MatrixStructureOptions options;
  const Matrix turn{{0.8, -0.6}, {0.6, 0.8}};
  options.mass = test::sparse(Matrix::Identity(2, 2));
  options.stiffness = test::sparse(Matrix(9.0 * Matrix::Identity(2, 2)));
  options.damping.viscous = test::sparse(Matrix(turn * Vector{{0.0, 1.2}}.asDiagonal() * turn.transpose()));
  const std::vector<NaturalMode> modes = modes_of(MatrixStructure(options), 2);
  CHECK(modes[0].omega == Approx(3.0).epsilon(rounding));
  CHECK(modes[1].omega == Approx(3.0).epsilon(rounding));
  CHECK(std::abs(modes[0].damping_ratio) < rounding);
  CHECK(modes[1].damping_ratio == Approx(0.2).epsilon(rounding));
  CHECK(std::abs(modes[1].shape.dot(turn.col(1))) == Approx(1.0).epsilon(rounding));
}

TEST_CASE("a cantilever with a spring at its end: characteristic equation, both methods", "[modes][spectral]") {
  Beam beam = test::uniform_beam(BeamTheory::euler_bernoulli, length, clamped, unsupported);
  beam.points = {{"tip", length}};
  const BeamSection& s = beam.sections[0];
  const double bending = s.youngs_modulus * s.inertia;
  const double stiffness = 40.0 * bending / std::pow(length, 3);
  const auto characteristic = [&](double b) {
    return b * b * b * (1.0 / std::cosh(b) + std::cos(b)) + 40.0 * (std::sin(b) - std::cos(b) * std::tanh(b));
  };
  const std::vector<double> roots = test::roots(characteristic, 16.0, 4000);
  const auto check = [&](const Structure& structure, double tolerance) {
    const std::vector<LinearAttachment> tip = {spring(structure.size(), structure.find("tip.w"), stiffness)};
    const std::vector<NaturalMode> modes = natural_modes(structure, tip, {.count = 4});
    for (std::size_t i = 0; i < 4; ++i) {
      const double omega = roots[i] * roots[i] / (length * length) * std::sqrt(bending / (s.density * s.area));
      CHECK(modes[i].omega == Approx(omega).epsilon(tolerance));
      CHECK(modes[i].x.size() == modes[i].drawn.rows());
      CHECK(modes[i].drawn(modes[i].x.size() - 1, 1) == Approx(modes[i].shape[structure.find("tip.w")]).epsilon(1e-8));
    }
  };
  check(SpectralBeam(beam), rounding);
  check(*finite_element_beam(beam, {.elements = 60}), 1e-5);   // (βh)⁴/1440 of ω and less
  check(*finite_element_beam(beam, {.elements = 200}), 1e-6);  // sparse; rounding of 200⁴ ε
}

TEST_CASE("a joint between distant motions of a spectral beam is the same in finite elements", "[modes][spectral]") {
  Beam beam = test::uniform_beam(BeamTheory::timoshenko, length, clamped, unsupported);
  beam.points = {{"a", 0.2}, {"tip", length}};
  beam.sections[0].loss_factor = 0.02;
  const auto check = [&](const Structure& structure) {
    const SparseMatrix two =
        directions(structure.size(),
                   {{{structure.find("tip.w"), 1.0}, {structure.find("a.phi"), -0.3}, {structure.find("a.u"), 0.5}},
                    {{structure.find("tip.u"), 1.0}}});
    const std::vector<LinearAttachment> joint = {
        {.directions = two, .stiffness = Matrix{{3e5, 1e5}, {1e5, 4e6}}, .damping = Matrix{{60.0, 5.0}, {5.0, 200.0}}}};
    return natural_modes(structure, joint, {.count = 5});
  };
  const std::vector<NaturalMode> spectral = check(SpectralBeam(beam));
  const std::vector<NaturalMode> elements = check(*finite_element_beam(beam, {.elements = 50}));
  for (std::size_t i = 0; i < 5; ++i) {
    // Axial motion converges as h², (kh)²/24 of ω: 3e-5 at most here.
    CHECK(spectral[i].omega == Approx(elements[i].omega).epsilon(1e-4));
    CHECK(spectral[i].damping_ratio == Approx(elements[i].damping_ratio).epsilon(1e-3));
    CHECK(spectral[i].damping_ratio > 0.0099);
  }
}

TEST_CASE("a rod with a dashpot at its end: strong damping in closed form", "[modes][spectral][damping]") {
  // cot kℓ = −i r, r = c/(ρA c₀) < 1: kℓ = (n − ½)π + i artanh r
  Beam beam = test::uniform_beam(BeamTheory::rod, length, clamped, unsupported);
  beam.points = {{"tip", length}};
  const BeamSection& s = beam.sections[0];
  const double speed = std::sqrt(s.youngs_modulus / s.density);
  const double r = GENERATE(0.01, 0.5, 0.9);
  const SpectralBeam rod(beam);
  const std::vector<LinearAttachment> dashpot = {
      spring(rod.size(), rod.find("tip.u"), 0.0, r * s.density * s.area * speed)};
  const std::vector<NaturalMode> modes = natural_modes(rod, dashpot, {.count = 3});
  REQUIRE(modes.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const Complex kl((static_cast<double>(i) + 0.5) * pi, std::atanh(r));
    CHECK(modes[i].omega == Approx(kl.real() * speed / length).epsilon(rounding));
    CHECK(modes[i].damping_ratio == Approx(kl.imag() / std::abs(kl)).epsilon(1e-8));
    CHECK(modes[i].damped_omega == Approx(kl.real() * speed / length).epsilon(1e-8));
  }
}

TEST_CASE("a free beam with one loss factor: every mode has half of it", "[modes][spectral][damping]") {
  // Timoshenko, up to and beyond the shear modes; a rotation of the whole section is one of them.
  Beam beam = test::uniform_beam(BeamTheory::timoshenko, 0.1, test::unsupported, test::unsupported);
  beam.sections[0].loss_factor = 0.01;
  beam.masses = {{.at = 0.04, .mass = 0.02}};
  int vibrating = 0;
  for (const NaturalMode& mode : modes_of(SpectralBeam(beam), 30)) {
    if (mode.kind != ModeKind::vibrating) continue;
    ++vibrating;
    CHECK(mode.damping_ratio == Approx(std::sin(0.5 * std::atan(0.01))).epsilon(1e-12));  // λ² = −ω²(1 + iη)
  }
  CHECK(vibrating == 27);
}

TEST_CASE("a loss factor of a spectral beam, exactly", "[modes][spectral][damping]") {
  Beam beam = test::uniform_beam(BeamTheory::timoshenko, length, clamped, unsupported);
  beam.sections[0].loss_factor = GENERATE(0.004, 0.4);
  for (const NaturalMode& mode : modes_of(SpectralBeam(beam), 4)) {
    CHECK(mode.damping_ratio == Approx(std::sin(0.5 * std::atan(beam.sections[0].loss_factor))).epsilon(1e-8));
  }
}

TEST_CASE("a free beam has three rigid-body modes, until a joint holds it", "[modes][spectral]") {
  Beam beam = test::uniform_beam(BeamTheory::euler_bernoulli, length, unsupported, unsupported);
  beam.points = {{"left", 0.0}, {"tip", length}};
  const auto rigid = [](const std::vector<NaturalMode>& modes) {
    return std::count_if(modes.begin(), modes.end(), [](const NaturalMode& m) { return m.kind == ModeKind::rigid; });
  };
  const SpectralBeam spectral(beam);
  const auto elements = finite_element_beam(beam, {.elements = 20});
  for (const Structure* structure : std::initializer_list<const Structure*>{&spectral, elements.get()}) {
    const std::vector<NaturalMode> modes = modes_of(*structure, 5);
    CHECK(rigid(modes) == 3);
    const double bending = std::sqrt(beam.sections[0].youngs_modulus * beam.sections[0].inertia /
                                     (beam.sections[0].density * beam.sections[0].area));
    CHECK(modes[3].omega == Approx(std::pow(4.730040744862704 / length, 2) * bending).epsilon(1e-5));  // 20 elements
    const std::vector<LinearAttachment> held = {spring(structure->size(), structure->find("tip.w"), 1e3)};
    CHECK(rigid(natural_modes(*structure, held, {.count = 5})) == 2);
  }
  const std::vector<LinearAttachment> negative = {spring(spectral.size(), spectral.find("tip.w"), -1e3)};
  CHECK_THROWS_WITH(natural_modes(spectral, negative, {.count = 2}), Contains("The beam is unstable"));
}

TEST_CASE("one loss factor is found in coarse and fine meshes", "[modes][damping]") {
  constexpr double eta = 0.01;
  const int elements = GENERATE(100, 400);
  Beam beam = test::uniform_beam(BeamTheory::euler_bernoulli, length, clamped, unsupported);
  beam.sections[0].loss_factor = eta;
  const auto structure = finite_element_beam(beam, {.elements = elements});
  const BeamSection& s = beam.sections[0];
  const double unit = std::sqrt(s.youngs_modulus * s.inertia / (s.density * s.area)) / (length * length);
  const std::array<double, 3> roots = {1.875104068711961, 4.694091132974174, 7.854757438237612};
  const std::vector<NaturalMode> modes = modes_of(*structure, 3);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    // The elements err by (kh)⁴/1440 of ω; entries of K are rounded, ε (L/h)² of ω².
    const double mesh = std::pow(roots[i] / elements, 4) / 1440.0;
    CHECK(modes[i].omega == Approx(roots[i] * roots[i] * unit).epsilon(1.1 * mesh + 1e-9));
    // Entries of H = ηK are rounded one by one: ε 12 EI/h³ against a stiffness of the mode of 12 EI/L³ a metre and more.
    CHECK(modes[i].damping_ratio ==
          Approx(std::sin(0.5 * std::atan(eta))).epsilon(2.2e-16 * std::pow(elements, 4) + 1e-9));
  }
}

TEST_CASE("damping that couples modes of a fine mesh is that of the spectral beam", "[modes][damping]") {
  Beam beam = test::uniform_beam(BeamTheory::timoshenko, length, clamped, unsupported);
  beam.supports[1].stiffness[1] = 1e4;
  beam.supports[1].damping[1] = 2.0;
  beam.sections[0].loss_factor = 0.002;
  const std::vector<NaturalMode> exact = modes_of(SpectralBeam(beam), 4);
  const std::vector<NaturalMode> modes = modes_of(*finite_element_beam(beam, {.elements = 200}), 4);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    // The mesh errs by less than (kh)² h²/12 r² ~ 1e-5 in ω and in how much the end moves.
    CHECK(modes[i].damping_ratio == Approx(exact[i].damping_ratio).epsilon(1e-4));
    CHECK(modes[i].damping_ratio > 0.0005);
  }
}

TEST_CASE("places that nearly coincide cost hardly any digits", "[modes]") {
  const double distance = GENERATE(1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 2e-9);  // of the length
  const BeamTheory theory = GENERATE(BeamTheory::euler_bernoulli, BeamTheory::timoshenko);
  CAPTURE(distance, static_cast<int>(theory));
  Beam beam = test::uniform_beam(theory, length, clamped, unsupported);
  const std::vector<NaturalMode> exact = modes_of(SpectralBeam(beam), 4);
  beam.points = {{"a", 0.3 * length}, {"b", (0.3 + distance) * length}};
  const std::vector<NaturalMode> close = modes_of(SpectralBeam(beam), 4);
  // τ (kL)²/6 of a short piece with τ = 3e-9 (detail/short_pieces.hpp): kL <= 11. Rounding ε/τ beside it.
  constexpr double expected = 3e-9 * 11.0 * 11.0 / 6.0 + 2.2e-16 / 3e-9;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    CHECK(close[i].omega == Approx(exact[i].omega).epsilon(4.0 * expected));
  }
  beam.points.clear();
  const std::vector<NaturalMode> mesh = modes_of(*finite_element_beam(beam, {.elements = 40}), 4);
  beam.points = {{"a", 0.3 * length}, {"b", (0.3 + distance) * length}};
  const std::vector<NaturalMode> split = modes_of(*finite_element_beam(beam, {.elements = 40}), 4);
  for (std::size_t i = 0; i < mesh.size(); ++i) {
    // Moving a node changes the error of the mesh itself, (kh)⁴/720 or less: (11/40)⁴/720 = 8e-6.
    CHECK(split[i].omega == Approx(mesh[i].omega).epsilon(1e-5));
  }
}

TEST_CASE("names tell which coordinates are angles", "[rotation]") {
  for (const char* angle : {"tip.phi", "x0.3.phi", "12.4", "12.5", "7.6"}) CHECK(is_rotation(angle));
  for (const char* other : {"tip.w", "phi", ".phi", "12.3", "12.7", "x0.4", "q5", "mode4", "a.5"}) {
    CHECK_FALSE(is_rotation(other));
  }
  const SpectralBeam beam(test::uniform_beam(BeamTheory::timoshenko, length, clamped, unsupported));
  Vector motion = Vector::Zero(beam.size());
  CHECK_FALSE(is_rotation(beam, motion));
  motion[beam.coordinate(1, BeamMotion::phi)] = 0.004;
  CHECK(is_rotation(beam, motion));
  motion[beam.coordinate(1, BeamMotion::u)] = 1.0;
  CHECK_FALSE(is_rotation(beam, motion));
}
