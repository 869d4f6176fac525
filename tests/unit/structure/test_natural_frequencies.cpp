#include "masing/core/error.hpp"
#include "masing/structure/natural_frequencies.hpp"
#include "spectral_support.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using test::clamped;
using test::guided;
using test::pinned;
using test::unsupported;

namespace {

// What is asked of every classical case; 1e-12 is reached.
constexpr double required = 1e-9;
constexpr double length = 0.5;

double bending_speed(const BeamSection& s) { return std::sqrt(s.youngs_modulus * s.inertia / (s.density * s.area)); }
double axial_speed(const BeamSection& s) { return std::sqrt(s.youngs_modulus / s.density); }

void check_equal(const std::vector<double>& found, std::vector<double> expected) {
  std::sort(expected.begin(), expected.end());
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(std::abs(found[i] - expected[i]) <= required * expected[i]);
  }
}

struct Classical {
  const char* name;
  std::array<bool, 3> left, right;
  std::function<double(double)> characteristic;  // of βℓ
  double axial_offset;                           // (n + offset) π; n from 1 (both ends held or free) or 0
  int rigid;
};

std::vector<Classical> classical_cases() {
  const auto cosine = [](double sign) { return [sign](double z) { return std::cos(z) + sign / std::cosh(z); }; };
  const auto tangent = [](double sign) {
    return [sign](double z) { return std::sin(z) - sign * std::cos(z) * std::tanh(z); };
  };
  const auto sine = [](double z) { return std::sin(z); };
  return {{"clamped-free", clamped, unsupported, cosine(1.0), -0.5, 0},
          {"clamped-clamped", clamped, clamped, cosine(-1.0), 0.0, 0},
          {"free-free", unsupported, unsupported, cosine(-1.0), 0.0, 3},
          {"clamped-pinned", clamped, pinned, tangent(1.0), 0.0, 0},
          {"pinned-free", pinned, unsupported, tangent(1.0), -0.5, 1},
          {"clamped-guided", clamped, guided, tangent(-1.0), 0.0, 0},
          {"pinned-pinned", pinned, pinned, sine, 0.0, 0},
          {"guided-guided", guided, guided, sine, 0.0, 1},
          {"pinned-guided", pinned, guided, [](double z) { return std::cos(z); }, 0.0, 0}};
}

/// All natural frequencies of the Timoshenko beam with pinned ends below a limit: (mode n, either spectrum), and the
/// uniform shear at ω_c. With u held, the axial ones too.
std::vector<double> timoshenko_pinned(const BeamSection& s, double up_to) {
  const double a = s.density * s.area, kga = s.shear_factor * s.shear_modulus() * s.area;
  const double ei = s.youngs_modulus * s.inertia, j = s.density * s.inertia;
  std::vector<double> all = {std::sqrt(kga / j)};
  for (int n = 1; n < 400; ++n) {
    const double k = n * pi / length;
    // a j X² − (kga a + (ei a + kga j) k²) X + kga ei k⁴ = 0 for X = ω²
    const double b = kga * a + (ei * a + kga * j) * k * k;
    const double upper = (b + std::sqrt(b * b - 4.0 * a * j * kga * ei * std::pow(k, 4))) / (2.0 * a * j);
    const double lower = kga * ei * std::pow(k, 4) / (a * j * upper);
    for (const double square : {lower, upper}) all.push_back(std::sqrt(square));
    all.push_back(k * axial_speed(s));
  }
  all.erase(std::remove_if(all.begin(), all.end(), [&](double omega) { return omega >= up_to; }), all.end());
  return all;
}

}  // namespace

TEST_CASE("classical boundary conditions: every bending and axial frequency", "[spectral][frequencies]") {
  for (const Classical& one : classical_cases()) {
    INFO(one.name);
    const Beam beam = test::uniform_beam(BeamTheory::euler_bernoulli, length, one.left, one.right);
    const BeamSection& s = beam.sections[0];
    constexpr double highest = 84.0;  // βℓ: 25 bending modes or more, and some axial ones
    const double up_to = std::pow(highest / length, 2) * bending_speed(s);
    std::vector<double> expected(static_cast<std::size_t>(one.rigid), 0.0);
    for (const double z : test::roots(one.characteristic, highest, 2000)) {
      expected.push_back(std::pow(z / length, 2) * bending_speed(s));
    }
    REQUIRE(expected.size() >= 25);
    for (int n = 1;; ++n) {
      const double omega = (n + one.axial_offset) * pi / length * axial_speed(s);
      if (omega >= up_to) break;
      expected.push_back(omega);
    }
    check_equal(natural_frequencies_up_to(SpectralBeam(beam), up_to), expected);
  }
}

TEST_CASE("Timoshenko with pinned ends: both spectra, below and above the cut-off", "[spectral][frequencies]") {
  const Beam beam = test::uniform_beam(BeamTheory::timoshenko, length, pinned, pinned);
  const BeamSection& s = beam.sections[0];
  const double cut_off = std::sqrt(s.shear_factor * s.shear_modulus() * s.area / (s.density * s.inertia));
  const double up_to = 1.2 * cut_off;
  const std::vector<double> expected = timoshenko_pinned(s, up_to);
  REQUIRE(std::count_if(expected.begin(), expected.end(), [&](double w) { return w > cut_off; }) > 20);
  check_equal(natural_frequencies_up_to(SpectralBeam(beam), up_to), expected);
  // Nodes in between change nothing, although the modes with a node there vanish from Z.
  Beam divided = beam;
  divided.points = {{"", 0.25}, {"", 0.1}, {"", 0.4}};
  check_equal(natural_frequencies_up_to(SpectralBeam(divided), 1.01 * cut_off), timoshenko_pinned(s, 1.01 * cut_off));
}

TEST_CASE("double modes: two equal spans that do not know of each other", "[spectral][frequencies]") {
  const auto theory = GENERATE(BeamTheory::euler_bernoulli, BeamTheory::timoshenko);
  Beam single = test::uniform_beam(theory, length, clamped, pinned);
  Beam twin = single;
  twin.sections = {test::steel(0.0, length), test::steel(length, 2.0 * length)};
  twin.supports = {
      {.at = 0.0, .fixed = pinned}, {.at = length, .fixed = clamped}, {.at = 2.0 * length, .fixed = pinned}};
  const std::vector<double> once = lowest_natural_frequencies(SpectralBeam(single), 50);
  std::vector<double> twice;
  for (const double omega : once) twice.insert(twice.end(), 2, omega);
  const SpectralBeam structure(twin);
  check_equal(lowest_natural_frequencies(structure, 100), twice);
  CHECK(count_natural_frequencies(structure, once[20] * (1.0 + 1e-9)) == 42);
  CHECK(count_natural_frequencies(structure, once[20] * (1.0 - 1e-9)) == 40);

  const std::vector<BeamMode> modes = lowest_natural_modes(structure, 4, 201);
  REQUIRE(modes.size() == 4);
  // The two modes of a pair are independent and orthogonal: equal masses everywhere along x.
  const double cosine =
      modes[0].shape.col(1).dot(modes[1].shape.col(1)) / (modes[0].shape.col(1).norm() * modes[1].shape.col(1).norm());
  CHECK(std::abs(cosine) < 1e-3);  // rotary inertia and the sampling are not in this product
}

TEST_CASE("masses and springs on a rod", "[spectral][frequencies]") {
  Beam beam = test::uniform_beam(BeamTheory::rod, length, clamped, unsupported);
  const BeamSection& s = beam.sections[0];
  const double tip = 0.4, ea = s.youngs_modulus * s.area;
  beam.masses = {{.at = length, .mass = tip}};
  beam.supports.push_back({.at = length, .stiffness = {3e7, 0.0, 0.0}});
  // EA k cot kℓ + K − m ω² = 0
  const auto characteristic = [&](double kl) {
    const double omega = kl / length * axial_speed(s);
    return ea * kl / length * std::cos(kl) + (3e7 - tip * omega * omega) * std::sin(kl);
  };
  std::vector<double> expected;
  for (const double kl : test::roots(characteristic, 40.0, 2000)) expected.push_back(kl / length * axial_speed(s));
  check_equal(natural_frequencies_up_to(SpectralBeam(beam), 40.0 / length * axial_speed(s)), expected);
}

TEST_CASE("mode shapes: form, unit mass, damping", "[spectral][frequencies]") {
  Beam beam = test::uniform_beam(BeamTheory::euler_bernoulli, length, pinned, pinned);
  beam.sections[0].loss_factor = 0.004;
  const BeamSection& s = beam.sections[0];
  const std::vector<BeamMode> modes = lowest_natural_modes(SpectralBeam(beam), 5, 41);
  REQUIRE(modes.size() == 5);
  const double amplitude = std::sqrt(2.0 / (s.density * s.area * length));
  for (int n = 1; n <= 5; ++n) {
    const BeamMode& mode = modes[static_cast<std::size_t>(n - 1)];
    CHECK(mode.omega == Approx(std::pow(n * pi / length, 2) * bending_speed(s)).epsilon(required));
    CHECK(mode.damping_ratio == Approx(std::sin(0.5 * std::atan(0.004))).epsilon(required));
    const double sign = mode.shape(1, 1) > 0.0 ? 1.0 : -1.0;
    for (Index i = 0; i < mode.x.size(); ++i) {
      CHECK(mode.shape(i, 1) ==
            Approx(sign * amplitude * std::sin(n * pi * mode.x[i] / length)).margin(1e-8 * amplitude));
    }
    CHECK(mode.nodes.rows() == 2);
    CHECK(std::abs(mode.nodes(0, 2)) == Approx(amplitude * n * pi / length).epsilon(1e-8));
  }
}

TEST_CASE("rigid motions have the mass of the whole beam", "[spectral][frequencies]") {
  Beam beam = test::uniform_beam(BeamTheory::timoshenko, length, unsupported, {true, false, false});
  beam.masses = {{.at = 0.2, .mass = 1.3, .rotary_inertia = 1e-3}};
  const BeamSection& s = beam.sections[0];
  const std::vector<BeamMode> modes = lowest_natural_modes(SpectralBeam(beam), 2);
  REQUIRE(modes.size() == 2);
  Eigen::Matrix2d gram = Eigen::Matrix2d::Zero();  // of the two motions with M: the identity
  const double line = s.density * s.area, rotary = s.density * s.inertia;
  const auto motion = [&](std::size_t i, double x) {  // straight lines through the ends
    const Matrix& nodes = modes[i].nodes;
    return nodes(0, 1) + nodes(0, 2) * x;
  };
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(modes[i].omega == 0.0);
    CHECK(modes[i].nodes.col(0).isZero(0.0));
    for (std::size_t j = 0; j < 2; ++j) {
      const double slopes = modes[i].nodes(0, 2) * modes[j].nodes(0, 2);
      const double simpson =
          (motion(i, 0.0) * motion(j, 0.0) + 4.0 * motion(i, 0.5 * length) * motion(j, 0.5 * length) +
           motion(i, length) * motion(j, length)) /
          6.0;
      gram(static_cast<Index>(i), static_cast<Index>(j)) =
          line * length * simpson + rotary * length * slopes + 1.3 * motion(i, 0.2) * motion(j, 0.2) + 1e-3 * slopes;
    }
  }
  CHECK((gram - Eigen::Matrix2d::Identity()).norm() < 1e-8);  // the mass is read at a small frequency
}

TEST_CASE("wrong questions about frequencies", "[spectral][frequencies]") {
  using Catch::Matchers::Contains;
  const SpectralBeam beam(test::uniform_beam(BeamTheory::rod, length, clamped, unsupported));
  CHECK_THROWS_WITH(natural_frequencies_up_to(beam, 0.0), Contains("up to 0 rad/s: the limit must be > 0"));
  CHECK_THROWS_WITH(count_natural_frequencies(beam, -1.0), Contains("below -1 rad/s"));
  CHECK_THROWS_WITH(lowest_natural_frequencies(beam, -1), Contains("-1 natural frequencies"));
  CHECK_THROWS_WITH(lowest_natural_modes(beam, 1, 1), Contains("at least 2 are needed"));
  CHECK(lowest_natural_frequencies(beam, 0).empty());
}
