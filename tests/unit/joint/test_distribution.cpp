// Gauss points over a stretch, and the preloads along it.
#include "masing/core/error.hpp"
#include "masing/core/types.hpp"
#include "masing/joint/distribution.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace masing;
using Catch::Matchers::Contains;

namespace {

double integral(const std::vector<GaussPoint>& points, const auto& f) {
  double sum = 0.0;
  for (const GaussPoint& point : points) sum += point.weight * f(point.at);
  return sum;
}

}  // namespace

TEST_CASE("n Gauss points integrate degree 2n - 1 exactly and 2n not", "[distribution]") {
  constexpr double from = 0.3;
  constexpr double to = 1.1;
  for (const int n : {1, 2, 3, 5, 8, 19}) {
    const std::vector<GaussPoint> points = gauss_points(from, to, n);
    REQUIRE(points.size() == static_cast<std::size_t>(n));
    for (const int degree : {0, 1, 2 * n - 2, 2 * n - 1}) {
      const double exact = (std::pow(to, degree + 1) - std::pow(from, degree + 1)) / (degree + 1);
      // 40 roundings in the nodes' recurrences at most
      CHECK(integral(points, [&](double x) { return std::pow(x, degree); }) == Approx(exact).epsilon(1e-14 * (1 + n)));
    }
    if (n > 5) continue;
    // The error of x^{2n} is (b−a)^{2n+1} (n!)^4 / ((2n+1) (2n)!^2): A. Quarteroni et al., Numerical Mathematics, 10.2.
    const double expected =
        std::exp((2 * n + 1) * std::log(to - from) + 4.0 * std::lgamma(n + 1.0) - 2.0 * std::lgamma(2.0 * n + 1.0)) /
        (2 * n + 1);
    const double exact = (std::pow(to, 2 * n + 1) - std::pow(from, 2 * n + 1)) / (2 * n + 1);
    const double error = exact - integral(points, [&](double x) { return std::pow(x, 2 * n); });
    CHECK(error == Approx(expected).epsilon(1e-4));
  }
  CHECK_THROWS_WITH(gauss_points(1.0, 1.0, 3), Contains("the end must lie behind the beginning"));
  CHECK_THROWS_WITH(gauss_points(0.0, 1.0, 0), Contains("at least one"));
}

TEST_CASE("preloads add up to their total", "[distribution]") {
  const std::vector<GaussPoint> points = gauss_points(0.2, 0.7, 19);
  for (const auto shape : {PreloadField::Shape::uniform, PreloadField::Shape::sine}) {
    const PreloadField field(0.2, 0.7, 343.0, shape);
    // 19 points resolve half a sine wave to rounding.
    CHECK(integral(points, [&](double x) { return field.at(x); }) == Approx(343.0).epsilon(1e-13));
  }
  const PreloadField sine(0.0, pi, 2.0, PreloadField::Shape::sine);
  CHECK(sine.at(1.0) == Approx(std::sin(1.0)).epsilon(1e-14));
}

TEST_CASE("a table is linear between its rows and constant beyond", "[distribution]") {
  const PreloadField field({0.0, 1.0, 3.0}, {2.0, 4.0, 0.0});
  CHECK(field.at(-1.0) == 2.0);
  CHECK(field.at(0.5) == 3.0);
  CHECK(field.at(2.5) == 1.0);
  CHECK(field.at(9.0) == 0.0);
  CHECK_THROWS_WITH(PreloadField({0.0, 0.0}, {1.0, 1.0}), Contains("must ascend"));
  CHECK_THROWS_WITH(PreloadField({0.0}, {-1.0}), Contains("must be >= 0"));
  CHECK_THROWS_WITH(PreloadField({0.0, 1.0}, {1.0}), Contains("as many loads as places"));
  CHECK_THROWS_WITH(PreloadField(0.0, 1.0, -3.0, PreloadField::Shape::sine), Contains("must be >= 0"));
}
