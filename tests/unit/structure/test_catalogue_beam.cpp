// kind = "beam" and kind = "rod": what is written becomes what is meant; mistakes name the key.
#include "masing/core/error.hpp"
#include "masing/structure/catalogue.hpp"
#include "masing/structure/finite_element_beam.hpp"
#include "masing/structure/spectral_beam.hpp"

#include <catch2/catch.hpp>

using namespace masing;

namespace {

using Pairs = std::initializer_list<std::pair<const std::string, OptionValue>>;

OptionValues table(Pairs values) {
  OptionValues result;
  for (const auto& [name, value] : values) result.set(name, value);
  return result;
}

OptionValue one(Pairs values) { return std::vector<OptionValues>{table(values)}; }

OptionValue weights(Pairs values) { return one(values); }

const OptionValue steel = one({{"E", 210e9}, {"rho", 7850.0}});

OptionValues completed(const std::string& kind, const std::map<std::string, OptionValue>& changes) {
  const StructureEntry* entry = find_structure(kind);
  REQUIRE(entry != nullptr);
  std::map<std::string, OptionValue> written = {{"method", std::string("finite-element")},
                                                {"length", 0.6},
                                                {"width", 0.04},
                                                {"thickness", 0.005},
                                                {"material", steel},
                                                {"elements", 6L},
                                                {"supports", one({{"at", 0.0}, {"kind", std::string("clamped")}})}};
  for (const auto& [name, value] : changes) written.insert_or_assign(name, value);
  OptionValues values;
  values.set_context("structure", "");
  for (const auto& [name, value] : written) values.set(name, value);
  values.complete(entry->parameters);
  return values;
}

std::shared_ptr<const FiniteElementBeam> make(const std::string& kind,
                                              const std::map<std::string, OptionValue>& changes) {
  const auto made = find_structure(kind)->make(completed(kind, changes), {});
  auto beam = std::dynamic_pointer_cast<const FiniteElementBeam>(made);
  REQUIRE(beam != nullptr);
  return beam;
}

Beam plain_beam() {
  return {.theory = BeamTheory::euler_bernoulli,
          .sections = {{.end = 0.6,
                        .youngs_modulus = 210e9,
                        .density = 7850.0,
                        .area = 0.04 * 0.005,
                        .inertia = 0.04 * 0.005 * 0.005 * 0.005 / 12.0}},
          .supports = {{.at = 0.0, .fixed = {true, true, true}}}};
}

void check_same(const FiniteElementBeam& a, const FiniteElementBeam& b) {
  constexpr double rounding = 1e-14;  // of products of the same factors in another order
  REQUIRE(a.coordinates() == b.coordinates());
  CHECK((a.stiffness() - b.stiffness()).norm() <= rounding * b.stiffness().norm());
  CHECK((a.mass() - b.mass()).norm() <= rounding * b.mass().norm());
  CHECK((a.damping() - b.damping()).norm() <= rounding * b.damping().norm());
  CHECK((a.hysteretic() - b.hysteretic()).norm() <= rounding * b.hysteretic().norm());
}

}  // namespace

TEST_CASE("a beam of one section from width and thickness, or from area and inertia", "[catalogue]") {
  const auto expected = finite_element_beam(plain_beam(), {.elements = 6});
  check_same(*make("beam", {}), *expected);
  const Beam plain = plain_beam();
  check_same(*make("beam", {{"area", plain.sections[0].area}, {"inertia", plain.sections[0].inertia}}), *expected);
}

TEST_CASE("sections override what they say and keep the rest", "[catalogue]") {
  Beam expected = plain_beam();
  const BeamSection whole = expected.sections[0];
  BeamSection thick = whole;
  thick.begin = 0.2, thick.end = 0.3;
  thick.area *= 2.0, thick.inertia *= 8.0;
  thick.loss_factor = 0.02;
  expected.sections = {whole, thick, whole};
  expected.sections[0].end = 0.2;
  expected.sections[2].begin = 0.3;
  const auto made =
      make("beam", {{"loss_factor", 0.001},
                    {"sections", one({{"from", 0.2}, {"to", 0.3}, {"thickness", 0.01}, {"loss_factor", 0.02}})}});
  expected.sections[0].loss_factor = expected.sections[2].loss_factor = 0.001;
  check_same(*made, *finite_element_beam(expected, {.elements = 6}));
}

TEST_CASE("supports, masses, springs and points", "[catalogue]") {
  const auto made = make(
      "beam",
      {{"theory", std::string("timoshenko")},
       {"shear_factor", 0.85},
       {"points", weights({{"tip", 0.6}, {"drive", 0.45}})},
       {"masses", one({{"at", 0.45}, {"m", 0.01}, {"J", 1e-6}})},
       {"springs",
        one({{"from", 0.3}, {"to", 0.6}, {"stiffness", weights({{"w", 1e4}})}, {"damping", weights({{"phi", 2.0}})}})},
       {"supports",
        std::vector<OptionValues>{
            table({{"at", 0.0}, {"kind", std::string("clamped")}}),
            table({{"at", 0.3}, {"fix", std::vector<std::string>{"w"}}}),
            table({{"at", 0.6}, {"kind", std::string("elastic")}, {"stiffness", weights({{"u", 3e6}})}})}}});
  Beam expected = plain_beam();
  expected.theory = BeamTheory::timoshenko;
  expected.sections[0].shear_factor = 0.85;
  expected.points = {{"tip", 0.6}, {"drive", 0.45}};
  expected.masses = {{.at = 0.45, .mass = 0.01, .rotary_inertia = 1e-6}};
  expected.springs = {{.from = 0.3, .to = 0.6, .stiffness = {0.0, 1e4, 0.0}, .damping = {0.0, 0.0, 2.0}}};
  expected.supports.push_back({.at = 0.3, .fixed = {false, true, false}});
  expected.supports.push_back({.at = 0.6, .stiffness = {3e6, 0.0, 0.0}});
  check_same(*made, *finite_element_beam(expected, {.elements = 6}));
  CHECK(made->find("drive.w") >= 0);
  CHECK(made->find("x0.3.w") < 0);
}

TEST_CASE("a rod, with Rayleigh damping", "[catalogue]") {
  const auto made = make("rod", {{"rayleigh", one({{"alpha", 3.0}, {"beta", 0.0}})}});
  CHECK(made->beam().theory == BeamTheory::rod);
  CHECK(made->coordinates().back() == "x0.6.u");
  CHECK((made->damping() - 3.0 * made->mass()).norm() <= 1e-14 * made->damping().norm());
}

TEST_CASE("the spectral method is the default", "[catalogue]") {
  const StructureEntry* entry = find_structure("beam");
  const OptionValues values = OptionValues::from(
      entry->parameters, {{"length", 0.6}, {"width", 0.04}, {"thickness", 0.005}, {"material", steel}}, "structure");
  const auto made = std::dynamic_pointer_cast<const SpectralBeam>(entry->make(values, {}));
  REQUIRE(made != nullptr);
  CHECK(made->coordinates() == std::vector<std::string>{"x0.u", "x0.w", "x0.phi", "x0.6.u", "x0.6.w", "x0.6.phi"});
}

TEST_CASE("wrong beams name the key", "[catalogue][errors]") {
  const auto wrong = [](const std::map<std::string, OptionValue>& changes, const std::string& kind = "beam") {
    make(kind, changes);
  };
  const auto support = [](Pairs values) { return std::map<std::string, OptionValue>{{"supports", one(values)}}; };
  CHECK_THROWS_WITH(wrong(support({{"at", 0.7}, {"kind", std::string("clamped")}})),
                    "structure: supports: at = 0.7 m is not on the beam, which reaches from 0 to 0.6 m.");
  CHECK_THROWS_WITH(wrong(support({{"at", 0.0}})),
                    "structure: supports: at = 0 m needs either `kind` or `fix`, a list of the fixed motions.");
  CHECK_THROWS_WITH(wrong(support({{"at", 0.0}, {"fix", std::vector<std::string>{"v"}}})),
                    "structure: supports: fix = [\"v\"] has 'v', which is no motion of a beam. Known: u, w, phi.");
  CHECK_THROWS_WITH(wrong(support({{"at", 0.0}, {"fix", std::vector<std::string>{"w"}}}), "rod"),
                    Catch::Contains("has 'w', which is no motion of a rod."));
  CHECK_THROWS_WITH(wrong({{"points", weights({{"tip", 0.61}})}}),
                    "structure: points = { tip = 0.61 } has 'tip', which is not on the beam, which reaches from 0 to "
                    "0.6 m.");
  CHECK_THROWS_WITH(wrong({{"sections", one({{"from", 0.3}, {"to", 0.2}})}}),
                    "structure: sections: to = 0.2 m must lie behind `from`.");
  CHECK_THROWS_WITH(wrong({{"sections", std::vector<OptionValues>{table({{"from", 0.1}, {"to", 0.3}}),
                                                                  table({{"from", 0.2}, {"to", 0.4}})}}}),
                    "structure: sections 2: from = 0.2 m lies in the section before, which ends at 0.3 m.");
  CHECK_THROWS_WITH(wrong({{"shear_factor", 0.8}}),
                    "structure: shear_factor = 0.8 belongs to theory = \"timoshenko\".");
  CHECK_THROWS_WITH(wrong({{"elements", 0L}}), "structure: elements = 0 must be in [1, 1000].");
  CHECK_THROWS_WITH(wrong({{"method", std::string("spectral")}}),
                    "structure: elements = 6 belongs to method = \"finite-element\".");
  OptionValues bare = completed("beam", {});
  const StructureEntry* entry = find_structure("beam");
  OptionValues without_thickness;
  without_thickness.set_context("structure", "");
  for (const auto& [name, value] : bare.all()) {
    if (name != "thickness") without_thickness.set(name, value);
  }
  without_thickness.complete(entry->parameters);
  CHECK_THROWS_WITH(entry->make(without_thickness, {}),
                    "structure: thickness is missing: give width and thickness, or the area.");
}
