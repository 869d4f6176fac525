// What is told of a branch: peaks that stand out, and how many do not.
#include "masing/io/detail/branch_summary.hpp"

#include "masing/core/text.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using Catch::Matchers::Contains;

namespace {

ResponsePoint point(double frequency, double amplitude, double energy_residual) {
  ResponsePoint p;
  p.frequency = frequency;
  p.observations = {{.amplitude = Vector::Constant(1, amplitude), .phase = Vector::Zero(1)}};
  p.quantities = Vector::Constant(1, energy_residual);
  return p;
}

/// Amplitudes at 1, 2, 3, … Hz, with a peak behind each point that is higher than its neighbours; the highest is the resonance.
ResponseBranch branch(const std::vector<double>& amplitudes, double energy_residual) {
  ResponseBranch b;
  b.header = {.analysis = "a", .level_unit = "N", .harmonics = {1}, .observables = {{.name = "tip"}}};
  b.header.quantities = {{"energy_residual", "1", ""}};
  Index highest = 0;
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    b.points.push_back(point(static_cast<double>(i + 1), amplitudes[i], energy_residual));
    const bool inside = i > 0 && i + 1 < amplitudes.size();
    if (!inside || amplitudes[i] < amplitudes[i - 1] || amplitudes[i] < amplitudes[i + 1]) continue;
    SpecialPoint peak;
    peak.kind = "peak";
    peak.observable = "tip";
    peak.harmonic = 1;
    peak.after_point = static_cast<Index>(i);
    peak.point = point(static_cast<double>(i) + 1.01, amplitudes[i] * (1.0 + 1e-9), 0.0);
    b.special_points.push_back(peak);
    if (amplitudes[i] > amplitudes[static_cast<std::size_t>(highest)]) highest = static_cast<Index>(i);
  }
  b.end.resonances = {{.observable = "tip", .harmonic = 1, .frequency = static_cast<double>(highest) + 1.01}};
  return b;
}

std::string summary(const ResponseBranch& b) { return join(detail::branch_summary(b), "\n"); }

}  // namespace

TEST_CASE("further peaks are told if they stand out by more than the error of sampling", "[io]") {
  // Peaks of 2 (resonance), 1.5 (stands out by a third) and 1.0001 (by 1e-4, whatever is behind it).
  const std::vector<double> amplitudes = {1.0, 1.5, 1.0, 2.0, 1.0, 1.0001, 1.0, 1.2};
  const std::string exact = summary(branch(amplitudes, 1e-9));
  CHECK_THAT(exact, Contains("further peak of tip: 2.01 Hz") && Contains("further peak of tip: 6.01 Hz"));
  CHECK_THAT(exact, !Contains("further maxim"));

  const std::string sampled = summary(branch(amplitudes, 1e-3));
  CHECK_THAT(sampled, Contains("further peak of tip: 2.01 Hz") && !Contains("further peak of tip: 6.01 Hz"));
  CHECK_THAT(sampled, Contains("1 further maximum stands out by less than 1.0e-03 of its amplitude, the error of "
                               "sampling, and is not listed: raise `samples`"));

  // However bad the sampling, what is seen in a plot is told.
  CHECK_THAT(summary(branch(amplitudes, 0.9)), Contains("further peak of tip: 2.01 Hz"));
}

TEST_CASE("an energy balance that does not close is not blamed on sampling where that cannot be", "[io]") {
  const std::vector<double> amplitudes = {1.0, 2.0, 1.0};
  const auto told = [&](double residual, std::vector<std::string> joints) {
    ResponseBranch b = branch(amplitudes, residual);
    b.header.joints = std::move(joints);
    return summary(b);
  };
  CHECK_THAT(told(1e-6, {"rub"}), Contains("closes to 1.0e-06") && !Contains("sampling;") && !Contains("rounding"));
  CHECK_THAT(told(1e-3, {"rub"}), Contains("the error of sampling; more samples make it smaller"));
  CHECK_THAT(told(0.5, {"rub"}), Contains("more than sampling costs"));
  CHECK_THAT(told(1e-3, {}), Contains("rounding of the structure"));
}

TEST_CASE("unstable ranges are told along what varies", "[io]") {
  ResponseBranch b = branch({1.0, 2.0, 1.0}, 0.0);
  b.header.quantities = {{"level", "N", ""}, {"stable", "1", ""}};
  for (std::size_t i = 0; i < b.points.size(); ++i) {
    b.points[i].quantities = Vector{{10.0 * static_cast<double>(i + 1), i == 1 ? 0.0 : 1.0}};
  }
  CHECK_THAT(summary(b), Contains("; unstable at about 2 Hz"));
  b.header.kind = "force-response";
  CHECK_THAT(summary(b), Contains("; unstable at about 20 N"));
}

TEST_CASE("an unstable range between two points does not contradict that all points are stable") {
  const auto told = [](double from, double to) {
    ResponseBranch b = branch({1.0, 2.0, 1.0}, 0.0);
    b.header.quantities = {{"stable", "1", ""}};
    for (ResponsePoint& p : b.points) p.quantities = Vector::Ones(1);
    for (const double border : {from, to}) {
      SpecialPoint special;
      special.kind = "branch-point";
      special.after_point = 1;
      special.point = point(border, 1.0, 1.0);
      b.special_points.push_back(special);
    }
    return summary(b);
  };
  CHECK_THAT(told(2.1, 2.2), Contains("stable at all 3 points; between points unstable from 2.1 to 2.2 Hz"));
  // As many digits as tell the ends apart, as far as they are known.
  CHECK_THAT(told(2.2016273, 2.2016275), Contains("between points unstable from 2.2016273 to 2.2016275 Hz"));
  CHECK_THAT(told(2.2016273, 2.2016273 + 1e-11), Contains("between points unstable at 2.20163 Hz"));
}

TEST_CASE("an unstable range of a closed branch is one, wherever the branch was begun", "[io]") {
  ResponseBranch b = branch({1.0, 2.0, 3.0, 4.0, 3.0, 2.0}, 0.0);
  b.header.quantities = {{"stable", "1", ""}};
  const std::vector<double> stable = {0.0, 0.0, 1.0, 1.0, 0.0, 0.0};
  for (std::size_t i = 0; i < b.points.size(); ++i) b.points[i].quantities = Vector::Constant(1, stable[i]);
  CHECK_THAT(summary(b), Contains("unstable from 1 to about 2 Hz, from about 5 to 6 Hz"));
  b.end.stop = "closed loop";
  CHECK_THAT(summary(b), Contains("unstable from about 5 to about 2 Hz") && !Contains("6 Hz"));
}

TEST_CASE("more harmonics are asked for where the tails are too long, not where the largest set was enough", "[io]") {
  ResponseBranch b = branch({1.0, 1.1}, 0.0);
  b.header.harmonics = {0, 1, 2, 3};
  b.header.quantities = {{"highest_harmonic", "1", ""},
                         {"harmonic_count", "1", ""},
                         {"motion_tail", "1", ""},
                         {"force_tail", "1", ""},
                         {"too_few_harmonics", "1", ""}};
  for (ResponsePoint& p : b.points) p.quantities = Vector{{3.0, 4.0, 1e-9, 1e-9, 0.0}};
  CHECK_THAT(detail::harmonics_used(b.header, b.points), Contains("0 … 3 at 2 points") && !Contains("allow more"));
  b.points[1].quantities = Vector{{3.0, 4.0, 1e-2, 1e-2, 1.0}};
  CHECK_THAT(detail::harmonics_used(b.header, b.points),
             Contains("more than asked for at 1 point, allow more harmonics"));
}
