// Loops of joints alone: energies against closed forms, minor loops against Masing's rules, and what is refused.
#include "masing/analysis/joint_loops.hpp"

#include "masing/contact/backbones.hpp"
#include "masing/contact/friction.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/linear.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/core/error.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace masing;
using Catch::Matchers::Contains;

namespace {

constexpr double stiffness = 2.0e6;  // N/m
constexpr double slip_force = 10.0;  // N
constexpr double slip_at = 5.0e-6;   // m, slip_force / stiffness

// Corners of the loop lie between samples: the trapezoidal rule is off by the square of the step there.
constexpr double sampled_corner = 1e-5;
// Nothing but rounding.
constexpr double rounding = 1e-11;

LoopJoint jenkins() {
  return {.name = "slider",
          .element = make_element(Jenkins({.stiffness = stiffness, .slip_force = slip_force})),
          .backbone = maxwell_slip_backbone({{stiffness, slip_force}})};
}

LoopRequest cycles(std::vector<double> amplitudes) {
  LoopRequest request;
  request.name = "levels";
  request.amplitudes = std::move(amplitudes);
  return request;
}

/// Its force grows with every sample: it never repeats itself.
struct Creeping {
  static constexpr int dimension = 1;
  static constexpr int memory = 1;
  static constexpr bool uses_velocity = false;
  using State = double;

  int inputs() const { return 1; }
  State virgin() const { return 0.0; }
  SmallVector<1> memory_of(State state) const { return SmallVector<1>::Constant(state); }
  Response<1, 1> advance(const Motion<1>& motion, State& state) const {
    state += 1.0;
    Response<1, 1> response;
    response.force = motion.displacement + SmallVector<1>::Constant(state);
    return response;
  }
};

double jenkins_energy(double amplitude) { return 4.0 * slip_force * std::max(amplitude - slip_at, 0.0); }

}  // namespace

// A contact that closes and opens while u = A cos τ falls: w = W (sin τ − cos γ), closed for |τ − π/2| < γ. It sticks from
// τ_c = π/2 − γ on, slides from k (u_c − u) = μ k_n w on, and opens sliding.
TEST_CASE("the energy of a contact that opens is right to the error that is told", "[loops]") {
  constexpr double friction = 0.5, normal = 5.0e6, amplitude = 2e-5, depth = 3e-5;
  const LoopJoint joint{
      .name = "slider",
      .element = make_element(
          Friction2d({.stiffness = stiffness, .friction = friction, .normal = NormalContact({.stiffness = normal})})),
      .approach_for_load = [](double load) { return load / normal; }};
  double largest_error = 0.0;
  for (int i = 0; i < 40; ++i) {
    const double gamma = 0.6 + 0.017 * i;
    const double close = 0.5 * pi - gamma, open = 0.5 * pi + gamma;
    const auto rest = [&](double t) {  // of the friction limit, over μ
      return friction * normal * depth * (std::sin(t) - std::cos(gamma)) -
             stiffness * amplitude * (std::cos(close) - std::cos(t));
    };
    double sticks = close + 1e-9, slides = open;
    for (int bisection = 0; bisection < 60; ++bisection) {
      const double middle = 0.5 * (sticks + slides);
      (rest(middle) > 0.0 ? sticks : slides) = middle;
    }
    const auto primitive = [&](double t) { return 0.5 * t - 0.25 * std::sin(2.0 * t) + std::cos(gamma) * std::cos(t); };
    const double stretch = amplitude * (std::cos(close) - std::cos(sticks));
    const double exact = 0.5 * stiffness * stretch * stretch +
                         friction * normal * depth * amplitude * (primitive(open) - primitive(sticks));
    LoopRequest request = cycles({amplitude});
    request.samples = 40;
    request.approach = {.given = true, .mean = -depth * std::cos(gamma), .amplitude = depth, .phase = -0.5 * pi};
    const JointLoop loop = joint_loops(joint, request).front();
    const double error = std::abs(loop.energy - exact) / exact;
    CAPTURE(gamma, error, loop.energy_error / exact);
    CHECK(error <= loop.energy_error / exact);
    // It contains the error with a quarter of the 320 steps, 16 times as much.
    CHECK(loop.energy_error / exact < 16.0 * 2e-4);
    largest_error = std::max(largest_error, error);
  }
  CHECK(largest_error < 2e-4);  // about the square of the step, 4e-4
  WARN("loops with lift-off, 320 steps: energies err by up to " << largest_error);
}

TEST_CASE("cycles of a Jenkins element have the energy of the closed form, computed twice", "[loops]") {
  const std::vector<JointLoop> loops = joint_loops(jenkins(), cycles({2e-6, 8e-6, 2e-5}));
  REQUIRE(loops.size() == 3);
  for (const JointLoop& loop : loops) {
    const double exact = jenkins_energy(loop.amplitude);
    CHECK(loop.closed);
    CHECK(loop.energy == Approx(exact).margin(sampled_corner * slip_force * loop.amplitude));
    CHECK(std::abs(loop.energy - exact) <= 3.0 * loop.energy_error + rounding * slip_force * loop.amplitude);
    CHECK(loop.energy_of_backbone == Approx(exact).margin(rounding * slip_force * loop.amplitude));
    CHECK(loop.largest_force == Approx(std::min(slip_force, stiffness * loop.amplitude)));
    CHECK(loop.stick_stiffness == Approx(stiffness).epsilon(1e-8));  // difference of forces over a millionth of A
    CHECK(loop.mean_force == Approx(0.0).margin(1e-9 * slip_force));
  }
  CHECK(loops[0].end_stiffness == Approx(stiffness).epsilon(1e-8));
  CHECK(loops[1].end_stiffness == Approx(0.0).margin(1e-8 * stiffness));
  CHECK(loops[2].secant_stiffness == Approx(slip_force / 2e-5));
  CHECK(loops[2].loss_factor == Approx(loops[2].energy / (pi * slip_force * 2e-5)));
}

TEST_CASE("the slope is that of the energy between two amplitudes", "[loops]") {
  const std::vector<JointLoop> loops = joint_loops(jenkins(), cycles({2e-6, 8e-6, 2e-5}));
  CHECK(std::isnan(loops[0].slope));
  CHECK(std::isnan(loops[1].slope));  // the one before has no dissipation
  CHECK(loops[2].slope == Approx(std::log(15.0 / 3.0) / std::log(20.0 / 8.0)).epsilon(1e-4));
}

TEST_CASE("a stored cycle is a closed curve with as many samples as asked for", "[loops]") {
  LoopRequest request = cycles({1e-5});
  request.samples = 40;
  request.mean = 3e-6;
  const JointLoop loop = joint_loops(jenkins(), request).front();
  REQUIRE(loop.displacement.rows() == 41);
  CHECK(loop.displacement(0, 0) == Approx(1.3e-5));
  CHECK(loop.displacement(20, 0) == Approx(-7e-6));
  CHECK(loop.displacement.row(40) == loop.displacement.row(0));
  CHECK(loop.force.row(40) == loop.force.row(0));
  CHECK(loop.work[0] == 0.0);
  CHECK(loop.work[40] == Approx(loop.energy).epsilon(sampled_corner));
}

TEST_CASE("amplitudes may be given in units of the macroslip displacement", "[loops]") {
  LoopRequest request = cycles({});
  request.of_macroslip = {0.5, 2.0};
  const std::vector<JointLoop> loops = joint_loops(jenkins(), request);
  CHECK(loops[0].amplitude == Approx(0.5 * slip_at));
  CHECK(loops[1].amplitude == Approx(2.0 * slip_at));
  LoopJoint soft = jenkins();
  soft.residual_share = 0.75;
  CHECK(joint_loops(soft, request)[1].amplitude == Approx(8.0 * slip_at));
}

TEST_CASE("minor loops close and have the energy of a loop of their own amplitude", "[loops]") {
  LoopRequest request = cycles({3e-5});
  request.motion = LoopMotion::minor_loops;
  request.minor = {1.5e-5, 8e-6, 2e-6};
  request.minor_centre = 4e-6;
  const std::vector<JointLoop> loops = joint_loops(jenkins(), request);
  REQUIRE(loops.size() == 4);
  REQUIRE(loop_count(request) == 4);
  CHECK(loops[0].motion == "minor-loops");
  CHECK(loops[0].energy ==
        Approx(jenkins_energy(3e-5) + jenkins_energy(1.5e-5) + jenkins_energy(8e-6)).epsilon(sampled_corner));
  for (std::size_t i = 1; i < loops.size(); ++i) {
    const JointLoop& loop = loops[i];
    CHECK(loop.motion == "minor");
    CHECK(loop.amplitude == request.minor[i - 1]);
    CHECK(loop.closed);
    CHECK(loop.energy == Approx(jenkins_energy(loop.amplitude)).margin(sampled_corner * slip_force * loop.amplitude));
    CHECK(loop.displacement.col(0).maxCoeff() == Approx(4e-6 + loop.amplitude));
    CHECK(loop.displacement.col(0).minCoeff() == Approx(4e-6 - loop.amplitude));
  }
}

TEST_CASE("a ramp follows the backbone", "[loops]") {
  LoopRequest request = cycles({2e-5});
  request.motion = LoopMotion::ramp;
  const JointLoop loop = joint_loops(jenkins(), request).front();
  const BackbonePointer backbone = jenkins().backbone;
  CHECK_FALSE(loop.closed);
  CHECK(loop.complete);
  for (Index i = 0; i < loop.force.rows(); ++i) {
    CHECK(loop.force(i, 0) == Approx(backbone->at(loop.displacement(i, 0)).force).margin(rounding * slip_force));
  }
  CHECK(loop.stick_stiffness == Approx(stiffness));
  CHECK(loop.end_stiffness == 0.0);
  CHECK(loop.energy == Approx(backbone->work(2e-5)).epsilon(sampled_corner));
}

TEST_CASE("a history is marched from rest, with steps between its samples", "[loops]") {
  LoopRequest request = cycles({});
  request.motion = LoopMotion::history;
  request.history = Vector{{0.0, 8e-6, 5e-6, 2e-5}};
  request.steps = 10;
  const JointLoop loop = joint_loops(jenkins(), request).front();
  REQUIRE(loop.displacement.rows() == 31);
  CHECK(loop.force(10, 0) == Approx(slip_force));
  CHECK(loop.force(20, 0) == Approx(slip_force - stiffness * 3e-6));
  CHECK(loop.force(30, 0) == Approx(slip_force));
  CHECK(loop.energy == Approx(loop.work[30]));
  CHECK(std::isnan(loop.amplitude));
}

TEST_CASE("a law that feels the velocity loses pi c omega A^2 a cycle", "[loops]") {
  const LoopJoint joint{.name = "damper", .element = make_element(Dashpot(3.0))};
  LoopRequest request = cycles({2e-3});
  request.frequency = 5.0;
  const JointLoop loop = joint_loops(joint, request).front();
  CHECK(loop.energy == Approx(pi * 3.0 * (2.0 * pi * 5.0) * 4e-6).epsilon(1e-9));  // smooth: fourth order
  CHECK(std::isnan(loop.energy_of_backbone));
}

TEST_CASE("further inputs oscillate with their phase; the loop area counts them all", "[loops]") {
  // f1 = u2, f2 = 0: not conservative, so that the ellipse does work pi * a * b * sin(phase).
  const Polynomial law(2, {{.force = 0, .coefficient = 1.0, .exponents = {0, 1}}});
  LoopRequest request = cycles({2e-3});
  request.second = {.given = true, .mean = 0.0, .amplitude = 3e-3, .phase = pi / 2.0};
  const JointLoop loop = joint_loops({.name = "pair", .element = make_element(law)}, request).front();
  CHECK(loop.inputs == std::vector<std::string>{"input 1", "input 2"});
  CHECK(std::abs(loop.energy) == Approx(pi * 2e-3 * 3e-3).epsilon(1e-9));
}

TEST_CASE("a normal load becomes the approach that the law needs", "[loops]") {
  // f1 = u1, f2 = 100 u2: the second input stands for a normal spring of 100 N/m.
  const Polynomial law(2, {{.force = 0, .coefficient = 1.0, .exponents = {1, 0}},
                           {.force = 1, .coefficient = 100.0, .exponents = {0, 1}}});
  const LoopJoint joint{
      .name = "pad", .element = make_element(law), .approach_for_load = [](double load) { return load / 100.0; }};
  LoopRequest request = cycles({1e-3});
  request.normal_load = {.given = true, .mean = 50.0, .amplitude = 20.0, .phase = 0.0, .harmonic = 2};
  const JointLoop loop = joint_loops(joint, request).front();
  CHECK(loop.inputs == std::vector<std::string>{"tangential", "normal"});
  CHECK(loop.largest_normal_force == Approx(70.0));
  CHECK(loop.smallest_normal_force == Approx(30.0));
  request.normal_load.amplitude = 60.0;
  CHECK_THROWS_WITH(joint_loops(joint, request), Contains("falls to -10 N; a contact cannot pull"));
  request.normal_load = {};
  CHECK_THROWS_WITH(joint_loops(joint, request), Contains("has a normal input: give `normal_load` (N) or `approach`"));
}

TEST_CASE("motions that do not fit are refused with the rule", "[loops]") {
  LoopRequest request = cycles({1e-5});
  request.approach = {.given = true, .mean = 1e-6};
  CHECK_THROWS_WITH(joint_loops(jenkins(), request), Contains("`approach` is given, but the law of joint 'slider'"));
  request.approach = {};
  request.second = {.given = true};
  CHECK_THROWS_WITH(joint_loops(jenkins(), request), Contains("has 1 direction only"));
  request.second = {};
  request.motion = LoopMotion::minor_loops;
  CHECK_THROWS_WITH(joint_loops(jenkins(), request), Contains("give the amplitudes of the minor loops"));
  request.minor = {5e-6, 6e-6};
  CHECK_THROWS_WITH(joint_loops(jenkins(), request), Contains("minor loops are nested: 6e-06 must be > 0 and < 5e-06"));
  LoopJoint plain = jenkins();
  plain.backbone = nullptr;
  LoopRequest relative = cycles({});
  relative.of_macroslip = {1.0};
  CHECK_THROWS_WITH(joint_loops(plain, relative), Contains("has no macroslip displacement"));
  LoopRequest history = cycles({});
  history.motion = LoopMotion::history;
  history.history = Matrix::Zero(1, 1);
  CHECK_THROWS_WITH(joint_loops(jenkins(), history), Contains("at least two samples, this one has 1"));
  history.history = Matrix::Zero(4, 2);
  CHECK_THROWS_WITH(joint_loops(jenkins(), history), Contains("2 columns of motion; joint 'slider' has 1 input"));
}

TEST_CASE("a cycle that does not close says so and is not complete", "[loops]") {
  LoopRequest request = cycles({2e-5});
  request.cycle.max_cycles = 3;
  const JointLoop loop = joint_loops({.name = "creeper", .element = make_element(Creeping{})}, request).front();
  CHECK_FALSE(loop.closed);
  CHECK_FALSE(loop.complete);
  CHECK_THAT(loop.message, Contains("has not closed after 3 periods"));
}

TEST_CASE("a law that fails leaves a loop without samples and the reason", "[loops]") {
  const LoopJoint joint{.name = "wild", .element = make_element(CubicSpring({.cubic_stiffness = 1e300}))};
  const std::vector<JointLoop> loops = joint_loops(joint, cycles({1e9, 1e-5}));
  REQUIRE(loops.size() == 2);
  CHECK_FALSE(loops[0].complete);
  CHECK(loops[0].force.size() == 0);
  CHECK_THAT(loops[0].message, Contains("Contact law"));
  CHECK(loops[1].complete);
}

TEST_CASE("the callback sees every loop and can stop", "[loops]") {
  int seen = 0;
  const std::vector<JointLoop> loops =
      joint_loops(jenkins(), cycles({1e-6, 2e-6, 3e-6}), [&](const JointLoop&) { return ++seen < 2; });
  CHECK(seen == 2);
  CHECK(loops.size() == 2);
}
