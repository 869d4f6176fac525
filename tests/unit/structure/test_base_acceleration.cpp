// A spectral beam on a shaking base: the exact load of its inertia between the nodes.
#include "masing/core/error.hpp"
#include "spectral_support.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace masing;
using Catch::Matchers::Contains;

namespace {

/// A free beam with a node in the middle and a mass there; loss in the left half.
SpectralBeam free_beam(BeamTheory theory) {
  Beam beam;
  beam.theory = theory;
  beam.sections = {test::steel(0.0, 0.4), test::steel(0.4, 0.7)};
  beam.sections[0].loss_factor = 0.02;
  beam.masses = {{.at = 0.4, .mass = 0.3}};
  return SpectralBeam(beam);
}

/// −∫ ρA N dx of one coordinate by Simpson's rule on each section, with the motion that the beam itself computes.
Complex by_quadrature(const SpectralBeam& beam, BeamMotion motion, double omega, Index coordinate) {
  constexpr int panels = 400;
  const ComplexVector unit = Vector::Unit(beam.size(), coordinate).cast<Complex>();
  Complex sum = 0.0;
  for (const BeamSection& section : beam.beam().sections) {
    for (int i = 0; i <= 2 * panels; ++i) {
      const double weight = (i == 0 || i == 2 * panels ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0)) / 6.0;
      const double x = section.begin + section.length() * i / (2.0 * panels);
      sum -= section.density * section.area * section.length() / panels * weight *
             beam.motion_at(x, omega, unit)[static_cast<std::size_t>(motion)];
    }
  }
  return sum;
}

/// Relative motion of the end of a beam clamped on a base with unit acceleration.
Complex end_motion(BeamTheory theory, BeamMotion motion, double omega, double length) {
  const SpectralBeam beam(test::uniform_beam(theory, length, test::clamped, test::unsupported));
  SparseMatrix direction(beam.size(), 1);
  direction.insert(beam.coordinate(1, motion), 0) = 1.0;
  const auto condensed = beam.condense(interface_basis(direction));
  condensed->set_frequency(omega);
  ComplexVector load, by_omega, kept, derivative;
  beam.base_acceleration(motion, 1.0)->at(omega, load, by_omega);
  condensed->condense_load(load, kept, derivative);
  return kept[0] / condensed->stiffness()(0, 0);
}

}  // namespace

TEST_CASE("the load of a shaking base is the work of the inertia on the exact shapes", "[base]") {
  for (const BeamTheory theory : {BeamTheory::euler_bernoulli, BeamTheory::timoshenko}) {
    const SpectralBeam beam = free_beam(theory);
    for (const BeamMotion motion : {BeamMotion::u, BeamMotion::w}) {
      const auto base = beam.base_acceleration(motion, 2.5);
      for (const double omega : {1.0, 300.0, 2e3, 2e4}) {  // series and waves; up to two wavelengths a section
        ComplexVector load, derivative, above, below, unused;
        base->at(omega, load, derivative);
        for (Index c = 0; c < beam.size(); ++c) {
          Complex expected = 2.5 * by_quadrature(beam, motion, omega, c);
          if (c == beam.coordinate(1, motion)) expected -= 2.5 * 0.3;
          // Simpson's error (kh)⁴/180 is below 1e-9 with h = 0.5 mm.
          CHECK(std::abs(load[c] - expected) < 1e-9 * load.cwiseAbs().maxCoeff());
        }
        // Central differences with steps h and h/2, extrapolated: (h/d)⁴ beside a resonance between the nodes at the
        // relative distance d, 0.004 for the nearest of these frequencies; 6e-10 with h = 2e-5. Rounding of some 1e-13
        // there over the step is 5e-9.
        const auto slope = [&](double step) -> ComplexVector {
          base->at(omega + step, above, unused);
          base->at(omega - step, below, unused);
          return (above - below) / (2.0 * step);
        };
        const double step = 2e-5 * omega;
        const ComplexVector expected = (4.0 * slope(0.5 * step) - slope(step)) / 3.0;
        const double size = derivative.cwiseAbs().maxCoeff() + load.cwiseAbs().maxCoeff() / omega;
        CHECK((derivative - expected).cwiseAbs().maxCoeff() < 1e-7 * size);
      }
      ComplexVector load, derivative;
      base->at(1e-3, load, derivative);
      Complex total = 0.0;
      for (std::size_t node = 0; node < 3; ++node) total += load[beam.coordinate(node, motion)];
      CHECK(std::abs(total + 2.5 * (7850.0 * 2e-4 * 0.7 + 0.3)) < 1e-12 * std::abs(total));  // all the mass
    }
  }
}

TEST_CASE("a clamped rod and beam on a shaking base", "[base]") {
  constexpr double length = 0.5;
  for (const double omega : {40.0, 900.0, 4e3, 3e4}) {
    const double base = -1.0 / (omega * omega);  // its displacement
    const double k = omega * std::sqrt(7850.0 / 210e9) * length;
    const double rod = base * (1.0 / std::cos(k) - 1.0);
    CHECK(end_motion(BeamTheory::rod, BeamMotion::u, omega, length).real() == Approx(rod).epsilon(1e-9));
    const BeamSection s = test::steel(0.0, length);
    const double b = std::pow(omega * omega * s.density * s.area / (s.youngs_modulus * s.inertia), 0.25) * length;
    // The end moves by (cos b + cosh b) / (1 + cos b cosh b) when the base moves by 1.
    const double beam = base * ((std::cos(b) + std::cosh(b)) / (1.0 + std::cos(b) * std::cosh(b)) - 1.0);
    // At 40 rad/s the ratio is 1.007: the subtraction above loses three digits.
    CHECK(end_motion(BeamTheory::euler_bernoulli, BeamMotion::w, omega, length).real() == Approx(beam).epsilon(1e-9));
  }
}

TEST_CASE("a base cannot be accelerated along a rotation", "[base]") {
  CHECK_THROWS_WITH(free_beam(BeamTheory::timoshenko).base_acceleration(BeamMotion::phi, 1.0),
                    Contains("The base of a beam cannot be accelerated along phi"));
  const SpectralBeam rod(test::uniform_beam(BeamTheory::rod, 1.0, test::clamped, test::unsupported));
  CHECK_THROWS_WITH(rod.base_acceleration(BeamMotion::w, 1.0), Contains("along w"));
}
