// Pressure fields: Mindlin's sphere and the flat punches to the digits given, segments against closed forms and
// against their definition, strips against points, refusals.
#include "masing/joint/pressure.hpp"

#include "masing/contact/backbones.hpp"
#include "masing/core/error.hpp"
#include "unit/joint/surfaces.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace masing;
using test::printed;

namespace {

/// The sphere of the specification: G = 27 GPa, ν = 0.33, a = 2 mm, μ = 0.5, N = 500 N.
constexpr double friction = 0.5;
constexpr double load = 500.0;
constexpr double limit = friction * load;
constexpr double radius = 2e-3;
constexpr double sphere_stiffness = 8.0 * 27e9 * radius / (2.0 - 0.33);

double mindlin_displacement(double force) {
  return 1.5 * limit / sphere_stiffness * (1.0 - std::pow(1.0 - force / limit, 2.0 / 3.0));
}

double hertz_pressure(double x, double y) {
  const double rest = 1.0 - (x * x + y * y) / (radius * radius);
  return rest > 0.0 ? 1.5 * load / (pi * radius * radius) * std::sqrt(rest) : 0.0;
}

/// Line load of the sphere, q = (3N/4a)(1 − x²/a²), in a table.
LineLoad sphere_line(Index points) {
  const Vector x = Vector::LinSpaced(points, -radius, radius);
  return {x, (0.75 * load / radius * (1.0 - (x.array() / radius).square())).matrix()};
}

LineLoad quadratic_line(double gamma, Index points) {
  const Vector x = Vector::LinSpaced(points, -0.5, 0.5);
  return {x, (load * (gamma + 12.0 * (1.0 - gamma) * x.array().square())).matrix()};
}

/// Largest difference of two backbones over the whole range, as a share of the first one's limit.
double difference(const Backbone& a, const Backbone& b) {
  double largest = 0.0;
  for (int i = 0; i <= 500; ++i) {
    const double u = 1.2 * a.macroslip() * i / 500.0;
    largest = std::max(largest, std::abs(a.at(u).force - b.at(u).force));
  }
  return largest / a.slip_force();
}

}  // namespace

TEST_CASE("sphere on plane: Mindlin's numbers", "[joint][pressure]") {
  CHECK(sphere_stiffness == Approx(2.58682635e8).margin(printed(2.58682635e8, 9)).epsilon(0.0));
  struct Row {
    double force, displacement, energy;
  };
  const BackbonePointer exact = pressure_backbone(
      {.shape = PressureShape::hertz, .normal_load = load, .friction = friction, .stiffness = sphere_stiffness});
  const BackbonePointer segments = pressure_backbone(sphere_line(4001), friction, sphere_stiffness);
  // 4000 chords of the parabola: the load between the rows is low by (h²/8) q'', 10⁻⁷ of its maximum.
  constexpr double chords = 2e-6;
  for (const Row& row : {Row{50.0, 0.200379885e-6, 0.496221691e-6}, Row{100.0, 0.418400726e-6, 4.71992418e-6},
                         Row{200.0, 0.953878502e-6, 64.2558639e-6}, Row{250.0, 1.44965278e-6, 289.930556e-6}}) {
    const double u = mindlin_displacement(row.force);
    CHECK(u == Approx(row.displacement).margin(printed(row.displacement, 9)).epsilon(0.0));
    CHECK(exact->at(u).force == Approx(row.force).epsilon(1e-13));
    CHECK(exact->loop_energy(u) == Approx(row.energy).margin(printed(row.energy, 9)).epsilon(0.0));
    CHECK(segments->at(u).force == Approx(row.force).epsilon(chords));
    CHECK(segments->loop_energy(u) == Approx(row.energy).epsilon(chords));
  }
}

TEST_CASE("flat on flat with residual stiffness: Table 3", "[joint][pressure]") {
  struct Row {
    double normal_load, stiffness, residual, friction, amplitude, peak, energy;
    int digits;  // of the peak
    int energy_digits;
  };
  for (const Row& row : {Row{87.0, 30.5e6, 0.0427, 0.48, 10e-6, 54.7835, 1.30917e-3, 6, 6},
                         Row{254.0, 133.7e6, 0.0445, 0.65, 30e-6, 343.5895, 18.52154e-3, 7, 7}}) {
    const BackbonePointer iwan = pressure_backbone({.shape = PressureShape::quadratic,
                                                    .normal_load = row.normal_load,
                                                    .friction = row.friction,
                                                    .stiffness = (1.0 - row.residual) * row.stiffness,
                                                    .gamma = 0.2});
    const double spring = row.residual * row.stiffness;
    CHECK(spring + iwan->stick_stiffness() == Approx(row.stiffness));
    const double peak = spring * row.amplitude + iwan->at(row.amplitude).force;
    CHECK(peak == Approx(row.peak).margin(printed(row.peak, row.digits)).epsilon(0.0));
    CHECK(iwan->loop_energy(row.amplitude) ==
          Approx(row.energy).margin(printed(row.energy, row.energy_digits)).epsilon(0.0));
  }
}

TEST_CASE("flat on flat without residual stiffness: the 164 N of Table 3 in gross slip", "[joint][pressure]") {
  // No peak or energy is published for this row; both have closed forms: μN and [4(A − 1) − 3.2(1 − γ)²] (μN)²/k_t.
  constexpr double k = 113.7e6;
  constexpr double slip = 0.68 * 164.0;
  const BackbonePointer backbone = pressure_backbone(
      {.shape = PressureShape::quadratic, .normal_load = 164.0, .friction = 0.68, .stiffness = k, .gamma = 0.2});
  CHECK(backbone->macroslip() == Approx(2.6 * slip / k).epsilon(1e-13));
  for (const double amplitude : {3e-6, 10e-6, 30e-6}) {
    CHECK(backbone->at(amplitude).force == Approx(slip).epsilon(1e-13));
    const double energy = (4.0 * (k * amplitude / slip - 1.0) - 3.2 * 0.8 * 0.8) * slip * slip / k;
    CHECK(backbone->loop_energy(amplitude) == Approx(energy).epsilon(1e-12));
  }
}

TEST_CASE("gross slip of flat punches", "[joint][pressure]") {
  // W = [4 (A − 1) − 3.2 (1 − γ)²] (μN)²/k_t, A = k_t u/μN beyond macroslip.
  constexpr double k = 1e7;
  for (const double gamma : {0.0, 0.2, 0.7, 1.0, 1.3, 1.5}) {
    const BackbonePointer backbone = pressure_backbone(
        {.shape = PressureShape::quadratic, .normal_load = load, .friction = friction, .stiffness = k, .gamma = gamma});
    const double energy = (4.0 * (4.0 - 1.0) - 3.2 * (1.0 - gamma) * (1.0 - gamma)) * limit * limit / k;
    CHECK(backbone->loop_energy(4.0 * limit / k) == Approx(energy).epsilon(1e-12));
  }
}

TEST_CASE("a table converges to the shape it samples, at second order", "[joint][pressure]") {
  const auto table = [](const LineLoad& line) { return pressure_backbone(line, friction, sphere_stiffness); };
  const auto shape = [](PressureShape s, double gamma) {
    return pressure_backbone(
        {.shape = s, .normal_load = load, .friction = friction, .stiffness = sphere_stiffness, .gamma = gamma});
  };
  const BackbonePointer hertz = shape(PressureShape::hertz, 1.0);
  const double coarse = difference(*hertz, *table(sphere_line(41)));
  const double fine = difference(*hertz, *table(sphere_line(161)));
  CHECK(coarse < 2e-3);
  CHECK(fine < coarse / 12.0);
  for (const double gamma : {0.0, 0.4, 1.2, 1.5}) {
    CHECK(difference(*shape(PressureShape::quadratic, gamma), *table(quadratic_line(gamma, 2001))) < 1e-6);
  }
  // Linear fields are exact in two rows.
  const Vector ends = Vector{{0.0, 0.04}};
  const LineLoad triangle{ends, Vector{{0.0, 2.0 * load / 0.04}}};
  CHECK(difference(*shape(PressureShape::triangle, 1.0), *table(triangle)) < 1e-14);
  const LineLoad uniform{ends, Vector::Constant(2, load / 0.04)};
  const BackbonePointer jenkins = maxwell_slip_backbone({{sphere_stiffness, limit}});
  CHECK(difference(*jenkins, *table(uniform)) < 1e-14);
  CHECK(difference(*jenkins, *shape(PressureShape::uniform, 1.0)) < 1e-14);
}

TEST_CASE("segments: the sorted chain is the mean over the segments", "[joint][pressure]") {
  std::mt19937_64 generator(20240611);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  constexpr double k = 3e6;
  std::vector<SlipSegment> segments = {{0.1, 5.0, 5.0}, {0.2, 7.0, 7.0 + 1e-9}, {0.1, 0.0, 4.0}};
  for (int i = 0; i < 60; ++i)
    segments.push_back({uniform(generator), 10.0 * uniform(generator), 10.0 * uniform(generator)});
  double shares = 0.0;
  for (const SlipSegment& s : segments) shares += s.share;
  const BackbonePointer chain = segment_backbone(k, segments);
  // E[min(f, s)] of one segment, and its share that still sticks.
  const auto mean = [](const SlipSegment& g, double s) {
    const auto [low, high] = std::minmax(g.first, g.last);
    if (s <= low) return s;
    if (s >= high) return 0.5 * (low + high);
    return s - 0.5 * (s - low) * (s - low) / (high - low);
  };
  const auto stuck = [](const SlipSegment& g, double s) {
    const auto [low, high] = std::minmax(g.first, g.last);
    return s < low ? 1.0 : s >= high ? 0.0 : (high - s) / (high - low);
  };
  double work = 0.0;
  constexpr int steps = 20000;
  const double step = 12.0 / k / steps;
  for (int i = 0; i <= steps; ++i) {
    const double u = i * step;
    double force = 0.0, slope = 0.0;
    for (const SlipSegment& s : segments) force += s.share / shares * mean(s, k * u);
    for (const SlipSegment& s : segments) slope += s.share / shares * k * stuck(s, k * u);
    if (i % 100 == 0) {
      CHECK(chain->at(u).force == Approx(force).epsilon(1e-13).margin(1e-14));
      // The narrow segment is wider than the rounding of u, and steeper than the tolerance of a slope.
      CHECK(chain->at(u).stiffness == Approx(slope).epsilon(1e-11).margin(1e-11 * k));
      CHECK(chain->work(u) == Approx(work + 0.5 * step * force).epsilon(1e-6).margin(1e-14));
    }
    work += step * force;
  }
  CHECK(chain->stick_stiffness() == Approx(k).epsilon(1e-14));
  CHECK(chain->macroslip() > 0.0);
  CHECK(chain->at(chain->macroslip()).stiffness == 0.0);
}

TEST_CASE("gaps carry nothing and are no part of the contact", "[joint][pressure]") {
  // Two pads with a gap between them, and open ends, against the pads pushed together.
  const LineLoad pads{Vector{{0.0, 1.0, 1.0, 2.0, 2.0, 5.0, 5.0, 6.0}},
                      Vector{{0.0, 0.0, 10.0, 30.0, 0.0, 0.0, 20.0, 20.0}}};
  const LineLoad together{Vector{{1.0, 2.0, 2.0, 3.0}}, Vector{{10.0, 30.0, 20.0, 20.0}}};
  CHECK(pads.normal_load() == Approx(40.0));
  CHECK(pads.contact_length() == Approx(2.0));
  const BackbonePointer a = pressure_backbone(pads, 0.3, 1e6);
  CHECK(difference(*a, *pressure_backbone(together, 0.3, 1e6)) < 1e-14);
  CHECK(a->stick_stiffness() == Approx(1e6));
  CHECK(a->slip_force() == Approx(12.0));
}

TEST_CASE("a map is integrated over strips: points would be another law", "[joint][pressure]") {
  constexpr Index n = 401;
  const Vector grid = Vector::LinSpaced(n, -radius, radius);
  Matrix map(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) map(i, j) = hertz_pressure(grid[i], grid[j]);
  }
  const BackbonePointer mindlin = pressure_backbone(
      {.shape = PressureShape::hertz, .normal_load = load, .friction = friction, .stiffness = sphere_stiffness});
  const LineLoad strips = line_load(grid, grid, map);
  CHECK(strips.normal_load() == Approx(load).epsilon(1e-4));
  CHECK(difference(*mindlin, *pressure_backbone(strips, friction, sphere_stiffness)) < 1e-3);

  // Points: area elements at r² = v a² slide on their own at f = μ p(r) π a².
  std::vector<SlipSegment> points;
  constexpr int rings = 2000;
  const auto force = [](double v) {
    return friction * pi * radius * radius * hertz_pressure(radius * std::sqrt(v), 0.0);
  };
  for (int i = 0; i < rings; ++i) {
    const double v = static_cast<double>(i) / rings;
    points.push_back({1.0 / rings, force(v), force(v + 1.0 / rings)});
  }
  const BackbonePointer pointwise = segment_backbone(sphere_stiffness, points);
  CHECK(pointwise->slip_force() == Approx(limit).epsilon(1e-4));
  CHECK(difference(*mindlin, *pointwise) == Approx(0.045).margin(0.0005).epsilon(0.0));
  // Energy against amplitude in microslip: exponent 3 of strips, 4 of points.
  const auto exponent = [](const Backbone& b) {
    const double u = 0.1 * b.macroslip();
    return std::log2(b.loop_energy(2.0 * u) / b.loop_energy(u));
  };
  CHECK(exponent(*mindlin) == Approx(3.0).margin(0.1));
  CHECK(exponent(*pointwise) == Approx(4.0).margin(0.1));
}

TEST_CASE("pressure over a width is a line load", "[joint][pressure]") {
  const Vector x = Vector::LinSpaced(3, 0.0, 0.02);
  const LineLoad load_line = line_load(x, Vector::Constant(3, 1e6), 0.01);
  CHECK(load_line.normal_load() == Approx(200.0));
}

TEST_CASE("wrong pressure fields are refused with the rule", "[joint][pressure]") {
  using Catch::Matchers::Contains;
  const Vector x = Vector::LinSpaced(3, 0.0, 1.0);
  const Vector q = Vector::Constant(3, 10.0);
  const auto build = [](const LineLoad& line, double mu = 0.5, double k = 1e6) {
    return pressure_backbone(line, mu, k);
  };
  CHECK_THROWS_AS(build({x, -q}), ModelError);
  CHECK_THROWS_WITH(build({x, -q}), Contains("the line load is -10 N/m at x = 0 m; it must be >= 0") &&
                                        Contains("write 0 where it is open"));
  CHECK_THROWS_WITH(build({x, 0.0 * q}), Contains("the contact is empty"));
  CHECK_THROWS_WITH(build({-x, q}), Contains("x must not fall, but goes from -0 m to -0.5 m at position 2. Sort it."));
  CHECK_THROWS_WITH(build({x, q.head(2)}), Contains("3 positions and 2 line loads"));
  CHECK_THROWS_WITH(build({x.head(1), q.head(1)}), Contains("x needs at least two positions, there are 1"));
  CHECK_THROWS_WITH(build({x, q}, 0.0), "pressure: friction = 0 must be > 0.");
  CHECK_THROWS_WITH(build({x, q}, 0.5, -1.0), "pressure: stiffness = -1 N/m must be > 0.");
  CHECK_THROWS_WITH(line_load(x, q, 0.0), Contains("width = 0 m must be > 0"));
  CHECK_THROWS_WITH(line_load(x, x, Matrix::Ones(2, 3)), Contains("the map has 2 rows and 3 columns"));
  CHECK_THROWS_WITH(line_load(x, x, -Matrix::Ones(3, 3)), Contains("the pressure is -1 Pa at x = 0 m"));
  CHECK_THROWS_WITH(line_load(x, -x, Matrix::Ones(3, 3)), Contains("y must not fall"));
  CHECK_THROWS_WITH(segment_backbone(1e6, {{1.0, 0.0, 0.0}}), Contains("the contact is empty"));
  CHECK_THROWS_WITH(segment_backbone(1e6, {}), Contains("the contact is empty"));
  CHECK_THROWS_WITH(segment_backbone(1e6, {{0.0, 1.0, 1.0}}), Contains("the share 0 of a segment must be > 0"));
  CHECK_THROWS_WITH(segment_backbone(1e6, {{1.0, -1.0, 1.0}}), Contains("go from -1 N to 1 N; they must be >= 0"));
  ShapedPressure shaped{.normal_load = 500.0, .friction = 0.5, .stiffness = 1e6};
  shaped.normal_load = 0.0;
  CHECK_THROWS_WITH(pressure_backbone(shaped), "pressure: normal_load = 0 N must be > 0.");
  shaped.normal_load = 500.0;
  shaped.shape = PressureShape::quadratic;
  shaped.gamma = 1.6;
  CHECK_THROWS_WITH(pressure_backbone(shaped), Contains("gamma = 1.6 must be in [0, 1.5]"));
}
