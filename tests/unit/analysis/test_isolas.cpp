// Isolas of a nonlinear absorber, against shooting: the equation of motion integrated over one period with a fixed step, and
// Newton's method on what it does not return to.
#include "masing/analysis/frequency_response.hpp"
#include "masing/analysis/tracking.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace masing;
using test::joint;
using test::load;

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

using State = Eigen::Vector4d;
using Flow = Eigen::Matrix<double, 4, 5>;  // the motion, then how it depends on its beginning

Flow rate(const Flow& y, double force) {
  const double x1 = y(0, 0), x2 = y(1, 0), v1 = y(2, 0), v2 = y(3, 0), u = x1 - x2;
  const double link = k2 * u + n2 * u * u * u + c2 * (v1 - v2);
  Eigen::Matrix4d a = Eigen::Matrix4d::Zero();
  a(0, 2) = a(1, 3) = 1.0;
  const double host = k1 + 3.0 * n1 * x1 * x1, tangent = k2 + 3.0 * n2 * u * u;
  a.row(2) << -(host + tangent) / m1, tangent / m1, -(c1 + c2) / m1, c2 / m1;
  a.row(3) << tangent / m2, -tangent / m2, c2 / m2, -c2 / m2;
  Flow result;
  result.col(0) << v1, v2, (force - c1 * v1 - k1 * x1 - n1 * x1 * x1 * x1 - link) / m1, link / m2;
  result.rightCols<4>() = a * y.rightCols<4>();
  return result;
}

struct Period {
  State end;
  Eigen::Matrix4d monodromy;
  Complex first;  // amplitude of x1 in the first harmonic
};

// Runge-Kutta of fourth order: 4000 steps of 2π/4000 leave an error of the order of 1e-11.
Period integrate(const State& begin, double level, double omega) {
  constexpr int steps = 4000;
  const double h = 2.0 * pi / omega / steps;
  Flow y = Flow::Zero();
  y.col(0) = begin;
  y.rightCols<4>().setIdentity();
  Period period{.first = 0.0};
  const auto force = [&](double t) { return level * std::cos(omega * t); };
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    period.first += 2.0 / steps * y(0, 0) * std::polar(1.0, -omega * t);
    const Flow r1 = rate(y, force(t)), r2 = rate(y + 0.5 * h * r1, force(t + 0.5 * h));
    const Flow r3 = rate(y + 0.5 * h * r2, force(t + 0.5 * h)), r4 = rate(y + h * r3, force(t + h));
    y += h / 6.0 * (r1 + 2.0 * r2 + 2.0 * r3 + r4);
  }
  period.end = y.col(0);
  period.monodromy = y.rightCols<4>();
  return period;
}

State beginning(const ResponsePoint& point, const std::vector<int>& harmonics) {
  State y = State::Zero();
  for (std::size_t i = 0; i < harmonics.size(); ++i) {
    const double w = 2.0 * pi * point.frequency * harmonics[i];
    for (int x = 0; x < 2; ++x) {
      const Observation& seen = point.observations[static_cast<std::size_t>(x)];
      const double a = seen.amplitude[static_cast<Index>(i)], phase = seen.phase[static_cast<Index>(i)];
      y[x] += a * std::cos(phase);
      y[x + 2] -= w * a * std::sin(phase);
    }
  }
  return y;
}

// The periodic motion near a point.
Period shoot(const ResponsePoint& point, const std::vector<int>& harmonics, double level) {
  State y = beginning(point, harmonics);
  const double omega = 2.0 * pi * point.frequency;
  Period period = integrate(y, level, omega);
  for (int i = 0; i < 8 && (period.end - y).norm() > 1e-12; ++i) {
    y += (Eigen::Matrix4d::Identity() - period.monodromy).partialPivLu().solve(period.end - y);
    period = integrate(y, level, omega);
  }
  CHECK((period.end - y).norm() < 1e-10);
  return period;
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
  const std::vector<SpecialPoint> folds = called(isola, "fold");
  CHECK(folds.size() == 2);

  std::vector<ResponsePoint> chosen;
  for (const SpecialPoint& peak : called(isola, "peak")) chosen.push_back(peak.point);
  for (std::size_t i = 0; i < isola.points.size(); i += isola.points.size() / 6) chosen.push_back(isola.points[i]);
  for (const ResponsePoint& point : chosen) {
    CAPTURE(point.frequency);
    const Period period = shoot(point, harmonics, 0.15);
    CHECK(point.observations[0].amplitude[0] == Approx(std::abs(period.first)).epsilon(1e-6));
  }
  // At a fold a multiplier is +1. Harmonic 13 is missing, below 1e-7 of the first.
  for (const SpecialPoint& fold : folds) {
    const Period period = integrate(beginning(fold.point, harmonics), 0.15, 2.0 * pi * fold.point.frequency);
    CHECK((period.monodromy.eigenvalues().array() - 1.0).abs().minCoeff() < 1e-5);
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
