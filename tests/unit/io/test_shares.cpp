// Who takes part in a motion, and superharmonics and isolas as a study asks for them.
#include "masing/core/error.hpp"
#include "masing/io/export.hpp"
#include "masing/io/report.hpp"
#include "masing/io/results.hpp"
#include "masing/io/run.hpp"
#include "support/scratch_folder.hpp"
#include "support/source_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

using namespace masing;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

TEST_CASE("an exchange between two modes is stored, told, exported and drawn", "[shares]") {
  const test::ScratchFolder folder;
  const Study study = read_study(test::source_folder() + "/models/20_internal_resonance.toml");
  const RunSummary summary = run_study(study, {.results = folder.file("r.h5")});
  INFO(summary.text);
  CHECK(summary.complete);
  CHECK_THAT(summary.text, Contains("harmonic 3 resonates with mode 2 (") && Contains("driven by mode 1"));

  const Results results = read_results(folder.file("r.h5"));
  const StoredBranch& branch = results.find("response")->branches.at(0);
  REQUIRE(branch.header.modes.size() == 2);
  double in_second = 0.0;
  for (const ResponsePoint& point : branch.points) {
    CHECK(point.harmonic_share.norm() == Approx(1.0).epsilon(1e-12));
    REQUIRE(point.modal_share.size() == 8);
    for (Index k = 0; k < 4; ++k) {
      if (point.harmonic_share[k] < 1e-10) continue;  // rounding error has no shape
      CHECK(point.modal_share.segment(2 * k, 2).sum() == Approx(1.0).epsilon(1e-9));
    }
    in_second = std::max(in_second, point.harmonic_share[1] * std::sqrt(point.modal_share[3]));
  }
  CHECK(in_second > 0.05);  // of the velocity, harmonic 3 in mode 2

  const std::vector<std::string> files = export_csv(results, folder.file("tables"));
  const auto shares = std::find_if(files.begin(), files.end(), [](const std::string& file) {
    return file.ends_with("response_branch0_shares.csv");
  });
  REQUIRE(shares != files.end());
  CHECK(first_line(*shares) ==
        "frequency_Hz,harmonic1_share,harmonic3_share,harmonic5_share,harmonic7_share,mode1_frequency_Hz,"
        "mode2_frequency_Hz,harmonic1_in_mode1,harmonic1_in_mode2,harmonic3_in_mode1,harmonic3_in_mode2,"
        "harmonic5_in_mode1,harmonic5_in_mode2,harmonic7_in_mode1,harmonic7_in_mode2");
  const std::string page = report_html(results);
  CHECK_THAT(page, Contains("shares of harmonics") && Contains("harmonic 3 in mode 2"));
  CHECK_THAT(summary.text, Contains("exchange, superharmonic 3:1 of x2"));
}
