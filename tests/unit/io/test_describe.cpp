#include "masing/io/describe.hpp"

#include "masing/contact/catalogue.hpp"
#include "masing/core/error.hpp"
#include "masing/io/backbone_sources.hpp"
#include "masing/io/study_schema.hpp"
#include "masing/structure/catalogue.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using Catch::Matchers::Contains;

TEST_CASE("describe lists every section, structure, law and analysis", "[describe]") {
  const std::string all = describe({});
  for (const SectionEntry& entry : study_sections()) CHECK_THAT(all, Contains("  " + entry.name + "\n"));
  for (const StructureEntry& entry : structure_catalogue()) CHECK_THAT(all, Contains("  " + entry.name + "\n"));
  for (const LawEntry& entry : law_catalogue()) CHECK_THAT(all, Contains("  " + entry.name + "\n"));
  for (const SectionEntry& entry : analysis_catalogue()) CHECK_THAT(all, Contains("  " + entry.name + "\n"));
}

TEST_CASE("each page has every key of its table", "[describe]") {
  for (const LawEntry& entry : law_catalogue()) {
    const std::string page = describe({"law", entry.name});
    CHECK(page == describe({entry.name}));
    for (const Option& option : entry.parameters) CHECK_THAT(page, Contains("  " + option.name + ": "));
  }
  for (const StructureEntry& entry : structure_catalogue()) {
    const std::string page = describe({"structure", entry.name});
    for (const Option& option : entry.parameters) CHECK_THAT(page, Contains("  " + option.name + ": "));
  }
  for (const SectionEntry& entry : analysis_catalogue()) {
    const std::string page = describe({"analysis", entry.name});
    for (const Option& option : entry.table) CHECK_THAT(page, Contains("  " + option.name + ": "));
  }
}

TEST_CASE("sources of backbones have pages of their own", "[describe]") {
  const std::string list = describe({"source"});
  for (const BackboneSource* source : backbone_sources()) {
    CHECK_THAT(list, Contains("  " + source->name + "\n"));
    const std::string page = describe({"source", source->name});
    for (const Option& option : source->parameters) CHECK_THAT(page, Contains("  " + option.name + ": "));
    CHECK_THAT(page, Contains("Reference: ") && Contains("Limits: "));
  }
  CHECK_THAT(describe({"source", "density"}), Contains("kind = \"tabulated-backbone\"") && Contains(" or a file"));
  CHECK_THROWS_WITH(describe({"source", "presure"}),
                    "describe: there is no source 'presure'. Did you mean 'pressure'?");
}

TEST_CASE("the keys of a validation case have pages of their own", "[describe]") {
  CHECK_THAT(describe({"validation"}), Contains("quantity") && Contains("figure"));
  CHECK_THAT(describe({"validation", "quantity"}), Contains("verify: a table") && Contains("kind = \"loop-sample\""));
  CHECK_THAT(describe({"validation", "case"}), Contains("publication: a text, required"));
}

TEST_CASE("laws made from a backbone say where it may come from", "[describe]") {
  for (const LawEntry& entry : law_catalogue()) {
    const std::string page = describe({"law", entry.name});
    CHECK((page.find("\"density\" | \"pressure\" | \"roughness\"") != std::string::npos) == entry.needs_backbone());
  }
}

TEST_CASE("the section of loops shows every motion", "[describe]") {
  const std::string page = describe({"section", "loop"});
  for (const char* kind : {"cycles", "minor-loops", "ramp", "history"}) {
    CHECK_THAT(page, Contains(std::string("kind = \"") + kind + "\""));
  }
  CHECK_THAT(page, Contains("of_macroslip: ") && Contains("normal_load: a number or a table [N], optional"));
}

TEST_CASE("a key shows kind, range, unit and default", "[describe]") {
  CHECK_THAT(describe({"jenkins"}), Contains("slip_force: a number > 0 [N], required"));
  CHECK_THAT(describe({"newton"}), Contains("max_iterations: an integer >= 1, default 25"));
  CHECK_THAT(describe({"sensor"}), Contains(R"(: displacement | velocity | acceleration, default "displacement")"));
}

TEST_CASE("unknown names are answered with the nearest ones", "[describe]") {
  CHECK_THROWS_WITH(describe({"law", "jenkin"}), "describe: there is no law 'jenkin'. Did you mean 'jenkins'?");
  CHECK_THROWS_WITH(describe({"strcture"}), "describe: there is no entry 'strcture'. Did you mean 'structure'?");
  CHECK_THROWS_WITH(describe({"laws", "jenkins"}), Contains("there is no group 'laws'. Did you mean 'law'?"));
  CHECK_THROWS_WITH(describe({"a", "b", "c"}), Contains("at most two words"));
}
