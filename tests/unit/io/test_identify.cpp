// Identification of studies: known parameters come back, wrong input is refused, results survive the disk.
#include "masing/core/error.hpp"
#include "masing/io/export.hpp"
#include "masing/io/identify.hpp"
#include "masing/io/report.hpp"
#include "masing/io/results.hpp"
#include "support/source_folder.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>

using namespace masing;

namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "masing_identify_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Scratch() { fs::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

/// A Jenkins element under cycles: secant stiffness and energy in closed form.
const std::string joint_alone = R"(
[[joint]]
name = "pad"
law = "jenkins"
stiffness = 1.0e6
slip_force = 30.0
[[loop]]
name = "cycles"
motion = { kind = "cycles", amplitudes = [1e-5, 2e-5, 4e-5, 8e-5] }
)";

const std::string sought = R"(
[identify]
[[identify.parameter]]
name = "stiffness"
key = "joint.pad.stiffness"
start = 1e6
lower = 5e5
upper = 8e6
scale = "logarithmic"
[[identify.parameter]]
name = "slip"
key = "joint.pad.slip_force"
start = 30.0
lower = 5.0
upper = 100.0
)";

const std::string energies = R"(
[[identify.data]]
file = "energy.csv"
take = { kind = "loop", value = "energy" }
at = "amplitude"
at_unit = "µm"
value = "energy"
unit = "mJ"
relative_deviation = 0.01
)";

/// 4 f (A − f/k) per cycle, of k = 3e6 N/m and f = 45 N: slipping from 15 µm on.
std::string energy_table(double noise = 0.0) {
  std::string text = "amplitude; energy\n# µm; mJ\n";
  int sign = 1;
  for (const double amplitude : {20e-6, 40e-6, 80e-6}) {
    const double energy = 4.0 * 45.0 * (amplitude - 45.0 / 3e6) * (1.0 + noise * sign);
    text += fmt::format("{:.9g}; {:.9g}\n", 1e6 * amplitude, 1e3 * energy);
    sign = -sign;
  }
  return text;
}

std::string refusal(const Scratch& folder, const std::string& study) {
  try {
    read_identification(folder.write("study.toml", study));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t place = text.find(what);
  REQUIRE(place != std::string::npos);
  return text.replace(place, what.size(), by);
}

}  // namespace

TEST_CASE("stiffness and slip force of a Jenkins element from the energies of its loops", "[identify]") {
  const Scratch folder;
  folder.write("energy.csv", energy_table());
  const auto task = read_identification(folder.write("study.toml", joint_alone + sought + energies));
  REQUIRE(task.data.size() == 1);
  CHECK(task.data[0].measured.size() == 3);
  const Identification result = identify(task);
  REQUIRE(result.fit.converged);
  // Energies of loops are exact for this law, and the residuals vanish at the solution.
  CHECK(result.fit.values[0] == Approx(3e6).epsilon(1e-5));
  CHECK(result.fit.values[1] == Approx(45.0).epsilon(1e-5));
  CHECK(result.fit.degrees_of_freedom == 1);
  for (const MeasuredPoint& point : result.points) CHECK(std::abs(point.residual()) < 1e-3);
  CHECK(result.points[0].at_start != Approx(result.points[0].measured).epsilon(0.1));
  CHECK(result.overrides.size() == 2);
}

TEST_CASE("errors are those that the deviations of the data make", "[identify]") {
  const Scratch folder;
  folder.write("energy.csv", energy_table(0.01));
  const auto task = read_identification(folder.write("study.toml", joint_alone + sought + energies));
  const FitResult fit = identify(task).fit;
  REQUIRE(fit.converged);
  // Within two standard errors, which are a few per cent.
  CHECK(std::abs(fit.values[1] - 45.0) < 2.0 * fit.standard_errors[1]);
  CHECK(fit.standard_errors[1] > 0.1);
  CHECK(fit.standard_errors[1] < 3.0);
  CHECK(std::abs(fit.correlation(0, 1)) < 1.0);
}

TEST_CASE("a measured force over displacement, row by row", "[identify]") {
  const Scratch folder;
  std::string table = "displacement,force\n";
  // Up to 30 µm and back by 50: stiffness 2e6, slip force 40.
  double force = 0.0, before = 0.0;
  for (const double u : {0.0, 5e-6, 10e-6, 18e-6, 30e-6, 25e-6, 10e-6, 0.0, -5e-6, -20e-6}) {
    force = std::clamp(force + 2e6 * (u - before), -40.0, 40.0);
    before = u;
    table += fmt::format("{:.9g},{:.9g}\n", u, force);
  }
  folder.write("measured.csv", table);
  std::string joints = joint_alone.substr(0, joint_alone.find("[[loop]]"));
  joints +=
      "[[loop]]\nmotion = { kind = \"history\", values = [0.0, 5e-6, 10e-6, 18e-6, 30e-6, 25e-6, 10e-6, 0.0, "
      "-5e-6, -20e-6] }\n";
  const std::string data = R"(
[[identify.data]]
file = "measured.csv"
take = { kind = "loop-sample", value = "force" }
value = "force"
unit = "N"
deviation = 0.5
)";
  const Identification result = identify(read_identification(folder.write("study.toml", joints + sought + data)));
  REQUIRE(result.fit.converged);
  CHECK(result.fit.values[0] == Approx(2e6).epsilon(1e-5));
  CHECK(result.fit.values[1] == Approx(40.0).epsilon(1e-5));
}

TEST_CASE("peaks of a frequency response and modes give stiffness and damping", "[identify]") {
  const Scratch folder;
  // f = sqrt(k/m)/2π = 50 Hz, peak F/(2 ζ k) with ζ = 0.01.
  const double k = std::pow(2.0 * pi * 50.0, 2);
  folder.write("modes.csv", "mode,frequency\n1,50.0\n");
  folder.write("peaks.csv",
               fmt::format("force,amplitude\n1.0,{0:.12g}\n2.0,{1:.12g}\n", 1.0 / (0.02 * k), 2.0 / (0.02 * k)));
  const std::string study = R"(
structure = { kind = "oscillator", mass = 1.0, stiffness = 9.0e4, damping_ratio = 0.02 }
excitation = { at = "x", force = 1.0 }
[harmonic_balance]
harmonics = 1
[[analysis]]
kind = "frequency-response"
name = "levels"
from = 35.0
to = 65.0
forces = [1.0, 2.0]
[identify]
[[identify.parameter]]
key = "structure.stiffness"
start = 9e4
lower = 5e4
upper = 1.5e5
[[identify.parameter]]
key = "structure.damping_ratio"
start = 0.02
lower = 0.002
upper = 0.1
scale = "logarithmic"
[[identify.data]]
file = "modes.csv"
take = { kind = "mode", value = "frequency" }
at = "mode"
value = "frequency"
unit = "Hz"
deviation = 0.01
[[identify.data]]
file = "peaks.csv"
take = { kind = "resonance", analysis = "levels", value = "amplitude" }
at = "force"
value = "amplitude"
relative_deviation = 0.01
)";
  const Identification result = identify(read_identification(folder.write("study.toml", study)));
  REQUIRE(result.fit.converged);
  CHECK(result.fit.values[0] == Approx(k).epsilon(1e-6));
  // The peak of the displacement is F/(2 ζ k sqrt(1 − ζ²)): 5e-5 above the formula.
  CHECK(result.fit.values[1] == Approx(0.01).epsilon(2e-4));
}

TEST_CASE("derived values follow their parameters", "[identify]") {
  const Scratch folder;
  folder.write("energy.csv", energy_table());
  const std::string derived = R"(
[identify]
[[identify.parameter]]
name = "side"
start = 1.0
lower = 0.5
upper = 4.0
[[identify.derived]]
key = "joint.pad.stiffness"
factor = 2.0e6
powers = { side = 1.0 }
[[identify.derived]]
key = ["joint.pad.slip_force"]
factor = 20.0
offset = 0.0
powers = { side = 2.0 }
)";
  const Identification result =
      identify(read_identification(folder.write("study.toml", joint_alone + derived + energies)));
  // 3e6 and 45 are side = 1.5 exactly.
  CHECK(result.fit.values[0] == Approx(1.5).epsilon(1e-5));
  CHECK(result.overrides.size() == 2);
}

TEST_CASE("model 21: the parameters behind its data come back", "[identify]") {
  const auto task = read_identification(test::source_folder() + "/models/21_identify_iwan.toml", {"identify.starts=1"});
  const Identification result = identify(task, 2);
  REQUIRE(result.fit.converged);
  const std::vector<double> truth = {2.2e5, 18.0, -0.4, 0.5};
  for (Index j = 0; j < 4; ++j) {
    CAPTURE(j);
    CHECK(std::abs(result.fit.values[j] - truth[static_cast<std::size_t>(j)]) < 2.0 * result.fit.standard_errors[j]);
  }
  // 28 numbers, 4 parameters: the sum of squares is that of 24 normal deviates, up to three of its deviations sqrt(48).
  CHECK(result.fit.chi_squared < 24.0 + 3.0 * std::sqrt(48.0));
  // Slip force and beta make one number together.
  REQUIRE(result.fit.undecided.size() == 1);
  CHECK(std::abs(result.fit.undecided[0].direction[3]) > 0.5);
}

TEST_CASE("an identification survives the disk and has its page and tables", "[identify]") {
  const Scratch folder;
  folder.write("energy.csv", energy_table(0.01));
  const auto task = read_identification(folder.write("study.toml", joint_alone + sought + energies));
  RunOptions options;
  options.results = folder / "out.h5";
  options.report = folder / "out.html";
  const RunSummary summary = run_identification(task, options);
  CHECK(summary.complete);
  CHECK(summary.text.find("standard error") != std::string::npos);
  CHECK(summary.text.find("--set 'joint.pad.stiffness=") != std::string::npos);
  const Results results = read_results(options.results);
  REQUIRE(results.identification);
  const Identification again = *results.identification, direct = identify(task);
  CHECK(again.fit.values == direct.fit.values);
  CHECK(again.fit.standard_errors == direct.fit.standard_errors);
  CHECK(again.fit.correlation == direct.fit.correlation);
  CHECK(again.fit.starts.size() == 1);
  CHECK(again.points.size() == 3);
  CHECK(again.points[1].computed == direct.points[1].computed);
  CHECK(again.overrides == direct.overrides);
  CHECK(results.loops.size() == 4);  // of the identified study
  CHECK(report_html(results).find("<h2>Identification</h2>") != std::string::npos);
  const auto files = export_csv(results, folder / "csv");
  CHECK(std::count_if(files.begin(), files.end(),
                      [](const std::string& name) { return name.find("identification_") != std::string::npos; }) == 3);
}

TEST_CASE("wrong identifications are refused with place and remedy", "[identify]") {
  const Scratch folder;
  folder.write("energy.csv", energy_table());
  const std::string study = joint_alone + sought + energies;
  CHECK(refusal(folder, study) == "accepted");
  const auto refused = [&](const std::string& what, const std::string& by) {
    return refusal(folder, replaced(study, what, by));
  };
  CHECK_THAT(refused("joint.pad.slip_force", "joint.pad.slipforce"), Catch::Contains("slipforce"));
  CHECK_THAT(refused("joint.pad.slip_force", "joint.bad.slip_force"), Catch::Contains("Did you mean 'pad'?"));
  CHECK_THAT(refused("upper = 100.0", "upper = 3.0"), Catch::Contains("upper = 3 must be above the lower bound 5."));
  CHECK_THAT(refused("start = 30.0", "start = 300.0"), Catch::Contains("must lie between the bounds 5 and 100."));
  CHECK_THAT(refused("lower = 5.0", "lower = -5.0"), Catch::Contains("parameter 'slip' at its bound -5"));
  CHECK_THAT(refused("at = \"amplitude\"", "at = \"amplitud\""),
             Catch::Contains("there is no column 'amplitud'. Did you mean 'amplitude'?"));
  CHECK_THAT(refused("energy.csv", "none.csv"), Catch::Contains("there is no file"));
  CHECK_THAT(refused("relative_deviation = 0.01", ""), Catch::Contains("`deviation` or `relative_deviation`"));
  CHECK_THAT(refused("unit = \"mJ\"", "unit = \"cal\""), Catch::Contains("the unit 'cal' is not known"));
  CHECK_THAT(refused("relative_deviation = 0.01", "relative_deviation = 0.01\nrows = [4]"),
             Catch::Contains("there is no row 4; there are 3"));
  CHECK_THAT(refusal(folder, joint_alone), Catch::Contains("there is no [identify]"));
  folder.write("energy.csv", "amplitude,energy\n20,oops\n");
  CHECK_THAT(refusal(folder, study),
             Catch::Contains("energy.csv:2: 'oops' in column 'energy' is not a finite number."));
}

TEST_CASE("data that the analyses do not reach are told", "[identify]") {
  const Scratch folder;
  folder.write("energy.csv", "amplitude,energy\n33,1.0\n");
  const auto task = read_identification(folder.write("study.toml", joint_alone + sought + energies));
  const Identification result = identify(task);
  CHECK_FALSE(result.fit.usable());
  CHECK_THAT(result.fit.message, Catch::Contains("there is no loop of amplitude 3.3e-05 m"));
}
