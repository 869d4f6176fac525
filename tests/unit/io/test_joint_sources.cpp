// Every law that is made from a backbone takes every source of one.
#include "masing/contact/catalogue.hpp"
#include "masing/io/study.hpp"

#include <catch2/catch.hpp>
#include <map>

using namespace masing;
using Catch::Matchers::Contains;

namespace {

const std::map<std::string, std::string>& sources() {
  static const std::map<std::string, std::string> all = {
      {"density", "stiffness = 1e6\nslip_force = 10.0\ndensity = { kind = \"uniform\" }\n"},
      {"pressure",
       "from = \"pressure\"\nfriction = 0.3\nnormal_load = 100.0\nstiffness = 1e6\npressure = { kind = \"hertz\" }\n"},
      {"roughness",
       "from = \"roughness\"\nfriction = 0.45\nnormal_load = 100.0\narea = 5e-4\nmaterial = { E = 200e9, nu = 0.3 }\n"
       "roughness = { kind = \"summits\", sigma = 1e-6, radius = 200e-6, density = 250e6 }\n"}};
  return all;
}

/// What a law needs beside its backbone.
std::string own_keys(const LawEntry& law, const std::string& source) {
  std::string keys;
  if (law.inputs > 1) {
    keys += "normal = { kind = \"linear\", stiffness = 1e8, preload = 100.0 }\n";
    if (source == "density") keys += "reference_load = 100.0\n";
  }
  if (law.name == "variable-load-iwan-closed") keys += "stiffness_under_load = { kind = \"proportional\" }\n";
  return keys;
}

Study study_of(const std::string& joint) {
  const bool loaded = joint.find("normal = {") != std::string::npos;
  const std::string text = "[[joint]]\n" + joint + "[[loop]]\nmotion = { kind = \"cycles\", amplitudes = [1e-6] }\n" +
                           (loaded ? "normal_load = 100.0\n" : "");
  return read_study_text(text, "here.toml", ".", {}, StudyUse::loops);
}

}  // namespace

TEST_CASE("every law that is made from a backbone takes every source", "[io][joint]") {
  int combinations = 0;
  for (const LawEntry& law : law_catalogue()) {
    if (!law.needs_backbone()) continue;
    for (const auto& [source, keys] : sources()) {
      INFO(law.name << " from " << source);
      CHECK_NOTHROW(study_of("law = \"" + law.name + "\"\n" + keys + own_keys(law, source)));
      ++combinations;
    }
  }
  CHECK(combinations >= 5 * 3);
}

TEST_CASE("a backbone from a surface holds at the load of the surface", "[io][joint]") {
  const std::string joint = "law = \"variable-load-iwan\"\n" + sources().at("pressure") +
                            "normal = { kind = \"linear\", stiffness = 1e8, preload = 100.0 }\n";
  CHECK_THROWS_WITH(study_of(joint + "reference_load = 50.0\n"),
                    Contains("reference_load = 50") && Contains("contradicts normal_load = 100"));
  CHECK_NOTHROW(study_of(joint + "reference_load = 100.0\n"));
}
