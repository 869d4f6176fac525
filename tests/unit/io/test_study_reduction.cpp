// [structure] reduction: a study goes on naming coordinates of the full structure, and finds the same response.
#include "masing/io/study.hpp"
#include "masing/io/study_overview.hpp"
#include "masing/structure/reduction.hpp"

#include <fmt/format.h>
#include <Eigen/LU>
#include <catch2/catch.hpp>

namespace masing {
namespace {

std::string beam_study(const std::string& reduction) {
  return fmt::format(R"(
[structure]
kind = "beam"
method = "finite-element"
elements = 30
length = 0.6
width = 0.04
thickness = 0.005
material = {{ E = 210e9, rho = 7850 }}
rayleigh = {{ beta = 1e-6 }}
supports = [ {{ at = 0.0, kind = "clamped" }} ]
points = {{ drive = 0.2, middle = 0.4, tip = 0.6 }}
{}
[[joint]]
law = "jenkins"
stiffness = 1e4
slip_force = 1.0
direction = {{ tip = {{ u = 1.0, phi = 0.0025 }} }}
[[excitation]]
at = "drive"
component = "w"
force = 1.0
[[excitation]]
self_weight = -9.81
component = "w"
[[sensor]]
at = "middle"
component = "w"
[[sensor]]
name = "tilt"
at = "tip"
component = "phi"
quantity = "velocity"
[[analysis]]
kind = "transient"
frequency = 20.0
initial_displacement = {{ middle = {{ w = 1e-3 }} }}
periods = 1.0
)",
                     reduction);
}

Study study_of(const std::string& reduction) { return read_study_text(beam_study(reduction), "beam.toml", ""); }

const TransientRequest& request_of(const Study& study) { return std::get<TransientRequest>(study.analyses.front()); }

/// The joint as a spring: what all sensors see under all loads at ω.
ComplexVector seen(const Study& study, double omega, double spring) {
  const auto& structure = dynamic_cast<const SecondOrderStructure&>(*study.model.structure);
  const Matrix direction = study.model.joints.front().directions;
  ComplexMatrix z = Matrix(structure.stiffness()).cast<Complex>();
  z += (spring * direction * direction.transpose()).cast<Complex>();
  z -= omega * omega * Matrix(structure.mass()).cast<Complex>();
  z += Complex(0.0, omega) * Matrix(structure.damping()).cast<Complex>();
  Vector load = Vector::Zero(structure.size());
  for (const Load& one : study.model.loads) load += one.shape;
  const Matrix q = z.partialPivLu().solve(load.cast<Complex>()).real();
  ComplexVector values(2);
  for (std::size_t i = 0; i < 2; ++i) {
    values[static_cast<Index>(i)] = request_of(study).observables[i].row_of(q).value();
  }
  return values;
}

TEST_CASE("a reduced study sees what the full one sees", "[study][reduction]") {
  const Study full = study_of("");
  for (const std::string kind : {R"(kind = "craig-bampton")", R"(kind = "craig-bampton", keep = ["tip.u"])",
                                 R"(kind = "modal")", R"(kind = "modal", up_to = 3000.0)"}) {
    const Study reduced = study_of(fmt::format("reduction = {{ {} }}", kind));
    INFO(kind);
    const auto& small = dynamic_cast<const ReducedStructure&>(*reduced.model.structure);
    CHECK(small.full().size() == full.model.structure->size());
    CHECK(small.size() < full.model.structure->size() / 2);
    CHECK(study_overview(reduced).find("90 unknowns reduced to") != std::string::npos);
    CHECK(request_of(reduced).observables[0].name == "middle.w");
    const ComplexVector at_rest = seen(full, 0.0, 0.0);
    CHECK((seen(reduced, 0.0, 0.0) - at_rest).norm() < 1e-7 * at_rest.norm());  // exact; conditions are of order 1e8
    for (const double spring : {0.0, 1e6}) {
      const ComplexVector expected = seen(full, 2.0 * pi * 20.0, spring);
      // The indicator is below 1e-4 at the highest harmonic; at 20 Hz, away from resonances, no more is left.
      CHECK((seen(reduced, 2.0 * pi * 20.0, spring) - expected).norm() < 1e-3 * expected.norm());
    }
    // A displacement of one node is nearest to something that moves there most.
    CHECK(request_of(reduced).initial_displacement.size() == small.size());
  }
}

TEST_CASE("kept by default: what joints, point loads and sensors use", "[study][reduction]") {
  const Study reduced = study_of(R"(reduction = { kind = "craig-bampton", modes = 2 })");
  CHECK(reduced.model.structure->coordinates() ==
        std::vector<std::string>{"drive.w", "middle.w", "tip.u", "tip.phi", "mode1", "mode2", "residual1"});
  CHECK(request_of(reduced).observables[0].coordinate == 1);
  CHECK(request_of(reduced).observables[1].coordinate == 3);
}

std::string chain_study(const std::string& reduction) {
  return fmt::format(R"(
[structure]
kind = "chain"
count = 12
mass = 1.0
stiffness = 1e4
damping = 2.0
{}
[[joint]]
law = "jenkins"
stiffness = 5e3
slip_force = 0.5
direction = {{ x12 = 1.0 }}
[[excitation]]
at = "x3"
force = 1.0
[[sensor]]
at = "x7"
[[sensor]]
at = "x12"
quantity = "velocity"
[[analysis]]
kind = "transient"
frequency = 3.0
periods = 3.0
initial_displacement = {{ x5 = 1e-4 }}
)",
                     reduction);
}

TEST_CASE("a reduced structure is integrated in time; with all modes nothing changes", "[study][reduction]") {
  const auto history = [](const std::string& reduction) {
    const Study study = read_study_text(chain_study(reduction), "chain.toml", "");
    return transient_response(study.model, request_of(study)).front().values;
  };
  const Matrix full = history("");
  for (const std::string kind : {"craig-bampton", "modal"}) {
    const auto error = [&](int modes) {
      const Matrix found = history(fmt::format("reduction = {{ kind = \"{}\", modes = {} }}", kind, modes));
      return (found - full).cwiseAbs().maxCoeff() / full.cwiseAbs().maxCoeff();
    };
    // All modes are a change of coordinates: what is left are two integrations to 1e-9 a step over some thousand steps.
    CHECK(error(12) < 1e-5);
    CHECK(error(5) < error(1));
  }
}

std::string shortened_study(const std::string& reduction, bool shortening = true) {
  return fmt::format(R"(
[structure]
kind = "beam"
method = "finite-element"
elements = 6
length = 0.6
width = 0.04
thickness = 0.005
material = {{ E = 210e9, rho = 7850 }}
rayleigh = {{ alpha = 5.0, beta = 1e-5 }}
supports = [ {{ at = 0.0, kind = "clamped" }}, {{ at = 0.6, kind = "roller" }} ]
points = {{ drive = 0.4, tip = 0.6 }}
{}
[[joint]]
law = "jenkins"
stiffness = 5e6
slip_force = 60.0
direction = {{ tip = {{ u = 1.0, phi = 0.005 }} }}
shortening = {}
[excitation]
at = "drive"
component = "w"
force = 40.0
[harmonic_balance]
harmonics = 4
samples = 128
[[sensor]]
at = "drive"
component = "w"
[[sensor]]
at = "tip"
component = "u"
[[analysis]]
kind = "frequency-response"
from = 46.0
to = 54.0
)",
                     reduction, shortening);
}

TEST_CASE("a reduced beam gets shorter as the full one does", "[study][reduction]") {
  struct Found {
    double frequency = 0.0;  // of the resonance
    Vector values;           // its amplitude, and all harmonics of both sensors at the end of the range
  };
  const auto response = [](const Study& study) {
    const auto& request = std::get<FrequencyResponseRequest>(study.analyses.front());
    const ResponseBranch branch = frequency_response(study.model, request).branches.front();
    REQUIRE(branch.end.complete);
    const std::vector<Observation>& last = branch.points.back().observations;
    Found found{branch.end.resonances.front().frequency, Vector(11)};
    found.values << branch.end.resonances.front().amplitude, last[0].amplitude, last[1].amplitude;
    return found;
  };
  const auto study = [](const std::string& reduction, bool shortening = true) {
    return read_study_text(shortened_study(reduction, shortening), "beam.toml", "");
  };
  const Found full = response(study(""));
  // Differences as shares of the largest amplitude of the same sensor, the mean and the second harmonic of tip.u among
  // them; for the resonance of its frequency.
  const auto difference = [&](const Found& found) {
    const Vector error = (found.values - full.values).cwiseAbs();
    return std::max({std::abs(found.frequency / full.frequency - 1.0), error[0] / full.values[0],
                     error.segment(1, 5).maxCoeff() / full.values.segment(1, 5).maxCoeff(),
                     error.tail(5).maxCoeff() / full.values.tail(5).maxCoeff()});
  };
  const Study everything = study(R"(reduction = { kind = "craig-bampton", modes = 14 })");
  REQUIRE(everything.model.structure->size() == 17);
  // All modes are a change of coordinates; Newton's method leaves 1e-9 of the forces, a damping ratio of 0.01 fifty
  // times that of the motion.
  CHECK(difference(response(everything)) < 1e-7);
  const Study some = study(R"(reduction = { kind = "craig-bampton" })");
  REQUIRE(some.model.structure->size() < 12);
  // The indicator is 1.3e-5 at 216 Hz and falls with ω⁴: at the harmonics that carry the motion the stiffness errs by
  // less than 1e-6, the motion by fifty times that at most.
  CHECK(difference(response(some)) < 5e-5);
  // Shortening matters here: without it the response is another.
  CHECK(difference(response(study("", false))) > 1e-2);
}

const std::string two_masses = R"(
[structure]
kind = "matrices"
mass = [[1.0, 0.0], [0.0, 1.0]]
stiffness = [[2.0, -1.0], [-1.0, 2.0]]
coordinates = ["12.1", "12.3"]
motions = [[1.0], [-1.0]]
motion_names = ["opening"]
[[excitation]]
static_load = { 12.3 = 5.0, opening = 2.0 }
[[excitation]]
at = "12"
component = "1"
force = 1.0
[[sensor]]
at = "opening"
[[analysis]]
kind = "frequency-response"
from = 0.01
to = 0.1
)";

// The drive point's amplitude is a combination of the reduced coordinates. Craig-Bampton with modes up to 4 kHz errs by less
// than (20 Hz/4 kHz)² in a motion at the first mode.
TEST_CASE("phase resonance over the motion of the drive point is that of the full beam", "[study][reduction]") {
  const auto resonance = [](const std::string& reduction) {
    std::string text = beam_study(reduction);
    text.resize(text.find("[[analysis]]"));
    text +=
        "[[analysis]]\nkind = \"backbone\"\nmethod = \"phase-resonance\"\n"
        "from_displacement = 1e-5\nto_displacement = 1e-3\n";
    const Study study = read_study_text(text, "beam.toml", "");
    const ResponseCurves curves = backbone(study.model, std::get<BackboneRequest>(study.analyses.front()));
    REQUIRE(curves.complete());
    return curves.branches.front().points.back();
  };
  const ResponsePoint full = resonance("");
  const ResponsePoint reduced = resonance("reduction = { kind = \"craig-bampton\", up_to = 4000.0 }\n");
  CHECK(reduced.frequency == Approx(full.frequency).epsilon(2.5e-5));
  CHECK(reduced.quantities[0] == Approx(full.quantities[0]).epsilon(1e-3));  // level
}

TEST_CASE("sensors and static loads take named motions", "[study][reduction]") {
  const Study study = read_study_text(two_masses, "two.toml", "");
  CHECK(study.model.loads[0].shape == Eigen::Vector2d(2.0, 3.0));
  const Observable& opening = std::get<FrequencyResponseRequest>(study.analyses.front()).observables.front();
  CHECK(opening.name == "opening");
  CHECK(opening.is_combination());
  CHECK(opening.motion == Eigen::Vector2d(1.0, -1.0));
}

}  // namespace
}  // namespace masing
