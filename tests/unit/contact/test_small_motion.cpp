// Laws linearised about a constant motion.
#include "masing/contact/small_motion.hpp"

#include "masing/contact/backbones.hpp"
#include "masing/contact/friction.hpp"
#include "masing/contact/hertz_spring.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/linear.hpp"
#include "masing/contact/polynomial.hpp"

#include <catch2/catch.hpp>

using namespace masing;

namespace {

Vector at(double u) { return Vector::Constant(1, u); }

}  // namespace

TEST_CASE("laws without memory have their tangent", "[small-motion]") {
  const auto cubic = make_element(CubicSpring({.cubic_stiffness = 2e9, .stiffness = 1e3}));
  CHECK(small_motion(*cubic, at(0.0)).stiffness(0, 0) == Approx(1e3));
  CHECK(small_motion(*cubic, at(-1e-3)).stiffness(0, 0) == Approx(1e3 + 3.0 * 2e9 * 1e-6));
  CHECK(small_motion(*cubic, at(-1e-3)).force[0] == Approx(-1.0 - 2.0));
  const auto hertz = make_element(HertzSpring({.stiffness = 1e9}));
  CHECK(small_motion(*hertz, at(0.0)).stiffness(0, 0) == 0.0);
  CHECK(small_motion(*hertz, at(1e-6)).stiffness(0, 0) == Approx(1.5e9 * 1e-3));
  const auto dashpot = make_element(Dashpot(7.0));
  CHECK(small_motion(*dashpot, at(0.2)).damping(0, 0) == 7.0);
  CHECK(small_motion(*dashpot, at(0.2)).stiffness(0, 0) == 0.0);
}

TEST_CASE("laws that remember have the tangent of stick, however far they were loaded", "[small-motion]") {
  const auto jenkins = make_element(Jenkins({.stiffness = 1e6, .slip_force = 10.0}));
  const double u = GENERATE(0.0, 3e-6, -3e-6, 5e-5, -5e-5);
  CHECK(small_motion(*jenkins, at(u)).stiffness(0, 0) == Approx(1e6));
  CHECK(small_motion(*jenkins, at(u)).force[0] == Approx(std::clamp(1e6 * u, -10.0, 10.0)));
  const BackbonePointer backbone =
      four_parameter_backbone({.stiffness = 1.5e7, .slip_force = 4e3, .chi = -0.5, .beta = 0.005});
  // (8 ε)^(χ+1) of the stiffness is lost by the step back.
  CHECK(small_motion(*make_iwan(backbone), at(10.0 * u)).stiffness(0, 0) == Approx(1.5e7).epsilon(1e-6));
}

TEST_CASE("friction that slides under a load sticks again for small motions", "[small-motion]") {
  const NormalContact normal({.stiffness = 2e6, .preload = 20.0});
  const auto friction = make_element(Friction2d({.stiffness = 1e6, .friction = 0.5, .normal = normal}));
  const double w = GENERATE(0.0, 4e-6, -4e-6);
  const SmallMotion small = small_motion(*friction, Vector{{1e-4, w}});
  CHECK(small.force[0] == Approx(0.5 * (20.0 + 2e6 * w)));
  CHECK(small.stiffness(0, 0) == Approx(1e6));
  CHECK(small.stiffness(1, 1) == Approx(2e6));
  CHECK(small.stiffness(0, 1) == 0.0);
  CHECK(small.stiffness(1, 0) == 0.0);
}
