// Modes of studies: reading them, running them to a file, reading it back, tables and pages.
#include "masing/core/error.hpp"
#include "masing/io/export.hpp"
#include "masing/io/report.hpp"
#include "masing/io/run_modes.hpp"
#include "masing/io/study.hpp"
#include "support/scratch_folder.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using Catch::Matchers::Contains;
using test::ScratchFolder;
using test::text_of;

namespace {

const std::string two_masses = R"(title = "Two masses"
[structure]
kind = "chain"
mass = [1.0, 2.0]
stiffness = [100.0, 50.0]
loss_factor = 0.02
[[joint]]
name = "rub"
law = "jenkins"
stiffness = 70.0
slip_force = 1.0
direction = { x2 = 1.0 }
)";

const std::string beam = R"([structure]
kind = "beam"
theory = "euler-bernoulli"
method = "spectral"
length = 0.5
width = 0.02
thickness = 0.01
material = { E = 210e9, rho = 7850, nu = 0.3 }
supports = [ { at = 0.0, kind = "clamped" } ]
)";

Study read(const std::string& text, StudyUse use = StudyUse::modes) {
  return read_study_text(text, "study.toml", "", {}, use);
}

}  // namespace

TEST_CASE("a study for modes needs neither analysis nor excitation", "[modes]") {
  const Study study = read(two_masses);
  CHECK(study.analyses.empty());
  CHECK(study.model.joints.size() == 1);
  CHECK_THROWS_WITH(read("[[joint]]\nlaw = \"jenkins\"\nstiffness = 1\nslip_force = 1\n"),
                    Contains("[structure] is missing"));
  CHECK(read(two_masses, StudyUse::either).analyses.empty());
  CHECK_THROWS_AS(read(two_masses, StudyUse::analyses), ModelError);
}

TEST_CASE("modes run to a file that says what the tables say", "[modes]") {
  const ScratchFolder scratch;
  const RunSummary summary =
      run_modes(read(two_masses), {}, {.results = scratch.file("m.h5"), .report = scratch.file("m.html")});
  CHECK(summary.complete);
  CHECK_THAT(summary.text, Contains("joints stuck (the same: preload)") && Contains("without the joints") &&
                               Contains("side by side"));
  const Results results = read_results(scratch.file("m.h5"));
  const std::vector<ModeSet> computed = linear_modes(read(two_masses).model, {});
  REQUIRE(results.modes.size() == computed.size());
  for (std::size_t i = 0; i < computed.size(); ++i) {
    CHECK(results.modes[i].state == computed[i].state);
    CHECK(results.modes[i].same == computed[i].same);
    CHECK(results.modes[i].coordinates == std::vector<std::string>{"x1", "x2"});
    CHECK(results.modes[i].equilibrium == computed[i].equilibrium);
    REQUIRE(results.modes[i].modes.size() == 2);
    for (std::size_t j = 0; j < 2; ++j) {
      const LinearMode& stored = results.modes[i].modes[j];
      const LinearMode& expected = computed[i].modes[j];
      CHECK(stored.mode.omega == Approx(expected.mode.omega).epsilon(1e-15));  // it is stored in Hz
      CHECK(stored.mode.damping_ratio == expected.mode.damping_ratio);
      CHECK(stored.mode.shape == expected.mode.shape);
      CHECK(stored.mode.kind == expected.mode.kind);
      CHECK(stored.largest == expected.largest);
      CHECK(stored.modal_mass == expected.modal_mass);
      CHECK(stored.mode.x.size() == 0);
    }
  }
  CHECK(results.summary == summary.text);
  const std::string page = text_of(scratch.file("m.html"));
  CHECK_THAT(page, Contains("Modes: joints stuck") && Contains("Mode 2:") && Contains("coordinate: x1, x2"));
  CHECK(export_csv(results, scratch.file("csv")).size() == 2);
  CHECK_THAT(text_of(scratch.file("csv/modes_free.csv")),
             Contains("mode,kind,frequency_Hz,damping_ratio") && Contains("\n2,vibrating,"));
}

TEST_CASE("shapes of a beam are stored and drawn along it", "[modes]") {
  const ScratchFolder scratch;
  const ModesRequest request{.range = {.count = 3}, .places = 51};
  run_modes(read(beam), request, {.results = scratch.file("b.h5"), .report = scratch.file("b.html")});
  const Results results = read_results(scratch.file("b.h5"));
  REQUIRE(results.modes.size() == 1);
  const NaturalMode& first = results.modes[0].modes[0].mode;
  CHECK(first.x.size() == 51);
  CHECK(first.drawn.rows() == 51);
  CHECK(first.drawn.cols() == 3);
  CHECK(first.omega / (2.0 * pi) == Approx(33.4206638).epsilon(1e-8));  // 1.8751² √(EI/ρA)/ℓ²/2π
  CHECK_THAT(text_of(scratch.file("b.html")), Contains("Mode 3:") && Contains(">w<"));
}

TEST_CASE("a state that fails leaves a file with the others", "[modes]") {
  const ScratchFolder scratch;
  const std::string floating = R"([structure]
kind = "chain"
mass = [1.0, 2.0]
stiffness = 100.0
ground = "none"
[[excitation]]
at = "x1"
static_force = 1.0
[[joint]]
name = "stop"
law = "unilateral"
stiffness = 1e3
gap = 1e-3
direction = { x1 = 1.0, x2 = -1.0 }
)";
  const RunSummary summary = run_modes(read(floating), {}, {.results = scratch.file("f.h5")});
  CHECK_FALSE(summary.complete);
  CHECK(summary.unfinished == 1);
  CHECK_THAT(summary.text, Contains("not computed: The structure floats") && Contains("rigid body"));
  const Results results = read_results(scratch.file("f.h5"));
  REQUIRE(results.modes.size() == 2);
  CHECK_FALSE(results.modes[1].complete);
  CHECK_THAT(results.modes[1].message, Contains("The structure floats"));
}

TEST_CASE("a study with a reduction has the modes of the reduced structure, or of the full one", "[modes][reduction]") {
  const std::string mesh = R"([structure]
kind = "beam"
theory = "euler-bernoulli"
method = "finite-element"
elements = 60
length = 0.5
width = 0.02
thickness = 0.01
material = { E = 210e9, rho = 7850 }
supports = [ { at = 0.0, kind = "clamped" } ]
points = { tip = 0.5 }
reduction = { kind = "craig-bampton", modes = 2, keep = ["tip.w"] }
)";
  const ScratchFolder scratch;
  const ModesRequest request{.range = {.count = 2}};
  const RunSummary reduced = run_modes(read(mesh), request, {.results = scratch.file("r.h5"), .report = ""});
  const RunSummary full =
      run_modes(read(mesh, StudyUse::full_modes), request, {.results = scratch.file("f.h5"), .report = ""});
  CHECK_THAT(reduced.text, Contains("180 unknowns reduced to 3") && Contains("Modes of the reduced structure"));
  CHECK_THAT(full.text, Contains("Modes of the full structure"));
  const ModeSet a = read_results(scratch.file("r.h5")).modes.at(0);
  const ModeSet b = read_results(scratch.file("f.h5")).modes.at(0);
  CHECK(a.coordinates == b.coordinates);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(a.modes[i].mode.omega > b.modes[i].mode.omega);  // Rayleigh-Ritz
    CHECK(a.modes[i].mode.omega == Approx(b.modes[i].mode.omega).epsilon(1e-2));
  }
  CHECK_THROWS_WITH(read(mesh.substr(0, mesh.find("modes = 2")) + "error = 1e-4 }\n"),
                    Contains("no analysis says up to which frequency"));
}
