#include "unit/contact/backbone_support.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace masing;
using namespace masing::test;
using Catch::Contains;

namespace {

constexpr double rounding = 1e-13;

/// Largest difference of the forces over the slip force, up to 1.1 times macroslip.
double distance(const Backbone& a, const Backbone& b) {
  double largest = 0.0;
  for (int i = 0; i <= 5000; ++i) {
    const double u = 1.1 * b.macroslip() * i / 5000;
    largest = std::max(largest, std::abs(a.at(u).force - b.at(u).force));
  }
  return largest / b.slip_force();
}

/// A density without corners: ρ = ϕ (1 − ϕ) on [0, 1].
BackbonePointer tabulated_parabola(int intervals) {
  std::vector<DensityRow> rows;
  for (int i = 0; i <= intervals; ++i) {
    const double phi = static_cast<double>(i) / intervals;
    rows.push_back({phi, phi * (1.0 - phi)});
  }
  return tabulated_density_backbone(rows);
}

BackbonePointer resampled(const Backbone& backbone, int intervals) {
  std::vector<BackboneRow> rows;
  for (int i = 1; i <= intervals; ++i) {
    const double u = backbone.macroslip() * i / intervals;
    rows.push_back({u, backbone.at(u).force});
  }
  return tabulated_backbone(rows);
}

}  // namespace

TEST_CASE("Maxwell slip: the sum of its elements", "[backbones]") {
  std::mt19937_64 random(11);
  std::lognormal_distribution<double> spread(0.0, 1.5);
  std::vector<SlipElement> elements;
  for (int i = 0; i < 300; ++i) elements.push_back({spread(random), spread(random)});
  elements.push_back({2.0, 6.0});
  elements.push_back({1.0, 3.0});  // slides with the one before
  const BackbonePointer backbone = maxwell_slip_backbone(elements);
  std::vector<double> places = {0.0, 1e-9, 3.0, 1e6};
  for (int i = 0; i < 1000; ++i) places.push_back(spread(random));
  for (const SlipElement& element : elements) places.push_back(element.slip_force / element.stiffness);
  for (const double u : places) {
    double force = 0.0;
    double stiffness = 0.0;
    for (const SlipElement& element : elements) {
      force += std::min(element.stiffness * u, element.slip_force);
      if (u < element.slip_force / element.stiffness) stiffness += element.stiffness;
    }
    INFO("u = " << u);
    CHECK(backbone->at(u).force == Approx(force).epsilon(rounding));
    CHECK(backbone->at(u).stiffness == Approx(stiffness).epsilon(rounding));
  }
}

TEST_CASE("Maxwell slip refuses what does not slide", "[backbones]") {
  CHECK_THROWS_WITH(maxwell_slip_backbone({}), "Maxwell slip: at least one element is needed.");
  CHECK_THROWS_WITH(
      maxwell_slip_backbone({{1.0, 1.0}, {0.0, 1.0}}),
      Contains("element 2: stiffness = 0 N/m and slip_force = 1 N must be finite, not zero and of one sign"));
  CHECK_THROWS_WITH(maxwell_slip_backbone({{1.0, -1.0}}), Contains("of one sign"));
  CHECK_THROWS_WITH(maxwell_slip_backbone({{1.0, 1.0}, {-2.0, -1.0}}), Contains("total stiffness = -1 N/m"));
}

TEST_CASE("tabulated density: a constant is the uniform law, a Dirac alone is Jenkins", "[backbones]") {
  const BackbonePointer uniform = uniform_backbone({8.0, 2.0});
  CHECK(distance(*tabulated_density_backbone({{0.0, 16.0}, {0.1, 16.0}, {0.5, 16.0}}), *uniform) < rounding);
  const BackbonePointer jenkins = tabulated_density_backbone({{0.0, 0.0}, {0.5, 0.0}}, 4.0);
  CHECK(distance(*jenkins, *maxwell_slip_backbone({{4.0, 2.0}})) < rounding);
}

TEST_CASE("tabulated density: nothing slides before its first row", "[backbones]") {
  const BackbonePointer backbone = tabulated_density_backbone({{1.0, 3.0}, {2.0, 1.0}}, 0.5);
  CHECK(backbone->at(0.7).stiffness == Approx(2.5).epsilon(rounding));
  CHECK(backbone->loop_energy(1.0) == Approx(0.0).margin(rounding));
  CHECK(backbone->slip_force() == Approx(0.5 * 2.0 + 3.0 + 0.5 * (3.0 - 2.0) - 2.0 / 3.0).epsilon(rounding));
}

TEST_CASE("tabulated density converges with the square of the spacing", "[backbones]") {
  // ∫ ρ = 1/6 and ∫ ϕρ = 1/12; F̂ = u/6 − u³/6 + u⁴/12.
  const auto error = [](int intervals) {
    const double u = 0.43;
    const double exact = u / 6.0 - u * u * u / 6.0 + u * u * u * u / 12.0;
    return std::abs(tabulated_parabola(intervals)->at(u).force - exact);
  };
  CHECK(error(20) / error(40) == Approx(4.0).epsilon(0.05));
  CHECK(error(40) / error(80) == Approx(4.0).epsilon(0.05));
  CHECK(error(1280) < 1e-7);
}

TEST_CASE("tabulated density refuses what does not integrate", "[backbones]") {
  CHECK_THROWS_WITH(tabulated_density_backbone({{0.0, 1.0}}),
                    "tabulated density: 1 row(s), but at least 2 are needed.");
  CHECK_THROWS_WITH(tabulated_density_backbone({{0.0, INFINITY}, {1.0, 1.0}}),
                    Contains("row 1: density = inf N/m^2 must be finite and >= 0, else it does not integrate"));
  CHECK_THROWS_WITH(tabulated_density_backbone({{0.0, 1.0}, {1.0, -1.0}}), Contains("row 2: density = -1 N/m^2"));
  CHECK_THROWS_WITH(tabulated_density_backbone({{0.0, 1.0}, {0.0, 1.0}}),
                    Contains("row 2: displacement = 0 m must be larger than in the row before"));
  CHECK_THROWS_WITH(tabulated_density_backbone({{-1.0, 1.0}, {0.0, 1.0}}),
                    Contains("displacement = -1 m must be >= 0"));
  CHECK_THROWS_WITH(tabulated_density_backbone({{0.0, 0.0}, {1.0, 0.0}}),
                    Contains("its integral, the stiffness, is 0 N/m"));
  CHECK_THROWS_WITH(tabulated_density_backbone({{0.0, 1.0}, {1.0, 1.0}}, -2.0), Contains("end_stiffness = -2 N/m"));
}

TEST_CASE("tabulated backbone passes through its rows, with or without the origin", "[backbones]") {
  const std::vector<BackboneRow> rows = {{0.1, 3.0}, {0.2, 5.0}, {0.5, 8.0}, {1.5, 10.0}, {2.0, 10.0}};
  std::vector<BackboneRow> with_origin = rows;
  with_origin.insert(with_origin.begin(), {0.0, 0.0});
  const BackbonePointer backbone = tabulated_backbone(rows);
  for (const BackboneRow& row : rows)
    CHECK(backbone->at(row.displacement).force == Approx(row.force).epsilon(rounding));
  CHECK(backbone->at(7.0).force == Approx(10.0).epsilon(rounding));
  CHECK(distance(*backbone, *tabulated_backbone(with_origin)) == 0.0);
}

TEST_CASE("tabulated backbone is smooth, monotone and concave between any concave rows", "[backbones]") {
  std::mt19937_64 random(5);
  std::lognormal_distribution<double> spread(0.0, 2.0);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> secants(12);
    for (double& secant : secants) secant = spread(random);
    std::sort(secants.rbegin(), secants.rend());
    std::vector<BackboneRow> rows = {{0.0, 0.0}};
    for (const double secant : secants) {
      const double step = spread(random);
      rows.push_back({rows.back().displacement + step, rows.back().force + secant * step});
    }
    const BackbonePointer backbone = tabulated_backbone(rows);
    double stiffness = backbone->stick_stiffness();
    for (int i = 0; i <= 2000; ++i) {
      const double next = backbone->at(rows.back().displacement * i / 2000).stiffness;
      REQUIRE(next >= -rounding * backbone->stick_stiffness());
      REQUIRE(next <= stiffness + rounding * backbone->stick_stiffness());
      stiffness = next;
    }
    for (std::size_t i = 1; i + 1 < rows.size(); ++i) {
      const double u = rows[i].displacement;
      const double near = 1e-12 * (u - rows[i - 1].displacement);  // a density of at most 1e3 times the mean remains
      CHECK(backbone->at(u - near).stiffness ==
            Approx(backbone->at(u).stiffness).margin(1e-9 * backbone->stick_stiffness()));
    }
  }
}

TEST_CASE("tabulated backbone reproduces a parabola and converges with the third power of the spacing", "[backbones]") {
  const BackbonePointer uniform = uniform_backbone({8.0, 2.0});
  CHECK(distance(*resampled(*uniform, 7), *uniform) < rounding);

  const BackbonePointer smooth = tabulated_parabola(4000);
  const double coarse = distance(*resampled(*smooth, 16), *smooth);
  const double fine = distance(*resampled(*smooth, 32), *smooth);
  CHECK(std::log2(coarse / fine) == Approx(3.0).margin(0.25));

  const BackbonePointer hertz = hertz_backbone({8.0, 2.0});
  const double rough = distance(*resampled(*hertz, 16), *hertz);
  const double better = distance(*resampled(*hertz, 32), *hertz);
  CHECK(std::log2(rough / better) == Approx(1.5).margin(0.25));  // (ϕ_max − u)^1.5 at its end allows no more
}

TEST_CASE("tabulated backbone: straight pieces stay straight", "[backbones]") {
  const BackbonePointer flat = flat_backbone({1.0, 1.0, 0.5});
  const BackbonePointer table = resampled(*flat, 40);
  CHECK(table->stick_stiffness() == Approx(1.0).epsilon(rounding));
  CHECK(table->loop_energy(0.5) == Approx(0.0).margin(rounding));
  CHECK(distance(*table, *flat) < 1e-3);
  const BackbonePointer jenkins = tabulated_backbone({{1.0, 2.0}, {2.0, 4.0}, {3.0, 4.0}, {4.0, 4.0}});
  CHECK(distance(*jenkins, *maxwell_slip_backbone({{2.0, 4.0}})) < rounding);
  CHECK(distance(*tabulated_backbone({{2.0, 4.0}}), *maxwell_slip_backbone({{2.0, 4.0}})) < rounding);
}

TEST_CASE("tabulated backbone: rounding of a printed table is forgiven, a hump is not", "[backbones]") {
  const BackbonePointer hertz = hertz_backbone({1.0, 1.0});
  std::vector<BackboneRow> rows;
  for (int i = 1; i <= 150; ++i) rows.push_back({0.01 * i, std::round(1e3 * hertz->at(0.01 * i).force) / 1e3});
  CHECK(distance(*tabulated_backbone(rows), *hertz) < 2e-3);

  CHECK_THROWS_WITH(tabulated_backbone({{1.0, 1.0}, {2.0, 1.2}, {3.0, 2.0}}),
                    Contains("row 2: force = 1.2 N at 2 m is below the straight line between its neighbours (1.5 N)") &&
                        Contains("smooth the table"));
  CHECK_THROWS_WITH(tabulated_backbone({{1.0, 1.0}, {2.0, 0.9}}),
                    Contains("row 2: force = 0.9 N must not be smaller than in the row before"));
  CHECK_THROWS_WITH(tabulated_backbone({{0.0, 0.5}, {2.0, 0.9}}), Contains("row 1: force = 0.5 N at 0 m must be 0"));
  CHECK_THROWS_WITH(tabulated_backbone({{1.0, 0.0}, {2.0, 0.9}}), Contains("row 1: force = 0 N at 1 m must be > 0"));
  CHECK_THROWS_WITH(tabulated_backbone({{1.0, 1.0}, {1.0, 2.0}}),
                    Contains("row 2: displacement = 1 m must be >= 0 and"));
  CHECK_THROWS_WITH(tabulated_backbone({}), Contains("at least one row"));
  CHECK_THROWS_WITH(tabulated_backbone({{0.0, 0.0}}), Contains("at least one row"));
}
