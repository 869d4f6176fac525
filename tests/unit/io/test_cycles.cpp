// Loops of the joints on their way from an analysis to the file, the tables, the page and the validation.
#include "masing/io/detail/computed_results.hpp"
#include "masing/io/detail/validation_values.hpp"
#include "masing/io/export.hpp"
#include "masing/io/report.hpp"
#include "masing/io/validation.hpp"
#include "support/scratch_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

using namespace masing;
using namespace masing::test;
using Catch::Matchers::Contains;

namespace {

const std::string study_text = R"(title = "Two sliders"
structure = { kind = "chain", count = 2, mass = 1.0, stiffness = 4e4, loss_factor = 0.02 }
excitation = { at = "x2", force = 20.0 }
harmonic_balance = { harmonics = [1, 3], samples = 64 }
[[joint]]
name = "weak"
law = "jenkins"
stiffness = 1e5
slip_force = 2
direction = { x1 = 1.0 }
[[joint]]
name = "strong"
law = "jenkins"
stiffness = 1e5
slip_force = 10
direction = { x1 = -1.0, x2 = 1.0 }
[[analysis]]
kind = "frequency-response"
name = "sweep"
from = 15.0
to = 60.0
[[analysis]]
kind = "backbone"
name = "resonance"
method = "phase-resonance"
from_displacement = 1e-5
to_displacement = 1e-3
marks = [1e-4]
)";

Study study() { return read_study_text(study_text, "sliders.toml", "."); }

Results computed(ResultFile* file = nullptr) {
  return detail::computed_results(study(), {}, {.branches = true}, ".", {}, file);
}

std::vector<std::string> lines(const std::string& path) {
  std::vector<std::string> all;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

void check_same(const std::vector<JointCycles>& a, const std::vector<JointCycles>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].kind == b[i].kind);
    CHECK(a[i].point == b[i].point);
    CHECK(a[i].frequency == b[i].frequency);
    CHECK(a[i].motion == b[i].motion);
    CHECK(a[i].force == b[i].force);
  }
}

}  // namespace

TEST_CASE("loops and amplitudes of joints are read back from a file as they were computed", "[io][cycles]") {
  const ScratchFolder folder;
  const std::string path = folder.file("r.h5");
  const ResultMetadata metadata{.title = "sliders", .study_text = study_text, .program_version = "1"};
  Results results;
  {
    const auto file = ResultFile::create(path, metadata);
    results = computed(file.get());
  }
  const Results back = read_results(path);
  for (std::size_t a = 0; a < 2; ++a) {
    const StoredBranch &there = back.analyses.at(a).branches.at(0), &here = results.analyses.at(a).branches.at(0);
    REQUIRE(here.cycles.size() >= 3);
    CHECK(there.header.joint_inputs == std::vector<std::string>{"weak", "strong"});
    check_same(there.cycles, here.cycles);
    for (std::size_t i = 0; i < here.points.size(); ++i) {
      CHECK(there.points[i].joint_amplitude == here.points[i].joint_amplitude);
    }
  }
  // A file that is carried on has them too, each once.
  ResultFile::open_for_resume(path, metadata);
  const Results again = read_results(path);
  check_same(again.analyses[0].branches[0].cycles, results.analyses[0].branches[0].cycles);
}

TEST_CASE("of an interrupted branch the loops behind the last step are withdrawn", "[io][cycles]") {
  const ScratchFolder folder;
  const std::string path = folder.file("r.h5");
  const ResultMetadata metadata{.title = "sliders", .study_text = study_text, .program_version = "1"};
  const StoredBranch whole = computed().analyses[0].branches[0];
  const auto last = static_cast<Index>(whole.points.size()) - 1;
  {
    const auto file = ResultFile::create(path, metadata);
    file->begin_branch(whole.header);
    for (const ResponsePoint& point : whole.points) file->add_point(whole.header, point);
    for (const SpecialPoint& special : whole.special_points) file->add_special_point(whole.header, special);
    for (const JointCycles& cycles : whole.cycles) {
      file->add_cycles(whole.header, cycles);
      file->add_cycles(whole.header, cycles);  // handed in again: stored once
    }
  }
  CHECK(read_results(path).analyses[0].branches[0].cycles.size() == whole.cycles.size());
  const auto file = ResultFile::open_for_resume(path, metadata);
  const BranchRestart restart = file->restart("sweep", 0);
  CHECK(restart.cycles.size() == whole.cycles.size() - 1);  // all but those of the last point
  for (const JointCycles& cycles : restart.cycles) CHECK(cycles.point < last);
}

TEST_CASE("loops become tables, one each and a list", "[io][cycles]") {
  const ScratchFolder folder;
  const Results results = computed();
  std::vector<std::string> names;
  for (const std::string& file : export_csv(results, folder.file("csv"))) {
    names.push_back(std::filesystem::path(file).filename().string());
  }
  const auto& cycles = results.analyses[1].branches[0].cycles;
  for (const char* name : {"resonance_branch0_cycle0.csv", "resonance_branch0_cycles.csv"}) {
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  }
  const auto list = lines(folder.file("csv/resonance_branch0_cycles.csv"));
  REQUIRE(list.size() == cycles.size() + 1);
  CHECK(list[0] == "cycle,kind,point,frequency_Hz");
  const auto level = std::find_if(cycles.begin(), cycles.end(), [](const auto& one) { return one.kind == "level"; });
  REQUIRE(level != cycles.end());
  const auto number = static_cast<std::size_t>(level - cycles.begin());
  CHECK_THAT(list[number + 1], Catch::Matchers::StartsWith(fmt::format("{},level,{},", number, level->point)));
  const auto table = lines(folder.file("csv/" + fmt::format("resonance_branch0_cycle{}.csv", number)));
  REQUIRE(table.size() == 65);
  CHECK(table[0] == "period,weak_motion_m,weak_force_N,strong_motion_m,strong_force_N");
  CHECK(table[2] == fmt::format("{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}", 1.0 / 64, level->motion(1, 0),
                                level->force(1, 0), level->motion(1, 1), level->force(1, 1)));
  CHECK_THAT(lines(folder.file("csv/sweep_branch0.csv"))[0], Contains("strong_energy_J,weak_amplitude_m"));
}

TEST_CASE("the page draws the loops of the joints, those that dissipate most first", "[io][cycles]") {
  const Results results = computed();
  const std::string page = report_html(results);
  CHECK_THAT(page, Contains("Loops of the joints"));
  CHECK_THAT(page, Contains("sweep – loop of weak"));
  CHECK_THAT(page, Contains("resonance – loop of strong"));
  CHECK_THAT(page, Contains("asymmetry"));
  const auto& points = results.analyses[0].branches[0].points;
  Eigen::Vector2d largest = Eigen::Vector2d::Zero();
  for (const ResponsePoint& point : points) largest = largest.cwiseMax(point.joint_energy.head<2>());
  const bool weak_first = page.find("sweep – loop of weak") < page.find("sweep – loop of strong");
  CHECK(weak_first == (largest[0] > largest[1]));
}

TEST_CASE("numbers of loops are taken for a validation; what is not there is said", "[io][cycles]") {
  const Results results = computed();
  const StoredBranch& branch = results.analyses[1].branches[0];
  CHECK(detail::cycles_at(branch, "first").front()->point == 0);
  CHECK(detail::cycles_at(branch, "last").front()->point == static_cast<Index>(branch.points.size()) - 1);
  CHECK(detail::cycles_at(branch, "level").size() == 1);
  CHECK(detail::cycles_at(branch, "period-doubling").empty());
  CHECK(detail::cycle_input(branch.header, "", 1) == 0);
  CHECK(detail::cycle_input(branch.header, "strong", 1) == 1);
  CHECK_THROWS_WITH(detail::cycle_input(branch.header, "stron", 1), Contains("there is no joint 'stron'"));
  CHECK_THROWS_WITH(detail::cycle_input(branch.header, "weak", 2), Contains("has 1 relative motions, not 2"));
  const ResponsePoint& last = branch.points.back();
  CHECK(detail::point_value(branch.header, last, "joint-energy", {.joint = "strong"}) == last.joint_energy[1]);
  CHECK(detail::point_value(branch.header, last, "joint-energy", {}) == last.joint_energy.sum());
  CHECK(detail::point_value(branch.header, last, "joint-amplitude", {}) == last.joint_amplitude[0]);
  CHECK_THROWS_WITH(detail::point_value(branch.header, last, "joint-amplitude", {.joint = "x"}),
                    Contains("there is no joint 'x'"));
}

TEST_CASE("marks must lie inside the range", "[io][cycles]") {
  std::string text = study_text;
  text.replace(text.find("marks = [1e-4]"), 14, "marks = [1e-2]");
  CHECK_THROWS_WITH(read_study_text(text, "sliders.toml", "."), Contains("not inside the range 1e-05 … 0.001"));
}

TEST_CASE("a case takes numbers of loops and draws them", "[io][cycles]") {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.path() / "sliders");
  folder.write("sliders/sliders.toml", study_text);
  folder.write("sliders/published.csv",
               "id,value,unit,origin,source,note\nf,10,N,evaluated,here,\nx,1,m,evaluated,here,\n");
  folder.write("sliders/case.toml", R"(title = "Sliders"
publication = "A. Author, 2020"
[[run]]
name = "run"
study = "sliders.toml"
command = "run"
[[run]]
name = "more"
study = "sliders.toml"
command = "run"
set = ["harmonic_balance.samples=256"]
[[quantity]]
name = "largest force"
published = "f"
take = { kind = "cycle", run = "run", analysis = "resonance", at = "last", joint = "strong", value = "largest-force" }
verify = { run = "more" }
verified_how = "more samples"
relative = 1e-9
reason = "a slider has no more than its limit"
claim = "reproduced"
[[quantity]]
name = "no such loop"
published = "x"
take = { kind = "cycle", run = "run", analysis = "resonance", at = "level", number = 2, value = "amplitude" }
verify = { run = "more" }
verified_how = "more samples"
relative = 1.0
reason = "-"
claim = "reproduced"
[[figure]]
kind = "cycles"
title = "Loops of the strong slider"
runs = ["run", "more"]
analysis = "resonance"
at = "last"
joint = "strong"
)");
  const CaseOutcome outcome =
      run_validation_case(read_validation_case(folder.file("sliders")), {.folder = folder.path().string()});
  CHECK(outcome.quantities[0].computed == Approx(10.0).epsilon(1e-9));
  CHECK_THAT(outcome.quantities[1].message, Contains("the branch has 1 stored loops at 'level', not 2"));
  CHECK_THAT(outcome.figures.front().svg, Contains("Loops of the strong slider"));
}
