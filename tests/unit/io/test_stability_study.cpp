// Stability and followed branches as a study asks for them: stored, summarised, drawn, resumed.
#include "masing/io/export.hpp"
#include "masing/io/report.hpp"
#include "masing/io/results.hpp"
#include "masing/io/run.hpp"
#include "support/scratch_folder.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using Catch::Matchers::Contains;

namespace {

const std::string study_text = R"(title = "Duffing oscillator driven hard"
[structure]
kind = "oscillator"
mass = 1.0
stiffness = 1.0
damping = 0.2
[[joint]]
name = "spring"
law = "cubic"
cubic_stiffness = 1.0
direction = { x = 1.0 }
[excitation]
at = "x"
force = 28.0
[harmonic_balance]
harmonics = 11
samples = 64
[[analysis]]
kind = "frequency-response"
name = "response"
from = 0.215
to = 0.2
stability = true
follow = ["branch-points", "period-doublings"]
)";

}  // namespace

TEST_CASE("followed branches are stored with their periods, summarised and drawn", "[stability]") {
  const test::ScratchFolder folder;
  const Study study = read_study_text(study_text, "study.toml", "");
  const RunSummary summary = run_study(study, {.results = folder.file("r.h5")});
  INFO(summary.text);
  CHECK_THAT(summary.text, Contains("branch point at 0.201"));
  CHECK_THAT(summary.text, Contains("period doubling at 0.207"));
  CHECK_THAT(summary.text, Contains("; unstable from "));
  const Results results = read_results(folder.file("r.h5"));
  const StoredAnalysis& response = *results.find("response");
  REQUIRE(response.branches.size() >= 3);
  CHECK(response.branches[0].header.periods == 1);
  CHECK(response.branches[1].header.periods == 1);
  CHECK(response.branches[2].header.periods == 2);
  CHECK(response.branches[2].header.harmonics.size() == 23);
  for (const StoredBranch& branch : response.branches) {
    for (const ResponsePoint& point : branch.points) {
      CHECK(point.frequency > 0.199);  // of the force, whatever the period of the motion is
      CHECK(point.frequency < 0.216);
    }
  }
  export_csv(results, folder.file("csv"));
  CHECK_THAT(test::text_of(folder.file("csv/response_branch2.csv")),
             Contains("stable,unstable_multipliers,largest_multiplier"));
  CHECK_THAT(report_html(results), Contains("stroke-dasharray") && Contains("period-doubling") && Contains("h7.6v7.6"));
}

TEST_CASE("the summary names the method of stability, and as many digits as the harmonics let stand", "[stability]") {
  const auto text_of = [](const std::string& change) {
    const test::ScratchFolder folder;
    std::string text = study_text;
    const std::string doublings = ", \"period-doublings\"";
    text.erase(text.find(doublings), doublings.size());
    const std::string harmonics = "harmonics = 11\nsamples = 64";
    if (!change.empty()) text.replace(text.find(harmonics), harmonics.size(), change);
    return run_study(read_study_text(text, "study.toml", ""), {.results = folder.file("r.h5")}).text;
  };
  // One coordinate and 23 positions are left to Hill; with 61 the monodromy is faster, which must not go unsaid.
  CHECK_THAT(text_of(""), Contains("points (by Hill's method"));
  const std::string finer = text_of("harmonics = 30\nsamples = 256");
  INFO(finer);
  CHECK_THAT(finer, Contains("points (by the monodromy)"));
  // The last two of 11 harmonics hold more than 1e-5 of the motion, those of 30 about 1e-7.
  const auto digits = [](const std::string& text) {
    const std::string before = "branch point at ";
    const std::size_t begin = text.find(before) + before.size();
    return text.find(" Hz", begin) - begin;
  };
  CHECK(digits(text_of("")) <= std::string("0.20180").size());
  CHECK(digits(finer) >= std::string("0.2017951").size());
}

TEST_CASE("a run that was interrupted while branches were followed is resumed to the same branches", "[stability]") {
  const test::ScratchFolder folder;
  const Study study = read_study_text(study_text, "study.toml", "");
  run_study(study, {.results = folder.file("whole.h5")});
  const Results whole = read_results(folder.file("whole.h5"));
  const auto& branches = whole.find("response")->branches;
  REQUIRE(branches.size() >= 3);
  int calls = static_cast<int>(branches[0].points.size() + branches[1].points.size()) / 2 + 4;
  const RunSummary first =
      run_study(study, {.results = folder.file("cut.h5")}, [&](const Progress&) { return --calls > 0; });
  INFO(first.text);
  const RunSummary second = run_study(study, {.results = folder.file("cut.h5"), .resume = true});
  INFO(second.text);
  const Results cut = read_results(folder.file("cut.h5"));
  const auto& resumed = cut.find("response")->branches;
  REQUIRE(resumed.size() == branches.size());
  for (std::size_t b = 0; b < branches.size(); ++b) {
    REQUIRE(resumed[b].points.size() == branches[b].points.size());
    CHECK(resumed[b].points.back().frequency == Approx(branches[b].points.back().frequency).epsilon(1e-12));
    CHECK(resumed[b].end.message == branches[b].end.message);
  }
}

TEST_CASE("the stability of a reduced structure is computed, however large the structure is", "[stability]") {
  const test::ScratchFolder folder;
  const Study study = read_study_text(R"([structure]
kind = "chain"
count = 200
mass = 0.005
stiffness = 1.0e4
damping = 20.0
reduction = { kind = "craig-bampton", modes = 3 }
[[joint]]
name = "support"
law = "jenkins"
stiffness = 30.0
slip_force = 0.5
direction = { x200 = 1.0 }
[excitation]
at = "x200"
force = 1.0
[harmonic_balance]
harmonics = [1, 3]
samples = 64
[[sensor]]
at = "x200"
[[analysis]]
kind = "frequency-response"
name = "response"
from = 0.5
to = 1.0
stability = true
)",
                                      "study.toml", "");
  CHECK_THAT(run_study(study, {.results = folder.file("r.h5")}).text, Contains("stable at "));
}
