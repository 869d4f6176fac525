#include "duffing_results.hpp"

#include "masing/core/error.hpp"
#include "masing/io/export.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

using namespace masing;
using namespace masing::test;
using Catch::Matchers::Contains;

namespace {

std::vector<std::string> lines(const std::string& path) {
  std::vector<std::string> all;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) all.push_back(cell);
  return all;
}

std::string name_of(const std::string& path) { return std::filesystem::path(path).filename().string(); }

}  // namespace

TEST_CASE("each branch, history and table becomes a file") {
  const TemporaryFolder folder;
  const std::vector<std::string> files = export_csv(duffing_results(), folder / "csv/deep");
  std::vector<std::string> names;
  for (const std::string& file : files) names.push_back(name_of(file));
  CHECK(names ==
        std::vector<std::string>{"levels_branch0.csv", "levels_branch0_cycle0.csv", "levels_branch0_cycles.csv",
                                 "levels_branch1.csv", "levels_branch1_cycle0.csv", "levels_branch1_cycles.csv",
                                 "levels_special_points.csv", "levels_resonances.csv", "levels_branch0_shares.csv",
                                 "levels_branch1_shares.csv", "time_history0.csv"});
}

TEST_CASE("numbers come back exactly from a branch table") {
  const TemporaryFolder folder;
  const Results results = duffing_results();
  const std::vector<std::string> table = lines(export_csv(results, folder / "csv").at(0));
  const std::vector<std::string> head = cells(table.at(0));
  CHECK(head.at(0) == "frequency_Hz");
  CHECK(head.at(4) == "tip_rms_m");
  CHECK(head.at(7) == "tip_amplitude1_m");
  CHECK(head.at(10) == "tip_phase1_rad");
  CHECK(head.at(12) == "tip speed_rms_m/s");
  const auto& points = results.analyses[0].branches[0].points;
  REQUIRE(table.size() == points.size() + 1);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::vector<std::string> row = cells(table[i + 1]);
    REQUIRE(row.size() == head.size());
    CHECK(std::stod(row[0]) == points[i].frequency);
    CHECK(std::stod(row[4]) == points[i].observations[0].rms);
    CHECK(std::stod(row[7]) == points[i].observations[0].amplitude[1]);
    CHECK(std::stod(row[10]) == points[i].observations[0].phase[1]);
  }
}

TEST_CASE("special points, resonances and histories have their columns") {
  const TemporaryFolder folder;
  Results results = duffing_results();
  results.analyses[0].branches[0].end.resonances[0].damping_ratio = 0.02;
  results.analyses[0].branches[0].end.resonances[0].note = "wide, \"flat\"";
  const std::vector<std::string> files = export_csv(results, folder / "csv");
  const std::vector<std::string> special = lines(files.at(6));
  CHECK_THAT(special.at(0),
             Contains("branch,level,level_unit,kind,observable,harmonic,after_point,frequency_Hz,tip_rms_m"));
  CHECK(cells(special.at(1)).at(3) == "fold");
  const std::vector<std::string> resonances = lines(files.at(7));
  CHECK(resonances.at(0) == "branch,level,level_unit,observable,harmonic,frequency_Hz,amplitude,damping_ratio,note");
  CHECK_THAT(resonances.at(1), Catch::Matchers::EndsWith(",0.02,\"wide, \"\"flat\"\"\""));
  CHECK_THAT(resonances.at(2), Contains(",,the curve is folded"));  // no number where there is none
  const std::vector<std::string> history = lines(files.at(10));
  CHECK(history.at(0) ==
        "time_s,tip_m,tip speed_m/s,support_force_N,support_motion_m,support.1_force_N,support.1_motion_m");
  CHECK(history.size() == 401);
  CHECK(std::stod(cells(history.at(8)).at(3)) == results.analyses[1].histories[0].joint_force(7, 0));
}

TEST_CASE("file names are safe and never collide") {
  const TemporaryFolder folder;
  Results results;
  for (const char* name : {"../a b", ".._a_b", ""}) results.analyses.push_back({name, {}, {friction_history()}});
  std::vector<std::string> names;
  for (const std::string& file : export_csv(results, folder / "csv")) {
    CHECK(std::filesystem::path(file).parent_path() == folder / "csv");
    names.push_back(name_of(file));
  }
  CHECK(names == std::vector<std::string>{"___a_b_history0.csv", "___a_b_history0_2.csv", "__history0.csv"});
}

TEST_CASE("a folder that cannot be made is named") {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "x";
  CHECK_THROWS_WITH(export_csv(duffing_results(), folder / "file"), Contains("cannot make the folder '"));
  CHECK_THROWS_WITH(export_csv(folder / "none.h5", folder / "csv"), Contains("does not exist"));
}
