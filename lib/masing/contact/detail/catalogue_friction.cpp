#include "masing/contact/detail/catalogue_parts.hpp"
#include "masing/contact/detail/normal_options.hpp"
#include "masing/contact/element.hpp"
#include "masing/contact/friction.hpp"
#include "masing/contact/hertz_spring.hpp"

namespace masing::detail {
namespace {

OptionTable friction_parameters() {
  return {number("stiffness", "N/m", Range::positive(), "tangential stiffness while the contact sticks"),
          number("friction", "", Range::non_negative(), "coefficient of friction"), normal_option()};
}

FrictionParameters read(const OptionValues& v) {
  return {.stiffness = v.number("stiffness"), .friction = v.number("friction"), .normal = read_normal(v)};
}

LawEntry friction_2d() {
  return {
      .name = Friction2d::name.data(),
      .summary = "Elastic dry friction in one direction under a normal load that varies, with lift-off.",
      .equation =
          "t = clamp(stiffness * (u - z), -friction * N, friction * N), z = u - t / stiffness; N <= 0: t = 0, "
          "z = u",
      .reference =
          "E. P. Petrov, D. J. Ewins, Analytical formulation of friction interface elements for analysis of nonlinear "
          "multi-harmonic vibrations of bladed disks, Journal of Turbomachinery 125 (2003) 364-371.",
      .limits = "No micro-slip before gross slip; static and kinetic friction are the same.",
      .inputs = 2,
      .parameters = friction_parameters(),
      .make = [](const OptionValues& v) -> Element { return make_element(Friction2d(read(v))); },
      .approach_for_load = approach_for_load};
}

LawEntry friction_3d() {
  return {
      .name = Friction3d::name.data(),
      .summary =
          "Elastic dry friction in a plane with a circular limit under a normal load that varies, with lift-off.",
      .equation =
          "t = T min(1, friction * N / |T|), T = stiffness * (u - z), z = u - t / stiffness; N <= 0: t = 0, "
          "z = u; inputs u1, u2, w",
      .reference =
          "C.-H. Menq, B.-D. Yang, Non-linear spring resistance and friction damping of frictional constraint having "
          "two-dimensional motion, Journal of Sound and Vibration 217 (1998) 127-143.",
      .limits =
          "Isotropic; no micro-slip before gross slip. Sampled: changes of phase are not located. Along curved paths "
          "forces "
          "err by the square of the step, with 256 samples a period by 0.03 % where the amplitude is 6 times "
          "friction N / stiffness, and 0.7 % where it is 200 times; each sample that begins to slide makes a corner in "
          "a "
          "response curve. Time integration takes the same steps and commits the state after each.",
      .inputs = 3,
      .parameters = friction_parameters(),
      .make = [](const OptionValues& v) -> Element { return make_element(Friction3d(read(v))); },
      .approach_for_load = approach_for_load};
}

LawEntry hertz_spring() {
  return {
      .name = HertzSpring::name.data(),
      .summary = "Power-law contact spring with a gap: a stop that only pushes.",
      .equation = "f = stiffness * max(u - gap, 0)^exponent",
      .reference = "K. L. Johnson, Contact Mechanics, Cambridge University Press, 1985, section 4.2.",
      .limits = "Elastic: impacts lose no energy.",
      .parameters = {number("stiffness", "N/m^exponent", Range::positive(), "factor of the power law"),
                     with_default(number("exponent", "", Range::at_least(1.0), "1.5 for bodies of revolution"), 1.5),
                     with_default(number("gap", "m", Range::non_negative(), "displacement at which it closes"), 0.0)},
      .make = [](const OptionValues& v) -> Element {
        return make_element(HertzSpring(
            {.stiffness = v.number("stiffness"), .exponent = v.number("exponent"), .gap = v.number("gap")}));
      }};
}

}  // namespace

std::vector<LawEntry> friction_laws() { return {friction_2d(), friction_3d(), hertz_spring()}; }

}  // namespace masing::detail
