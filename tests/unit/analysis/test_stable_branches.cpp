// What stability says of a branch against simulations: a motion marked stable attracts one that starts near it, a motion
// marked unstable repels it.
#include "masing/analysis/controlled_response.hpp"
#include "masing/analysis/frequency_response.hpp"
#include "masing/balance/harmonic_balance.hpp"
#include "masing/contact/backbones.hpp"
#include "masing/contact/binning.hpp"
#include "masing/contact/friction.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/iwan_stribeck.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/slip_slap.hpp"
#include "masing/contact/unilateral.hpp"
#include "masing/contact/variable_load_iwan.hpp"
#include "masing/structure/lumped.hpp"
#include "masing/transient/integrator.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <set>

using namespace masing;
using test::joint;
using test::load;

namespace {

constexpr double hertz = 1.0 / (2.0 * pi);

struct System {
  std::string name;
  Model model;
  double from = 0.0, to = 0.0;  // rad/s
  double level = 1.0;
  std::vector<int> harmonics = {0, 1, 2, 3, 4, 5, 6, 7};
  bool bistable = true;  // has unstable points
};

// A joint with a normal load is pressed by this share of its tangential motion.
constexpr double pressing = 0.3;

Model oscillator_with(double damping, std::vector<std::shared_ptr<const ContactElement>> elements) {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = damping}), .loads = {load(1, 0, 1.0)}};
  for (auto& element : elements) {
    std::vector<std::map<Index, double>> directions = {{{0, 1.0}}};
    if (element->inputs() == 2) directions.push_back({{0, pressing}});
    model.joints.push_back(joint("joint " + std::to_string(model.joints.size()), element, 1, directions));
  }
  return model;
}

std::shared_ptr<const ContactElement> cubic(double stiffness) {
  return make_element(CubicSpring({.cubic_stiffness = stiffness}));
}

std::vector<System> systems() {
  const auto jenkins = make_element(Jenkins({.stiffness = 0.2, .slip_force = 0.02}));
  const auto iwan = make_iwan(four_parameter_backbone({.stiffness = 0.3, .slip_force = 0.1, .chi = -0.5, .beta = 0.5}));
  const auto stop = make_element(Unilateral({.stiffness = 2.0, .gap = 1.0}));
  const NormalContact normal({.stiffness = 0.1, .preload = 0.1});
  const auto friction = make_element(Friction2d({.stiffness = 0.2, .friction = 0.2, .normal = normal}));
  const auto pressed = make_element(VariableLoadIwan(
      bin_backbone(*uniform_backbone({.stiffness = 0.3, .slip_force = 0.05}), 20), LoadScaling::constant(0.1), normal));
  const auto stribeck =
      make_iwan_stribeck({.iwan = {.stiffness = 0.3, .slip_force = 0.05, .chi = -0.5, .beta = 0.5, .theta = 0.8},
                          .stribeck_velocity = 0.5});
  const auto slip_slap = [](double unloading, bool smooth) {
    return make_slip_slap({.normal_exponent = 1.0,
                           .friction_exponent = 1.0,
                           .normal_coefficient = 0.1,
                           .friction_coefficient = 0.2,
                           .unloading_rate = unloading,
                           .stiffness_ratio = 0.5,
                           .approach = 1.0,
                           .smooth_refresh = smooth});
  };
  Model two{.structure = chain({.masses = {1.0, 0.5}, .stiffnesses = {1.0, 0.5}, .dampings = {0.03, 0.01}}),
            .loads = {load(2, 0, 1.0)}};
  two.joints = {joint("spring", cubic(0.4), 2, {{{0, -1.0}, {1, 1.0}}})};
  return {
      {"Duffing", oscillator_with(0.05, {cubic(0.5)}), 0.8, 1.8, 0.15},
      {"softening", oscillator_with(0.05, {cubic(-0.05)}), 1.1, 0.7, 0.12},
      {"two masses", two, 0.4, 1.1, 0.06},
      {"one-sided stop", oscillator_with(0.06, {stop}), 0.8, 1.6, 0.15},
      {"Jenkins and cubic", oscillator_with(0.03, {jenkins, cubic(0.5)}), 0.8, 1.8, 0.15},
      {"Iwan and cubic", oscillator_with(0.02, {iwan, cubic(0.5)}), 0.9, 1.9, 0.2},
      {"friction under a varying load, and cubic", oscillator_with(0.03, {friction, cubic(0.5)}), 0.8, 1.8, 0.15},
      {"Iwan under a varying load, and cubic", oscillator_with(0.02, {pressed, cubic(0.5)}), 0.8, 2.6, 0.15},
      {"Iwan-Stribeck and cubic", oscillator_with(0.02, {stribeck, cubic(0.5)}), 0.8, 3.0, 0.2},
      {"slip/slap and cubic", oscillator_with(0.03, {slip_slap(0.0, false), cubic(0.5)}), 0.8, 2.6, 0.2},
      {"slip/slap that unloads, and cubic", oscillator_with(0.03, {slip_slap(0.5, false), cubic(0.5)}), 0.8, 2.6, 0.2},
      {"slip/slap, smooth, and cubic", oscillator_with(0.03, {slip_slap(0.5, true), cubic(0.5)}), 0.8, 2.6, 0.2},
      {"Jenkins",
       oscillator_with(0.02, {make_element(Jenkins({.stiffness = 0.8, .slip_force = 0.2}))}),
       0.6,
       1.8,
       0.25,
       {0, 1, 2, 3, 4, 5, 6, 7},
       false},
  };
}

FrequencyResponse respond(const System& system) {
  FrequencyResponseRequest ask;
  ask.from = system.from * hertz;
  ask.to = system.to * hertz;
  ask.levels = {system.level};
  ask.balance = {.harmonics = system.harmonics, .samples = 256};
  ask.observables = {{.name = "x", .coordinate = 0}};
  ask.stability = {.method = StabilityMethod::automatic, .steps = 1024};
  return frequency_response(system.model, ask);
}

double stable(const ResponseBranch& branch, const ResponsePoint& point) {
  return point.quantities[branch.header.find_quantity("stable")];
}

/// A dozen points all along, and half a dozen among the unstable ones.
std::set<std::size_t> some_points(const ResponseBranch& branch) {
  std::set<std::size_t> chosen;
  for (std::size_t i = 3; i < branch.points.size(); i += branch.points.size() / 12) chosen.insert(i);
  std::vector<std::size_t> unstable;
  for (std::size_t i = 0; i < branch.points.size(); ++i) {
    if (stable(branch, branch.points[i]) == 0.0) unstable.push_back(i);
  }
  constexpr std::size_t parts = 7;
  for (std::size_t part = 1; part < parts && !unstable.empty(); ++part) {
    chosen.insert(unstable[unstable.size() * part / parts]);
  }
  return chosen;
}

/// Distance of a simulation from the balanced motion at multiples of the period, over its size.
class Simulation {
 public:
  Simulation(const System& system, const ResponsePoint& point)
      : system_(system),
        omega_(2.0 * pi * point.frequency),
        balance_(*system.model.structure, system.model.joints, system.model.loads,
                 {.harmonics = system.harmonics, .samples = 256}),
        integrator_(dynamic_cast<const SecondOrderStructure&>(*system.model.structure), system.model.joints,
                    system.model.loads, {.level = system.level, .omega = omega_}, {.relative_tolerance = 1e-8}) {
    balance_.set_level(system.level);
    const Matrix all = balance_.recover(point.coefficients, omega_);
    const HarmonicSet& set = balance_.set();
    q_.setZero(all.rows());
    v_.setZero(all.rows());
    for (Index i = 0; i < set.count(); ++i) {
      q_ += all.col(set.cosine(i));
      if (set[i] != 0) v_ += set[i] * omega_ * all.col(set.sine(i));
    }
    size_ = all.rightCols(all.cols() - 1).norm();
  }

  /// Starts `share` of the size away from it.
  double after(double share, int periods) {
    integrator_.set_state(q_ + Vector::Constant(q_.size(), share * size_), v_, 0.0);
    integrator_.advance_to(periods * 2.0 * pi / omega_);
    const double apart = (integrator_.displacement() - q_).norm() + (integrator_.velocity() - v_).norm() / omega_;
    return apart / size_;
  }

 private:
  const System& system_;
  double omega_;
  HarmonicBalance balance_;
  TimeIntegrator integrator_;
  Vector q_, v_;
  double size_ = 1.0;
};

}  // namespace

TEST_CASE("between its folds a branch is unstable, outside it is stable") {
  // For one degree of freedom with a smooth restoring force this is a theorem as long as nothing else bifurcates.
  const FrequencyResponse response = respond(systems().front());
  REQUIRE(response.complete());
  const ResponseBranch& branch = response.branches[0];
  std::vector<Index> folds;
  for (const SpecialPoint& special : branch.special_points) {
    CHECK((special.kind == "fold" || special.kind == "peak" || special.kind == "half-power"));
    if (special.kind == "fold") folds.push_back(special.after_point);
  }
  REQUIRE(folds.size() == 2);
  for (Index i = 0; i < static_cast<Index>(branch.points.size()); ++i) {
    const bool between = i > folds[0] && i <= folds[1];
    CHECK(stable(branch, branch.points[static_cast<std::size_t>(i)]) == (between ? 0.0 : 1.0));
  }
}

TEST_CASE("an S-curve over the force is unstable between its folds") {
  ForceResponseRequest ask;
  ask.name = "level";
  ask.frequencies = {1.5 * hertz};
  ask.from_level = 0.05;
  ask.to_level = 2.0;
  ask.balance = {.harmonics = {0, 1, 2, 3, 4, 5}, .samples = 128};
  ask.observables = {{.name = "x", .coordinate = 0}};
  ask.stability = {.method = StabilityMethod::automatic};
  const ResponseCurves curves = force_response(systems().front().model, ask);
  REQUIRE(curves.complete());
  const ResponseBranch& branch = curves.branches[0];
  std::vector<Index> folds;
  for (const SpecialPoint& special : branch.special_points) {
    REQUIRE(special.kind == "fold");
    folds.push_back(special.after_point);
  }
  REQUIRE(folds.size() == 2);
  for (Index i = 0; i < static_cast<Index>(branch.points.size()); ++i) {
    const bool between = i > folds[0] && i <= folds[1];
    CHECK(stable(branch, branch.points[static_cast<std::size_t>(i)]) == (between ? 0.0 : 1.0));
  }
}

TEST_CASE("stable motions attract simulations that start near them, unstable ones repel them") {
  for (const System& system : systems()) {
    INFO(system.name);
    const FrequencyResponse response = respond(system);
    REQUIRE(response.complete());
    const ResponseBranch& branch = response.branches[0];
    int attracting = 0, repelling = 0;
    for (const std::size_t i : some_points(branch)) {
      const ResponsePoint& point = branch.points[i];
      const double largest = point.quantities[branch.header.find_quantity("largest_multiplier")];
      // Periods in which the slowest disturbance changes by e⁵; what hardly changes is left out.
      const double periods = 5.0 / std::abs(std::log(largest));
      if (periods > 400.0) continue;
      INFO("at " << point.frequency / hertz << " rad/s, largest multiplier " << largest);
      Simulation simulation(system, point);
      const bool attracts = stable(branch, point) == 1.0;
      // What seven harmonics leave out, and the joints' first loading, are below 1e-2 of the motion. Near a fold another
      // motion may be as close as a twentieth.
      const double apart = simulation.after(attracts ? 0.03 : 0.01, static_cast<int>(periods) + 20);
      if (attracts) {
        CHECK(apart < 0.01);
        ++attracting;
      } else {
        CHECK(apart > 0.04);
        ++repelling;
      }
    }
    CHECK(attracting >= 4);
    CHECK(repelling >= (system.bistable ? 4 : 0));
  }
}
