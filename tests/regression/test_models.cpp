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

// Curves over other parameters: their special points, which are solved for, and where they end.
void add_ends(const std::string& model, const ResponseCurves& curves, std::vector<Feature>& features) {
  for (const ResponseBranch& branch : curves.branches) {
    const auto add = [&](const std::string& kind, const ResponsePoint& point) {
      features.push_back({model, branch.header.analysis, kind, "", branch.header.index, 0, point.frequency,
                          point.observations[0].rms});
    };
    for (const SpecialPoint& special : branch.special_points) add(special.kind, special.point);
    const bool closed = branch.end.stop == "closed loop";  // ends anywhere
    if (!closed && !branch.points.empty()) add("end", branch.points.back());
  }
}

template <class Request>
ResponseCurves run(const Model& model, const Request& request) {
  if constexpr (std::is_same_v<Request, FrequencyResponseRequest>) return frequency_response(model, request);
  if constexpr (std::is_same_v<Request, BackboneRequest>) return backbone(model, request);
  if constexpr (std::is_same_v<Request, ForceResponseRequest>) return force_response(model, request);
  if constexpr (std::is_same_v<Request, ResponseControlRequest>) return response_control(model, request);
  if constexpr (std::is_same_v<Request, ResonanceTrackingRequest>) return resonance_tracking(model, request);
  if constexpr (std::is_same_v<Request, FoldTrackingRequest>) return fold_tracking(model, request);
  if constexpr (std::is_same_v<Request, SuperharmonicTrackingRequest>) return superharmonic_tracking(model, request);
  if constexpr (std::is_same_v<Request, IsolaSearchRequest>) return isola_search(model, request);
  if constexpr (std::is_same_v<Request, BifurcationTrackingRequest>) return bifurcation_tracking(model, request);
  return {};
}

// "01_duffing adaptive" is the model with harmonics that follow the motion.
std::vector<Feature> compute(const std::string& model) {
  const std::size_t end = model.find(" adaptive");
  std::vector<std::string> changes;
  if (end != std::string::npos) changes = {"harmonic_balance.harmonics=\"adaptive\""};
  const Study study = read_study(test::source_folder() + "/models/" + model.substr(0, end) + ".toml", changes);
  std::vector<Feature> features;
  for (const AnalysisRequest& request : study.analyses) {
    const ResponseCurves found = std::visit([&](const auto& ask) { return run(study.model, ask); }, request);
    for (const ResponseBranch& branch : found.branches) {
      INFO(branch.end.message);
      CHECK(branch.end.complete);
    }
    std::holds_alternative<FrequencyResponseRequest>(request) ? add_features(model, found, features)
                                                              : add_ends(model, found, features);
  }
  return features;
}

}  // namespace

TEST_CASE("shipped models give the stored resonances and folds") {
  const std::vector<Feature> stored = stored_features();
  for (const std::string model :
       {"01_duffing", "02_two_mass_jenkins", "03_chain_jenkins", "04_cantilever_friction_support", "07_oscillator_iwan",
        "09_cantilever_beam", "10_clamped_beam_rig", "12_rod_on_foundation", "13_beam_on_slip_slap_support",
        "14_rough_blocks", "15_reduced_model", "16_backbones", "17_nonlinear_absorber", "18_stability",
        "20_internal_resonance", "01_duffing adaptive"}) {
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
