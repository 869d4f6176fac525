// Loops in studies: reading them, running them to a file, reading it back, tables and pages.
#include "masing/core/error.hpp"
#include "masing/io/export.hpp"
#include "masing/io/report.hpp"
#include "masing/io/run_loops.hpp"
#include "masing/io/study.hpp"
#include "masing/io/study_overview.hpp"

#include <unistd.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

using namespace masing;
using Catch::Matchers::Contains;

namespace {

const std::string sliders = R"(title = "Two sliders"
[[joint]]
name = "soft"
law = "jenkins"
stiffness = 1e6
slip_force = 10
[[joint]]
name = "stiff"
law = "jenkins"
stiffness = 1e7
slip_force = 10
)";

const std::string levels = R"([[loop]]
name = "levels"
motion = { kind = "cycles", amplitudes = [5e-6, 2e-5, 4e-5] }
)";

/// A four-parameter joint; further keys may follow.
std::string bolt(const std::string& law) {
  return fmt::format(
      "[[joint]]\nname = \"bolt\"\nlaw = \"{}\"\nstiffness = 1.5e7\nslip_force = 4e3\n"
      "density = {{ kind = \"four-parameter\", chi = -0.5, beta = 0.005 }}\n",
      law);
}

Study read(const std::string& text, StudyUse use = StudyUse::loops, const std::vector<std::string>& overrides = {}) {
  return read_study_text(text, "study.toml", "", overrides, use);
}

std::string message_of(const std::string& text, StudyUse use = StudyUse::loops) {
  try {
    read(text, use);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

/// A folder of its own, removed at the end.
class Scratch {
 public:
  Scratch() : path_(std::filesystem::temp_directory_path() / fmt::format("masing_loops_{}", ::getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a study of loops needs no structure and its joints no direction", "[loops]") {
  const Study study = read(sliders + levels);
  CHECK(study.model.structure == nullptr);
  REQUIRE(study.joints.size() == 2);
  REQUIRE(study.loops.size() == 1);
  CHECK(study.loops[0].joints == std::vector<std::size_t>{0, 1});
  CHECK(study.loops[0].request.amplitudes == std::vector<double>{5e-6, 2e-5, 4e-5});
  CHECK(study.loops[0].request.samples == LoopRequest{}.samples);
  CHECK_THAT(study_overview(study), Contains("loop        levels: cycles at 5e-06, 2e-05, 4e-05 m; soft, stiff"));
}

TEST_CASE("the same file serves analyses and loops", "[loops]") {
  const std::string text = R"(structure = { kind = "oscillator", mass = 1.0, stiffness = 4.0e4, damping_ratio = 0.002 }
excitation = { at = "x", force = 1.0 }
[[joint]]
law = "jenkins"
stiffness = 1e4
slip_force = 5
direction = { x = 1.0 }
[[analysis]]
kind = "frequency-response"
from = 25
to = 45
)" + levels;
  for (const StudyUse use : {StudyUse::analyses, StudyUse::loops, StudyUse::either}) {
    const Study study = read(text, use);
    CHECK(study.analyses.size() == 1);
    CHECK(study.loops.size() == 1);
    CHECK(study.model.joints[0].directions.coeff(0, 0) == 1.0);
  }
}

TEST_CASE("what a loop says reaches the request", "[loops]") {
  const Study study = read(sliders + R"(
[[loop]]
name = "nested"
joints = "stiff"
motion = { kind = "minor-loops", amplitude = 3e-5, minor = [1e-5, 5e-6], centre = 2e-6 }
samples = 100
[[loop]]
name = "path"
motion = { kind = "history", values = [0, 1e-5, -1e-5], steps = 20 }
frequency = 3
[[loop]]
name = "push"
motion = { kind = "ramp", to = 5e-5 }
)");
  REQUIRE(study.loops.size() == 3);
  CHECK(study.loops[0].joints == std::vector<std::size_t>{1});
  CHECK(study.loops[0].request.motion == LoopMotion::minor_loops);
  CHECK(study.loops[0].request.minor == std::vector<double>{1e-5, 5e-6});
  CHECK(study.loops[0].request.minor_centre == 2e-6);
  CHECK(study.loops[0].request.samples == 100);
  CHECK(study.loops[1].request.history == Matrix(Vector{{0.0, 1e-5, -1e-5}}));
  CHECK(study.loops[1].request.steps == 20);
  CHECK(study.loops[1].request.frequency == 3.0);
  CHECK(study.loops[2].request.motion == LoopMotion::ramp);
  CHECK(study.loops[2].request.amplitudes == std::vector<double>{5e-5});
}

TEST_CASE("a table of a history may begin with the time", "[loops]") {
  const Study study =
      read(sliders + "[[loop]]\nmotion = { kind = \"history\", table = [[0.0, 0.0], [0.1, 1e-5], [0.3, 2e-5]] }\n");
  CHECK(study.loops[0].request.time == Vector{{0.0, 0.1, 0.3}});
  CHECK(study.loops[0].request.history == Matrix(Vector{{0.0, 1e-5, 2e-5}}));
}

TEST_CASE("wrong loops are refused with place and rule", "[loops]") {
  CHECK_THAT(message_of(levels), Contains("study.toml: loops need a [[joint]]; there is none."));
  CHECK_THAT(message_of(sliders),
             Contains("there is no [[loop]], and the default, cycles of 0.01 … 3 times macroslip, does "
                      "not fit: the law of joint 'soft' has no macroslip displacement."));
  CHECK_THAT(message_of(sliders + levels + "joints = [\"sofd\"]\n"),
             Contains("loop 'levels': joints = [\"sofd\"] has no joint 'sofd'. Did you mean 'soft'?"));
  CHECK_THAT(message_of(sliders + levels + levels), Contains("the name 'levels' is taken"));
  CHECK_THAT(
      message_of(sliders + levels + "normal_load = 5.0\n"),
      Contains(
          "study.toml:12: loop 'levels': `normal_load` is given, but the law of joint 'soft' has no normal input."));
  CHECK_THAT(message_of(sliders + "[[loop]]\nmotion = { kind = \"cycle\" }\n"),
             Contains("kind = \"cycle\" is not known. Did you mean 'cycles'?"));
  CHECK_THAT(message_of(sliders + "[[loop]]\nmotion = { kind = \"ramp\" }\n"),
             Contains("to is missing: give it, or of_macroslip."));
  CHECK_THAT(message_of(sliders + "[[loop]]\nmotion = { kind = \"history\" }\n"),
             Contains("values or `table` must be given"));
  CHECK_THAT(message_of(sliders + levels, StudyUse::analyses),
             Contains("there are loops but no [[analysis]]: this study is for `masing loop`."));
}

TEST_CASE("where a backbone comes from is asked only of laws that have one", "[loops]") {
  CHECK_THAT(message_of("[[joint]]\nlaw = \"jenkins\"\nstiffness = 1e6\nslip_force = 10\nfrom = \"pressure\"\n"),
             Contains("study.toml:5: joint 'joint1': from = \"pressure\" says where a backbone comes from, and law "
                      "'jenkins' has none."));
}

TEST_CASE("a study of backbone laws needs no [[loop]]", "[loops]") {
  const Study study = read(bolt("iwan"));
  REQUIRE(study.loops.size() == 1);
  CHECK(study.loops[0].request.name == "loops");
  CHECK(study.loops[0].request.of_macroslip.front() == 0.01);
  REQUIRE(study.notes.size() == 1);
  CHECK(study.notes[0].joint == "bolt");
  CHECK(study.notes[0].origin == "from density");
  CHECK_THAT(study_overview(study), Contains("bolt from density: stick stiffness 1.5e+07 N/m"));
}

TEST_CASE("the exact law has the energy of its backbone, the reduced one too much of it in partial slip", "[loops]") {
  constexpr double sampled = 1e-6;    // corners between samples
  constexpr double published = 0.01;  // the figures below are whole percents
  const std::vector<double> excess = {0.28, 0.15, 0.05, 0.0};
  for (const std::string law : {"iwan", "ripp"}) {
    const Study study =
        read(bolt(law) + "[[loop]]\nmotion = { kind = \"cycles\", of_macroslip = [0.1, 0.3, 0.6, 2.0] }\n");
    const std::vector<JointLoop> loops = joint_loops(study.joints[0], study.loops[0].request);
    for (std::size_t i = 0; i < loops.size(); ++i) {
      const double more = loops[i].energy / loops[i].energy_of_backbone - 1.0;
      CHECK(more == Approx(law == "iwan" ? 0.0 : excess[i]).margin(law == "iwan" ? sampled : published));
    }
  }
}

TEST_CASE("the share of a residual spring stretches the backbone that the energy is compared with", "[loops]") {
  const Study study = read(bolt("iwan") + "residual_share = 0.3\n");
  for (const JointLoop& loop : joint_loops(study.joints[0], study.loops[0].request)) {
    CHECK(loop.energy == Approx(loop.energy_of_backbone).epsilon(1e-6));  // corners between samples
  }
}

TEST_CASE("backbones come from a source, tables of it from files", "[loops]") {
  const Scratch scratch;
  std::ofstream(scratch.file("line.csv")) << "x,q\n0,0\n0.01,4e3\n0.03,6e3\n";
  const std::string text = R"([[joint]]
name = "pad"
law = "iwan"
from = "pressure"
friction = 0.5
stiffness = 1e7
pressure = { kind = "line", table = "line.csv" }
)";
  const Study study = read_study_text(text, "study.toml", scratch.file(""), {}, StudyUse::loops);
  CHECK(study.joints[0].backbone->slip_force() == Approx(0.5 * (0.5 * 0.01 * 4e3 + 0.02 * 5e3)));
  CHECK(study.notes[0].origin == "from pressure");
  CHECK_THROWS_WITH(read_study_text(text, "study.toml", scratch.file("none"), {}, StudyUse::loops),
                    Contains("study.toml:7: joint 'pad': pressure: table = \"line.csv\" cannot be read: the file '"));
  CHECK_THAT(message_of(bolt("iwan") + "from = \"densty\"\n"),
             Contains("joint 'bolt': from = \"densty\" is not known. Did you mean 'density'?"));
}

TEST_CASE("loops are run, stored, read back, exported and drawn", "[loops]") {
  const Scratch scratch;
  RunOptions options;
  options.results = scratch.file("loops.h5");
  options.report = scratch.file("loops.html");
  const RunSummary summary = run_loops(read(sliders + levels), options);
  CHECK(summary.complete);
  CHECK_THAT(summary.text, Contains("levels, joint soft: cycles"));

  const Results results = read_results(options.results);
  REQUIRE(results.loops.size() == 6);
  const JointLoop& loop = results.loops[1];
  CHECK(loop.loop == "levels");
  CHECK(loop.joint == "soft");
  CHECK(loop.index == 1);
  CHECK(loop.closed);
  CHECK(loop.inputs == std::vector<std::string>{"motion"});
  CHECK(loop.displacement.rows() == LoopRequest{}.samples + 1);
  CHECK(loop.energy == Approx(4.0 * 10.0 * (2e-5 - 1e-5)).epsilon(1e-5));  // corners between samples
  CHECK(std::isnan(loop.energy_of_backbone));
  CHECK(results.loops[3].joint == "stiff");

  const std::vector<std::string> files = export_csv(results, scratch.file("tables"));
  REQUIRE(files.size() == 7);
  CHECK_THAT(files[1], Contains("levels_soft_loop1.csv"));
  CHECK_THAT(text_of(files[1]), Contains("motion_displacement_m,motion_force_N,work_J\n2.0000000000000002e-05,"));
  CHECK_THAT(files[6], Contains("levels_loops.csv"));
  CHECK_THAT(text_of(files[6]), Contains("joint,index,motion,closed,amplitude_m,largest_force_N"));

  const std::string page = text_of(options.report);
  CHECK_THAT(page, Contains("<h2>levels – soft</h2>") && Contains("energy a cycle") && Contains("secant stiffness"));
  CHECK_THAT(response_svg(results, {.analysis = "levels", .observable = "stiff"}), Contains("levels – stiff"));
  CHECK_THROWS_WITH(response_svg(results, {.analysis = "", .observable = "stif"}), Contains("Did you mean 'stiff'?"));
}

TEST_CASE("a loop that cannot be computed does not lose the others", "[loops]") {
  const Scratch scratch;
  RunOptions options;
  options.results = scratch.file("loops.h5");
  const Study study = read(
      "[[joint]]\nlaw = \"cubic\"\ncubic_stiffness = 1e300\n[[loop]]\nmotion = { kind = \"cycles\", amplitudes = [1e9, "
      "1e-5] }\n");
  const RunSummary summary = run_loops(study, options);
  CHECK_FALSE(summary.complete);
  CHECK(summary.unfinished == 1);
  const Results results = read_results(options.results);
  REQUIRE(results.loops.size() == 2);
  CHECK_FALSE(results.loops[0].complete);
  CHECK_THAT(results.loops[0].message, Contains("Contact law"));
  CHECK(results.loops[1].complete);
  CHECK(export_csv(results, scratch.file("tables")).size() == 3);
}
