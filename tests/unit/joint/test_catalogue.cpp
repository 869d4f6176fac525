// What a study may write behind from = "pressure" and from = "roughness", the notes that come back, and the refusals.
#include "masing/joint/catalogue.hpp"

#include "masing/contact/backbones.hpp"
#include "masing/core/error.hpp"
#include "masing/joint/pressure.hpp"
#include "unit/joint/surfaces.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace masing;
using Catch::Matchers::Contains;
using Values = std::initializer_list<std::pair<const std::string, OptionValue>>;

namespace {

const BackboneSource& source(std::string_view name) {
  const auto& all = surface_sources();
  const auto found = std::find_if(all.begin(), all.end(), [&](const BackboneSource& s) { return s.name == name; });
  REQUIRE(found != all.end());
  return *found;
}

OptionValue table(Values values) {
  OptionValues result;
  for (const auto& [name, value] : values) result.set(name, value);
  return std::vector<OptionValues>{result};
}

OptionValue kind(const std::string& name) { return table({{"kind", name}}); }

SourcedBackbone make(std::string_view name, Values values) {
  const BackboneSource& s = source(name);
  return s.make(OptionValues::from(s.parameters, values, "joint 'a'"));
}

bool notes_contain(const SourcedBackbone& sourced, const std::string& text) {
  return std::any_of(sourced.notes.begin(), sourced.notes.end(),
                     [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

const OptionValue steel = table({{"E", 200e9}, {"nu", 0.3}});
const OptionValue steel_summits =
    table({{"kind", std::string("summits")}, {"sigma", 1e-6}, {"radius", 200e-6}, {"density", 250e6}});

SourcedBackbone steel_interface(const OptionValue& elements) {
  return make("roughness", {{"normal_load", 100.0},
                            {"friction", 0.45},
                            {"area", 5e-4},
                            {"material", steel},
                            {"roughness", steel_summits},
                            {"elements", elements}});
}

}  // namespace

TEST_CASE("both sources explain themselves", "[joint]") {
  REQUIRE(surface_sources().size() == 2);
  for (const BackboneSource& s : surface_sources()) {
    CHECK_FALSE(s.summary.empty());
    CHECK_FALSE(s.equation.empty());
    CHECK_FALSE(s.reference.empty());
    CHECK_FALSE(s.limits.empty());
    for (const Option& option : s.parameters) CHECK_FALSE(option.meaning.empty());
  }
}

TEST_CASE("pressure: shapes and the sphere's stiffness", "[joint][pressure]") {
  const OptionValue sphere = table({{"shear_modulus", 27e9}, {"nu", 0.33}, {"contact_radius", 2e-3}});
  const SourcedBackbone hertz =
      make("pressure", {{"friction", 0.5}, {"normal_load", 500.0}, {"sphere", sphere}, {"pressure", kind("hertz")}});
  CHECK(hertz.backbone->stick_stiffness() == Approx(2.58682635e8));
  CHECK(hertz.backbone->slip_force() == Approx(250.0));
  CHECK(notes_contain(hertz, "tangential stiffness 258682635 N/m"));
  const OptionValue pair =
      table({{"E", 2.0 * 1.33 * 27e9}, {"nu", 0.33}, {"contact_radius", 2e-3}, {"against", std::string("same")}});
  const SourcedBackbone two =
      make("pressure", {{"friction", 0.5}, {"normal_load", 500.0}, {"sphere", pair}, {"pressure", kind("uniform")}});
  CHECK(two.backbone->stick_stiffness() == Approx(0.5 * 2.58682635e8));
  const auto flat = make("pressure", {{"friction", 0.48},
                                      {"normal_load", 87.0},
                                      {"stiffness", 30.5e6},
                                      {"pressure", table({{"kind", std::string("quadratic")}, {"gamma", 0.2}})}});
  CHECK(flat.backbone->macroslip() == Approx(2.6 * 0.48 * 87.0 / 30.5e6));
  const auto triangle =
      make("pressure", {{"friction", 0.5}, {"normal_load", 100.0}, {"stiffness", 1e6}, {"pressure", kind("triangle")}});
  CHECK(triangle.backbone->macroslip() == Approx(1e-4));
}

TEST_CASE("pressure: tables are taken as written or scaled to the load", "[joint][pressure]") {
  const Matrix rows = Matrix{{0.0, 0.0}, {0.01, 4e6}, {0.02, 0.0}};
  const OptionValue line = table({{"kind", std::string("line")}, {"table", rows}, {"width", 0.005}});
  const auto written = make("pressure", {{"friction", 0.5}, {"stiffness", 1e8}, {"pressure", line}});
  CHECK(written.backbone->slip_force() == Approx(0.5 * 200.0));
  CHECK(notes_contain(written, "normal load of the table 200 N on a contact length of 0.02 m"));
  const auto scaled =
      make("pressure", {{"friction", 0.5}, {"stiffness", 1e8}, {"normal_load", 50.0}, {"pressure", line}});
  CHECK(scaled.backbone->slip_force() == Approx(25.0));
  CHECK(notes_contain(scaled, "scaled by 0.25"));

  const Matrix p = Matrix{{0.0, 0.0}, {4e6, 4e6}, {0.0, 0.0}};
  const auto map = make("pressure", {{"friction", 0.5},
                                     {"stiffness", 1e8},
                                     {"pressure", table({{"kind", std::string("map")},
                                                         {"x", std::vector<double>{0.0, 0.01, 0.02}},
                                                         {"y", std::vector<double>{0.0, 0.005}},
                                                         {"p", p}})}});
  const Matrix whole{{0.0, 0.0, 0.005}, {0.0, 0.0, 0.0}, {0.01, 4e6, 4e6}, {0.02, 0.0, 0.0}};
  const auto one = make(
      "pressure",
      {{"friction", 0.5}, {"stiffness", 1e8}, {"pressure", table({{"kind", std::string("map")}, {"table", whole}})}});
  for (const double u : {2e-7, 7e-7, 3e-6}) {
    CHECK(map.backbone->at(u).force == Approx(written.backbone->at(u).force));
    CHECK(one.backbone->at(u).force == Approx(written.backbone->at(u).force));
  }
}

TEST_CASE("pressure: what does not fit together is refused", "[joint][pressure]") {
  const OptionValue sphere = table({{"nu", 0.33}, {"contact_radius", 2e-3}});
  CHECK_THROWS_WITH(make("pressure", {{"friction", 0.5}, {"stiffness", 1e8}, {"pressure", kind("hertz")}}),
                    Contains("joint 'a': normal_load is missing: a shape of the pressure has no size of its own."));
  CHECK_THROWS_WITH(make("pressure", {{"friction", 0.5}, {"normal_load", 1.0}, {"pressure", kind("hertz")}}),
                    Contains("stiffness or sphere must be given, one of the two."));
  CHECK_THROWS_WITH(
      make("pressure", {{"friction", 0.5}, {"normal_load", 1.0}, {"sphere", sphere}, {"pressure", kind("hertz")}}),
      Contains("shear_modulus or E must be given, one of the two."));
  CHECK_THROWS_WITH(make("pressure", {{"friction", -0.5}, {"stiffness", 1e8}, {"pressure", kind("hertz")}}),
                    Contains("friction = -0.5 must be > 0"));
  CHECK_THROWS_WITH(make("pressure", {{"friction", 0.5}, {"stiffness", 1e8}, {"pressure", kind("herz")}}),
                    Contains("Did you mean 'hertz'?"));
  const auto with = [](const OptionValue& pressure) {
    return make("pressure", {{"friction", 0.5}, {"stiffness", 1e8}, {"normal_load", 1.0}, {"pressure", pressure}});
  };
  CHECK_THROWS_WITH(with(table({{"kind", std::string("quadratic")}, {"gamma", 1.6}})),
                    Contains("gamma = 1.6 must be in [0, 1.5]"));
  CHECK_THROWS_WITH(with(table({{"kind", std::string("line")}, {"table", Matrix(Matrix::Ones(2, 3))}})),
                    Contains("must have two columns: position and load."));
  CHECK_THROWS_WITH(with(table({{"kind", std::string("map")}, {"p", Matrix(Matrix::Ones(2, 2))}})),
                    Contains("needs x and y beside it"));
  CHECK_THROWS_WITH(with(table({{"kind", std::string("map")}, {"table", Matrix(Matrix::Ones(2, 2))}})),
                    Contains("at least two rows x and two columns y"));
  const Matrix negative = Matrix{{0.0, 1.0}, {1.0, -2.0}};
  CHECK_THROWS_WITH(with(table({{"kind", std::string("line")}, {"table", negative}})),
                    Contains("line load is -2 N/m at x = 1 m"));
}

TEST_CASE("roughness: derived numbers come back as notes", "[joint][roughness]") {
  const SourcedBackbone exact = steel_interface(kind("exact"));
  for (const char* note :
       {"separation 3.63039e-06 m", "asperities in contact 472.3", "tangential stiffness 3.92405e+08 N/m",
        "without the cut-off 2.09533e+08 N/m (-46.6 %)", "macroslip of the exact law from 3.3455e-07 m",
        "Iwan density at zero 2.43184e+15 N/m²", "slip force 45 N"}) {
    CAPTURE(note);
    CHECK(notes_contain(exact, note));
  }
  CHECK(exact.backbone->stick_stiffness() == Approx(3.92405e8).epsilon(1e-5));
}

TEST_CASE("roughness: elements instead of the exact curve", "[joint][roughness]") {
  const double slip = steel_interface(kind("exact")).backbone->macroslip();
  const auto printed = steel_interface(table({{"kind", std::string("printed")}, {"regions", 3L}, {"annuli", 7L}}));
  CHECK(notes_contain(printed, "loop area of the 21 elements at 0.5 times the macroslip of the exact law: +3.1"));
  const auto consistent =
      steel_interface(table({{"kind", std::string("consistent")}, {"regions", 3L}, {"annuli", 7L}}));
  CHECK(consistent.backbone->loop_energy(0.5 * slip) < printed.backbone->loop_energy(0.5 * slip));
  const auto binned = steel_interface(table({{"kind", std::string("binned")}, {"count", 21L}}));
  CHECK(notes_contain(binned, "at 0.5 times the macroslip of the exact law: +0.03 %"));
  CHECK(notes_contain(binned, "at 1.5 times the macroslip of the exact law: +0.06 %"));
}

TEST_CASE("roughness: from a profile, with friction from the strength", "[joint][roughness]") {
  const auto support = [](double skewness) {
    return make("roughness", {{"normal_load", 147.0},
                              {"strength_to_hardness", 0.35},
                              {"area", 1e-4},
                              {"lower", steel},
                              {"upper", steel},
                              {"roughness", table({{"kind", std::string("profile")},
                                                   {"Rq", 5.9e-6},
                                                   {"Rsm", 300e-6},
                                                   {"Rpc", 5100.0},
                                                   {"Rsk", skewness},
                                                   {"Rku", 3.2}})}});
  };
  const SourcedBackbone gaussian = support(0.1);
  CHECK(notes_contain(gaussian, "sigma 4.634"));
  CHECK(notes_contain(gaussian, "friction coefficient 0.45"));
  CHECK_FALSE(notes_contain(gaussian, "far from Gaussian"));
  CHECK(gaussian.backbone->stick_stiffness() == Approx(8.0e7).margin(0.05e7));
  CHECK(notes_contain(support(-1.0), "far from Gaussian"));
}

TEST_CASE("roughness: what does not fit together is refused", "[joint][roughness]") {
  const auto with = [](const char* key, const OptionValue& value, const char* other, const OptionValue& other_value) {
    return make(
        "roughness",
        {{"normal_load", 100.0}, {"area", 5e-4}, {"roughness", steel_summits}, {key, value}, {other, other_value}});
  };
  CHECK_THROWS_WITH(with("material", steel, "upper", steel),
                    Contains("must be given alone, or instead of it both lower and upper"));
  CHECK_THROWS_WITH(with("friction", 0.3, "lower", steel), Contains("material must be given alone"));
  CHECK_THROWS_WITH(with("material", steel, "heights", std::string("gaussian")), Contains("friction is missing"));
  CHECK_THROWS_WITH(make("roughness", {{"normal_load", 100.0},
                                       {"area", 5e-4},
                                       {"material", steel},
                                       {"roughness", steel_summits},
                                       {"friction", 0.3},
                                       {"strength_to_hardness", 0.2}}),
                    Contains("strength_to_hardness = 0.2 and friction say the same twice"));
  CHECK_THROWS_WITH(make("roughness", {{"normal_load", 1e-9},
                                       {"area", 5e-4},
                                       {"material", steel},
                                       {"roughness", steel_summits},
                                       {"friction", 0.3}}),
                    Contains("no contact"));
}
