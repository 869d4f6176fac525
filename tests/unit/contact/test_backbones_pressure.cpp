#include "unit/contact/backbone_support.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using namespace masing::test;
using Catch::Contains;

namespace {

/// Half a unit in the last of the digits given.
constexpr double nine_digits = 5e-9;
constexpr double seven_digits = 5e-7;
constexpr double six_digits = 5e-6;
constexpr double quadrature_tolerance = 1e-11;
constexpr double rounding = 1e-13;

/// A sphere on a plane of the same material (Li et al. 2020).
struct Sphere {
  double shear_modulus = 27e9;
  double poisson = 0.33;
  double friction = 0.5;
  double radius = 2e-3;  ///< of contact
  double load = 500.0;

  double stiffness() const { return 8.0 * shear_modulus * radius / (2.0 - poisson); }
  double slip_force() const { return friction * load; }
};

/// Mindlin's displacement, and the energy of a loop (Mindlin and Deresiewicz), of a tangential force T.
double mindlin_displacement(const Sphere& s, double force) {
  const double share = 1.0 - force / s.slip_force();
  return 1.5 * s.slip_force() / s.stiffness() * (1.0 - std::cbrt(share * share));
}
double mindlin_dissipation(const Sphere& s, double force) {
  const double tau = force / s.slip_force();
  const double root = std::cbrt(1.0 - tau);
  const double shape = 1.0 - std::pow(root, 5) - 5.0 / 6.0 * tau * (1.0 + root * root);
  return 7.2 * s.slip_force() * s.slip_force() / s.stiffness() * shape;
}

/// Flat with unit stiffness and unit slip force.
BackbonePointer unit_flat(double gamma) { return flat_backbone({1.0, 1.0, gamma}); }

}  // namespace

TEST_CASE("Hertz: the numbers of the sphere", "[backbones]") {
  const Sphere sphere;
  CHECK(sphere.stiffness() == Approx(2.58682635e8).epsilon(nine_digits));
  const BackbonePointer backbone = hertz_backbone({sphere.stiffness(), sphere.slip_force()});
  const double forces[] = {50.0, 100.0, 200.0, 250.0};
  const double displacements[] = {0.200379885e-6, 0.418400726e-6, 0.953878502e-6, 1.44965278e-6};
  const double energies[] = {0.496221691e-6, 4.71992418e-6, 64.2558639e-6, 289.930556e-6};
  for (int i = 0; i < 4; ++i) {
    INFO("T = " << forces[i] << " N");
    const double u = mindlin_displacement(sphere, forces[i]);
    CHECK(u == Approx(displacements[i]).epsilon(nine_digits));
    CHECK(backbone->at(u).force == Approx(forces[i]).epsilon(rounding));
    CHECK(backbone->loop_energy(u) == Approx(energies[i]).epsilon(nine_digits));
  }
  CHECK(backbone->macroslip() == Approx(displacements[3]).epsilon(nine_digits));
}

TEST_CASE("Hertz is Mindlin", "[backbones]") {
  const Sphere sphere;
  const BackbonePointer backbone = hertz_backbone({sphere.stiffness(), sphere.slip_force()});
  const double cancelling = rounding * sphere.slip_force() * sphere.slip_force() / sphere.stiffness();
  for (int i = 1; i <= 100; ++i) {
    const double force = 0.01 * i * sphere.slip_force();
    const double u = mindlin_displacement(sphere, force);
    CHECK(backbone->at(u).force == Approx(force).epsilon(rounding));
    CHECK(backbone->loop_energy(u) == Approx(mindlin_dissipation(sphere, force)).margin(cancelling));
  }
}

TEST_CASE("Hertz: closed form against its density", "[backbones]") {
  const double k = 2e8;
  const double f = 250.0;
  // φ(f*) = 1 / √(3μN (3μN − 2 f*)) a unit of slip force; ρ(ϕ) = k² φ(kϕ).
  const Density density = {.rho = [=](double, double to_end) { return k * k / std::sqrt(6.0 * f * k * to_end); },
                           .end = 1.5 * f / k};
  const BackbonePointer backbone = hertz_backbone({k, f});
  CHECK(backbone->macroslip() == Approx(density.end).epsilon(rounding));
  for (const double share : {1e-6, 0.01, 0.5, 0.99}) {
    const double u = share * density.end;
    CHECK(backbone->at(u).force == Approx(density.force(u)).epsilon(quadrature_tolerance));
    CHECK(backbone->at(u).stiffness == Approx(density.stiffness(u)).epsilon(quadrature_tolerance));
  }
}

TEST_CASE("flat: the printed pieces", "[backbones]") {
  for (const double gamma : {0.0, 0.2, 0.7, 0.95}) {
    INFO("gamma = " << gamma);
    const BackbonePointer backbone = unit_flat(gamma);
    CHECK(backbone->macroslip() == Approx(3.0 - 2.0 * gamma));
    CHECK(backbone->at(0.9 * gamma).force == 0.9 * gamma);
    for (const double share : {0.1, 0.5, 0.9}) {
      const double d = gamma + share * 3.0 * (1.0 - gamma);
      const double printed = d - 2.0 / 3.0 * (d - gamma) * std::sqrt((d - gamma) / (3.0 * (1.0 - gamma)));
      CHECK(backbone->at(d).force == Approx(printed).epsilon(rounding));
    }
  }
  for (const double gamma : {1.05, 1.3, 1.5}) {
    INFO("gamma = " << gamma);
    const BackbonePointer backbone = unit_flat(gamma);
    CHECK(backbone->macroslip() == Approx(gamma));
    for (const double share : {0.1, 0.5, 0.9}) {
      const double d = 3.0 - 2.0 * gamma + share * 3.0 * (gamma - 1.0);
      const double printed = 1.0 - 2.0 / 3.0 * (gamma - d) * std::sqrt((gamma - d) / (3.0 * (gamma - 1.0)));
      CHECK(backbone->at(d).force == Approx(printed).epsilon(rounding));
    }
  }
}

TEST_CASE("flat: the pressure's own average, q/mean = 3(1-gamma)s^2 + gamma", "[backbones]") {
  for (const double gamma : {0.0, 0.4, 1.2, 1.5}) {
    const BackbonePointer backbone = unit_flat(gamma);
    for (const double d : {0.3, 0.9, 1.4}) {
      constexpr int places = 200000;
      double sum = 0.0;
      for (int i = 0; i < places; ++i) {
        const double s = (i + 0.5) / places;
        sum += std::min(3.0 * (1.0 - gamma) * s * s + gamma, d) / places;
      }
      INFO("gamma = " << gamma << ", D = " << d);
      CHECK(backbone->at(d).force == Approx(sum).epsilon(1e-9));  // midpoint rule with one kink
    }
  }
}

TEST_CASE("flat: gamma = 1.5 is Hertz and gamma = 1 is Jenkins, and their neighbours are near", "[backbones]") {
  const BackbonePointer hertz = hertz_backbone({3.0, 2.0});
  const BackbonePointer nearly_hertz = flat_backbone({3.0, 2.0, 1.5 - 1e-12});
  const BackbonePointer flat = flat_backbone({3.0, 2.0, 1.5});
  for (int i = 0; i <= 120; ++i) {
    const double u = 0.01 * i;
    CHECK(flat->at(u).force == hertz->at(u).force);
    CHECK(nearly_hertz->at(u).force == Approx(hertz->at(u).force).margin(1e-11));
    for (const double gamma : {1.0 - 1e-9, std::nextafter(1.0, 0.0), 1.0, std::nextafter(1.0, 2.0), 1.0 + 1e-9}) {
      const BackbonePointer jenkins = flat_backbone({3.0, 2.0, gamma});
      CHECK(jenkins->at(u).force == Approx(std::min(3.0 * u, 2.0)).margin(1e-8));
      CHECK(std::isfinite(jenkins->at(u).stiffness));
    }
  }
}

TEST_CASE("flat: dissipation in gross slip, and none where nothing slides", "[backbones]") {
  for (const double gamma : {0.0, 0.2, 0.9, 1.0, 1.1, 1.5}) {
    for (const double amplitude : {3.0, 5.0}) {
      const double expected = 4.0 * (amplitude - 1.0) - 3.2 * (1.0 - gamma) * (1.0 - gamma);
      CHECK(unit_flat(gamma)->loop_energy(amplitude) == Approx(expected).epsilon(rounding));
    }
  }
  for (const double amplitude : {0.3, 0.6, 0.95}) {
    const double most = 0.5 * (3.0 - amplitude);
    for (const double gamma : {amplitude, 0.5 * (amplitude + most), most})
      CHECK(unit_flat(gamma)->loop_energy(amplitude) == Approx(0.0).margin(1e-15));
    CHECK(unit_flat(amplitude - 0.1)->loop_energy(amplitude) > 1e-4);
    CHECK(unit_flat(most + 0.1)->loop_energy(amplitude) > 1e-4);
  }
}

TEST_CASE("flat: gamma = 1 dissipates most only from an amplitude of 1.21 on", "[backbones]") {
  const auto jenkins_is_largest = [](double amplitude) {
    double largest = 0.0;
    for (int i = 0; i <= 1500; ++i) largest = std::max(largest, unit_flat(1e-3 * i)->loop_energy(amplitude));
    return unit_flat(1.0)->loop_energy(amplitude) >= largest * (1.0 - rounding);
  };
  CHECK(jenkins_is_largest(1.215));
  CHECK_FALSE(jenkins_is_largest(1.205));
}

TEST_CASE("flat with residual stiffness: the loops of Table 3", "[backbones]") {
  struct Row {
    double load, stiffness, residual, friction, amplitude, peak, energy;
  };
  for (const Row& row : {Row{87.0, 30.5e6, 0.0427, 0.48, 10e-6, 54.7835, 1.30917e-3},
                         Row{254.0, 133.7e6, 0.0445, 0.65, 30e-6, 343.5895, 18.52154e-3}}) {
    const BackbonePointer backbone =
        flat_backbone({(1.0 - row.residual) * row.stiffness, row.friction * row.load, 0.2});
    const double peak = row.residual * row.stiffness * row.amplitude + backbone->at(row.amplitude).force;
    CHECK(peak == Approx(row.peak).epsilon(seven_digits));
    CHECK(backbone->loop_energy(row.amplitude) == Approx(row.energy).epsilon(six_digits));
  }
}

TEST_CASE("pressure densities refuse what is none", "[backbones]") {
  CHECK_THROWS_WITH(
      flat_backbone({1.0, 1.0, 1.6}),
      "flat density: gamma = 1.6 must be in [0, 1.5]. Outside, the quadratic pressure is negative somewhere.");
  CHECK_THROWS_WITH(flat_backbone({1.0, 1.0, -0.1}), Contains("gamma = -0.1 must be in [0, 1.5]"));
  CHECK_THROWS_WITH(hertz_backbone({0.0, 1.0}), "Hertz density: stiffness = 0 N/m must be > 0.");
  CHECK_THROWS_WITH(hertz_backbone({1.0, -1.0}), "Hertz density: slip_force = -1 N must be > 0.");
}
