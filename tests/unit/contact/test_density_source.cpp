#include "masing/contact/backbone_source.hpp"
#include "masing/contact/backbones.hpp"
#include "masing/core/error.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace masing;
using Catch::Contains;

namespace {

using Keys = std::map<std::string, OptionValue>;

SourcedBackbone source(const Keys& density, const Keys& beside = {}) {
  OptionValues table;
  for (const auto& [name, value] : density) table.set(name, value, "study.toml:9");
  OptionValues values;
  values.set_context("joint 'bolt'", "study.toml:7");
  for (const auto& [name, value] : beside) values.set(name, value, "study.toml:8");
  values.set("density", std::vector<OptionValues>{table}, "study.toml:9");
  values.complete(density_source().parameters);
  return density_source().make(values);
}

const Keys scale = {{"stiffness", 2.0e7}, {"slip_force", 300.0}};

OptionValue matrix(std::initializer_list<std::initializer_list<double>> rows) {
  Matrix result(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index i = 0;
  for (const auto& row : rows) {
    Index j = 0;
    for (const double entry : row) result(i, j++) = entry;
    ++i;
  }
  return result;
}

bool same(const SourcedBackbone& sourced, const BackbonePointer& expected) {
  bool equal = sourced.backbone->macroslip() == expected->macroslip();
  for (int i = 0; i < 30; ++i) {
    const double u = 0.05 * i * expected->macroslip();
    equal = equal && sourced.backbone->at(u).force == expected->at(u).force;
  }
  return equal;
}

}  // namespace

TEST_CASE("the density source makes every kind", "[density_source]") {
  const double k = 2.0e7;
  const double f = 300.0;
  CHECK(same(source({{"kind", "uniform"}}, scale), uniform_backbone({k, f})));
  CHECK(same(source({{"kind", "four-parameter"}, {"chi", -0.4}, {"beta", 0.1}}, scale),
             four_parameter_backbone({k, f, -0.4, 0.1})));
  CHECK(same(source({{"kind", "five-parameter"}, {"chi", -0.4}, {"beta", 0.1}, {"theta", 0.8}}, scale),
             five_parameter_backbone({k, f, -0.4, 0.1, 0.8})));
  CHECK(same(source({{"kind", "end-singular"}, {"chi", -0.4}, {"beta", 0.1}, {"exponent", 0.5}}, scale),
             end_singular_backbone({k, f, -0.4, 0.1, 0.5})));
  CHECK(same(source({{"kind", "hertz"}}, scale), hertz_backbone({k, f})));
  CHECK(same(source({{"kind", "flat"}, {"gamma", 0.2}}, scale), flat_backbone({k, f, 0.2})));
  CHECK(same(source({{"kind", "maxwell-slip"}, {"elements", matrix({{2.0, 1.0}, {3.0, 9.0}})}}),
             maxwell_slip_backbone({{2.0, 1.0}, {3.0, 9.0}})));
  CHECK(same(source({{"kind", "tabulated-density"}, {"table", matrix({{0.0, 1.0}, {2.0, 5.0}})}}),
             tabulated_density_backbone({{0.0, 1.0}, {2.0, 5.0}})));
  CHECK(
      same(source({{"kind", "tabulated-density"}, {"table", matrix({{0.0, 1.0}, {2.0, 5.0}})}, {"end_stiffness", 3.0}}),
           tabulated_density_backbone({{0.0, 1.0}, {2.0, 5.0}}, 3.0)));
  CHECK(same(source({{"kind", "tabulated-backbone"}, {"table", matrix({{1.0, 5.0}, {2.0, 7.0}, {3.0, 7.0}})}}),
             tabulated_backbone({{1.0, 5.0}, {2.0, 7.0}, {3.0, 7.0}})));
}

TEST_CASE("the density source tells what follows from the parameters", "[density_source]") {
  const std::vector<std::string> notes = source({{"kind", "hertz"}}, scale).notes;
  CHECK(notes == std::vector<std::string>{"stick stiffness 2e+07 N/m", "macroslip displacement 2.25e-05 m",
                                          "macroslip force 300 N"});
}

TEST_CASE("every kind is described", "[density_source]") {
  const BackboneSource& described = density_source();
  CHECK(described.name == "density");
  CHECK_FALSE(described.limits.empty());
  const Option& density = described.parameters.back();
  REQUIRE(density.variants.size() == 9);
  for (const OptionVariant& variant : density.variants) {
    INFO(variant.name);
    CHECK(variant.summary.back() == '.');
    for (const Option& option : variant.table) CHECK_FALSE(option.meaning.empty());
  }
}

TEST_CASE("densities out of range are refused with place and rule", "[density_source]") {
  CHECK_THROWS_WITH(source({{"kind", "four-parameter"}, {"chi", -1.0}, {"beta", 0.1}}, scale),
                    "study.toml:9: joint 'bolt': density: chi = -1 must be in (-1, 0].");
  CHECK_THROWS_WITH(source({{"kind", "four-parameter"}, {"chi", -0.5}, {"beta", -0.1}}, scale),
                    "study.toml:9: joint 'bolt': density: beta = -0.1 must be >= 0.");
  CHECK_THROWS_WITH(source({{"kind", "five-parameter"}, {"chi", -0.5}, {"beta", 0.1}, {"theta", 0.0}}, scale),
                    Contains("theta = 0 must be in (0, 1]"));
  CHECK_THROWS_WITH(source({{"kind", "end-singular"}, {"chi", -0.5}, {"beta", 0.1}, {"exponent", 1.0}}, scale),
                    Contains("exponent = 1 must be in [0, 1)"));
  CHECK_THROWS_WITH(source({{"kind", "flat"}, {"gamma", 1.6}}, scale), Contains("gamma = 1.6 must be in [0, 1.5]"));
  CHECK_THROWS_WITH(source({{"kind", "hertz"}}, {{"stiffness", -1.0}, {"slip_force", 3.0}}),
                    "study.toml:8: joint 'bolt': stiffness = -1 N/m must be > 0.");
  CHECK_THROWS_WITH(source({{"kind", "herz"}}, scale), Contains("kind = \"herz\" is not known. Did you mean 'hertz'?"));
}

TEST_CASE("stiffness and slip force belong to the kinds without a table", "[density_source]") {
  CHECK_THROWS_WITH(source({{"kind", "hertz"}}, {{"slip_force", 3.0}}),
                    "study.toml:7: joint 'bolt': stiffness is missing: density kind 'hertz' needs it.");
  CHECK_THROWS_WITH(source({{"kind", "flat"}, {"gamma", 1.0}}, {{"stiffness", 3.0}}),
                    "study.toml:7: joint 'bolt': slip_force is missing: density kind 'flat' needs it.");
  CHECK_THROWS_WITH(source({{"kind", "maxwell-slip"}, {"elements", matrix({{2.0, 1.0}})}}, scale),
                    "study.toml:8: joint 'bolt': stiffness = 20000000 N/m must be left out: density kind "
                    "'maxwell-slip' says it already.");
}

TEST_CASE("tables that are none are refused with place and row", "[density_source]") {
  CHECK_THROWS_WITH(source({{"kind", "tabulated-density"}, {"table", matrix({{0.0, 1.0, 2.0}})}}),
                    "study.toml:9: joint 'bolt': density: table = [[0, 1, 2]] must have 2 columns, not 3.");
  CHECK_THROWS_WITH(
      source({{"kind", "tabulated-density"}, {"table", matrix({{0.0, 1.0}, {0.0, 2.0}})}}),
      Contains("study.toml:9: joint 'bolt': density: table = [[0, 1], [0, 2]] is refused. tabulated density: "
               "row 2: displacement = 0 m must be larger than in the row before."));
  CHECK_THROWS_WITH(source({{"kind", "tabulated-density"}, {"table", matrix({{0.0, 1.0}, {1.0, -2.0}})}}),
                    Contains("must be >= 0 in every entry"));
  CHECK_THROWS_WITH(source({{"kind", "tabulated-density"}, {"table", matrix({{0.0, 0.0}, {1.0, 0.0}})}}),
                    Contains("its integral, the stiffness, is 0 N/m"));
  CHECK_THROWS_WITH(source({{"kind", "tabulated-backbone"}, {"table", matrix({{1.0, 2.0}, {2.0, 1.0}})}}),
                    Contains("row 2: force = 1 N must not be smaller"));
  CHECK_THROWS_WITH(source({{"kind", "maxwell-slip"}, {"elements", matrix({{2.0, 0.0}})}}),
                    Contains("elements = [[2, 0]] must be > 0 in every entry"));
}
