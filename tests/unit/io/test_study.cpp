#include "masing/io/study.hpp"

#include "masing/core/error.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace masing;
using Catch::Matchers::Contains;

namespace {

const std::string duffing = R"(title = "Duffing"
[structure]
kind = "oscillator"
mass = 1.0
stiffness = 1.0
damping = 0.04
[[joint]]
name = "spring"
law = "cubic"
cubic_stiffness = 0.5
direction = { x = 1.0 }
[excitation]
at = "x"
force = 0.1
[harmonic_balance]
harmonics = 5
samples = 64
[[analysis]]
kind = "frequency-response"
from = 0.04
to = 0.45
forces = [0.1, 0.3]
)";

const std::string chain = R"(
[structure]
kind = "chain"
count = 3
mass = 2.0
stiffness = 100.0
[[analysis]]
kind = "frequency-response"
from = 1
to = 2
)";

Study read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read_study_text(text, "study.toml", "", overrides);
}

std::string message_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    read(text, overrides);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

const FrequencyResponseRequest& response_of(const Study& study, std::size_t i = 0) {
  return std::get<FrequencyResponseRequest>(study.analyses.at(i));
}

}  // namespace

TEST_CASE("a study becomes a model and a request", "[study]") {
  const Study study = read(duffing);
  CHECK(study.title == "Duffing");
  CHECK(study.text == duffing);
  REQUIRE(study.model.joints.size() == 1);
  CHECK(study.model.joints[0].name == "spring");
  CHECK(study.model.joints[0].directions.coeff(0, 0) == 1.0);
  REQUIRE(study.model.loads.size() == 1);
  CHECK(study.model.loads[0].shape == Vector::Constant(1, 0.1));
  CHECK(study.model.loads[0].harmonic == 1);
  const FrequencyResponseRequest& request = response_of(study);
  CHECK(request.name == "response");
  CHECK(request.from == 0.04);
  CHECK(request.to == 0.45);
  CHECK(request.balance.harmonics == std::vector<int>{0, 1, 2, 3, 4, 5});
  CHECK(request.balance.samples == 64);
  REQUIRE(request.observables.size() == 1);
  CHECK(request.observables[0].name == "x");
}

TEST_CASE("forces become factors on the load and are shown as written", "[study]") {
  const Study study = read(duffing);
  const FrequencyResponseRequest& request = response_of(study);
  CHECK(request.shown_levels == std::vector<double>{0.1, 0.3});
  CHECK(request.level_unit == "N");
  REQUIRE(request.levels.size() == 2);
  CHECK(request.levels[0] == 0.1 / 0.1);
  CHECK(request.levels[1] == 0.3 / 0.1);
}

TEST_CASE("without levels the loads act as they are", "[study]") {
  const Study study = read(chain + "[excitation]\nat = \"x2\"\nforce = 4\n");
  CHECK(response_of(study).levels == std::vector<double>{1.0});
  CHECK(response_of(study).shown_levels == std::vector<double>{4.0});
  CHECK(response_of(study).level_unit == "N");
}

TEST_CASE("defaults are those of the library, and are echoed", "[study]") {
  const Study study = read(chain + "[excitation]\nat = \"x2\"\nforce = 4\n");
  const FrequencyResponseRequest& request = response_of(study);
  CHECK(request.balance.harmonics == BalanceOptions{}.harmonics);
  CHECK(request.balance.samples == 256);
  CHECK(request.balance.events == BalanceOptions{}.events);
  CHECK(request.newton.residual_tolerance == NewtonOptions{}.residual_tolerance);
  CHECK(request.continuation.step.maximum == ContinuationOptions{}.step.maximum);
  CHECK(request.continuation.parametrisation == ContinuationOptions{}.parametrisation);
  CHECK(request.continuation.predictor == ContinuationOptions{}.predictor);
  const auto newton = std::find_if(study.sections.begin(), study.sections.end(),
                                   [](const StudySection& section) { return section.name == "newton"; });
  REQUIRE(newton != study.sections.end());
  CHECK(newton->values.integer("max_iterations") == NewtonOptions{}.max_iterations);
}

TEST_CASE("samples grow with the highest harmonic unless given", "[study]") {
  const Study study = read(duffing, {"harmonic_balance={harmonics=[1,3,70]}"});
  CHECK(response_of(study).balance.harmonics == std::vector<int>{1, 3, 70});
  CHECK(response_of(study).balance.samples == 1024);
}

TEST_CASE("loads: phase in degrees, any harmonic, static, base acceleration", "[study]") {
  const std::string text = chain + R"(
[[excitation]]
at = "x1"
force = 3.0
harmonic = 2
phase = 90
[[excitation]]
at = "x3"
static_force = -5.0
[[excitation]]
base_acceleration = 2.0
)";
  const Study study = read(text);
  REQUIRE(study.model.loads.size() == 3);
  CHECK(study.model.loads[0].harmonic == 2);
  CHECK(study.model.loads[0].phase == Approx(pi / 2));
  CHECK(study.model.loads[1].harmonic == 0);
  CHECK(study.model.loads[1].shape == Vector{{0.0, 0.0, -5.0}});
  CHECK(study.model.loads[2].shape == Vector{{-4.0, -4.0, -4.0}});
  CHECK(response_of(study).level_unit.empty());
}

TEST_CASE("accelerations are levels of a base acceleration", "[study]") {
  const Study study =
      read(chain + "accelerations = [1, 4]\n[excitation]\nbase_acceleration = 2.0\ndirection = { x1 = 1.0 }\n");
  CHECK(study.model.loads[0].shape == Vector{{-4.0, 0.0, 0.0}});
  CHECK(response_of(study).levels == std::vector<double>{0.5, 2.0});
  CHECK(response_of(study).level_unit == "m/s^2");
}

TEST_CASE("names with a component and nested directions mean the same coordinate", "[study]") {
  const std::string text = R"(
[structure]
kind = "matrices"
mass = [[1, 0], [0, 1]]
stiffness = [[2, -1], [-1, 2]]
coordinates = ["tip.u", "tip.w"]
[[joint]]
law = "jenkins"
stiffness = 1
slip_force = 1
direction = { tip = { u = 1.0, w = -2.0 } }
[excitation]
at = "tip"
component = "w"
force = 1
[[sensor]]
at = "tip.u"
quantity = "velocity"
[[analysis]]
kind = "frequency-response"
from = 0.1
to = 0.2
)";
  const Study study = read(text);
  CHECK(study.model.joints[0].name == "joint1");
  CHECK(Matrix(study.model.joints[0].directions) == Matrix{{1.0}, {-2.0}});
  CHECK(study.model.loads[0].shape == Vector{{0.0, 1.0}});
  const std::vector<Observable>& observables = response_of(study).observables;
  REQUIRE(observables.size() == 1);
  CHECK(observables[0].name == "tip.u velocity");
  CHECK(observables[0].quantity == Quantity::velocity);
}

TEST_CASE("a law with several inputs takes several directions", "[study]") {
  const std::string text = chain + R"(
[excitation]
at = "x1"
force = 1
[[joint]]
law = "polynomial"
terms = [ { force = 1, coefficient = 2.0, exponents = [1, 2] } ]
directions = [ { x1 = 1 }, { x2 = 1, x3 = -1 } ]
)";
  const Study study = read(text);
  CHECK(Matrix(study.model.joints[0].directions) == Matrix{{1, 0}, {0, 1}, {0, -1}});
}

TEST_CASE("a transient analysis is read with its initial values", "[study]") {
  const std::string text = duffing + R"(
[[analysis]]
kind = "transient"
name = "time"
frequency = 0.2
periods = 12
levels = [2.0]
initial_displacement = { x = 0.5 }
)";
  const Study study = read(text);
  REQUIRE(study.analyses.size() == 2);
  const auto& request = std::get<TransientRequest>(study.analyses[1]);
  CHECK(name_of(study.analyses[1]) == "time");
  CHECK(request.periods == 12.0);
  CHECK(request.levels == std::vector<double>{2.0});
  CHECK(request.initial_displacement == Vector::Constant(1, 0.5));
  CHECK(request.harmonics == std::vector<int>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("a ringdown has a duration and no frequency", "[study]") {
  const std::string text = R"(
[structure]
kind = "oscillator"
mass = 1.0
stiffness = 1.0
[[analysis]]
kind = "transient"
duration = 30
initial_velocity = { x = 0.5 }
)";
  const Study study = read(text);
  const auto& request = std::get<TransientRequest>(study.analyses[0]);
  CHECK(request.frequency == 0.0);
  CHECK(request.duration == 30.0);
  CHECK_THAT(message_of(text + "periods = 3\n"), Contains("duration = 30 s is given beside periods"));
  CHECK_THAT(message_of(text + "[excitation]\nat = \"x\"\nforce = 1\n"), Contains("'frequency' is missing"));
}

TEST_CASE("overrides replace and add values by number and by name", "[study][set]") {
  const Study study = read(duffing, {"joint.0.name=\"cube\"", "joint.cube.direction={x=2}", "newton.max_iterations=7",
                                     "analysis.0.to=0.5", "structure.mass=3"});
  CHECK(study.model.joints[0].name == "cube");
  CHECK(study.model.joints[0].directions.coeff(0, 0) == 2.0);
  CHECK(response_of(study).newton.max_iterations == 7);
  CHECK(response_of(study).to == 0.5);
  CHECK(study.overrides.size() == 5);
  CHECK(study.text == duffing);
}

TEST_CASE("mistakes in overrides are told with the override", "[study][set]") {
  CHECK(
      message_of(duffing, {"joint.0.law=jenkins"}) ==
      "--set joint.0.law=jenkins: 'jenkins' is not a TOML value. Texts need quotes: --set 'joint.0.law=\"jenkins\"'.");
  CHECK(message_of(duffing, {"joint.1.law=3"}) ==
        "--set joint.1.law=3: there is no number 1; the last one is 0 (they count from 0).");
  CHECK(message_of(duffing, {"joint.sprung.law=3"}) ==
        "--set joint.sprung.law=3: there is no 'sprung'. Did you mean 'spring'?");
  CHECK(message_of(duffing, {"structure.mass=-1"}) == "--set structure.mass=-1: structure: mass = -1 kg must be > 0.");
  CHECK(message_of(duffing, {"structure.mas=1"}) ==
        "--set structure.mas=1: structure: unknown key 'mas'. Did you mean 'mass'?");
  CHECK_THAT(message_of(duffing, {"structure"}), Contains("write key=value"));
  CHECK_THAT(message_of(duffing, {"joint=3"}), Contains("'joint' must be a table"));
  CHECK_THAT(message_of(duffing, {"joint.0=3"}), Contains("'joint' is a list; say which entry and key"));
  CHECK_THAT(message_of(duffing, {"title.x=3"}), Contains("'title' has a value"));
  CHECK_THAT(message_of(duffing, {"a..b=3"}), Contains("an empty name between the dots"));
}

TEST_CASE("a large structure asks for sensors", "[study]") {
  const std::string text = chain + "[excitation]\nat = \"x2\"\nforce = 4\n";
  CHECK(response_of(read(text, {"structure.count=20"})).observables.size() == 20);
  CHECK(message_of(text, {"structure.count=21"}) ==
        "study.toml: the structure has 21 coordinates: say with [[sensor]] which of them to report, for example at = "
        "\"x21\".");
}

TEST_CASE("loads whose harmonic is not in the set are refused instead of ignored", "[study]") {
  CHECK_THAT(message_of(duffing, {"harmonic_balance.harmonics=[0,3]"}),
             Contains("acts in harmonic 1, which is not among"));
  CHECK_THAT(message_of(duffing, {"harmonic_balance.harmonics=[1,3]", "excitation={at=\"x\",static_force=1}"}),
             Contains("acts in harmonic 0, which is not among"));
}

TEST_CASE("a floating structure needs its static harmonic left out", "[study]") {
  const std::string text = chain + "[excitation]\nat = \"x2\"\nforce = 4\n";
  CHECK_THAT(message_of(text, {"structure.ground=\"none\""}), Contains("leave harmonic 0 out"));
  CHECK(message_of(text, {"structure.ground=\"none\"", "harmonic_balance.harmonics=[1]"}) == "accepted");
  const std::string held =
      text + "[[joint]]\nlaw = \"jenkins\"\nstiffness = 1\nslip_force = 1\ndirection = { x1 = 1 }\n";
  CHECK(message_of(held, {"structure.ground=\"none\""}) == "accepted");
}

TEST_CASE("hysteretic damping has no transient", "[study]") {
  const std::string text = duffing + "[[analysis]]\nkind = \"transient\"\nfrequency = 1\n";
  CHECK_THAT(message_of(text, {"structure.loss_factor=0.1"}),
             Contains("hysteretic damping (loss_factor) has no time-domain form"));
}

TEST_CASE("continuation steps must be in order", "[study]") {
  CHECK(message_of(duffing, {"continuation.step_initial=0.5"}) ==
        "--set continuation.step_initial=0.5: continuation: step_initial = 0.5 must be <= step_maximum = 0.1.");
  CHECK_THAT(message_of(duffing, {"continuation.step_minimum=0.05"}), Contains("must be <= the first step"));
}

TEST_CASE("the options of the solver reach the request", "[study]") {
  const Study study = read(
      duffing, {"continuation={parametrisation=\"natural\",predictor=\"secant\",max_points=12,max_iterations=340}",
                "newton.line_search=false", "harmonic_balance.max_cycles=9", "harmonic_balance.events=\"sampled\""});
  const FrequencyResponseRequest& request = response_of(study);
  CHECK(request.continuation.parametrisation == Parametrisation::natural);
  CHECK(request.continuation.predictor == Predictor::secant);
  CHECK(request.continuation.max_points == 12);
  CHECK(request.continuation.max_iterations == 340);
  CHECK_FALSE(request.newton.line_search);
  CHECK(request.balance.cycle.max_cycles == 9);
  CHECK(request.balance.events == Events::sampled);
}
