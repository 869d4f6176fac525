// Bifurcations and the branches that leave there, against shooting: symmetry breaking and period doubling of a Duffing
// oscillator driven hard, Neimark-Sacker points of two modes in 1:3 resonance.
#include "lift_off.hpp"
#include "masing/analysis/bifurcation_tracking.hpp"
#include "masing/analysis/frequency_response.hpp"
#include "masing/balance/harmonic_balance.hpp"
#include "masing/contact/linear.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/unilateral.hpp"
#include "masing/core/error.hpp"
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

constexpr double hertz = 1.0 / (2.0 * pi);
// Located to 1e-10 by both; thirty harmonics leave out less than 1e-7 of the motion.
constexpr double six_digits = 1e-6;

FrequencyResponseRequest request(double from, double to, int highest) {
  FrequencyResponseRequest ask;
  ask.from = from;
  ask.to = to;
  ask.balance = {.harmonics = HarmonicSet::up_to(highest).harmonics(), .samples = 8 * highest};
  ask.observables = {{.name = "x", .coordinate = 0}};
  ask.stability = {.method = StabilityMethod::automatic};
  return ask;
}

std::vector<const SpecialPoint*> all_of(const ResponseBranch& branch, const std::string& kind) {
  std::vector<const SpecialPoint*> found;
  for (const SpecialPoint& special : branch.special_points) {
    if (special.kind == kind) found.push_back(&special);
  }
  return found;
}

Model duffing(double amplitude) {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.2}),
              .loads = {load(1, 0, amplitude)}};
  model.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = 1.0})), 1, {{{0, 1.0}}})};
  return model;
}

Shooting duffing_shooting(double amplitude) {
  return {Matrix::Constant(1, 1, 0.2),
          [](const Vector& q, Vector& f, Matrix& slope) {
            f = q + q.cwiseProduct(q).cwiseProduct(q);
            slope(0, 0) = 1.0 + 3.0 * q[0] * q[0];
          },
          Vector::Constant(1, amplitude)};
}

/// (q, q̇) at t = 0 of a point whose only coordinate is kept.
Vector state_of(const ResponsePoint& point, double periods = 1.0) {
  return test::state_at_zero(Eigen::Map<const Matrix>(point.coefficients.data(), 1, point.coefficients.size()),
                             2.0 * pi * point.frequency / periods);
}

// The potential b q1^3 q2 couples a hardening mode at 1 rad/s to one slightly above 3 rad/s.
constexpr double force = 0.06, damping = 0.02, second = 9.3, hardening = 0.3, coupling = 0.3;

Model two_modes() {
  Model model{.structure = chain({.masses = {1.0, 1.0},
                                  .stiffnesses = {1.0, 0.0, second},
                                  .dampings = {damping, 0.0, damping},
                                  .ground = ChainGround::both}),
              .loads = {load(2, 0, force)}};
  model.joints = {
      joint("coupling",
            make_element(Polynomial(2, {{0, hardening, {3, 0}}, {0, 3.0 * coupling, {2, 1}}, {1, coupling, {3, 0}}})),
            2, {{{0, 1.0}}, {{1, 1.0}}})};
  return model;
}

}  // namespace

TEST_CASE("a Duffing oscillator driven hard loses its symmetry, then doubles its period, where shooting says so") {
  // Downwards; the range ends before the second doubling at 0.2093 Hz.
  FrequencyResponseRequest ask = request(0.209, 0.2, 31);
  ask.follow = {.branch_points = true, .period_doublings = true};
  const FrequencyResponse response = frequency_response(duffing(28.0), ask);
  const Shooting shooting = duffing_shooting(28.0);

  // A symmetric motion repeats with opposite sign after half a period; that map has the multiplier −1 where symmetry breaks.
  const auto breaking = all_of(response.branches[0], "branch-point");
  REQUIRE(breaking.size() >= 1);
  const double half_period = 0.5;
  const double broken =
      shooting.locate(state_of(breaking[0]->point), 2.0 * pi * breaking[0]->point.frequency, half_period, -1.0,
                      [](const Matrix& map) { return (Matrix::Identity(2, 2) - map).determinant(); });
  CHECK(breaking[0]->point.frequency == Approx(broken * hertz).epsilon(six_digits));

  REQUIRE(response.branches.size() >= 3);
  const ResponseBranch& unsymmetric = response.branches[1];
  CHECK(unsymmetric.header.periods == 1);
  const auto doubling = all_of(unsymmetric, "period-doubling");
  REQUIRE(doubling.size() >= 1);
  const auto minus_one = [](const Matrix& map) { return (Matrix::Identity(2, 2) + map).determinant(); };
  for (const SpecialPoint* special : doubling) {
    const double doubled =
        shooting.locate(state_of(special->point), 2.0 * pi * special->point.frequency, 1.0, 1.0, minus_one);
    CHECK(special->point.frequency == Approx(doubled * hertz).epsilon(six_digits));
  }

  // A point of the doubled branch is a motion that shooting closes after two periods of the force, and not after one.
  const ResponseBranch& twice = response.branches[2];
  CHECK(twice.header.periods == 2);
  const Index stable = twice.header.find_quantity("stable");
  const auto chosen = std::find_if(twice.points.begin() + 3, twice.points.end(),
                                   [&](const ResponsePoint& candidate) { return candidate.quantities[stable] == 1.0; });
  REQUIRE(chosen != twice.points.end());
  const ResponsePoint& point = *chosen;
  INFO("point " << chosen - twice.points.begin() << " at " << point.frequency << " Hz, truncation " << point.truncation
                << ", residual " << point.residual);
  const double omega = 2.0 * pi * point.frequency;
  const Vector expected = state_of(point, 2.0);
  Vector start = expected;
  const Shooting::Map closed = shooting.close(start, omega, 2.0);
  CHECK((start - expected).norm() < six_digits * expected.norm());
  CHECK((shooting.map(start, omega, 2.0 * pi / omega).end - start).norm() > 1e-2 * start.norm());
  const double largest = closed.derivative.eigenvalues().cwiseAbs().maxCoeff();
  CHECK(point.quantities[twice.header.find_quantity("largest_multiplier")] == Approx(largest).epsilon(1e-5));
}

TEST_CASE("where a branch meets the one that it left there is one branch point, and no fold") {
  FrequencyResponseRequest ask = request(0.42, 0.2, 15);
  ask.follow = {.branch_points = true, .period_doublings = true};
  const FrequencyResponse response = frequency_response(duffing(28.0), ask);
  int meetings = 0;
  for (const ResponseBranch& branch : response.branches) {
    if (branch.end.stop != "met another branch") continue;
    ++meetings;
    CAPTURE(branch.header.label);
    std::vector<const SpecialPoint*> ones;  // a multiplier +1
    for (const SpecialPoint& special : branch.special_points) {
      if (special.kind == "fold" || special.kind == "branch-point") ones.push_back(&special);
    }
    REQUIRE_FALSE(ones.empty());
    CHECK(ones.back()->kind == "branch-point");
    for (std::size_t i = 1; i < ones.size(); ++i) {
      CHECK(std::abs(ones[i]->point.frequency / ones[i - 1]->point.frequency - 1.0) > 1e-4);
    }
  }
  CHECK(meetings >= 3);
  // Folds elsewhere on such a branch stay what they are.
  CHECK(all_of(response.branches[1], "fold").size() == 2);
}

TEST_CASE("odd harmonics alone tell where symmetry breaks, and the branch that leaves has even ones") {
  FrequencyResponseRequest ask = request(0.2, 0.28, 19);
  ask.balance.harmonics = {1, 3, 5, 7, 9, 11, 13, 15, 17, 19};
  ask.follow.branch_points = true;
  const FrequencyResponse response = frequency_response(duffing(10.0), ask);
  const auto breaking = all_of(response.branches[0], "branch-point");
  REQUIRE(breaking.size() == 1);
  REQUIRE(response.branches.size() == 2);
  const ResponseBranch& unsymmetric = response.branches[1];
  CHECK(unsymmetric.header.harmonics.size() == 20);
  double mean = 0.0;
  for (const ResponsePoint& point : unsymmetric.points) {
    mean = std::max(mean, std::abs(point.observations[0].amplitude[0]));
  }
  CHECK(mean > 0.1);
  // The symmetric motion is unstable where the other one has taken its place.
  const Index stable = unsymmetric.header.find_quantity("stable");
  CHECK(response.branches[0].points.front().quantities[stable] == 0.0);
  CHECK(response.branches[0].points.back().quantities[stable] == 1.0);
}

TEST_CASE("two modes in 1:3 resonance are modulated between the Neimark-Sacker points that shooting finds") {
  const Model model = two_modes();
  const FrequencyResponseRequest ask = request(0.155, 0.17, 11);
  const FrequencyResponse response = frequency_response(model, ask);
  REQUIRE(response.complete());
  const Shooting shooting(
      damping * Matrix::Identity(2, 2),
      [](const Vector& q, Vector& f, Matrix& slope) {
        const double square = q[0] * q[0];
        f << q[0] + hardening * square * q[0] + 3.0 * coupling * square * q[1],
            second * q[1] + coupling * square * q[0];
        slope << 1.0 + 3.0 * hardening * square + 6.0 * coupling * q[0] * q[1], 3.0 * coupling * square,
            3.0 * coupling * square, second;
      },
      Vector{{force, 0.0}});
  const auto pairs = [](const Matrix& map) {
    const ComplexVector values = map.eigenvalues();
    Complex product = 1.0;
    for (Index i = 0; i < values.size(); ++i) {
      for (Index j = i + 1; j < values.size(); ++j) product *= 1.0 - values[i] * values[j];
    }
    return product.real();
  };
  const auto found = all_of(response.branches[0], "neimark-sacker");
  REQUIRE(found.size() == 2);
  HarmonicBalance balance(*model.structure, model.joints, model.loads, ask.balance);
  for (const SpecialPoint* special : found) {
    const double omega = 2.0 * pi * special->point.frequency;
    const Vector start = test::state_at_zero(balance.recover(special->point.coefficients, omega), omega);
    const double expected = shooting.locate(start, omega, 1.0, 1.0, pairs);
    CHECK(special->point.frequency == Approx(expected * hertz).epsilon(six_digits));
  }
  const Index stable = response.branches[0].header.find_quantity("stable");
  for (const ResponsePoint& point : response.branches[0].points) {
    const bool between = point.frequency > found[0]->point.frequency && point.frequency < found[1]->point.frequency;
    CHECK(point.quantities[stable] == (between ? 0.0 : 1.0));
  }
}

TEST_CASE("Neimark-Sacker points followed over the force are those of responses at other forces") {
  const Model model = two_modes();
  BifurcationTrackingRequest ask;
  ask.name = "border";
  ask.from = 0.165;
  ask.to = 0.168;
  ask.from_level = 1.0;
  ask.to_level = 1.3;
  ask.balance = {.harmonics = HarmonicSet::up_to(7).harmonics(), .samples = 64};
  ask.observables = {{.name = "x", .coordinate = 0}};
  ask.stability = {.method = StabilityMethod::monodromy, .steps = 512};
  const ResponseCurves curves = bifurcation_tracking(model, ask);
  REQUIRE(curves.branches.size() == 1);
  const ResponseBranch& border = curves.branches[0];
  INFO(border.end.message);
  REQUIRE(border.end.complete);
  const ResponsePoint& last = border.points.back();
  CHECK(last.quantities[border.header.find_quantity("level")] == Approx(1.3).epsilon(1e-9));
  // The same point found along a response at that force.
  FrequencyResponseRequest response = request(0.999 * last.frequency, 1.001 * last.frequency, 7);
  response.balance = ask.balance;
  response.stability = ask.stability;
  response.levels = {1.3};
  const FrequencyResponse found = frequency_response(model, response);
  const auto points = all_of(found.branches[0], "neimark-sacker");
  REQUIRE(points.size() == 1);
  CHECK(last.frequency == Approx(points[0]->point.frequency).epsilon(1e-8));
  const double angle = points[0]->point.quantities[found.branches[0].header.find_quantity("multiplier_angle")];
  CHECK(last.quantities[border.header.find_quantity("modulation_frequency")] ==
        Approx(last.frequency * angle / 360.0).epsilon(1e-5));
}

TEST_CASE("a Neimark-Sacker point beside a large multiplier tells its own modulation, and is followed") {
  // At 0.136 Hz another multiplier is 123. Shooting: the pair there is 0.5309 ± 0.8474i.
  Model model{
      .structure = chain({.masses = {1.0, 1.0, 0.7}, .stiffnesses = {1.0, 0.0, 0.8}, .dampings = {0.015, 0.0, 0.01}}),
      .loads = {load(3, 0, 1.0)}};
  model.joints = {joint("coupling", make_element(Polynomial(2, {{0, 0.4, {3, 0}}, {0, 1.2, {2, 1}}, {1, 0.4, {3, 0}}})),
                        3, {{{0, 1.0}}, {{1, 1.0}}}),
                  joint("spring", make_element(LinearSpring(9.0)), 3, {{{1, 1.0}}})};
  BifurcationTrackingRequest ask;
  ask.name = "border";
  ask.from = 0.12;
  ask.to = 0.24;
  ask.near = 0.136;
  ask.from_level = 0.1;
  ask.to_level = 0.099;
  ask.balance = {.harmonics = {1, 3, 5, 7, 9, 11, 13, 15}, .samples = 128};
  ask.observables = {{.name = "x", .coordinate = 0}};
  ask.stability = {.method = StabilityMethod::monodromy};
  const ResponseCurves curves = bifurcation_tracking(model, ask);
  REQUIRE(curves.branches.size() == 1);
  const ResponseBranch& border = curves.branches[0];
  INFO(border.end.message);
  REQUIRE(border.end.complete);
  const ResponsePoint& first = border.points.front();
  const double modulation = first.quantities[border.header.find_quantity("modulation_frequency")];
  HarmonicBalance balance(*model.structure, model.joints, model.loads, ask.balance);
  balance.set_level(0.1);
  const double omega = 2.0 * pi * first.frequency;
  const FloquetMultipliers floquet = Stability(model, ask.balance.harmonics, ask.stability)
                                         .evaluate(balance.recover(first.coefficients, omega), omega);
  CHECK(floquet.largest() > 50.0);
  double nearest = 1.0;
  for (const Complex& value : floquet.values) {
    const Complex expected = std::polar(1.0, 2.0 * pi * modulation / first.frequency);
    nearest = std::min(nearest, std::abs(value - expected));
  }
  CHECK(nearest < 1e-6);
  // Fifteen harmonics leave the point itself some 1e-3 aside.
  CHECK(modulation == Approx(0.1361509 * std::atan2(0.847437, 0.530889) * hertz).epsilon(2e-3));
  FrequencyResponseRequest response = request(0.999 * first.frequency, 1.001 * first.frequency, 15);
  response.balance = ask.balance;
  response.stability = ask.stability;
  response.levels = {0.1};
  const FrequencyResponse found = frequency_response(model, response);
  for (const SpecialPoint* special : all_of(found.branches[0], "neimark-sacker")) {
    const double angle = special->point.quantities[found.branches[0].header.find_quantity("multiplier_angle")];
    CHECK(special->point.frequency * angle / 360.0 == Approx(modulation).epsilon(1e-5));
  }
}

TEST_CASE("a fold that truncation moves away from its multiplier is no branch point") {
  // Seven harmonics: the balance folds at 97.4783 Hz, the multiplier passes one at 97.4955 Hz. Nothing here is symmetric.
  const Model model = test::two_masses_that_lift_off();
  FrequencyResponseRequest ask = request(94.0, 104.0, 7);
  ask.balance.samples = 256;
  ask.levels = {300.0};
  const FrequencyResponse response = frequency_response(model, ask);
  CHECK(!all_of(response.branches[0], "fold").empty());
  CHECK(all_of(response.branches[0], "branch-point").empty());
}

TEST_CASE("a doubling of an unsymmetric branch, followed over the force, is that of a response at another force") {
  const Model model = duffing(28.0);
  FrequencyResponseRequest response = request(0.209, 0.2, 13);
  response.follow = {.branch_points = true};
  response.stability = {.method = StabilityMethod::monodromy};
  BifurcationTrackingRequest ask;
  ask.name = "doublings";
  ask.of = "period-doubling";
  ask.from = response.from;
  ask.to = response.to;
  ask.from_level = 1.0;
  ask.to_level = 1.01;
  ask.balance = response.balance;
  ask.observables = response.observables;
  ask.stability = response.stability;
  ask.near = 0.2085;
  const ResponseCurves without = bifurcation_tracking(model, ask);
  CHECK_FALSE(without.complete());  // the symmetric branch has none
  ask.follow = response.follow;
  const ResponseCurves curves = bifurcation_tracking(model, ask);
  REQUIRE(curves.branches.size() == 1);
  const ResponseBranch& border = curves.branches[0];
  INFO(border.end.message);
  REQUIRE(border.end.complete);
  const ResponsePoint& last = border.points.back();
  response.levels = {1.01};
  const FrequencyResponse found = frequency_response(model, response);
  REQUIRE(found.branches.size() >= 2);
  double nearest = 0.0;
  for (const SpecialPoint* special : all_of(found.branches[1], "period-doubling")) {
    const double frequency = special->point.frequency;
    if (std::abs(frequency - last.frequency) < std::abs(nearest - last.frequency)) nearest = frequency;
  }
  CHECK(last.frequency == Approx(nearest).epsilon(1e-8));
}

TEST_CASE("at a stop the doubled branch is followed away from the one it leaves, and holds in time") {
  constexpr double contact = 5.0, c = 0.05, level = 0.5;
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = c}), .loads = {load(1, 0, level)}};
  model.joints = {joint("stop", make_element(Unilateral({.stiffness = contact, .gap = 0.0})), 1, {{{0, 1.0}}})};
  FrequencyResponseRequest ask = request(0.355, 0.375, 12);
  ask.balance.samples = 256;
  ask.follow = {.period_doublings = true};
  const FrequencyResponse response = frequency_response(model, ask);
  REQUIRE(response.branches.size() == 2);
  const ResponseBranch& doubled = response.branches[1];
  INFO(doubled.end.message);
  CHECK(doubled.header.periods == 2);
  REQUIRE(doubled.end.complete);
  REQUIRE(doubled.points.size() > 10);
  // A point in the middle, integrated for 60 periods of the force (Runge-Kutta; the stop is met between steps: error of second
  // order in the step, 1e-6).
  const ResponsePoint& point = doubled.points[doubled.points.size() / 2];
  const Vector start = state_of(point, 2.0);
  const double omega = 2.0 * pi * point.frequency, h = 2.0 * pi / omega / 4000.0;
  Eigen::Vector2d y(start[0], start[1]), after_one = y;
  const auto rate = [&](const Eigen::Vector2d& at, double t) {
    const double stop = at[0] > 0.0 ? contact * at[0] : 0.0;
    return Eigen::Vector2d(at[1], level * std::cos(omega * t) - c * at[1] - at[0] - stop);
  };
  for (int i = 0; i < 60 * 4000; ++i) {
    const double t = i * h;
    const Eigen::Vector2d a = rate(y, t), b = rate(y + 0.5 * h * a, t + 0.5 * h);
    const Eigen::Vector2d d = rate(y + 0.5 * h * b, t + 0.5 * h), e = rate(y + h * d, t + h);
    y += h / 6.0 * (a + 2.0 * b + 2.0 * d + e);
    if (i == 3999) after_one = y;
  }
  const double size = start.norm();
  CHECK((y - start).norm() < 1e-2 * size);         // 12 harmonics of a motion with a corner in its force
  CHECK((after_one - start).norm() > 0.1 * size);  // after one period it is elsewhere

  // The same branch taken up where it has fallen back: its second point lies on the branch that it left, seen over two periods.
  // That is told, not stored as a branch.
  const auto over_two_periods = [](const Vector& x, Index size_there) {
    Vector there = Vector::Zero(size_there);
    there[0] = x[0];
    for (Index k = 1; k <= 12; ++k) there.segment(4 * k - 1, 2) = x.segment(2 * k - 1, 2);
    return there;
  };
  const ResponseBranch& main = response.branches[0];
  ResponsePoint fallen = main.points[main.points.size() / 2];
  const double along = fallen.tangent[fallen.tangent.size() - 1];
  fallen.coefficients = over_two_periods(fallen.coefficients, 49);
  fallen.tangent = over_two_periods(fallen.tangent, 50);
  fallen.tangent[49] = along;
  const std::vector<BranchRestart> restarts = {
      {.points = main.points, .special_points = main.special_points, .ended = true, .end = main.end},
      {.points = {doubled.points.front(), fallen}}};
  const FrequencyResponse resumed = frequency_response(model, ask, nullptr, {}, restarts);
  REQUIRE(resumed.branches.size() == 2);
  CHECK(resumed.branches[1].end.stop == "fell back");
  CHECK_FALSE(resumed.branches[1].end.complete);
  CHECK_THAT(resumed.branches[1].end.message, Catch::Matchers::Contains("fell back onto the one that it left"));
}

TEST_CASE("an unstable range between two points of the curve is found with default steps") {
  // Superharmonic resonances of a driven Duffing oscillator: ranges in which the symmetric motion is not stable.
  FrequencyResponseRequest ask = request(0.06, 0.3, 9);
  ask.balance.harmonics = {1, 3, 5, 7, 9};  // keeps to the symmetric branch
  FrequencyResponseRequest fine = ask;
  fine.continuation.step = {.initial = 0.01, .maximum = 0.01};
  const Model model = duffing(2.12);
  const ResponseBranch coarse = frequency_response(model, ask).branches[0];
  const ResponseBranch dense = frequency_response(model, fine).branches[0];
  const auto points = all_of(coarse, "branch-point"), expected = all_of(dense, "branch-point");
  REQUIRE(!expected.empty());
  REQUIRE(points.size() == expected.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    CHECK(points[i]->point.frequency == Approx(expected[i]->point.frequency).epsilon(1e-8));
  }
  // At least one of the ranges has no point of the curve in it.
  const bool hidden = std::any_of(points.begin() + 1, points.end(), [&](const SpecialPoint* special) {
    return special->after_point == (*(std::find(points.begin(), points.end(), special) - 1))->after_point;
  });
  CHECK(hidden);
}

TEST_CASE("bifurcations are followed only where stability is known") {
  FrequencyResponseRequest ask = request(0.2, 0.28, 5);
  ask.stability = {};
  ask.follow.branch_points = true;
  CHECK_THROWS_AS(frequency_response(duffing(10.0), ask), ModelError);
}
