// Harmonics that follow the motion: the curves are those of a large fixed set, with fewer unknowns.
#include "adaptive.hpp"
#include "masing/analysis/backbone.hpp"
#include "masing/analysis/bifurcation_tracking.hpp"
#include "masing/analysis/controlled_response.hpp"
#include "masing/analysis/detail/harmonic_ladder.hpp"
#include "masing/analysis/frequency_response.hpp"
#include "masing/contact/backbones.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/unilateral.hpp"
#include "masing/core/error.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <Eigen/LU>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <set>

using namespace masing;
using test::adaptive;
using test::duffing;
using test::fixed_set;
using test::hertz;
using test::joint;
using test::load;
using test::oscillator_with;
using test::quantity;
using test::sets_used;

namespace {

Model jenkins() { return oscillator_with(0.02, make_element(Jenkins({.stiffness = 0.8, .slip_force = 0.2}))); }
Model stop() { return oscillator_with(0.06, make_element(Unilateral({.stiffness = 2.0, .gap = 0.5}))); }
Model iwan() {
  return oscillator_with(
      0.02, make_iwan(four_parameter_backbone({.stiffness = 0.3, .slip_force = 0.1, .chi = -0.5, .beta = 0.5})));
}

FrequencyResponseRequest response(double from, double to, double level, const BalanceOptions& balance) {
  FrequencyResponseRequest ask;
  ask.from = from * hertz;
  ask.to = to * hertz;
  ask.levels = {level};
  ask.observables = {{.name = "x", .coordinate = 0}};
  ask.balance = balance;
  return ask;
}

/// What a factorisation costs, relative to that of the largest set at every point.
double cost(const ResponseBranch& branch) {
  const auto full = static_cast<double>(HarmonicSet(branch.header.harmonics).positions());
  double sum = 0.0;
  for (const ResponsePoint& point : branch.points) {
    const double count = quantity(branch, point, "harmonic_count");
    const bool odd = count < quantity(branch, point, "highest_harmonic") + 1.0;
    sum += std::pow((2.0 * count - (odd ? 0.0 : 1.0)) / full, 3);
  }
  return sum / static_cast<double>(branch.points.size());
}

const SpecialPoint* find(const ResponseBranch& branch, const std::string& kind) {
  const auto found = std::find_if(branch.special_points.begin(), branch.special_points.end(),
                                  [&](const SpecialPoint& special) { return special.kind == kind; });
  return found == branch.special_points.end() ? nullptr : &*found;
}

/// Every amplitude that the two runs have at the same frequency: points of one solved again with the large set.
double largest_difference(const Model& model, const ResponseBranch& branch, double level, int highest) {
  double largest = 0.0, peak = 0.0;
  for (const ResponsePoint& point : branch.points) peak = std::max(peak, point.observations[0].amplitude[1]);
  HarmonicBalance balance(*model.structure, model.joints, model.loads, fixed_set(highest));
  balance.set_level(level);
  for (std::size_t i = 0; i < branch.points.size(); i += 3) {
    const ResponsePoint& point = branch.points[i];
    Vector x = Vector::Zero(balance.size());
    const Index common = std::min(x.size(), point.coefficients.size());
    x.head(common) = point.coefficients.head(common);
    const double omega = 2.0 * pi * point.frequency;
    Vector r, by_omega;
    Matrix jacobian;
    for (int step = 0; step < 8; ++step) {
      balance.residual(x, omega, r);
      balance.derivatives(x, omega, jacobian, by_omega);
      x -= jacobian.partialPivLu().solve(r);
    }
    balance.residual(x, omega, r);
    if (r.norm() > 1e-10 * level) continue;  // at a fold of the other curve there is no solution at this frequency
    const double there = std::hypot(x[1], x[2]);
    largest = std::max(largest, std::abs(there - point.observations[0].amplitude[1]) / peak);
  }
  return largest;
}

}  // namespace

TEST_CASE("a branch with adaptive harmonics is that of a large fixed set, with fewer unknowns", "[adaptive]") {
  struct Case {
    std::string name;
    Model model;
    double from, to, level;
    bool grows;
  };
  const std::vector<Case> cases = {{"Duffing", duffing(), 0.2, 2.6, 0.3, true},
                                   {"Jenkins", jenkins(), 0.3, 1.8, 0.25, true},
                                   {"one-sided stop", stop(), 0.3, 1.6, 0.15, true},
                                   {"Iwan", iwan(), 0.3, 1.6, 0.2, true}};
  // The last two harmonics hold less than this share of the motion; what is left out is smaller, and acts on the first
  // harmonic through the joint's force only.
  const double tolerance = 1e-3;
  for (const Case& c : cases) {
    CAPTURE(c.name);
    FrequencyResponseRequest ask = response(c.from, c.to, c.level, adaptive(tolerance));
    const FrequencyResponse result = frequency_response(c.model, ask);
    const ResponseBranch& branch = result.branches.front();
    CAPTURE(branch.end.message);
    REQUIRE(branch.end.complete);
    CHECK(largest_difference(c.model, branch, c.level, 31) < tolerance);
    CHECK((sets_used(branch).size() > 1) == c.grows);
    CHECK(cost(branch) < 0.25);
    for (const ResponsePoint& point : branch.points) {
      const bool largest = quantity(branch, point, "highest_harmonic") >= 24.0;
      CHECK((largest || quantity(branch, point, "motion_tail") <= tolerance));
      CHECK((largest || quantity(branch, point, "force_tail") <= ask.balance.adaptive->force_tolerance));
    }
    ask.balance = fixed_set(25);
    const ResponseBranch fixed = frequency_response(c.model, ask).branches.front();
    REQUIRE(fixed.end.resonances.size() == 1);
    REQUIRE(branch.end.resonances.size() == 1);
    CHECK(branch.end.resonances[0].frequency == Approx(fixed.end.resonances[0].frequency).epsilon(tolerance));
    CHECK(branch.end.resonances[0].amplitude == Approx(fixed.end.resonances[0].amplitude).epsilon(tolerance));
    CHECK(branch.end.resonances[0].damping_ratio == Approx(fixed.end.resonances[0].damping_ratio).epsilon(0.01));
  }
}

TEST_CASE("sets grow towards a superharmonic resonance and shrink behind it", "[adaptive]") {
  const FrequencyResponse result = frequency_response(duffing(), response(0.2, 2.6, 0.3, adaptive(1e-4)));
  const ResponseBranch& branch = result.branches.front();
  int grown = 0, shrunk = 0;
  for (std::size_t i = 1; i < branch.points.size(); ++i) {
    const double before = quantity(branch, branch.points[i - 1], "highest_harmonic");
    const double here = quantity(branch, branch.points[i], "highest_harmonic");
    grown += here > before ? 1 : 0;
    shrunk += here < before ? 1 : 0;
  }
  CHECK(grown >= 2);
  CHECK(shrunk >= 2);
  CHECK(grown + shrunk < static_cast<int>(branch.points.size()) / 4);
}

TEST_CASE("a symmetric joint is balanced in odd harmonics, a one-sided one in all as soon as it is touched",
          "[adaptive]") {
  const ResponseBranch symmetric = frequency_response(duffing(), response(0.8, 2.0, 0.2, adaptive())).branches.front();
  for (std::size_t i = 1; i < symmetric.points.size(); ++i) {
    const double highest = quantity(symmetric, symmetric.points[i], "highest_harmonic");
    CHECK(quantity(symmetric, symmetric.points[i], "harmonic_count") == (highest + 1.0) / 2.0);
  }
  FrequencyResponseRequest ask = response(0.3, 1.6, 0.15, adaptive());
  const ResponseBranch one_sided = frequency_response(stop(), ask).branches.front();
  bool touched = false;
  int odd = 0;
  for (std::size_t i = 1; i < one_sided.points.size(); ++i) {
    const ResponsePoint& point = one_sided.points[i];
    const double highest = quantity(one_sided, point, "highest_harmonic");
    const bool all = quantity(one_sided, point, "harmonic_count") == highest + 1.0;
    touched = touched || std::abs(point.observations[0].amplitude[0]) > 1e-9;
    odd += all ? 0 : 1;
    CHECK((all || !touched));
  }
  CHECK(touched);
  CHECK(odd > 2);
  ask = response(0.8, 2.0, 0.2, adaptive());
  ask.balance.adaptive->leave_out_even = false;
  const ResponseBranch all = frequency_response(duffing(), ask).branches.front();
  CHECK(quantity(all, all.points[3], "harmonic_count") == quantity(all, all.points[3], "highest_harmonic") + 1.0);
}

TEST_CASE("a static load brings the even harmonics", "[adaptive]") {
  Model model = duffing();
  model.loads.push_back(load(1, 0, 0.3, 0));
  const ResponseBranch branch = frequency_response(model, response(0.8, 1.4, 0.05, adaptive())).branches.front();
  REQUIRE(branch.end.complete);
  for (const ResponsePoint& point : branch.points) {
    CHECK(quantity(branch, point, "harmonic_count") == quantity(branch, point, "highest_harmonic") + 1.0);
    CHECK(point.observations[0].amplitude[0] > 0.1);  // 0.29 at rest, less where it swings
  }
}

TEST_CASE("symmetry breaks where all harmonics say so, and the other branch has even ones", "[adaptive]") {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.2}), .loads = {load(1, 0, 28.0)}};
  model.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = 1.0})), 1, {{{0, 1.0}}})};
  FrequencyResponseRequest ask = response(1.0, 1.0, 1.0, fixed_set(21));
  ask.from = 0.209;
  ask.to = 0.2;
  ask.stability = {.method = StabilityMethod::automatic};
  const FrequencyResponse fixed = frequency_response(model, ask);
  ask.balance = adaptive(1e-6);
  ask.follow = {.branch_points = true};
  const FrequencyResponse result = frequency_response(model, ask);
  const SpecialPoint* expected = find(fixed.branches.front(), "branch-point");
  const SpecialPoint* found = find(result.branches.front(), "branch-point");
  REQUIRE(expected != nullptr);
  REQUIRE(found != nullptr);
  CHECK(found->point.frequency == Approx(expected->point.frequency).epsilon(1e-6));
  const ResponseBranch& main = result.branches.front();
  CHECK(quantity(main, main.points.back(), "harmonic_count") < quantity(main, main.points.back(), "highest_harmonic"));
  REQUIRE(result.branches.size() > 1);
  const ResponseBranch& broken = result.branches[1];
  REQUIRE(broken.points.size() > 3);
  CHECK(quantity(broken, broken.points[2], "harmonic_count") ==
        quantity(broken, broken.points[2], "highest_harmonic") + 1.0);
  CHECK(std::abs(broken.points[2].observations[0].amplitude[2]) > 1e-3);
}

TEST_CASE("an interrupted branch with adaptive harmonics goes on with the very same numbers", "[adaptive]") {
  FrequencyResponseRequest ask = response(0.2, 2.6, 0.3, adaptive(1e-4));
  for (const Predictor predictor : {Predictor::tangent, Predictor::cubic}) {
    ask.continuation.predictor = predictor;
    const ResponseBranch whole = frequency_response(duffing(), ask).branches.front();
    const ResponseBranch again = frequency_response(duffing(), ask).branches.front();
    REQUIRE(again.points.size() == whole.points.size());
    CHECK(again.points.back().coefficients == whole.points.back().coefficients);
    // Before, at and behind changes of the set.
    for (std::size_t cut = 1; cut < whole.points.size(); cut += 5) {
      BranchRestart restart;
      restart.points.assign(whole.points.begin(), whole.points.begin() + static_cast<std::ptrdiff_t>(cut));
      const ResponseBranch resumed = frequency_response(duffing(), ask, nullptr, {}, {restart}).branches.front();
      CAPTURE(cut);
      REQUIRE(resumed.points.size() == whole.points.size());
      bool same = true;
      for (std::size_t i = 0; i < whole.points.size(); ++i) {
        same = same && resumed.points[i].coefficients == whole.points[i].coefficients &&
               resumed.points[i].tangent == whole.points[i].tangent;
      }
      CHECK(same);
    }
  }
}

TEST_CASE("backbones, force responses and controlled responses take adaptive harmonics", "[adaptive]") {
  const double tolerance = 1e-3;
  const auto same_ends = [&](const ResponseBranch& a, const ResponseBranch& b) {
    CAPTURE(a.end.message);
    REQUIRE(a.end.complete);
    REQUIRE(b.end.complete);
    CHECK(a.points.back().frequency == Approx(b.points.back().frequency).epsilon(tolerance));
    CHECK(a.points.back().observations[0].amplitude[1] ==
          Approx(b.points.back().observations[0].amplitude[1]).epsilon(tolerance));
    CHECK(cost(a) < 0.25);
  };
  const std::vector<Observable> sensors = {{.name = "x", .coordinate = 0}};
  for (const BackboneMethod method :
       {BackboneMethod::epmc, BackboneMethod::conservative, BackboneMethod::phase_resonance}) {
    CAPTURE(to_string(method));
    BackboneRequest ask;
    ask.method = method;
    ask.from = 1e-3;
    ask.to = method == BackboneMethod::phase_resonance ? 0.5 : 5.0;
    ask.observables = sensors;
    ask.drive = Vector::Ones(1);
    ask.balance = adaptive(tolerance);
    const Model model = method == BackboneMethod::epmc ? jenkins() : duffing();
    const ResponseBranch free = backbone(model, ask).branches.front();
    CHECK(sets_used(free).size() > 1);
    ask.balance = fixed_set(25);
    same_ends(free, backbone(model, ask).branches.front());
  }
  ForceResponseRequest force;
  force.observables = sensors;
  force.frequencies = {1.3 * hertz};
  force.from_level = 0.01;
  force.to_level = 1.0;
  force.balance = adaptive(tolerance);
  const ResponseBranch curve = force_response(duffing(), force).branches.front();
  CHECK(sets_used(curve).size() > 1);
  force.balance = fixed_set(25);
  same_ends(curve, force_response(duffing(), force).branches.front());

  ResponseControlRequest control;
  control.observables = sensors;
  control.controlled = sensors.front();
  control.from = 0.25 * hertz;
  control.to = 1.6 * hertz;
  control.amplitudes = {0.6};
  control.balance = adaptive(tolerance);
  const ResponseBranch held = response_control(jenkins(), control).branches.front();
  CHECK(sets_used(held).size() > 1);
  control.balance = fixed_set(25);
  same_ends(held, response_control(jenkins(), control).branches.front());
}

TEST_CASE("sets that do not fit are refused with the rule", "[adaptive]") {
  BalanceOptions options = adaptive();
  options.adaptive->least = 2;
  CHECK_THROWS_WITH(detail::HarmonicLadder(duffing(), options), Catch::Contains("must be between 3 and the most, 25"));
  options = adaptive();
  options.harmonics = {0, 1, 3};
  CHECK_THROWS_WITH(detail::HarmonicLadder(duffing(), options), Catch::Contains("every harmonic from 0 to 3"));
  Model model = duffing();
  model.loads.push_back(load(1, 0, 0.1, 30));
  CHECK_THROWS_WITH(detail::HarmonicLadder(model, adaptive()),
                    Catch::Contains("harmonic 30 is needed, the most is 25"));
}

TEST_CASE("samples follow the harmonics", "[adaptive]") {
  detail::HarmonicLadder ladder(duffing(), adaptive(1e-3, 61));
  CHECK(ladder.first().options.samples == 256);
  CHECK(ladder.at(HarmonicSet::up_to(17)).options.samples == 512);
  CHECK(ladder.at(HarmonicSet::up_to(61)).options.samples == 1024);
}

TEST_CASE(
    "an unsymmetric branch with harmonics of its own at each point ends at the branch it left, and is followed once") {
  // x'' + 0.1 x' + x + x³ + iwan(x) = 28 cos Ωt
  Model model = oscillator_with(0.1, make_element(CubicSpring({.cubic_stiffness = 1.0})));
  model.joints.push_back(
      joint("iwan", make_iwan(four_parameter_backbone({.stiffness = 2.0, .slip_force = 1.0, .chi = -0.5, .beta = 0.5})),
            1, {{{0, 1.0}}}));
  FrequencyResponseRequest ask = response(0.42 / hertz, 0.19 / hertz, 28.0, adaptive(1e-3, 50));
  ask.stability = {.method = StabilityMethod::automatic};
  ask.follow = {.branch_points = true};
  const FrequencyResponse found = frequency_response(model, ask);
  const auto branch_points = [](const ResponseBranch& branch) {
    std::vector<double> frequencies;
    for (const SpecialPoint& special : branch.special_points) {
      if (special.kind == "branch-point") frequencies.push_back(special.point.frequency);
    }
    return frequencies;
  };
  const std::vector<double> left = branch_points(found.branches[0]);
  REQUIRE(left.size() == 2);
  REQUIRE(found.branches.size() == 2);
  const ResponseBranch& unsymmetric = found.branches[1];
  const std::vector<double> met = branch_points(unsymmetric);
  REQUIRE(met.size() == 1);
  CHECK(met[0] == Approx(left[1]).epsilon(1e-4));  // the harmonics left out differ between the two
  // Before it ends it never is the symmetric motion, whose even harmonics are rounding.
  for (const ResponsePoint& point : unsymmetric.points) {
    const Vector& amplitude = point.observations[0].amplitude;
    CHECK(amplitude[2] > 1e-5 * amplitude[1]);
  }
}
