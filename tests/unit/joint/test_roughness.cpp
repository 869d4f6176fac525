// Rough surfaces: the published interfaces to the digits given, derivatives, the interpolated backbone against
// quadrature and against a crowd of asperities, closed forms, refusals.
#include "masing/joint/roughness.hpp"

#include "masing/core/error.hpp"
#include "masing/core/types.hpp"
#include "unit/joint/surfaces.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace masing;
using test::printed;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Interfaces that are different in kind: light and heavy load, both distributions, low and high cut-off.
struct Case {
  RoughSurfaces surfaces;
  double load;
};

std::vector<Case> cases() {
  std::vector<Case> all = {
      {test::steel_surfaces(), 1.0}, {test::steel_surfaces(), 100.0}, {test::steel_surfaces(), 5e4}};
  all.push_back({test::aluminium_surfaces(), 19.62});
  for (const double cut_off : {1.0, 3.0, 10.0, infinity}) {
    RoughSurfaces surfaces = test::steel_surfaces();
    surfaces.cut_off = cut_off;
    all.push_back({surfaces, 2000.0});
    surfaces.heights = HeightDensity::exponential;
    all.push_back({surfaces, 2000.0});
  }
  return all;
}

/// Hertz and Mindlin for a crowd of summits, one in the middle of each of many equal steps of height.
double crowd_force(const RoughInterface& interface, double separation, double x) {
  constexpr int steps = 200000;
  const RoughSurfaces& s = interface.surfaces();
  const double step = (interface.highest() - separation) / steps;
  double sum = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double w = (i + 0.5) * step;
    const double z = (separation + w) / s.summits.sigma;
    const double count =
        s.summits.density * s.area * step * std::exp(-0.5 * z * z) / (std::sqrt(2.0 * pi) * s.summits.sigma);
    const double force = s.friction * interface.summit_stiffness() * std::pow(w, 1.5);
    const double slid = std::min(1.0, x / (interface.slip_ratio() * w));
    sum += count * force * (1.0 - std::pow(1.0 - slid, 1.5));
  }
  return sum;
}

}  // namespace

TEST_CASE("the steel interface of Table 1", "[joint][roughness]") {
  const RoughInterface interface(test::steel_surfaces());
  const RoughContact contact = rough_contact(interface, test::steel_load);
  CHECK(contact.separation == Approx(3.63039e-6).margin(printed(3.63039e-6, 6)).epsilon(0.0));
  CHECK(contact.asperities == Approx(472.3).margin(printed(472.3, 4)).epsilon(0.0));
  CHECK(contact.tangential_stiffness == Approx(3.92405e8).margin(printed(3.92405e8, 6)).epsilon(0.0));
  CHECK(contact.slip_displacement == Approx(0.334550e-6).margin(printed(0.33455e-6, 6)).epsilon(0.0));
  CHECK(contact.density == Approx(2.43184e15).margin(printed(2.43184e15, 6)).epsilon(0.0));
  CHECK(contact.slip_force == Approx(45.0));
  // K_T/K_N = μ/λ = (2 − 2ν)/(2 − ν) for equal materials.
  CHECK(contact.tangential_stiffness / contact.normal_stiffness == Approx(1.4 / 1.7));
  CHECK(stiffness_without_cut_off(interface, test::steel_load) ==
        Approx(2.10e8).margin(printed(2.10e8, 3)).epsilon(0.0));

  const BackbonePointer backbone = rough_backbone(interface, test::steel_load);
  const double slip = contact.slip_displacement;
  CHECK(backbone->loop_energy(0.5 * slip) == Approx(5.33511e-6).margin(printed(5.33511e-6, 6)).epsilon(0.0));
  CHECK(backbone->loop_energy(1.5 * slip) == Approx(5.88346e-5).margin(printed(5.88346e-5, 6)).epsilon(0.0));
}

TEST_CASE("the aluminium blocks of Table 2", "[joint][roughness]") {
  const RoughInterface interface(test::aluminium_surfaces());
  CHECK(interface.surfaces().friction == Approx(0.26));
  const RoughContact contact = rough_contact(interface, 2.0 * 9.81);
  CHECK(contact.tangential_stiffness == Approx(2.502e8).margin(printed(2.502e8, 4)).epsilon(0.0));
  CHECK(contact.slip_displacement == Approx(0.0535e-6).margin(printed(0.0535e-6, 3)).epsilon(0.0));
}

TEST_CASE("the profile of Table 3 and the load dependence of its stiffness", "[joint][roughness]") {
  const SpectralMoments moments = spectral_moments(test::support_profile());
  const Summits each = summits(moments);
  CHECK(each.sigma == Approx(4.63e-6).margin(printed(4.63e-6, 3)).epsilon(0.0));
  CHECK(each.radius == Approx(168e-6).margin(printed(168e-6, 3)).epsilon(0.0));
  CHECK(each.density == Approx(31.5e6).margin(printed(31.5e6, 3)).epsilon(0.0));

  const auto stiffness = [](const Summits& summits, double load) {
    return rough_contact(RoughInterface(test::support_surfaces(summits)), load).tangential_stiffness;
  };
  const Summits sum = summits(two_alike(moments));
  CHECK(stiffness(sum, 147.0) == Approx(8.0e7).margin(printed(8.0e7, 2)).epsilon(0.0));
  // One, two and three blocks of 7 kg.
  const double block = 7.0 * 9.81;
  const double one = stiffness(sum, block);
  CHECK(stiffness(sum, 2.0 * block) / one == Approx(1.69).margin(printed(1.69, 3)).epsilon(0.0));
  CHECK(stiffness(sum, 3.0 * block) / one == Approx(2.31).margin(printed(2.31, 3)).epsilon(0.0));

  // The softest reading: heights of the profile for those of the summits, summit on summit, no cut-off.
  const Summits softest = two_alike(Summits{5.9e-6, each.radius, each.density});
  CHECK(stiffness_without_cut_off(RoughInterface(test::support_surfaces(softest)), 147.0) ==
        Approx(4.7e7).margin(printed(4.7e7, 2)).epsilon(0.0));
}

TEST_CASE("stiffness and curvature are the derivatives of the normal force", "[joint][roughness]") {
  constexpr double difference =
      1e-4;  // in σ, or in the depth when that is less: truncation and rounding are both near 1e-8
  constexpr double tolerance = 1e-7;
  for (const Case& c : cases()) {
    const RoughInterface interface(c.surfaces);
    const double y = interface.separation(c.load);
    const double h = difference * std::min(c.surfaces.summits.sigma, interface.highest() - y);
    const double slope = (interface.normal_force(y + h) - interface.normal_force(y - h)) / (2.0 * h);
    const double bend = (interface.normal_stiffness(y + h) - interface.normal_stiffness(y - h)) / (2.0 * h);
    if (y - h < interface.lowest_separation()) continue;
    CHECK(interface.normal_force(y) == Approx(c.load).epsilon(1e-13));
    CHECK(interface.normal_stiffness(y) == Approx(-slope).epsilon(tolerance));
    CHECK(interface.curvature(y) == Approx(-bend).epsilon(tolerance));
  }
}

TEST_CASE("the precomputed backbone is the quadrature", "[joint][roughness]") {
  constexpr double rounding =
      1e-12;  // of the limit force, of K_T, and of the force itself where no difference is taken
  for (const Case& c : cases()) {
    CAPTURE(c.load, c.surfaces.cut_off, static_cast<int>(c.surfaces.heights));
    const RoughInterface interface(c.surfaces);
    const double y = interface.separation(c.load);
    const BackbonePointer backbone = rough_backbone(interface, c.load);
    const double mu = c.surfaces.friction;
    const double end = backbone->macroslip();
    CHECK(end == Approx(interface.slip_ratio() * (interface.highest() - y)));
    for (int i = 0; i <= 97; ++i) {
      const double x = end * i / 97.0;
      const double plane = y + x / interface.slip_ratio();
      const BackboneValue value = backbone->at(x);
      const double force = mu * (c.load - interface.normal_force(plane));
      const double slope = mu / interface.slip_ratio() * interface.normal_stiffness(plane);
      CHECK(std::abs(value.force - force) <= rounding * std::max(force, 0.1 * mu * c.load));
      CHECK(std::abs(value.stiffness - slope) <= rounding * backbone->stick_stiffness());
    }
    // μ [P(y) − P(y + x/λ)] has lost seven digits here, and the midpoint rule has an error of 10⁻¹⁴.
    const double tiny = 1e-7 * std::min(end, interface.slip_ratio() * c.surfaces.summits.sigma);
    const double half =
        mu / interface.slip_ratio() * interface.normal_stiffness(y + 0.5 * tiny / interface.slip_ratio());
    CHECK(backbone->at(tiny).force == Approx(half * tiny).epsilon(rounding));
    CHECK(backbone->at(1.01 * end).force == mu * c.load);
    CHECK(backbone->at(1.01 * end).stiffness == 0.0);
    CHECK(backbone->slip_force() == mu * c.load);
  }
}

TEST_CASE("the work of the backbone is its integral", "[joint][roughness]") {
  constexpr double tolerance = 1e-9;  // Simpson's rule with 2000 intervals on each side of the middle
  for (const Case& c : cases()) {
    const BackbonePointer backbone = rough_backbone(RoughInterface(c.surfaces), c.load);
    const double end = backbone->macroslip();
    for (const double u : {0.2 * end, 0.49 * end, 0.51 * end, 0.9 * end, end, 2.0 * end}) {
      const double upper = std::min(u, end);
      constexpr int intervals = 2000;
      const double h = upper / intervals;
      double sum = backbone->at(0.0).force + backbone->at(upper).force;
      for (int i = 1; i < intervals; ++i) sum += (i % 2 == 1 ? 4.0 : 2.0) * backbone->at(i * h).force;
      const double expected = sum * h / 3.0 + (u - upper) * backbone->slip_force();
      CHECK(backbone->work(u) == Approx(expected).epsilon(tolerance));
    }
  }
}

TEST_CASE("the backbone is the sum over a crowd of asperities", "[joint][roughness]") {
  constexpr double tolerance = 1e-7;  // the midpoint rule over 200000 heights, with a kink where slip ends
  const RoughInterface interface(test::steel_surfaces());
  const double y = interface.separation(test::steel_load);
  const BackbonePointer backbone = rough_backbone(interface, test::steel_load);
  for (const double share : {0.01, 0.3, 0.5, 0.8, 1.0}) {
    const double x = share * backbone->macroslip();
    CHECK(backbone->at(x).force == Approx(crowd_force(interface, y, x)).epsilon(tolerance));
  }
}

TEST_CASE("exponential heights without a cut-off have closed forms", "[joint][roughness]") {
  // P = K η A Γ(5/2) σ^{3/2} e^{−y/σ}: K_N = N/σ under any load, and Q = μN (1 − e^{−x/λσ}).
  constexpr double tolerance = 1e-12;
  RoughSurfaces surfaces = test::steel_surfaces();
  surfaces.heights = HeightDensity::exponential;
  surfaces.cut_off = infinity;
  const RoughInterface interface(surfaces);
  const double sigma = surfaces.summits.sigma;
  const double factor =
      interface.summit_stiffness() * surfaces.summits.density * surfaces.area * std::tgamma(2.5) * std::pow(sigma, 1.5);
  for (const double load : {10.0, 1000.0}) {
    const RoughContact contact = rough_contact(interface, load);
    CHECK(contact.separation == Approx(sigma * std::log(factor / load)).epsilon(tolerance));
    CHECK(contact.normal_stiffness == Approx(load / sigma).epsilon(tolerance));
    const BackbonePointer backbone = rough_backbone(interface, load);
    const double scale = interface.slip_ratio() * sigma;
    for (const double x : {1e-3 * scale, scale, 5.0 * scale}) {
      CHECK(backbone->at(x).force == Approx(-surfaces.friction * load * std::expm1(-x / scale)).epsilon(tolerance));
    }
  }
}

TEST_CASE("two materials: the slip ratio follows from both", "[joint][roughness]") {
  RoughSurfaces surfaces = test::steel_surfaces();
  CHECK(RoughInterface(surfaces).slip_ratio() == Approx(0.45 * 1.7 / 1.4));
  surfaces.upper = {70e9, 0.33};
  const RoughInterface mixed(surfaces);
  // One summit: 8 Ḡ a x_slip = (3/2) μ f, with f = (4/3) Ē √R w^{3/2} and a = √(R w).
  const double w = 1e-7;
  const double radius = std::sqrt(surfaces.summits.radius * w);
  const double force = mixed.summit_stiffness() * std::pow(w, 1.5);
  CHECK(mixed.slip_ratio() * w == Approx(1.5 * 0.45 * force / (mixed.shear_stiffness() * radius)));
}

TEST_CASE("roughness that makes no sense is refused", "[joint][roughness]") {
  using Catch::Matchers::Contains;
  const auto with = [](auto change) {
    RoughSurfaces surfaces = test::steel_surfaces();
    change(surfaces);
    return surfaces;
  };
  CHECK_THROWS_WITH(RoughInterface(with([](auto& s) { s.summits.sigma = 0.0; })),
                    "roughness: sigma = 0 m must be > 0.");
  CHECK_THROWS_WITH(RoughInterface(with([](auto& s) { s.summits.radius = -1.0; })),
                    Contains("radius = -1 m must be > 0"));
  CHECK_THROWS_WITH(RoughInterface(with([](auto& s) { s.summits.density = 0.0; })), Contains("density = 0 1/m²"));
  CHECK_THROWS_WITH(RoughInterface(with([](auto& s) { s.area = 0.0; })), Contains("area = 0 m² must be > 0"));
  CHECK_THROWS_WITH(RoughInterface(with([](auto& s) { s.friction = -0.1; })), Contains("friction = -0.1 must be > 0"));
  CHECK_THROWS_WITH(RoughInterface(with([](auto& s) { s.cut_off = 0.0; })), Contains("cut_off = 0 must be > 0"));
  CHECK_THROWS_WITH(RoughInterface(with([](auto& s) { s.lower.youngs_modulus = 0.0; })),
                    Contains("lower material: E = 0 Pa must be > 0"));
  CHECK_THROWS_WITH(RoughInterface(with([](auto& s) { s.upper.poisson_ratio = 0.5; })),
                    Contains("upper material: nu = 0.5 must be in [0, 0.5)"));
  const RoughInterface interface(test::steel_surfaces());
  CHECK_THROWS_WITH(interface.separation(0.0), Contains("normal_load = 0 N must be > 0"));
  CHECK_THROWS_WITH(interface.separation(1e9), Contains("is more than the") && Contains("all summits carry together"));
  CHECK_THROWS_WITH(interface.separation(1e-9), Contains("no contact") && Contains("At least one must carry it"));
  CHECK_THROWS_WITH(friction_of_strength(0.0), Contains("strength_to_hardness = 0 must be > 0"));

  ProfileRoughness profile = test::support_profile();
  profile.Rpc = 51.0;
  CHECK_THROWS_WITH(spectral_moments(profile), Contains("Rpc Rsm = 0.0153 must be >= 1.225"));
  profile = test::support_profile();
  profile.Rku = 1.0;
  CHECK_THROWS_WITH(spectral_moments(profile), Contains("Rku = 1 must be >= Rsk² + 1"));
  profile = test::support_profile();
  profile.Rq = 0.0;
  CHECK_THROWS_WITH(spectral_moments(profile), Contains("Rq = 0 m must be > 0"));
}
