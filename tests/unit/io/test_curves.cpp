// Backbones, force response and response control as a study asks for them.
#include "masing/core/error.hpp"
#include "masing/io/export.hpp"
#include "masing/io/report.hpp"
#include "masing/io/results.hpp"
#include "masing/io/run.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace masing;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

const std::string study_text = R"(title = "Two masses on a Jenkins element"
[structure]
kind = "chain"
mass = [1.0, 1.0]
stiffness = [1.0, 1.0]
rayleigh = { beta = 0.01 }
[[joint]]
name = "damper"
law = "jenkins"
stiffness = 0.5
slip_force = 0.1
direction = { x1 = 1.0 }
[excitation]
at = "x2"
force = 2.0
[harmonic_balance]
harmonics = [1, 3]
samples = 64
[[analysis]]
kind = "backbone"
name = "free"
method = "epmc"
from_modal_amplitude = 0.01
to_modal_amplitude = 10.0
[[analysis]]
kind = "backbone"
name = "forced"
method = "phase-resonance"
from_force = 0.001
to_force = 0.5
[[analysis]]
kind = "force-response"
name = "s-curve"
frequencies = [0.09, 0.11]
from_force = 0.01
to_force = 1.0
[[analysis]]
kind = "response-control"
name = "held"
sensor = "x2"
amplitudes = 1.0
from = 0.08
to = 0.12
[[analysis]]
kind = "resonance-tracking"
sensor = "x2"
from = 0.07
to = 0.13
from_force = 0.002
to_force = 0.5
forces = [0.01, 0.1]
)";

class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "masing_curves_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Scratch() { fs::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

double quantity(const StoredBranch& branch, const ResponsePoint& point, const std::string& name) {
  const Index i = branch.header.find_quantity(name);
  REQUIRE(i >= 0);
  return point.quantities[i];
}

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("curves of a study are stored with their quantities, summarised, exported and drawn", "[curves]") {
  const Scratch folder;
  const Study study = read_study_text(study_text, "study.toml", "");
  const RunSummary summary = run_study(study, {.results = folder.file("r.h5")});
  INFO(summary.text);
  CHECK(summary.complete);
  CHECK_THAT(summary.text, Contains("free: backbone by epmc, mode 1, modal amplitudes 0.01 … 10 m kg^0.5"));
  CHECK_THAT(summary.text, Contains("forced: backbone by phase-resonance, mode 1, levels 0.001 … 0.5 N"));
  CHECK_THAT(summary.text, Contains("energy balance closes to "));
  CHECK_THAT(summary.text, Contains("    least "));

  const Results results = read_results(folder.file("r.h5"));
  REQUIRE(results.analyses.size() == 5);
  for (const StoredAnalysis& analysis : results.analyses) {
    for (const StoredBranch& branch : analysis.branches) {
      CHECK(branch.header.joints == std::vector<std::string>{"damper"});
      for (const ResponsePoint& point : branch.points) {
        CHECK(quantity(branch, point, "energy_residual") < 1e-6);  // the events of this law are located
        const double dissipated = quantity(branch, point, "material_energy") + point.joint_energy.sum();
        CHECK(quantity(branch, point, "input_energy") == Approx(dissipated).epsilon(1e-6));
      }
    }
  }
  const StoredBranch& forced = results.find("forced")->branches.at(0);
  CHECK(forced.header.kind == "backbone");
  CHECK(forced.header.label == "phase resonance");
  // Levels are shown in the unit of the force, which the excitation gives as 2 N at level 1.
  CHECK(quantity(forced, forced.points.front(), "level") == Approx(0.001).epsilon(1e-12));
  CHECK(quantity(forced, forced.points.back(), "level") == Approx(0.5).epsilon(1e-12));
  const StoredAnalysis& curves = *results.find("s-curve");
  REQUIRE(curves.branches.size() == 2);
  CHECK(curves.branches[1].header.level == 0.11);

  const StoredBranch& tracked = results.find("resonances")->branches.at(0);
  CHECK(quantity(tracked, tracked.points.back(), "level") == Approx(0.5).epsilon(1e-12));
  CHECK(quantity(tracked, tracked.points.back(), "peak_amplitude") ==
        Approx(tracked.points.back().observations[1].amplitude[0]).epsilon(1e-12));
  CHECK_THAT(summary.text, Contains("resonances: resonance of x2 over 0.002 … 0.5 N, begun on the response"));
  CHECK_THAT(summary.text, Contains("level (N)  resonance (Hz)       peak (m)  dissipation ratio\n           0.002"));
  CHECK_THAT(report_html(results), Contains("Resonance against level"));

  export_csv(results, folder.file("csv"));
  CHECK_THAT(content(folder.file("csv/forced_branch0.csv")), Contains("level_N,damping_ratio,input_energy_J"));
  CHECK_THAT(content(folder.file("csv/forced_branch0.csv")), Contains(",damper_energy_J,"));
  CHECK_THAT(report_html(results),
             Contains("damping ratio") && Contains("phase resonance") && Contains("energy balance"));
}

TEST_CASE("interrupted curves are resumed to exactly what an uninterrupted run gives", "[curves]") {
  const Scratch folder;
  const Study study = read_study_text(study_text, "study.toml", "");
  run_study(study, {.results = folder.file("whole.h5")});
  int calls = 8;
  run_study(study, {.results = folder.file("cut.h5")}, [&](const Progress&) { return --calls > 0; });
  run_study(study, {.results = folder.file("cut.h5"), .resume = true});
  const Results whole = read_results(folder.file("whole.h5")), cut = read_results(folder.file("cut.h5"));
  REQUIRE(whole.analyses.size() == cut.analyses.size());
  for (std::size_t a = 0; a < whole.analyses.size(); ++a) {
    for (std::size_t b = 0; b < whole.analyses[a].branches.size(); ++b) {
      const StoredBranch &one = whole.analyses[a].branches[b], &other = cut.analyses[a].branches.at(b);
      REQUIRE(one.points.size() == other.points.size());
      for (std::size_t i = 0; i < one.points.size(); ++i) {
        CHECK(one.points[i].unknowns == other.points[i].unknowns);
        CHECK(one.points[i].quantities == other.points[i].quantities);
      }
    }
  }
}

TEST_CASE("`near` must lie on the response on which it is looked for", "[curves]") {
  CHECK_THROWS_WITH(read_study_text(study_text, "study.toml", "", {"analysis.4.near=0.2"}),
                    Contains("near = 0.2 Hz is outside the response from 0.07 to 0.13 Hz on which it is looked for"));
  CHECK(std::get<ResonanceTrackingRequest>(
            read_study_text(study_text, "study.toml", "", {"analysis.4.near=0.13"}).analyses.back())
            .near == 0.13);
}

TEST_CASE("an isola search on an exact beam is refused with what to do, on its finite elements it is not", "[curves]") {
  const std::string beam = R"([structure]
kind = "beam"
length = 0.4
width = 0.03
thickness = 0.008
material = { E = 70e9, rho = 2700, nu = 0.3 }
supports = [ { at = 0.0, kind = "clamped" } ]
points = { tip = 0.4 }
[[joint]]
law = "cubic"
cubic_stiffness = 1e9
direction = { "tip.w" = 1.0 }
[excitation]
at = "tip"
component = "w"
force = 1.0
[[sensor]]
at = "tip.w"
[[analysis]]
kind = "isola-search"
modes = [1]
from_modal_amplitude = 1e-5
to_modal_amplitude = 1e-3
from = 30
to = 100
from_force = 0.1
to_force = 1.0
)";
  CHECK_THROWS_WITH(read_study_text(beam, "beam.toml", ""),
                    Contains("beam.toml:20") && Contains("Give the beam method = \"finite-element\"") &&
                        Contains("kind = \"fold-tracking\"") && !Contains("phase-resonance"));
  CHECK_NOTHROW(read_study_text(beam, "beam.toml", "", {"structure.method=\"finite-element\""}));
}

TEST_CASE("the stability of a tracked resonance is a key, and a column of its table", "[curves]") {
  const Scratch folder;
  const Study study = read_study_text(study_text, "study.toml", "", {"analysis.4.stability=true"});
  const RunSummary summary = run_study(study, {.results = folder.file("curves.h5")});
  CHECK_THAT(summary.text, Contains("dissipation ratio  stable\n           0.002") && Contains("  yes\n"));
  CHECK_THAT(summary.text, Contains("stable at ") && Contains("by the monodromy"));
  CHECK_THAT(report_html(read_results(folder.file("curves.h5"))), Contains("<th>stable</th>"));
}

TEST_CASE("the range of a backbone is changed by --set, and a missing method is told", "[curves]") {
  const Study study = read_study_text(study_text, "study.toml", "", {"analysis.forced.to_force=1.5"});
  CHECK(std::get<BackboneRequest>(study.analyses[1]).to == Approx(0.75));
  CHECK_THROWS_WITH(read_study_text(study_text, "study.toml", "", {"analysis.forced.method=\"modal\""}),
                    Contains("phase-resonance"));
}
