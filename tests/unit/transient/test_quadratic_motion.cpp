// Joints that feel u = Bᵀq − ½ qᵀGq, in time.
#include "masing/contact/linear.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/transient/integrator.hpp"
#include "systems.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace masing;
using masing::test::joint;
using masing::test::vector;

namespace {

// u = q1 − ½ (0.9 q1² + 2·0.3 q1 q2 + 1.4 q2²): bending of both masses shortens the spring.
Matrix curvature() {
  Matrix g(2, 2);
  g << 0.9, 0.3, 0.3, 1.4;
  return g;
}

std::shared_ptr<const MatrixStructure> two_masses() {
  return chain({.masses = {1.0, 0.7}, .stiffnesses = {2.0, 1.5}, .dampings = {0.0, 0.0}});
}

}  // namespace

TEST_CASE("a spring that feels a quadratic motion conserves the energy") {
  const auto structure = two_masses();
  const double k = 3.0;
  std::vector<Joint> joints = {joint("spring", LinearSpring(k), {1.0, 0.0})};
  joints[0].quadratic = {{0, curvature().sparseView()}};
  TimeIntegrator integrator(*structure, joints, {}, {}, {.relative_tolerance = 1e-12});
  integrator.set_state(vector({0.3, -0.5}), vector({0.4, 0.2}));
  double quadratic_share = 0.0;
  const auto energy = [&] {
    const Vector q = integrator.displacement();
    const Vector v = integrator.velocity();
    const double bent = 0.5 * q.dot(curvature() * q);
    const double u = q[0] - bent;
    quadratic_share = std::max(quadratic_share, std::abs(bent / q.norm()));
    return 0.5 * v.dot(structure->mass() * v) + 0.5 * q.dot(structure->stiffness() * q) + 0.5 * k * u * u;
  };
  const double at_first = energy();
  for (int i = 1; i <= 40; ++i) {
    integrator.advance_to(i);
    // About 10 steps a second, each with an error of 1e-12 of the largest motion so far.
    CHECK(energy() == Approx(at_first).epsilon(1e-9));
  }
  CHECK(quadratic_share > 0.2);  // else this would show nothing
}

TEST_CASE("the switch of a joint with a quadratic motion is located on the true path") {
  const auto structure = two_masses();
  const double k = 4.0;
  const double limit = 0.5;
  std::vector<Joint> joints = {joint("slider", Jenkins({.stiffness = k, .slip_force = limit}), {1.0, 0.0})};
  joints[0].quadratic = {{0, curvature().sparseView()}};
  TimeIntegrator integrator(*structure, joints, {}, {}, {.relative_tolerance = 1e-12});
  integrator.set_state(vector({0.0, 0.2}), vector({1.0, 0.5}));
  // Energy in the structure and the joint's spring plus what the slider dissipates, f_s |ż| integrated: constant. While it
  // slides forward, ż = u̇, so the loss between two instants of the same slip is f_s Δu.
  double last_z = 0.0;
  double lost = 0.0;
  double at_first = -1.0;
  bool has_slipped = false;
  for (int i = 0; i <= 4000; ++i) {
    if (i > 0) integrator.advance_to(5e-3 * i);
    const Vector q = integrator.displacement();
    const Vector v = integrator.velocity();
    const double force = integrator.joint_force(0)[0];
    const double u = integrator.joint_motion(0).displacement[0];
    CHECK(u == Approx(q[0] - 0.5 * q.dot(curvature() * q)).margin(1e-14));
    CHECK(integrator.joint_motion(0).velocity[0] == Approx(v[0] - q.dot(curvature() * v)).margin(1e-14));
    const double z = u - force / k;
    if (i > 0) lost += limit * std::abs(z - last_z);
    last_z = z;
    const double total =
        0.5 * v.dot(structure->mass() * v) + 0.5 * q.dot(structure->stiffness() * q) + 0.5 * force * force / k + lost;
    if (i == 0) at_first = total;
    has_slipped = has_slipped || lost > 0.1 * at_first;
    CHECK(total == Approx(at_first).epsilon(1e-8));
  }
  CHECK(has_slipped);
  CHECK(integrator.counters().switches > 2);
}
