#include "masing/core/error.hpp"
#include "masing/io/export.hpp"
#include "masing/io/results.hpp"
#include "masing/io/run.hpp"
#include "masing/io/study_overview.hpp"
#include "support/scratch_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace masing;
using Folder = masing::test::ScratchFolder;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

const std::string duffing = R"(title = "Duffing, a short piece"
[structure]
kind = "oscillator"
mass = 1.0
stiffness = 1.0
damping = 0.1
[[joint]]
name = "spring"
law = "cubic"
cubic_stiffness = 0.5
direction = { x = 1.0 }
[excitation]
at = "x"
force = 0.1
[harmonic_balance]
harmonics = 3
samples = 32
[[analysis]]
kind = "frequency-response"
from = 0.1
to = 0.25
forces = [0.05, 0.1]
)";

const std::string transient = R"(
[[analysis]]
kind = "transient"
name = "time"
frequency = 0.1
periods = 2
samples_per_period = 16
)";

Study study_of(const std::string& text) { return read_study_text(text, "study.toml", ""); }

/// Stops after so many calls, as Ctrl-C would.
ProgressCallback stop_after(int& calls) {
  return [&calls](const Progress&) { return --calls > 0; };
}

void check_same_points(const StoredBranch& a, const StoredBranch& b) {
  REQUIRE(a.points.size() == b.points.size());
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    CHECK(a.points[i].frequency == b.points[i].frequency);
    CHECK(a.points[i].coefficients == b.points[i].coefficients);
  }
}

}  // namespace

TEST_CASE("a run replaces earlier results but no other file", "[run]") {
  const Folder folder;
  const Study study = study_of(duffing);
  const std::string precious = folder.file("matrices.h5");
  std::ofstream(precious) << "mine";
  CHECK_THROWS_WITH(run_study(study, {.results = precious, .report = "", .program_version = "1"}),
                    precious +
                        " exists and is not a result file of Masing, so it is not overwritten. Give the results "
                        "another name with -o.");
  std::string kept;
  std::ifstream(precious) >> kept;
  CHECK(kept == "mine");
  const std::string page = folder.file("page.html");
  CHECK_THROWS_WITH(
      run_study(study, {.results = page, .report = page, .program_version = "1"}),
      "The results and the report would be the same file, " + page + ". Give the results another name with -o.");
  const RunOptions again{.results = folder.file("a.h5"), .report = "", .program_version = "1"};
  CHECK(run_study(study, again).complete);
  CHECK(run_study(study, again).complete);
}

TEST_CASE("a run computes every analysis, stores it and says what it did", "[run]") {
  const Folder folder;
  const Study study = study_of(duffing + transient);
  const RunSummary summary =
      run_study(study, {.results = folder.file("a.h5"), .report = folder.file("a.html"), .program_version = "1"});
  CHECK(summary.complete);
  CHECK(summary.unfinished == 0);
  CHECK_THAT(summary.text, Contains("Duffing, a short piece"));
  CHECK_THAT(summary.text, Contains("response, 0.05 N: ") && Contains("response, 0.1 N: "));
  CHECK_THAT(summary.text, Contains("resonance of x: ") && Contains("time, 0.1 N: 33 samples"));
  CHECK_THAT(summary.text, Contains("results     " + folder.file("a.h5")));
  CHECK(fs::exists(folder.file("a.html")));
  const Results results = read_results(folder.file("a.h5"));
  CHECK(results.summary == summary.text);
  CHECK(results.metadata.study_text == study.text);
  REQUIRE(results.analyses.size() == 2);
  CHECK(results.analyses[0].branches.size() == 2);
  CHECK(results.analyses[1].histories.size() == 1);
}

TEST_CASE("an interrupted run is resumed to exactly what an uninterrupted one gives", "[run]") {
  const Folder folder;
  const Study study = study_of(duffing);
  const RunOptions whole{.results = folder.file("whole.h5")};
  CHECK(run_study(study, whole).complete);

  RunOptions options{.results = folder.file("cut.h5")};
  int calls = 9;
  const RunSummary cut = run_study(study, options, stop_after(calls));
  CHECK_FALSE(cut.complete);
  CHECK(cut.unfinished > 0);
  options.resume = true;
  CHECK(run_study(study, options).complete);

  const Results expected = read_results(whole.results);
  const Results resumed = read_results(options.results);
  REQUIRE(resumed.analyses.size() == 1);
  for (std::size_t i = 0; i < 2; ++i) {
    check_same_points(expected.analyses[0].branches.at(i), resumed.analyses[0].branches.at(i));
  }
}

TEST_CASE("a run with nothing to resume begins anew, and finished histories are kept", "[run]") {
  const Folder folder;
  const Study study = study_of(duffing + transient);
  const RunOptions options{.results = folder.file("new.h5"), .resume = true};
  CHECK(run_study(study, options).complete);
  const RunSummary again = run_study(study, options);
  CHECK(again.complete);
  CHECK_THAT(again.text, Contains("from the earlier run"));
  CHECK(read_results(options.results).analyses.at(1).histories.size() == 1);
}

TEST_CASE("a resumed study must be the same study", "[run]") {
  const Folder folder;
  const RunOptions options{.results = folder.file("a.h5"), .resume = true};
  run_study(study_of(duffing), options);
  CHECK_THROWS_AS(run_study(study_of(duffing + "# changed\n"), options), ModelError);
}

TEST_CASE("the check of the Jacobian is part of the summary", "[run]") {
  const Folder folder;
  const RunSummary summary = run_study(study_of(duffing), {.results = folder.file("a.h5"), .check_jacobian = true});
  const std::string line = "    Jacobian at 0.1, ";
  const std::size_t first = summary.text.find(line);
  REQUIRE(first != std::string::npos);
  CHECK(summary.text.find(line, first + 1) != std::string::npos);  // two levels
  CHECK_THAT(summary.text, Contains(", 0.25 Hz against central differences: worst relative error"));
}

TEST_CASE("an overview has the sizes that will be solved", "[run][overview]") {
  const Study study = study_of(duffing);
  const auto& request = std::get<FrequencyResponseRequest>(study.analyses[0]);
  const ResponseSize size = response_size(study.model, request.balance);
  CHECK(size.kept_motions == 1);
  CHECK(size.unknowns == 7);
  CHECK(size.memory > 0.0);
  const std::string text = study_overview(study);
  CHECK_THAT(text, Contains("structure   oscillator, 1 coordinate: x\n"));
  CHECK_THAT(text, Contains("joints      1: spring (cubic)\n"));
  CHECK_THAT(text, Contains("frequency response 0.1 … 0.25 Hz at 0.05, 0.1 N\n"));
  CHECK_THAT(text, Contains("harmonics 0 … 3, 32 samples a period\n"));
  CHECK_THAT(text, Contains("1 motion kept at the joints, 7 unknowns\n"));
}

TEST_CASE("numbers in words", "[overview]") {
  CHECK(harmonics_text({0, 1, 3}) == "0, 1, 3");
  CHECK(harmonics_text({0, 1}) == "0, 1");
  CHECK(harmonics_text({1, 2, 3}) == "1 … 3");
  CHECK(levels_text({1.0, 2.5}, "") == "levels 1, 2.5");
  CHECK(levels_text({1.0}, "m/s^2") == "1 m/s^2");
  CHECK(duration_text(0.0004) == "1 ms");
  CHECK(duration_text(0.25) == "250 ms");
  CHECK(duration_text(12.34) == "12.3 s");
  CHECK(duration_text(600) == "10 min");
  CHECK(duration_text(7200) == "2 h");
}

TEST_CASE("angles are in rad, and what drives them is a moment", "[run][rotation]") {
  const Folder folder;
  const Study study = study_of(R"(
[structure]
kind = "beam"
length = 0.5
width = 0.02
thickness = 0.01
material = { E = 210e9, rho = 7850 }
loss_factor = 0.01
supports = [ { at = 0.0, kind = "clamped" } ]
points = { tip = 0.5 }
[excitation]
at = "tip"
component = "phi"
force = 0.5
[harmonic_balance]
harmonics = [1]
[[sensor]]
name = "turn"
at = "tip"
component = "phi"
[[sensor]]
name = "turning"
at = "tip"
component = "phi"
quantity = "velocity"
[[sensor]]
name = "bend"
at = "tip"
component = "w"
[[analysis]]
kind = "frequency-response"
from = 30.0
to = 37.0
forces = [0.5, 1.0]
)");
  const RunSummary summary =
      run_study(study, {.results = folder.file("a.h5"), .report = folder.file("a.html"), .program_version = "1"});
  CHECK_THAT(summary.text, Contains("0.5 N m") && Contains(" rad") && !Contains("0.5 N:"));
  const Results results = read_results(folder.file("a.h5"));
  const BranchHeader& header = results.analyses[0].branches[0].header;
  CHECK(header.level_unit == "N m");
  REQUIRE(header.observables.size() == 3);
  CHECK(unit_of(header.observables[0]) == "rad");
  CHECK(unit_of(header.observables[1]) == "rad/s");
  CHECK(unit_of(header.observables[2]) == "m");
  export_csv(results, folder.file("csv"));
  bool found = false;
  for (const auto& entry : fs::directory_iterator(folder.file("csv"))) {
    std::ifstream file(entry.path());
    std::string head;
    std::getline(file, head);
    const auto has = [&](const char* column) { return head.find(column) != std::string::npos; };
    found = found || (has("turn_rms_rad,") && has("turning_rms_rad/s,") && has("bend_rms_m,"));
  }
  CHECK(found);
  std::stringstream page;
  page << std::ifstream(folder.file("a.html")).rdbuf();
  CHECK_THAT(page.str(), Contains("(rad)"));
}
