#include "unit/contact/backbone_support.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>

using namespace masing;
using namespace masing::test;
using Catch::Contains;

namespace {

/// Up to 4000 rounded terms in a sum.
constexpr double rounding = 1e-11;

/// Largest relative error of a loop's energy for amplitudes between two multiples of the macroslip displacement.
double loop_error(const Backbone& backbone, int count, double from, double to) {
  const BackbonePointer binned = maxwell_slip_backbone(bin_backbone(backbone, count));
  double largest = 0.0;
  for (int i = 0; i <= 200; ++i) {
    const double amplitude = (from + (to - from) * i / 200) * backbone.macroslip();
    largest = std::max(largest, std::abs(binned->loop_energy(amplitude) / backbone.loop_energy(amplitude) - 1.0));
  }
  return largest;
}

/// F̂ = 1 − exp(−u): density exp(−ϕ), never in macroslip.
class EndlessBackbone final : public Backbone {
 public:
  BackboneValue at(double u) const override { return {-std::expm1(-u), std::exp(-u)}; }
  double work(double u) const override { return u + std::expm1(-u); }
  double macroslip() const override { return std::numeric_limits<double>::infinity(); }
};

}  // namespace

TEST_CASE("binning keeps the stiffness and the slip force, whatever the count", "[binning]") {
  for (const auto& [name, backbone] : all_backbones()) {
    for (const int count : {1, 2, 5, 21, 100, 4000}) {
      const std::vector<SlipElement> elements = bin_backbone(*backbone, count);
      double stiffness = 0.0;
      double slip_force = 0.0;
      for (const SlipElement& element : elements) {
        stiffness += element.stiffness;
        slip_force += element.slip_force;
      }
      INFO(name << ", " << count << " elements");
      CHECK(static_cast<int>(elements.size()) <= count);
      CHECK(stiffness == Approx(backbone->stick_stiffness()).epsilon(rounding));
      CHECK(slip_force == Approx(backbone->slip_force()).epsilon(rounding));
    }
  }
}

TEST_CASE("binned elements slide one after the other, none behind macroslip", "[binning]") {
  for (const auto& [name, backbone] : all_backbones()) {
    double before = 0.0;
    for (const SlipElement& element : bin_backbone(*backbone, 50)) {
      const double reach = element.slip_force / element.stiffness;
      INFO(name);
      CHECK(reach > before);
      CHECK(reach <= backbone->macroslip() * (1.0 + 1e-9));
      before = reach;
    }
  }
}

TEST_CASE("a jump at macroslip is an element of its own", "[binning]") {
  const FourParameters p = {1.5e7, 4e3, -0.5, 0.005};
  const FourParameterConstants c = four_parameter_constants(p);
  const SlipElement last = bin_backbone(*four_parameter_backbone(p), 21).back();
  CHECK(last.stiffness == Approx(c.S).epsilon(rounding * p.stiffness / c.S));
  CHECK(last.slip_force / last.stiffness == Approx(c.phi_max).epsilon(1e-9));
  const std::vector<SlipElement> five = bin_backbone(*five_parameter_backbone({1.5e7, 4e3, -0.5, 0.005, 0.75}), 21);
  CHECK(five.back().stiffness < 0.0);
  CHECK(std::all_of(five.begin(), five.end() - 1, [](const SlipElement& e) { return e.stiffness > 0.0; }));
}

TEST_CASE("Maxwell slip binned finely is itself", "[binning]") {
  const std::vector<SlipElement> elements = {{1e7, 1e3}, {3e6, 2e3}, {2e6, 3e3}};
  const BackbonePointer backbone = maxwell_slip_backbone(elements);
  const BackbonePointer binned = maxwell_slip_backbone(bin_backbone(*backbone, 40));
  for (const double share : {0.1, 0.2, 0.5, 0.9, 1.5}) {
    const double u = share * backbone->macroslip();
    CHECK(binned->at(u).force == Approx(backbone->at(u).force).epsilon(1e-9));
  }
}

TEST_CASE("21 binned elements give the loops of smooth backbones", "[binning]") {
  const BackbonePointer laws[] = {hertz_backbone({1.5e7, 4e3}), uniform_backbone({1.5e7, 4e3}),
                                  flat_backbone({1.5e7, 4e3, 0.2}), four_parameter_backbone({1.5e7, 4e3, -0.5, 0.005}),
                                  four_parameter_backbone({1.5e7, 4e3, -0.76, 0.16})};
  for (const BackbonePointer& backbone : laws) {
    CHECK(loop_error(*backbone, 21, 1.5, 3.0) < 0.1e-2);
    CHECK(loop_error(*backbone, 21, 1.0, 1.5) < 0.25e-2);
    CHECK(loop_error(*backbone, 21, 0.5, 1.0) < 0.7e-2);
    CHECK(loop_error(*backbone, 21, 0.25, 0.5) < 2.0e-2);
  }
}

TEST_CASE("binned loops converge with the square of the count", "[binning]") {
  for (const auto& [name, backbone] : all_backbones()) {
    if (name.find("Jenkins") != std::string::npos || name.find("Maxwell") != std::string::npos || name == "binned")
      continue;
    INFO(name);
    const double coarse = loop_error(*backbone, 40, 0.6, 1.5);
    const double fine = loop_error(*backbone, 640, 0.6, 1.5);
    CHECK(std::log2(coarse / fine) / 4.0 == Approx(2.0).margin(0.3));
  }
}

TEST_CASE("a backbone without macroslip is binned up to a given displacement", "[binning]") {
  const EndlessBackbone endless;
  CHECK_THROWS_WITH(bin_backbone(endless, 10), Contains("never reaches macroslip") && Contains("Give the largest"));
  const std::vector<SlipElement> elements = bin_backbone(endless, 100, 3.0);
  CHECK(elements.back().slip_force / elements.back().stiffness == Approx(3.0));
  const BackbonePointer binned = maxwell_slip_backbone(elements);
  CHECK(binned->stick_stiffness() == Approx(1.0).epsilon(rounding));
  CHECK(binned->slip_force() == Approx(endless.at(3.0).force).epsilon(rounding));
  CHECK(binned->loop_energy(2.0) == Approx(endless.loop_energy(2.0)).epsilon(1e-3));
}

TEST_CASE("binning refuses impossible counts and displacements", "[binning]") {
  const BackbonePointer hertz = hertz_backbone({1.0, 1.0});
  CHECK_THROWS_WITH(bin_backbone(*hertz, 0), "binning: 0 elements asked for, but at least 1 is needed.");
  CHECK_THROWS_WITH(bin_backbone(*hertz, 5, 0.0), "binning: the largest displacement = 0 m must be > 0.");
}
