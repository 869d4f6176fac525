// The rod on a frictional foundation of H. Ahmadian, M. Mohammadali, Mechanical Systems and Signal Processing 80 (2016),
// eq. (16): the amplitude of its end at omega = 1, converged in the number of Gauss points, by spectral and by finite
// elements, against an expansion in 40 modes with the same seven harmonics.
#include "masing/io/study.hpp"
#include "support/source_folder.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

using namespace masing;

namespace {

std::string model_text() {
  std::ifstream file(test::source_folder() + "/models/12_rod_on_foundation.toml");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The same rod with elastic Coulomb friction: k_u = 2.8, mu = 0.26 (table 1, "Menq model").
std::string coulomb_text() {
  std::string text = model_text();
  const std::size_t begin = text.find("law = \"slip-slap\"");
  const std::size_t end = text.find("directions =");
  REQUIRE(end != std::string::npos);
  text.replace(begin, end - begin,
               "law = \"friction-2d\"\nstiffness = 2.8\nfriction = 0.26\n"
               "normal = { kind = \"linear\", stiffness = 4.0 }\n");
  return text;
}

/// Complex amplitude of the end at ω = 1.
Complex end_amplitude(const std::string& text, int points, int elements = 0) {
  std::vector<std::string> overrides;
  overrides.push_back(fmt::format("joint.foundation.over.points={}", points));
  overrides.push_back(fmt::format("analysis.levels.to={}", 0.15916));
  if (elements > 0) {
    overrides.push_back(fmt::format("structure.method=\"{}\"", "finite-element"));
    overrides.push_back(fmt::format("structure.elements={}", elements));
  }
  const Study study = read_study_text(text, "rod.toml", "", overrides);
  const auto& request = std::get<FrequencyResponseRequest>(study.analyses.at(0));
  const FrequencyResponse response = frequency_response(study.model, request);
  REQUIRE(response.branches.at(0).end.complete);
  const ResponsePoint& first = response.branches[0].points.front();
  REQUIRE(first.frequency == Approx(1.0 / (2.0 * pi)).epsilon(1e-14));
  const Observation& seen = first.observations.at(0);
  return std::polar(seen.amplitude[0], seen.phase[0]);
}

/// The error falls with 1/n²: two numbers of points give the limit.
Complex limit(const Complex& coarse, const Complex& fine) { return fine + (fine - coarse) / 3.0; }

/// What 40 modes cos(nx) of the free rod lack at its end: the flexibility of the others at ω = 1, for a force of 0.2.
double missing_motion() {
  double sum = 0.0;
  for (int n = 200000; n > 40; --n) sum += 1.0 / (static_cast<double>(n) * n - 1.0);
  return 0.2 * 2.0 / pi * sum;
}

}  // namespace

// The printed digits are good to 5e-6. The missing modes also move the contact a little, and the error of 1/n² has
// higher orders: together below 2e-5 (limits from 20 and 40 points differ by 1e-5, with Coulomb friction by up to 2e-5,
// from those of 40 and 80).
constexpr double digits = 2e-5;

TEST_CASE("the rod on a slip/slap foundation", "[distributed]") {
  const std::string text = model_text();
  const Complex end = limit(end_amplitude(text, 40), end_amplitude(text, 80));
  CHECK(std::abs(end - missing_motion()) == Approx(0.37984).margin(digits));
  CHECK(std::abs(end) == Approx(0.38089).margin(digits));  // converged

  // Finite elements of length h are too stiff by (kh)²/24, k = 7 in the highest harmonic, k = 1 in the first.
  const double h = pi / 320.0;
  CHECK(std::abs(end_amplitude(text, 40, 320) - end_amplitude(text, 40)) < 49.0 * h * h / 24.0);
}

TEST_CASE("the rod on elastic Coulomb friction", "[distributed]") {
  const std::string text = coulomb_text();
  const Complex end = limit(end_amplitude(text, 40), end_amplitude(text, 80));
  CHECK(std::abs(end - missing_motion()) == Approx(0.39433).margin(digits));
  CHECK(std::abs(end) == Approx(0.39504).margin(digits));  // converged
}
