// Isolas of a nonlinear absorber, found in two ways, against shooting.
#include "masing/analysis/frequency_response.hpp"
#include "masing/analysis/isola_search.hpp"
#include "masing/analysis/tracking.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/structure/lumped.hpp"
#include "shooting.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace masing;
using test::joint;
using test::load;
using test::Shooting;

namespace {

constexpr double m1 = 1.0, m2 = 0.05, c1 = 0.002, c2 = 0.0129, k1 = 1.0, k2 = 0.0454, n1 = 1.0, n2 = 0.0042;

Model absorber() {
  Model model{.structure = chain({.masses = {m1, m2}, .stiffnesses = {k1, k2}, .dampings = {c1, c2}}),
              .loads = {load(2, 0, 1.0)}};
  model.joints = {joint("host", make_element(CubicSpring({.cubic_stiffness = n1})), 2, {{{0, 1.0}}}),
                  joint("absorber", make_element(CubicSpring({.cubic_stiffness = n2})), 2, {{{1, 1.0}, {0, -1.0}}})};
  return model;
}

FoldTrackingRequest fold_request(std::vector<int> harmonics) {
  FoldTrackingRequest r;
  r.name = "folds";
  r.from = 0.10;
  r.to = 0.60;
  r.from_level = 0.115;
  r.to_level = 0.3;
  r.levels = {0.15};
  r.balance = {.harmonics = std::move(harmonics), .samples = 64};
  r.observables = {{.name = "x1", .coordinate = 0}, {.name = "x2", .coordinate = 1}};
  return r;
}

// The same, each equation divided by its mass.
Shooting shooting(double level) {
  const Matrix damping{{(c1 + c2) / m1, -c2 / m1}, {-c2 / m2, c2 / m2}};
  const auto force = [](const Vector& q, Vector& f, Matrix& slope) {
    const double u = q[0] - q[1], link = k2 * u + n2 * u * u * u;
    const double host = k1 + 3.0 * n1 * q[0] * q[0], tangent = k2 + 3.0 * n2 * u * u;
    f << (k1 * q[0] + n1 * q[0] * q[0] * q[0] + link) / m1, -link / m2;
    slope << (host + tangent) / m1, -tangent / m1, -tangent / m2, tangent / m2;
  };
  return {damping, force, Vector{{level / m1, 0.0}}};
}

Vector beginning(const ResponsePoint& point, const std::vector<int>& harmonics) {
  return test::state_at_zero(point.observations, harmonics, 2.0 * pi * point.frequency);
}

// Amplitude of x1 in the first harmonic of the periodic motion near a point.
double shot_amplitude(const ResponsePoint& point, const std::vector<int>& harmonics, double level) {
  const double omega = 2.0 * pi * point.frequency;
  Vector start = beginning(point, harmonics);
  const Shooting system = shooting(level);
  const Shooting::Map closed = system.close(start, omega, 1.0);
  CHECK((closed.end - start).norm() < 1e-9 * start.norm());
  return std::abs(test::harmonic(system.samples(start, omega, 64).row(0), 1));
}

double largest_amplitude(const ResponseBranch& branch) {
  double largest = 0.0;
  for (const ResponsePoint& point : branch.points) largest = std::max(largest, point.observations[0].amplitude[0]);
  return largest;
}

std::vector<SpecialPoint> called(const ResponseBranch& branch, const std::string& kind) {
  std::vector<SpecialPoint> found;
  std::copy_if(branch.special_points.begin(), branch.special_points.end(), std::back_inserter(found),
               [&](const SpecialPoint& special) { return special.kind == kind; });
  return found;
}

}  // namespace

TEST_CASE("the isola of a nonlinear absorber is found, closed, and what shooting finds", "[isola]") {
  const std::vector<int> harmonics = {1, 3, 5, 7, 9, 11};
  const ResponseCurves curves = fold_tracking(absorber(), fold_request(harmonics));
  std::vector<ResponseBranch> isolas;
  for (const ResponseBranch& branch : curves.branches) {
    INFO(branch.header.label << ": " << branch.end.message);
    CHECK(branch.end.complete);
    if (branch.header.kind == "frequency-response") isolas.push_back(branch);
  }
  REQUIRE(isolas.size() == 1);
  const ResponseBranch& isola = isolas[0];
  CHECK(isola.header.label == "isola at level 0.15");
  CHECK(isola.end.stop == "closed loop");
  CHECK(called(isola, "half-power").empty());  // where the loop is cut open must not matter
  for (const Resonance& resonance : isola.end.resonances) CHECK(resonance.damping_ratio < 0.0);
  const std::vector<SpecialPoint> folds = called(isola, "fold");
  CHECK(folds.size() == 2);

  std::vector<ResponsePoint> chosen;
  for (const SpecialPoint& peak : called(isola, "peak")) chosen.push_back(peak.point);
  for (std::size_t i = 0; i < isola.points.size(); i += isola.points.size() / 6) chosen.push_back(isola.points[i]);
  for (const ResponsePoint& point : chosen) {
    CAPTURE(point.frequency);
    CHECK(point.observations[0].amplitude[0] == Approx(shot_amplitude(point, harmonics, 0.15)).epsilon(1e-6));
  }
  // At a fold a multiplier is +1. Harmonic 13 is missing, below 1e-7 of the first.
  for (const SpecialPoint& fold : folds) {
    const double omega = 2.0 * pi * fold.point.frequency;
    const Matrix monodromy = shooting(0.15).map(beginning(fold.point, harmonics), omega, 2.0 * pi / omega).derivative;
    CHECK((monodromy.eigenvalues().array() - 1.0).abs().minCoeff() < 1e-5);
  }
}

TEST_CASE("an isola lives between its birth and its merging", "[isola]") {
  FoldTrackingRequest request = fold_request({1, 3, 5});
  request.levels.clear();
  const Model model = absorber();
  const ResponseCurves curves = fold_tracking(model, request);
  std::vector<SpecialPoint> births, mergings;
  std::vector<ResponseBranch> isolas;
  for (const ResponseBranch& branch : curves.branches) {
    for (const SpecialPoint& special : called(branch, "isola birth")) births.push_back(special);
    for (const SpecialPoint& special : called(branch, "isola merging")) mergings.push_back(special);
    if (branch.header.kind == "frequency-response") isolas.push_back(branch);
  }
  REQUIRE(births.size() == 1);
  REQUIRE(mergings.size() == 1);
  REQUIRE(isolas.size() == 1);  // one for the birth, without being told where
  const double born = births[0].point.quantities[0], merges = mergings[0].point.quantities[0];
  CAPTURE(born, merges, isolas[0].header.level);
  CHECK(isolas[0].header.level > born);
  CHECK(isolas[0].header.level < merges);

  // Just after its birth an isola is small, before it there is none.
  request.levels = {1.0001 * born, 0.9999 * born};
  int small = 0;
  for (const ResponseBranch& branch : fold_tracking(model, request).branches) {
    if (branch.header.kind != "frequency-response") continue;
    ++small;
    CHECK(branch.header.level == Approx(1.0001 * born).epsilon(1e-9));
    const auto [first, last] =
        std::minmax_element(branch.points.begin(), branch.points.end(),
                            [](const auto& a, const auto& b) { return a.frequency < b.frequency; });
    CHECK(last->frequency / first->frequency - 1.0 < 0.02);
  }
  CHECK(small == 1);

  // The main branch does not reach the isola's amplitudes before the merging, and does after it.
  FrequencyResponseRequest ask;
  ask.from = request.from;
  ask.to = request.to;
  ask.levels = {0.999 * merges, 1.001 * merges};
  ask.observables = request.observables;
  ask.balance = request.balance;
  ask.threads = 2;
  const FrequencyResponse response = frequency_response(model, ask);
  CHECK(largest_amplitude(response.branches[0]) < 0.8 * largest_amplitude(isolas[0]));
  CHECK(largest_amplitude(response.branches[1]) > largest_amplitude(isolas[0]));
}

TEST_CASE("the energy balance on a backbone leads to the isola that fold tracking finds", "[isola]") {
  const std::vector<int> harmonics = {1, 3, 5, 7, 9};
  IsolaSearchRequest ask;
  static_cast<TrackingRequest&>(ask) = fold_request(harmonics);
  ask.name = "isolas";
  ask.modes = {1, 2};
  ask.from_amplitude = 0.01;
  ask.to_amplitude = 3.0;
  ask.from_level = 0.1;
  ask.levels = {0.11, 0.15};
  ask.stability = {.method = StabilityMethod::automatic};
  const Model model = absorber();
  const ResponseCurves curves = isola_search(model, ask);
  for (const std::string& note : curves.notes) UNSCOPED_INFO(note);
  REQUIRE(curves.notes.size() == 2);
  CHECK_THAT(curves.notes[0], !Catch::Matchers::Contains("isola"));  // not born yet at 0.11
  CHECK_THAT(curves.notes[1], Catch::Matchers::Contains("on an isola"));
  std::vector<ResponseBranch> isolas;
  for (const ResponseBranch& branch : curves.branches) {
    if (branch.header.kind == "frequency-response") isolas.push_back(branch);
  }
  REQUIRE(isolas.size() == 1);
  const ResponseBranch& isola = isolas[0];
  CHECK(isola.end.stop == "closed loop");
  CHECK(isola.header.level == 0.15);
  // The same closed curve: its folds.
  std::vector<double> expected, found;
  for (const ResponseBranch& branch : fold_tracking(model, fold_request(harmonics)).branches) {
    if (branch.header.kind != "frequency-response") continue;
    for (const SpecialPoint& fold : called(branch, "fold")) expected.push_back(fold.point.frequency);
  }
  for (const SpecialPoint& fold : called(isola, "fold")) found.push_back(fold.point.frequency);
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  REQUIRE(expected.size() == 2);
  REQUIRE(found.size() == 2);
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]).epsilon(1e-8));

  // Stability along it is that of the monodromy by shooting, at every sixth point; it changes at the folds or other located points.
  const Index stable = isola.header.find_quantity("stable");
  REQUIRE(stable >= 0);
  for (std::size_t i = 0; i < isola.points.size(); i += 6) {
    const ResponsePoint& point = isola.points[i];
    const double omega = 2.0 * pi * point.frequency;
    CAPTURE(point.frequency);
    Vector start = beginning(point, harmonics);
    const Matrix monodromy = shooting(0.15).close(start, omega, 1.0).derivative;
    const double largest = monodromy.eigenvalues().cwiseAbs().maxCoeff();
    if (std::abs(largest - 1.0) > 1e-4) CHECK(point.quantities[stable] == (largest < 1.0 ? 1.0 : 0.0));
  }
  for (std::size_t i = 1; i < isola.points.size(); ++i) {
    if (isola.points[i].quantities[stable] == isola.points[i - 1].quantities[stable]) continue;
    CHECK(std::any_of(isola.special_points.begin(), isola.special_points.end(), [&](const SpecialPoint& special) {
      return is_bifurcation(special.kind) && special.after_point == static_cast<Index>(i) - 1;
    }));
  }
}

TEST_CASE("an isola search that finds nothing says why", "[isola]") {
  IsolaSearchRequest ask;
  static_cast<TrackingRequest&>(ask) = fold_request({1, 3});
  ask.modes = {1};
  ask.from_amplitude = 0.001;
  ask.to_amplitude = 0.01;  // far too small for 0.15 N
  const ResponseCurves curves = isola_search(absorber(), ask);
  REQUIRE(curves.notes.size() == 1);
  CHECK_THAT(curves.notes[0], Catch::Matchers::Contains("no isola") && Catch::Matchers::Contains("does the energy"));
  for (const ResponseBranch& branch : curves.branches) CHECK(branch.header.kind == "backbone");

  FoldTrackingRequest folds = fold_request({1, 3, 5});
  folds.levels = {0.12};  // below the birth
  const ResponseCurves none = fold_tracking(absorber(), folds);
  REQUIRE(none.notes.size() == 1);
  CHECK_THAT(none.notes[0], Catch::Matchers::Contains("No isola"));
}

namespace {

// Two modes in 1:3 resonance (3.15 rad/s and 1 rad/s), tied by a cubic spring at the first mass.
constexpr double spring = 0.5 * (3.15 * 3.15 - 1.0), cubic = 0.1, c_wall = 0.01, c_link = 0.005;
const std::vector<int> odd = {1, 3, 5, 7, 9, 11, 13};

Model two_modes() {
  Model model{.structure = chain({.masses = {1.0, 1.0},
                                  .stiffnesses = {1.0, spring, 1.0},
                                  .dampings = {c_wall, c_link, 0.0},
                                  .ground = ChainGround::both}),
              .loads = {load(2, 0, 1.0)}};
  model.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = cubic})), 2, {{{0, 1.0}}})};
  return model;
}

IsolaSearchRequest two_mode_search(double to) {
  IsolaSearchRequest ask;
  static_cast<TrackingRequest&>(ask) = fold_request(odd);
  ask.name = "isolas";
  ask.to = to;
  ask.from_amplitude = 0.01;
  ask.to_amplitude = 10.0;
  ask.from_level = 0.01;
  ask.levels = {0.05};
  return ask;
}

// Remembers which branches were begun.
class Recorded final : public ResultSink {
 public:
  void begin_branch(const BranchHeader& header) override { begun.push_back(header.index); }
  void add_point(const BranchHeader&, const ResponsePoint&) override {}
  void add_special_point(const BranchHeader&, const SpecialPoint&) override {}
  void add_cycles(const BranchHeader&, const JointCycles&) override {}
  void end_branch(const BranchHeader&, const BranchEnd&) override {}
  void add_history(const TimeHistory&) override {}
  std::vector<int> begun;
};

}  // namespace

TEST_CASE("the isola of two modes in 1:3 resonance is found, and its motions are those of shooting", "[isola]") {
  const Model model = two_modes();
  const IsolaSearchRequest ask = two_mode_search(0.3);
  Recorded recorded;
  const ResponseCurves curves = isola_search(model, ask, &recorded);
  for (const std::string& note : curves.notes) UNSCOPED_INFO(note);
  REQUIRE(curves.branches.size() == 3);  // backbones of mode 1 and from the largest amplitude, an isola
  const ResponseBranch& isola = curves.branches[2];
  CHECK(isola.end.stop == "closed loop");
  CHECK(called(isola, "fold").size() == 2);
  CHECK(recorded.begun == std::vector<int>{0, 1, 2});
  const Shooting system{Matrix{{c_wall + c_link, -c_link}, {-c_link, c_link}},
                        [](const Vector& q, Vector& f, Matrix& slope) {
                          f << q[0] + spring * (q[0] - q[1]) + cubic * q[0] * q[0] * q[0],
                              q[1] + spring * (q[1] - q[0]);
                          slope << 1.0 + spring + 3.0 * cubic * q[0] * q[0], -spring, -spring, 1.0 + spring;
                        },
                        Vector{{0.05, 0.0}}};
  for (std::size_t i = 0; i < isola.points.size(); i += isola.points.size() / 5) {
    const ResponsePoint& point = isola.points[i];
    const double omega = 2.0 * pi * point.frequency;
    Vector start = beginning(point, odd);
    const Shooting::Map closed = system.close(start, omega, 1.0);
    CHECK((closed.end - start).norm() < 1e-9 * start.norm());
    // Harmonic 15 is missing, below 1e-7 of the first.
    CHECK(std::abs(test::harmonic(system.samples(start, omega, 64).row(0), 1)) ==
          Approx(point.observations[0].amplitude[0]).epsilon(1e-6));
  }

  // A search that goes on finds the same again and records nothing twice: what had ended stays, what had not is recorded anew.
  std::vector<BranchRestart> left(3);
  for (const std::size_t i : {0, 1}) {
    left[i] = {.points = curves.branches[i].points, .special_points = {}, .ended = true, .end = curves.branches[i].end};
  }
  left[2].points.assign(isola.points.begin(), isola.points.begin() + 5);
  for (const bool finished : {false, true}) {
    left[2].ended = finished;
    Recorded again;
    const ResponseCurves resumed = isola_search(model, ask, &again, {}, left);
    CHECK(again.begun == (finished ? std::vector<int>{} : std::vector<int>{2}));
    REQUIRE(resumed.branches.size() == 3);
    REQUIRE(resumed.branches[2].points.size() == isola.points.size());
    for (std::size_t i = 0; i < isola.points.size(); ++i) {
      CHECK(resumed.branches[2].points[i].coefficients == isola.points[i].coefficients);
    }
  }
}

TEST_CASE("crossings of the energy balance outside the range are told and not followed", "[isola]") {
  // Two of three crossings at 0.05 lie below 0.18 Hz, the third at 0.194 Hz; the isola leaves such a range.
  std::vector<std::string> tasks;
  const ProgressCallback listen = [&](const Progress& now) {
    if (now.finished && now.task.find("isola at") != std::string::npos) tasks.push_back(now.task);
    return true;
  };
  const ResponseCurves curves = isola_search(two_modes(), two_mode_search(0.18), nullptr, listen);
  REQUIRE(curves.notes.size() == 1);
  INFO(curves.notes[0]);
  CHECK_THAT(curves.notes[0], Catch::Matchers::Contains("outside the range"));
  CHECK(tasks.size() == 2);
  for (const ResponseBranch& branch : curves.branches) CHECK(branch.header.kind == "backbone");
}
