// Tables of curves over the level: marks, tracked resonances, folds.
#include "masing/io/detail/curve_tables.hpp"

#include "masing/core/text.hpp"
#include "masing/io/detail/branch_summary.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using Catch::Matchers::Contains;

namespace {

ResponsePoint point(double frequency, double amplitude, const Vector& quantities) {
  ResponsePoint p;
  p.frequency = frequency;
  p.observations = {{.amplitude = Vector::Constant(1, amplitude), .phase = Vector::Zero(1)}};
  p.quantities = quantities;
  return p;
}

SpecialPoint told(const ResponsePoint& at) {
  SpecialPoint special;
  special.kind = "level";
  special.point = at;
  return special;
}

/// At the frequencies 1, 2, … Hz; the levels are the first quantity.
ResponseBranch branch(const std::string& kind, const std::vector<std::string>& quantities,
                      const std::vector<Vector>& values) {
  ResponseBranch b;
  b.header = {.analysis = "a", .level_unit = "N", .harmonics = {1}, .observables = {{.name = "tip"}}, .kind = kind};
  for (const std::string& name : quantities) b.header.quantities.push_back({name, name == "level" ? "N" : "1", ""});
  for (const Vector& of_point : values) {
    b.points.push_back(point(static_cast<double>(b.points.size() + 1), 0.5, of_point));
  }
  b.end.complete = true;
  return b;
}

}  // namespace

TEST_CASE("a level told exactly at an end of a tracked resonance is told once, each peak of it", "[io]") {
  ResponseBranch b =
      branch("resonance-tracking", {"level", "is_peak"}, {Vector{{1.0, 1.0}}, Vector{{2.0, 1.0}}, Vector{{3.0, 1.0}}});
  const auto told_at = [&](double level, double frequency, double is_peak = 1.0) {
    SpecialPoint special;
    special.kind = "level";
    special.point = b.points.front();
    special.point.frequency = frequency;
    special.point.quantities = Vector{{level * (1.0 + 1e-11), is_peak}};  // as located
    b.special_points.push_back(special);
  };
  told_at(1.0, b.points.front().frequency);
  told_at(2.5, 1.15);
  told_at(2.5, 1.3, 0.0);  // a minimum
  told_at(2.5, 1.4);       // another peak
  told_at(3.0, b.points.back().frequency);
  const std::vector<const ResponsePoint*> told = detail::told_points(b);
  REQUIRE(told.size() == 4);
  CHECK(told[0]->quantities[0] == 1.0);
  CHECK(told[1]->quantities[0] == Approx(2.5));
  CHECK(told[2]->quantities[0] == Approx(2.5));
  CHECK(told[2]->frequency == 1.4);
  CHECK(told[3]->quantities[0] == Approx(3.0));
}

TEST_CASE("marks of a force response are told with the amplitude there, as often as the curve passes them", "[io]") {
  ResponseBranch b = branch("force-response", {"level", "stable"}, {Vector{{0.1, 1.0}}, Vector{{2.0, 1.0}}});
  b.special_points = {told(point(1.0, 0.25, Vector{{1.0, 1.0}})), told(point(1.0, 0.75, Vector{{1.0, 0.0}}))};
  const std::string summary = join(detail::branch_summary(b), "\n");
  CHECK_THAT(summary, Contains("at 1 N, tip 0.25 m\n") && Contains("at 1 N, tip 0.75 m, not stable"));
}

TEST_CASE("folds are told level by level over all curves", "[io]") {
  const auto folds = [](const std::vector<double>& levels) {
    std::vector<Vector> values;
    for (const double level : levels) values.push_back(Vector::Constant(1, level));
    return branch("fold-tracking", {"level"}, values);
  };
  ResponseCurves curves;
  // From 3 N round a cusp and back to 3 N, one that stops at 1.7 N, and an isola, which is no curve of folds.
  curves.branches = {folds({3.0, 1.0, 3.0 * (1.0 + 1e-11)}), folds({3.0, 1.7}), branch("frequency-response", {}, {})};
  curves.branches[0].special_points = {told(point(1.4, 0.0, Vector::Constant(1, 2.0 * (1.0 - 1e-11)))),
                                       told(point(1.2, 0.0, Vector::Constant(1, 2.0)))};
  curves.branches[1].end.complete = false;
  const std::vector<std::string> lines = detail::fold_lines(curves, {2.0, 0.5});
  REQUIRE(lines.size() == 4);
  CHECK_THAT(lines[0], Contains("level (N)  folds (Hz)"));
  CHECK(lines[1] == "         0.5  none on these curves");
  CHECK(lines[2] == "           2           1.2           1.4");
  CHECK(lines[3] == "           3             1             1             3");
  curves.branches = {branch("fold-tracking", {"level"}, {})};
  CHECK(detail::fold_lines(curves, {2.0}).empty());
}
