// The shipped models against stored results: resonances and folds, which are solved for and so do not depend on step
// sizes; where a curve has none, its last point. models.csv was written by the program itself; the checks that it is right
// are in tests/convergence.
#include "masing/io/study.hpp"
#include "support/source_folder.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

using namespace masing;

namespace {

struct Feature {
  std::string model, analysis, kind, sensor;
  int branch = 0;
  int harmonic = 0;
  double frequency = 0.0;
  double amplitude = 0.0;
};

// Located to 1e-10 of the range and to a residual of 1e-9; what is left is the difference between compilers.
constexpr double solved = 1e-6;

std::vector<Feature> stored_features() {
  std::ifstream file(test::source_folder() + "/tests/regression/models.csv");
  std::vector<Feature> features;
  std::string line;
  std::getline(file, line);  // names of the columns
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::vector<std::string> cell(8);
    for (std::string& text : cell) std::getline(cells, text, ',');
    features.push_back({cell[0], cell[1], cell[3], cell[4], std::stoi(cell[2]), std::stoi(cell[5]), std::stod(cell[6]),
                        std::stod(cell[7])});
  }
  return features;
}

void check_complete(const ResponseCurves& curves) {
  for (const ResponseBranch& branch : curves.branches) {
    INFO(branch.end.message);
    CHECK(branch.end.complete);
  }
}

/// Both ends of backbones: their levels are given, so they do not depend on step sizes.
void add_ends(const std::string& model, const ResponseCurves& backbones, std::vector<Feature>& features) {
  for (const ResponseBranch& branch : backbones.branches) {
    for (const auto& [kind, point] :
         {std::pair("begin", &branch.points.front()), std::pair("end", &branch.points.back())}) {
      features.push_back({model, branch.header.analysis, kind, "", branch.header.index, 0, point->frequency,
                          point->observations[0].rms});
    }
  }
}

void add_features(const std::string& model, const FrequencyResponse& response, std::vector<Feature>& features) {
  for (const ResponseBranch& branch : response.branches) {
    for (const SpecialPoint& special : branch.special_points) {
      if (!is_bifurcation(special.kind)) continue;
      features.push_back({model, branch.header.analysis, special.kind, "", branch.header.index, 0,
                          special.point.frequency, special.point.observations[0].rms});
    }
    for (const Resonance& found : branch.end.resonances) {
      if (found.frequency == 0.0) {  // none: the last point instead
        const ResponsePoint& last = branch.points.back();
        features.push_back({model, branch.header.analysis, "end", found.observable, branch.header.index, 0,
                            last.frequency, last.observations[0].rms});
        continue;
      }
      features.push_back({model, branch.header.analysis, "resonance", found.observable, branch.header.index,
                          found.harmonic, found.frequency, found.amplitude});
    }
  }
}

std::vector<Feature> compute(const std::string& model) {
  const Study study = read_study(test::source_folder() + "/models/" + model + ".toml", {});
  std::vector<Feature> features;
  for (const AnalysisRequest& request : study.analyses) {
    if (const auto* curve = std::get_if<BackboneRequest>(&request)) {
      const ResponseCurves found = backbone(study.model, *curve);
      check_complete(found);
      add_ends(model, found, features);
    }
    const auto* response = std::get_if<FrequencyResponseRequest>(&request);
    if (response == nullptr) continue;
    FrequencyResponseRequest ask = *response;
    ask.threads = 2;
    const FrequencyResponse found = frequency_response(study.model, ask);
    check_complete(found);
    add_features(model, found, features);
  }
  return features;
}

}  // namespace

TEST_CASE("shipped models give the stored resonances and folds") {
  const std::vector<Feature> stored = stored_features();
  for (const std::string model :
       {"01_duffing", "02_two_mass_jenkins", "03_chain_jenkins", "04_cantilever_friction_support", "07_oscillator_iwan",
        "09_cantilever_beam", "10_clamped_beam_rig", "12_rod_on_foundation", "13_beam_on_slip_slap_support",
        "14_rough_blocks", "18_stability"}) {
    std::vector<Feature> expected;
    for (const Feature& feature : stored) {
      if (feature.model == model) expected.push_back(feature);
    }
    const std::vector<Feature> found = compute(model);
    std::string table;
    for (const Feature& f : found) {
      table += fmt::format("{},{},{},{},{},{},{:.12g},{:.12g}\n", f.model, f.analysis, f.branch, f.kind, f.sensor,
                           f.harmonic, f.frequency, f.amplitude);
    }
    INFO("found:\n" << table);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].kind == expected[i].kind);
      CHECK(found[i].sensor == expected[i].sensor);
      CHECK(found[i].harmonic == expected[i].harmonic);
      CHECK(found[i].frequency == Approx(expected[i].frequency).epsilon(solved));
      CHECK(found[i].amplitude == Approx(expected[i].amplitude).epsilon(solved));
    }
  }
}
