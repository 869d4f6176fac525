// What cannot be integrated, and what the integrator says about it.
#include "masing/contact/unilateral.hpp"
#include "masing/core/error.hpp"
#include "masing/transient/integrator.hpp"
#include "systems.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace masing;
using masing::test::joint;
using masing::test::load;
using masing::test::vector;

namespace {

// A law that wants to leave its phase at every instant.
class Restless {
 public:
  static constexpr int dimension = 1;
  static constexpr int memory = 0;
  static constexpr bool uses_velocity = false;
  struct State {
    bool odd = false;
  };
  int inputs() const { return 1; }
  State virgin() const { return {}; }
  SmallVector<0> memory_of(const State&) const { return {}; }
  Response<1, 0> advance(const Motion<1>&, State&) const {
    Response<1, 0> r;
    r.force[0] = 0.0;
    r.by_displacement(0, 0) = r.by_velocity(0, 0) = 0.0;
    return r;
  }
  double distance_to_switch(const Motion<1>&, const State&) const { return -1.0; }
  void switch_phase(const Motion<1>&, State& state) const { state.odd = !state.odd; }
  SmallVector<1> force_in_phase(const Motion<1>&, const State&) const { return SmallVector<1>(0.0); }
  std::string_view phase_name(const State& state) const { return state.odd ? "odd" : "even"; }
};

// A smooth law whose force does not exist beyond a displacement of 1.
class Breaking {
 public:
  static constexpr int dimension = 1;
  static constexpr int memory = 0;
  static constexpr bool uses_velocity = false;
  struct State {};
  int inputs() const { return 1; }
  State virgin() const { return {}; }
  SmallVector<0> memory_of(const State&) const { return {}; }
  Response<1, 0> advance(const Motion<1>& motion, State&) const {
    Response<1, 0> r;
    r.force[0] = motion.displacement[0] > 1.0 ? std::numeric_limits<double>::quiet_NaN() : 0.0;
    r.by_displacement(0, 0) = r.by_velocity(0, 0) = 0.0;
    return r;
  }
};

const auto mass_on_spring = oscillator({.mass = 1.0, .stiffness = 4.0});

void make(const SecondOrderStructure& structure, const std::vector<Joint>& joints = {},
          const std::vector<Load>& loads = {}, const Drive& drive = {}, const IntegratorOptions& options = {}) {
  TimeIntegrator(structure, joints, loads, drive, options);
}

}  // namespace

TEST_CASE("hysteretic damping is refused with what to do instead") {
  const auto structure = oscillator({.mass = 1.0, .stiffness = 4.0, .further_damping = {.loss_factor = 0.02}});
  CHECK_THROWS_AS(make(*structure), ModelError);
  CHECK_THROWS_WITH(
      make(*structure),
      "Time integration needs viscous damping: the structure has loss_factor = 0.02 (hysteretic damping), "
      "which has no time-domain form. Use viscous, Rayleigh or modal damping; a modal damping ratio of "
      "loss_factor/2 = 0.01 is equivalent at resonance.");
  const SparseMatrix one = Matrix::Identity(1, 1).sparseView();
  const MatrixStructure in_parts({.mass = one, .stiffness = one, .damping = {.hysteretic = 0.01 * one}});
  CHECK_THROWS_WITH(make(in_parts),
                    "Time integration needs viscous damping: parts of the structure have a loss factor (hysteretic "
                    "damping), which has no time-domain form. Use viscous, Rayleigh or modal damping.");
}

TEST_CASE("massless coordinates are refused") {
  Matrix mass(2, 2), stiffness(2, 2);
  stiffness << 3.0, -1.0, -1.0, 2.0;
  mass << 1.0, 0.0, 0.0, 0.0;
  const MatrixStructure massless(
      {.mass = mass.sparseView(), .stiffness = stiffness.sparseView(), .coordinates = {"tip", "pin"}});
  CHECK_THROWS_WITH(make(massless),
                    "Time integration needs a mass at every coordinate: the mass of coordinate 'pin' is 0. "
                    "Massless coordinates cannot be integrated; give it a mass or eliminate it from the "
                    "matrices.");
  mass << 1.0, 2.0, 2.0, 4.0;
  const MatrixStructure singular({.mass = mass.sparseView(), .stiffness = stiffness.sparseView()});
  CHECK_THROWS_WITH(
      make(singular),
      "Time integration needs a positive definite mass matrix: this one is singular or indefinite, so some "
      "motion has no inertia. Massless motions cannot be integrated; eliminate them from the matrices.");
}

TEST_CASE("loads, joints and initial conditions must fit the structure") {
  CHECK_THROWS_WITH(make(*mass_on_spring, {}, {load({1.0, 2.0})}, {.omega = 1.0}),
                    "load 'shaker': its shape has 2 entries; the structure has 1 coordinates.");
  CHECK_THROWS_WITH(make(*mass_on_spring, {}, {load({1.0}, -1)}, {.omega = 1.0}),
                    "load 'shaker': harmonic = -1 must be >= 0.");
  CHECK_THROWS_WITH(make(*mass_on_spring, {joint("pad", Restless(), {1.0, 0.0})}),
                    "joint 'pad': its directions are 2 x 1; they must be 1 x 1 (coordinates x inputs of the law).");
  TimeIntegrator integrator(*mass_on_spring, {}, {}, {});
  CHECK_THROWS_WITH(integrator.set_state(vector({1.0, 2.0}), vector({1.0})),
                    "Time integration: initial conditions have 2 displacements and 1 velocities; the structure has 1 "
                    "coordinates.");
  CHECK_THROWS_WITH(integrator.set_state(vector({std::numeric_limits<double>::infinity()}), vector({1.0})),
                    "Time integration: initial conditions must be finite.");
}

TEST_CASE("an oscillating load needs a frequency") {
  CHECK_THROWS_WITH(
      make(*mass_on_spring, {}, {load({1.0})}),
      "load 'shaker' oscillates (harmonic 1), but the excitation frequency is 0. Give a frequency > 0, or "
      "remove the load for a ringdown.");
  CHECK_NOTHROW(make(*mass_on_spring, {}, {load({1.0}, 0)}));
  CHECK_THROWS_WITH(make(*mass_on_spring, {}, {}, {.omega = -1.0}),
                    "Time integration: the excitation frequency is -1 rad/s; it must be finite and >= 0.");
  CHECK_THROWS_WITH(make(*mass_on_spring, {}, {}, {.level = std::numeric_limits<double>::infinity()}),
                    "Time integration: the load level is inf; it must be finite.");
}

TEST_CASE("options are checked") {
  CHECK_THROWS_WITH(make(*mass_on_spring, {}, {}, {}, {.relative_tolerance = 0.5}),
                    "Time integration: relative_tolerance = 0.5 must be in [1e-14, 0.01].");
  CHECK_THROWS_WITH(make(*mass_on_spring, {}, {}, {}, {.steps_per_period = 2}),
                    "Time integration: steps_per_period = 2 must be >= 4.");
  CHECK_THROWS_WITH(make(*mass_on_spring, {}, {}, {}, {.max_step = -1.0}),
                    "Time integration: max_step = -1 s must be >= 0.");
  CHECK_THROWS_WITH(make(*mass_on_spring, {}, {}, {}, {.max_switches_per_period = 1}),
                    "Time integration: max_switches_per_period = 1 must be >= 2.");
  TimeIntegrator integrator(*mass_on_spring, {}, {}, {});
  integrator.advance_to(1.0);
  CHECK_THROWS_WITH(integrator.advance_to(0.5), "Time integration: cannot go back from 1 s to 0.5 s.");
  CHECK_THROWS_WITH(integrator.advance_to(std::numeric_limits<double>::infinity()),
                    "Time integration: the end of the integration is inf s; it must be finite.");
}

TEST_CASE("contact without any time scale needs a largest step") {
  const auto free_mass = oscillator({.mass = 1.0, .stiffness = 0.0});
  const Joint stop = joint("stop", Unilateral({.stiffness = 10.0, .gap = 1.0}), {1.0});
  CHECK_THROWS_WITH(make(*free_mass, {stop}),
                    "Time integration: nothing sets a time scale (no excitation frequency, no stiffness at rest), so a "
                    "change of contact could be stepped over. Give max_step in seconds.");
  CHECK_NOTHROW(make(*free_mass, {stop}, {}, {}, {.max_step = 0.1}));
  CHECK_NOTHROW(make(*free_mass));
}

TEST_CASE("a joint that never settles ends the integration with its name and phases") {
  TimeIntegrator integrator(*mass_on_spring, std::vector{joint("pad", Restless(), {1.0})}, {}, {});
  integrator.set_state(vector({1.0}), vector({0.0}));
  CHECK_THROWS_AS(integrator.advance_to(1.0), NumericalError);
  integrator.set_state(vector({1.0}), vector({0.0}));
  CHECK_THROWS_WITH(
      integrator.advance_to(1.0),
      "Time integration stopped at t = 0 s: joint 'pad' changes its phase without end, last from 'even' to "
      "'odd' (23 changes in the last 0 s). Give the joint a little damping or a lower stiffness, or raise "
      "max_switches_per_period = 1000.");
}

TEST_CASE("more changes of phase than allowed are chattering") {
  const std::vector<Joint> joints = {joint("slider", Jenkins({.stiffness = 80.0, .slip_force = 1.0}), {1.0})};
  TimeIntegrator integrator(*mass_on_spring, joints, std::vector{load({10.0})}, {.omega = 2.0},
                            {.max_switches_per_period = 2});
  CHECK_THROWS_WITH(integrator.advance_to(10.0), Catch::StartsWith("Time integration stopped at t = ") &&
                                                     Catch::Contains("joint 'slider' changes its phase without end") &&
                                                     Catch::Contains("raise max_switches_per_period = 2."));
}

TEST_CASE("forces that are not finite stop the integration with the time") {
  TimeIntegrator integrator(*mass_on_spring, std::vector{joint("fuse", Breaking(), {1.0})}, {}, {});
  integrator.set_state(vector({0.0}), vector({4.0}));  // x = 2 sin 2t: reaches 1 at t = π/12
  CHECK_THROWS_WITH(integrator.advance_to(1.0), Catch::StartsWith("Time integration stopped at t = 0.26179938") &&
                                                    Catch::Contains("the motion is not finite") &&
                                                    Catch::Contains("Check the model for forces that are not finite"));
}
