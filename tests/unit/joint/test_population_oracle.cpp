// Joints from pressure and roughness against sliders one by one, on histories with nested minor loops. The strips of a
// pressure field are taken from the field itself; sliders of a rough joint are bins of its backbone.
#include "masing/contact/iwan.hpp"
#include "masing/joint/pressure.hpp"
#include "masing/joint/roughness.hpp"
#include "support/sliders.hpp"
#include "unit/contact/iwan_support.hpp"
#include "unit/joint/surfaces.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using support::Slider;
using support::Sliders;

namespace {

constexpr int few = 500;
constexpr int many = 4000;
constexpr double lowest_order = 1.8;  // 2, where edges of the field fall into the strips alike
constexpr double rounding = 1e-11;    // uniform pressure: sliders are the law itself
// Of the slip force, with n = 4000 sliders, loaded for the first time: neighbours of 1/n of the stiffness slide at
// displacements that differ by the slope of q over n. That slope is at most 40 of the mean load over the length (in the
// table): an eighth of 40/n² for each row of the table at that load, of which there are up to 20.
constexpr double most_error = 6.3e-6;

constexpr double friction = 0.5;
constexpr double load = 500.0;
constexpr double stiffness = 2.6e8;

void check_limit(const std::string& name, const BackbonePointer& backbone,
                 const std::function<std::vector<Slider>(int)>& population, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<double>> histories;
  for (const double largest : {0.3, 0.9, 1.6})
    histories.push_back(test::nested_history(random, 100, 3, largest * backbone->macroslip()));
  const auto against = [&](int count) {
    support::Deviation deviation;
    for (const std::vector<double>& history : histories) {
      Sliders sliders(population(count));
      const auto point = make_iwan(backbone)->at_rest();
      for (const double x : history)
        deviation.add((sliders.advance(x) - test::advance(*point, x)) / backbone->slip_force());
    }
    return deviation;
  };
  const double fine = support::loading_error(population(many), *backbone) / backbone->slip_force();
  const double coarse = support::loading_error(population(few), *backbone) / backbone->slip_force();
  const double nested = against(many).largest();
  const double allowed = support::nested_error(fine, histories);
  const double order = std::log(coarse / fine) / std::log(static_cast<double>(many) / few);
  WARN(name << ": with " << many << " sliders " << fine << " of the slip force in loading, order " << order << "; "
            << nested << " in nested loops, where " << allowed << " is allowed");
  CHECK(fine < most_error);
  CHECK(nested <= allowed + rounding);
  if (fine > rounding) CHECK(order > lowest_order);
}

/// Equal strips; the one at the share s of the length carries q(s) times the mean load.
std::function<std::vector<Slider>(int)> strips(const std::function<double(double)>& q) {
  return [q](int count) {
    return support::equal_sliders(stiffness, count, [&q](double s) { return friction * load * q(s) / stiffness; });
  };
}

}  // namespace

TEST_CASE("joints from a pressure shape are the limit of strips that slide one by one", "[joint][population]") {
  const auto check_shape = [](const std::string& name, PressureShape shape, double gamma,
                              const std::function<double(double)>& q) {
    const BackbonePointer backbone = pressure_backbone(
        {.shape = shape, .normal_load = load, .friction = friction, .stiffness = stiffness, .gamma = gamma});
    check_limit(name, backbone, strips(q), 411);
  };
  check_shape("uniform pressure", PressureShape::uniform, 1.0, [](double) { return 1.0; });
  check_shape("triangle", PressureShape::triangle, 1.0, [](double s) { return 2.0 * s; });
  check_shape("Hertz", PressureShape::hertz, 1.0,
              [](double s) { return 1.5 * (1.0 - (2.0 * s - 1.0) * (2.0 * s - 1.0)); });
  for (const double gamma : {0.0, 0.2, 1.3}) {
    check_shape("quadratic, gamma = " + std::to_string(gamma), PressureShape::quadratic, gamma,
                [gamma](double s) { return gamma + 12.0 * (1.0 - gamma) * (s - 0.5) * (s - 0.5); });
  }
}

TEST_CASE("a joint from a table of line loads is the limit of strips that slide one by one", "[joint][population]") {
  // Rows at multiples of L/20; the load is scaled to the mean 1.
  const Vector x = Vector::LinSpaced(21, 0.0, 0.05);
  Vector q(21);
  for (Index i = 0; i < 21; ++i) q[i] = 1.0 + std::sin(2.1 * static_cast<double>(i)) + 0.05 * static_cast<double>(i);
  const LineLoad shape{x, q};
  const LineLoad line{x, q * load / shape.normal_load()};
  const double mean = load / 0.05;
  check_limit("tabulated line load", pressure_backbone(line, friction, stiffness), strips([&](double s) {
                const auto row = static_cast<Index>(20.0 * s);
                const double share = 20.0 * s - static_cast<double>(row);
                return (line.q[row] + share * (line.q[row + 1] - line.q[row])) / mean;
              }),
              412);
}

TEST_CASE("rough joints are the limit of sliders", "[joint][population]") {
  RoughSurfaces exponential = test::steel_surfaces();
  exponential.heights = HeightDensity::exponential;
  exponential.cut_off = 3.0;
  const std::vector<std::pair<std::string, BackbonePointer>> joints = {
      {"steel, 100 N", rough_backbone(RoughInterface(test::steel_surfaces()), test::steel_load)},
      {"steel, 50 kN", rough_backbone(RoughInterface(test::steel_surfaces()), 5e4)},
      {"aluminium", rough_backbone(RoughInterface(test::aluminium_surfaces()), 19.62)},
      {"exponential heights", rough_backbone(RoughInterface(exponential), 2000.0)}};
  for (const auto& [name, backbone] : joints) {
    const auto binned = [&curve = *backbone](int count) { return support::binned_sliders(curve, count); };
    check_limit("rough, " + name, backbone, binned, 413);
  }
}
