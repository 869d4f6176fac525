// base_acceleration of a beam: spectral and finite elements mean the same.
#include "masing/core/error.hpp"
#include "masing/io/study.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using Catch::Matchers::Contains;

namespace {

const std::string beam = R"(
[structure]
kind = "beam"
theory = "timoshenko"
length = 0.5
width = 0.03
thickness = 0.008
material = { E = 70e9, rho = 2700 }
loss_factor = 0.02
supports = [ { at = 0.0, kind = "clamped" } ]
masses = [ { at = 0.3, m = 0.05 } ]
points = { tip = 0.5 }
[excitation]
base_acceleration = 3.0
component = "w"
phase = 20.0
[harmonic_balance]
harmonics = [1]
[[sensor]]
at = "tip"
component = "w"
[[analysis]]
kind = "frequency-response"
from = 15.0
to = 30.0
accelerations = [3.0, 6.0]
)";

std::vector<Resonance> peaks(const std::string& method) {
  const Study study = read_study_text(beam, "study.toml", "", {"structure.method=\"" + method + "\""});
  const auto& request = std::get<FrequencyResponseRequest>(study.analyses.at(0));
  std::vector<Resonance> found;
  for (const ResponseBranch& branch : frequency_response(study.model, request).branches) {
    REQUIRE(branch.end.complete);
    found.push_back(branch.end.resonances.at(0));
  }
  return found;
}

}  // namespace

TEST_CASE("a beam on a shaking base, spectral and by finite elements", "[base]") {
  const std::vector<Resonance> exact = peaks("spectral");
  const std::vector<Resonance> elements = peaks("finite-element");
  REQUIRE(exact.size() == 2);
  REQUIRE(exact[0].frequency > 0.0);
  for (std::size_t i = 0; i < 2; ++i) {
    // 40 elements: natural frequencies are too high by about 1e-7, amplitudes accordingly.
    CHECK(elements[i].frequency == Approx(exact[i].frequency).epsilon(1e-5));
    CHECK(elements[i].amplitude == Approx(exact[i].amplitude).epsilon(1e-5));
  }
  CHECK(exact[1].amplitude == Approx(2.0 * exact[0].amplitude).epsilon(1e-7));  // no joint: linear
}

TEST_CASE("the base of a beam moves along u or w", "[base]") {
  const auto read = [](const std::string& component) {
    return read_study_text(beam, "study.toml", "", {"excitation.component=\"" + component + "\""});
  };
  CHECK_THROWS_WITH(read("phi"), Contains("must be u or w"));
  CHECK_NOTHROW(read("u"));
}
