#include "unit/contact/backbone_support.hpp"

#include "masing/core/error.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using namespace masing::test;
using Catch::Contains;

namespace {

constexpr double k = 1.5e7;
constexpr double f = 4.0e3;
/// Table 1 of Brake (2017).
constexpr FourParameters table_1 = {.stiffness = k, .slip_force = f, .chi = -0.5, .beta = 0.005};

/// Half a unit in the last of nine digits given.
constexpr double nine_digits = 5e-9;
/// Double-exponential quadrature over singular ends, and sums of a few rounded numbers.
constexpr double quadrature_tolerance = 1e-11;
constexpr double rounding = 1e-14;

void check_against(const Backbone& backbone, const Density& density) {
  CHECK(backbone.macroslip() == Approx(density.end).epsilon(rounding));
  CHECK(backbone.stick_stiffness() == Approx(density.stiffness(0.0)).epsilon(quadrature_tolerance));
  CHECK(backbone.slip_force() == Approx(density.force(density.end)).epsilon(quadrature_tolerance));
  for (const double share : {1e-6, 1e-3, 0.02, 0.1, 0.4, 0.77, 0.999}) {
    const double u = share * density.end;
    INFO("at " << share << " of macroslip");
    CHECK(backbone.at(u).force == Approx(density.force(u)).epsilon(quadrature_tolerance));
    CHECK(backbone.at(u).stiffness == Approx(density.stiffness(u)).epsilon(quadrature_tolerance));
  }
}

Density four_parameter_density(const FourParameters& p) {
  const FourParameterConstants c = four_parameter_constants(p);
  return {.rho = [=](double phi, double) { return c.R * std::pow(phi, p.chi); }, .end = c.phi_max, .dirac = c.S};
}

}  // namespace

TEST_CASE("four parameters: the constants and the loop of Table 1", "[backbones]") {
  const FourParameterConstants c = four_parameter_constants(table_1);
  CHECK(c.phi_max == Approx(0.792118227e-3).epsilon(nine_digits));
  CHECK(c.R == Approx(2.65155230e8).epsilon(nine_digits));
  CHECK(c.S == Approx(74626.8657).epsilon(nine_digits));
  CHECK(four_parameter_backbone(table_1)->loop_energy(2.25e-3) == Approx(28.3207455).epsilon(nine_digits));
}

TEST_CASE("four parameters: closed form against its density", "[backbones]") {
  for (const double chi : {-0.9, -0.5, -0.31, 0.0}) {
    for (const double beta : {0.0, 0.005, 2.0}) {
      INFO("chi = " << chi << ", beta = " << beta);
      const FourParameters p = {k, f, chi, beta};
      const BackbonePointer backbone = four_parameter_backbone(p);
      check_against(*backbone, four_parameter_density(p));
      CHECK(backbone->stick_stiffness() == k);
      CHECK(backbone->slip_force() == f);
    }
  }
}

TEST_CASE("uniform: the printed parabola, and four parameters with chi = beta = 0", "[backbones]") {
  const BackbonePointer backbone = uniform_backbone({k, f});
  const double end = 2.0 * f / k;
  CHECK(backbone->macroslip() == Approx(end).epsilon(rounding));
  for (const double z : {0.01, 0.3, 0.9, 1.0}) {
    CHECK(backbone->at(z * end).force == Approx(2.0 * f * (z - 0.5 * z * z)).epsilon(rounding));
    CHECK(backbone->at(z * end).force == four_parameter_backbone({k, f, 0.0, 0.0})->at(z * end).force);
  }
}

TEST_CASE("the exponents that need no power agree with their neighbours that do", "[backbones]") {
  constexpr double nearly = 1e-12;
  for (const double chi : {-0.5, 0.0}) {
    const BackbonePointer exact = four_parameter_backbone({k, f, chi, 0.1});
    const BackbonePointer neighbour = four_parameter_backbone({k, f, chi - nearly, 0.1});
    for (const double share : {1e-3, 0.3, 0.8}) {
      const double u = share * exact->macroslip();
      CHECK(exact->at(u).force == Approx(neighbour->at(u).force).epsilon(20.0 * nearly));
      CHECK(exact->work(u) == Approx(neighbour->work(u)).epsilon(20.0 * nearly));
    }
  }
}

TEST_CASE("four parameters: dissipation in microslip is a power of the amplitude", "[backbones]") {
  const FourParameters p = {k, f, -0.76, 0.16};
  const BackbonePointer backbone = four_parameter_backbone(p);
  const double small = 1e-3 * backbone->macroslip();
  constexpr double cancellation = 1e-9;  // the loop's area is the difference of far larger ones
  CHECK(std::log2(backbone->loop_energy(2.0 * small) / backbone->loop_energy(small)) ==
        Approx(p.chi + 3.0).epsilon(cancellation));
}

TEST_CASE("four parameters: the describing function is the first harmonic of the Masing loop", "[backbones]") {
  for (const FourParameters& p : {table_1, FourParameters{k, f, -0.76, 0.16}, FourParameters{k, f, 0.0, 0.0}}) {
    const BackbonePointer backbone = four_parameter_backbone(p);
    for (const double share : {0.01, 0.4, 1.0}) {
      const double a = share * backbone->macroslip();
      const auto unloading = [&](double from_left, double) {
        const double x = a * std::cos(from_left);
        return std::cos(from_left) * (backbone->at(a).force - 2.0 * backbone->at(0.5 * (a - x)).force);
      };
      const std::complex<double> stiffness = four_parameter_describing_function(p, a);
      INFO("chi = " << p.chi << ", amplitude " << share);
      CHECK(stiffness.real() == Approx(2.0 / (pi * a) * integrate_singular(unloading, 0.0, pi)).epsilon(1e-11));
      CHECK(pi * a * a * stiffness.imag() == Approx(backbone->loop_energy(a)).epsilon(1e-11));
    }
  }
  CHECK_THROWS_WITH(four_parameter_describing_function(table_1, 1e-3), Contains("must be in (0, phi_max"));
}

TEST_CASE("five parameters: theta = 1 is the four-parameter law", "[backbones]") {
  for (const double chi : {-0.8, -0.5, 0.0}) {
    const BackbonePointer four = four_parameter_backbone({k, f, chi, 0.05});
    const BackbonePointer five = five_parameter_backbone({k, f, chi, 0.05, 1.0});
    for (const double share : {0.0, 0.1, 0.9, 1.0, 2.0}) {
      const double u = share * four->macroslip();
      CHECK(five->at(u).force == four->at(u).force);
      CHECK(five->at(u).stiffness == four->at(u).stiffness);
      CHECK(five->work(u) == four->work(u));
    }
  }
}

TEST_CASE("five parameters: theta multiplies what the sliding sliders carry", "[backbones]") {
  const FourParameters p = {k, f, -0.5, 0.005};
  const double theta = 0.75;
  const Density density = four_parameter_density(p);
  const BackbonePointer backbone = five_parameter_backbone({k, f, p.chi, p.beta, theta});
  for (const double share : {0.01, 0.3, 0.9}) {
    const double u = share * density.end;
    const double sticking = u * density.stiffness(u);
    CHECK(backbone->at(u).force ==
          Approx(theta * (density.force(u) - sticking) + sticking).epsilon(quadrature_tolerance));
  }
  const double c = p.beta + 1.0 / 3.0;
  CHECK(backbone->slip_force() == Approx(f * (p.beta + theta / 3.0) / c).epsilon(rounding));
  CHECK(backbone->macroslip() == four_parameter_backbone(p)->macroslip());
  CHECK(backbone->at(0.9 * density.end).force > backbone->slip_force());
  CHECK(backbone->at(0.9 * density.end).stiffness < 0.0);
}

TEST_CASE("end singularity: closed form against its density", "[backbones]") {
  for (const double exponent : {0.0, 0.5, 0.9}) {
    for (const double chi : {-0.8, 0.0}) {
      INFO("exponent = " << exponent << ", chi = " << chi);
      const double beta = 0.3;
      const BackbonePointer backbone = end_singular_backbone({k, f, chi, beta, exponent});
      const double end = backbone->macroslip();
      const double power = k / (1.0 + beta) * (chi + 1.0) / std::pow(end, chi + 1.0);
      const double singular = k * beta / (1.0 + beta) * (1.0 - exponent) / std::pow(end, 1.0 - exponent);
      check_against(*backbone, {.rho =
                                    [=](double phi, double to_end) {
                                      return power * std::pow(phi, chi) + singular * std::pow(to_end, -exponent);
                                    },
                                .end = end});
      CHECK(backbone->slip_force() == f);
    }
  }
}

TEST_CASE("end singularity: series and closed form meet, and small loops keep their digits", "[backbones]") {
  const BackbonePointer backbone = end_singular_backbone({k, f, -0.5, 0.8, 0.6});
  const double switching = backbone->macroslip() / 32.0;
  const double below = std::nextafter(switching, 0.0);
  constexpr double cancellation = 1e-12;  // of the closed form at 1/32, squared for the work
  CHECK(backbone->at(below).force == Approx(backbone->at(switching).force).epsilon(cancellation));
  CHECK(backbone->work(below) == Approx(backbone->work(switching)).epsilon(cancellation));
  const double tiny = 1e-9 * backbone->macroslip();
  constexpr double slid = 1e-4;  // share of the power law that slides at 1e-9 of macroslip: its root
  CHECK(backbone->work(tiny) == Approx(0.5 * k * tiny * tiny).epsilon(slid));
}

TEST_CASE("end singularity: towards exponent 1 it is the four-parameter law", "[backbones]") {
  const BackbonePointer four = four_parameter_backbone({k, f, -0.5, 0.2});
  double previous = 0.0;
  for (const double gap : {1e-2, 1e-3, 1e-4}) {
    const BackbonePointer singular = end_singular_backbone({k, f, -0.5, 0.2, 1.0 - gap});
    const double u = 0.9 * four->macroslip();
    const double error = std::abs(singular->at(u).force - four->at(u).force);
    if (previous > 0.0) CHECK(previous / error == Approx(10.0).epsilon(0.1));
    previous = error;
  }
}

TEST_CASE("power-law densities refuse what is none", "[backbones]") {
  CHECK_THROWS_WITH(uniform_backbone({-1.0, f}), "uniform density: stiffness = -1 N/m must be > 0.");
  CHECK_THROWS_WITH(uniform_backbone({k, 0.0}), "uniform density: slip_force = 0 N must be > 0.");
  CHECK_THROWS_WITH(four_parameter_backbone({k, f, -1.0, 0.0}),
                    Contains("chi = -1 must be in (-1, 0]. At -1 and below the density does not integrate"));
  CHECK_THROWS_WITH(four_parameter_backbone({k, f, 0.1, 0.0}), Contains("chi = 0.1 must be in (-1, 0]"));
  CHECK_THROWS_WITH(four_parameter_backbone({k, f, -0.5, -0.01}), Contains("beta = -0.01 must be >= 0"));
  CHECK_THROWS_WITH(four_parameter_backbone({std::nan(""), f, -0.5, 0.0}), Contains("stiffness = nan N/m must be > 0"));
  CHECK_THROWS_WITH(five_parameter_backbone({k, f, -0.5, 0.0, 0.0}), Contains("theta = 0 must be in (0, 1]"));
  CHECK_THROWS_WITH(five_parameter_backbone({k, f, -0.5, 0.0, 1.1}), Contains("theta = 1.1 must be in (0, 1]"));
  CHECK_THROWS_WITH(end_singular_backbone({k, f, -0.5, 0.1, 1.0}),
                    Contains("exponent = 1 must be in [0, 1). From 1 on the density does not integrate"));
  CHECK_THROWS_AS(end_singular_backbone({k, f, -0.5, 0.1, -0.5}), ModelError);
}
