// Receptances of spectral beams under every classical pair of ends, point and transfer, against the solution of the
// differential equation in trigonometric and hyperbolic functions, with extended precision.
//
//   w'''' = k⁴ w beside the force:  w = a cos kx + b sin kx + c cosh kx + d sinh kx on either side,
//   ends: two conditions each;   at the force: w, w', w'' continuous, EI (w'''⁺ − w'''⁻) = F
//   Timoshenko: cos and sin with both wavenumbers, phi = w' (1 − ω²ρA σ / k²); phi', Q = (w' − phi)/σ in place of w'', w'''
#include "spectral_support.hpp"
#include "support.hpp"

#include <Eigen/LU>
#include <catch2/catch.hpp>

#include <complex>

using namespace masing;

namespace {

using Long = std::complex<long double>;
using LongMatrix = Eigen::Matrix<Long, 8, 8>;
using LongVector = Eigen::Matrix<Long, 8, 1>;

constexpr double length = 0.5, force_at = 0.17, sensor_at = 0.41;
constexpr double spectral = 1e-9;  // what is asked of spectral elements

struct Section {
  long double ei, rho_a, rho_i = 0.0L, compliance = 0.0L;  // σ = 1/(κGA)
};

/// w, phi, M, Q of the four waves at x.
std::array<std::array<Long, 4>, 4> waves(const Section& s, long double omega, long double x) {
  const long double square = omega * omega;
  const long double p = square * (s.rho_a * s.compliance + s.rho_i / s.ei);
  const long double q = square * s.rho_a / s.ei * (square * s.rho_i * s.compliance - 1.0L);
  std::array<std::array<Long, 4>, 4> result;
  for (int pair = 0; pair < 2; ++pair) {
    const Long k2 = 0.5L * (p + (pair == 0 ? 1.0L : -1.0L) * std::sqrt(p * p - 4.0L * q));
    const Long k = std::sqrt(k2);
    const Long turn = 1.0L - square * s.rho_a * s.compliance / k2;  // phi / w'
    const Long c = std::cos(k * x), sine = std::sin(k * x);
    // w = cos kx, w = sin kx; M = EI phi', Q = −M' − ω²ρI phi
    const std::array<std::array<Long, 3>, 2> w = {{{c, -k * sine, -k2 * c}, {sine, k * c, -k2 * sine}}};
    for (int i = 0; i < 2; ++i) {
      const auto [value, slope, curvature] = w[static_cast<std::size_t>(i)];
      const Long phi = turn * slope;
      result[static_cast<std::size_t>(2 * pair + i)] = {value, phi, s.ei * turn * curvature,
                                                        s.ei * turn * k2 * slope - square * s.rho_i * phi};
    }
  }
  return result;
}

/// Deflection at x for a unit force across at a, ends held as told.
double deflection(const Section& s, long double omega, std::array<bool, 3> left, std::array<bool, 3> right, double a,
                  double x) {
  LongMatrix equations = LongMatrix::Zero();
  LongVector sides = LongVector::Zero();
  const auto end = [&](int row, int side, long double at, const std::array<bool, 3>& fixed) {
    const auto wave = waves(s, omega, at);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto column = static_cast<Index>(4 * static_cast<std::size_t>(side) + i);
      equations(row, column) = wave[i][fixed[1] ? 0 : 3];      // w or Q
      equations(row + 1, column) = wave[i][fixed[2] ? 1 : 2];  // phi or M
    }
  };
  end(0, 0, 0.0L, left);
  end(2, 1, length, right);
  const auto there = waves(s, omega, a);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t row = 0; row < 4; ++row) {
      equations(static_cast<Index>(4 + row), static_cast<Index>(i)) = -there[i][row];
      equations(static_cast<Index>(4 + row), static_cast<Index>(4 + i)) = there[i][row];
    }
  }
  sides[7] = -1.0L;  // Q⁺ − Q⁻ + F = 0
  const Eigen::Matrix<long double, 8, 1> scale =
      equations.cwiseAbs().rowwise().maxCoeff().cwiseInverse();  // forces and motions differ by many orders
  const LongVector shares =
      Eigen::FullPivLU<LongMatrix>(scale.asDiagonal() * equations).solve(scale.asDiagonal() * sides);
  const auto seen = waves(s, omega, x);
  Long sum = 0.0L;
  for (std::size_t i = 0; i < 4; ++i) sum += shares[static_cast<Index>(x > a ? 4 + i : i)] * seen[i][0];
  return static_cast<double>(sum.real());
}

double receptance(const Beam& beam, const std::string& at, const std::string& force, double omega) {
  const SpectralBeam structure(beam);
  SparseMatrix direction(structure.size(), 1);
  direction.insert(structure.find(at), 0) = 1.0;
  const auto condensed = structure.condense(interface_basis(direction));
  condensed->set_frequency(omega);
  ComplexVector load = ComplexVector::Zero(structure.size()), kept, derivative;
  load[structure.find(force)] = 1.0;
  condensed->condense_load(load, kept, derivative);
  return (kept[0] / condensed->stiffness()(0, 0)).real();
}

Section section_of(const Beam& beam) {
  const BeamSection& s = beam.sections[0];
  Section result{.ei = static_cast<long double>(s.youngs_modulus) * s.inertia,
                 .rho_a = static_cast<long double>(s.density) * s.area};
  if (beam.theory != BeamTheory::timoshenko) return result;
  result.rho_i = static_cast<long double>(s.density) * s.inertia;
  result.compliance = 1.0L / (static_cast<long double>(s.shear_factor) * s.shear_modulus() * s.area);
  return result;
}

}  // namespace

TEST_CASE("receptances of beams under all classical ends", "[spectral][receptance]") {
  const BeamTheory theory = GENERATE(BeamTheory::euler_bernoulli, BeamTheory::timoshenko);
  const std::array<std::array<bool, 3>, 4> ends = {
      {test::clamped, test::pinned, test::guided, {true, false, false}}};  // the last: free but for u
  for (std::size_t left = 0; left < ends.size(); ++left) {
    for (std::size_t right = 0; right < ends.size(); ++right) {
      Beam beam = test::uniform_beam(theory, length, ends[left], ends[right]);
      beam.points = {{"force", force_at}, {"sensor", sensor_at}};
      // At 1300 Hz cosh kL is 6e4; at 5 kHz its square would leave nothing of the extended precision of the reference.
      for (const double hertz : {20.0, 170.0, 600.0, 1300.0}) {
        CAPTURE(static_cast<int>(theory), left, right, hertz);
        const double omega = 2.0 * pi * hertz;
        const Section s = section_of(beam);
        const double size = std::abs(deflection(s, omega, ends[left], ends[right], force_at, force_at));
        for (const auto& [name, x] : {std::pair("sensor.w", sensor_at), std::pair("force.w", force_at)}) {
          const double expected = deflection(s, omega, ends[left], ends[right], force_at, x);
          CHECK(std::abs(receptance(beam, name, "force.w", omega) - expected) <
                spectral * std::max(size, std::abs(expected)));
        }
        // Reciprocity.
        CHECK(receptance(beam, "force.w", "sensor.w", omega) ==
              Approx(receptance(beam, "sensor.w", "force.w", omega)).epsilon(spectral));
      }
    }
  }
}

TEST_CASE("receptances of rods, fixed and free", "[spectral][receptance]") {
  for (const bool held : {true, false}) {
    Beam beam = test::uniform_beam(BeamTheory::rod, length, test::clamped, held ? test::clamped : test::unsupported);
    beam.points = {{"force", force_at}, {"sensor", sensor_at}};
    const BeamSection& s = beam.sections[0];
    for (const double hertz : {50.0, 900.0, 7000.0, 21000.0}) {
      const double omega = 2.0 * pi * hertz;
      const double k = omega * std::sqrt(s.density / s.youngs_modulus);
      const double beyond = k * (length - sensor_at);
      const double expected = std::sin(k * force_at) * (held ? std::sin(beyond) : std::cos(beyond)) /
                              (s.youngs_modulus * s.area * k * (held ? std::sin(k * length) : std::cos(k * length)));
      CHECK(receptance(beam, "sensor.u", "force.u", omega) == Approx(expected).epsilon(spectral));
    }
  }
}
