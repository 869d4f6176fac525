#include "masing/contact/detail/catalogue_parts.hpp"
#include "masing/contact/detail/spring_options.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/iwan_stribeck.hpp"
#include "masing/contact/ripp.hpp"

namespace masing::detail {
namespace {

/// The law of what slides, with the springs beside it.
template <class Make>
Element with_written_springs(const OptionValues& values, const BackbonePointer& whole, const Make& make) {
  const BackbonePointer sliding = sliding_part(whole, values.number("residual_share"));
  return with_springs(make(sliding), read_springs(values, whole->stick_stiffness()));
}

LawEntry iwan() {
  return {.name = "iwan",
          .summary = "Exact Iwan law: micro-slip to gross slip for any density of sliders, with Masing's memory.",
          .equation =
              "first loading F = sgn(x) B(|x|) with the backbone B; after a reversal (x_r, F_r) in direction d:\n"
              "F = F_r + 2 d B(d (x - x_r) / 2); closed loops are forgotten",
          .reference =
              "W. D. Iwan, J. Appl. Mech. 33 (1966) 893-900; D. J. Segalman, J. Appl. Mech. 72 (2005) 752-760; "
              "G. Masing, Proc. 2nd Int. Congr. Appl. Mech. (1926) 332-335.",
          .limits =
              "Constant normal load, one direction, rate-independent. Masing's rules are exact as long as a slider's "
              "friction does not depend on its sliding; with a backbone that has a maximum (five-parameter, theta "
              "< 1) they are an assumption. A vibration about an offset in partial slip is taken to have built up "
              "from rest: its end farther from zero lies on the backbone.",
          .parameters = {residual_option(), pinning_option()},
          .make_from_backbone = [](const OptionValues& values, const BackbonePointer& backbone) {
            return with_written_springs(values, backbone, make_iwan);
          }};
}

LawEntry ripp() {
  return {
      .name = "ripp",
      .summary = "Reduced Iwan law as published: after a reversal a scaled backbone; only one reversal is remembered.",
      .equation =
          "after a reversal (x_0, F_0) in direction d: F = F_0 + d g B(d (x - x_0) / g), with the backbone B\n"
          "and g = max(F_g - d F_0, 0) / F_g, F_g: scaling_force; an excess d F_0 > F_g falls to 0 on the way phi_max",
      .reference =
          "M. R. W. Brake, A reduced Iwan model that includes pinning for bolted joint mechanics, Nonlinear "
          "Dynamics 87 (2017) 1335-1349.",
      .limits =
          "Equals the exact law \"iwan\" only where every reversal comes from macroslip. In steady partial slip "
          "it dissipates too much: 28 % at 0.1 of the macroslip displacement, 15 % at 0.3, 5 % at 0.6, "
          "2^(chi+1) - 1 = 41 % for small amplitudes (chi = -0.5). A tiny reversal during loading raises the "
          "force by up to 10 % of the slip force: where a superharmonic gives the motion a new pair of reversals the "
          "force jumps, and a response curve ends or has a gap. The mean displacement of a steady vibration has no "
          "influence. "
          "Constant normal load, one direction, rate-independent; the backbone must reach macroslip, with "
          "0 <= B - u B' <= 2 F_g before, else forces at reversals would grow from cycle to cycle. A five-parameter "
          "density with the default F_g needs theta >= (chi+2)(chi+1-2 beta) / ((chi+1)(chi+3)), 0.588 for "
          "chi = -0.5, beta = 0.005; with scaling_force = slip_force any theta will do.",
      .parameters = {{.name = "scaling_force",
                      .kinds = {OptionKind::number},
                      .unit = "N",
                      .required = false,
                      .range = Range::positive(),
                      .meaning = "F_g; default: the force in macroslip. The paper takes slip_force, which for a "
                                 "five-parameter density is more, and lets the peaks of its cycles drift"},
                     residual_option(),
                     pinning_option()},
      .make_from_backbone = [](const OptionValues& values, const BackbonePointer& backbone) {
        const double force = values.has("scaling_force") ? values.number("scaling_force") : 0.0;
        return with_written_springs(values, backbone, [&](const BackbonePointer& b) { return make_ripp(b, force); });
      }};
}

OptionTable stribeck_parameters() {
  return {
      number("stiffness", "N/m", Range::positive(), "stiffness while everything sticks, the residual spring included"),
      number("slip_force", "N", Range::positive(), "static macroslip force F_S"),
      number("chi", "", {.lower = -1.0, .upper = 0.0, .lower_open = true}, "exponent of the density"),
      number("beta", "", Range::non_negative(),
             "stiffness of the sliders that let go together at macroslip over that of the others"),
      number("theta", "", {.lower = 0.0, .upper = 1.0, .lower_open = true}, "dynamic over static friction"),
      number("stribeck_velocity", "m/s", Range::positive(),
             "v_S: speed over which friction falls to its dynamic value"),
      with_default(number("exponent", "", Range::between(1.0, 10.0), "delta of exp(-(v/v_S)^delta)"), 2.0),
      with_default(number("viscous", "N s/m", Range::non_negative(), "F_V: viscous part of sliding"), 0.0),
      {.name = "form",
       .kinds = {OptionKind::text},
       .fallback = {std::string("consistent")},
       .choices = {"consistent", "printed"},
       .meaning = "consistent: a slider's own strength falls; printed: eq. (39) of the paper"},
      residual_option(),
      pinning_option()};
}

Element make_stribeck(const OptionValues& v) {
  const double stiffness = v.number("stiffness");
  const double sliding_share = 1.0 - v.number("residual_share");
  const bool printed = v.text("form") == "printed";
  return with_springs(make_iwan_stribeck({.iwan = {.stiffness = sliding_share * stiffness,
                                                   .slip_force = v.number("slip_force"),
                                                   .chi = v.number("chi"),
                                                   .beta = v.number("beta"),
                                                   .theta = v.number("theta")},
                                          .stribeck_velocity = v.number("stribeck_velocity"),
                                          .exponent = v.number("exponent"),
                                          .viscous = v.number("viscous"),
                                          .form = printed ? StribeckForm::printed : StribeckForm::consistent}),
                      read_springs(v, stiffness));
}

LawEntry iwan_stribeck() {
  return {.name = "iwan-stribeck",
          .summary = "Four-parameter Iwan law whose sliding friction falls with the speed; reversals as in ripp.",
          .equation =
              "first loading: F = C(x, v); after a reversal (x_0, F_0) in direction d:\n"
              "F = F_0 + d g C(d (x - x_0) / g, d v) with g = max(C_lim - d F_0, 0) / C_lim; z = u / phi_max\n"
              "printed: C = B_theta(u) + [F_S (1 - theta) exp(-(v/v_S)^delta) + F_V v] z^(chi+1) / c\n"
              "consistent: C = B_theta(u) + exp(-(v/v_S)^delta) (B_4(u) - B_theta(u)) + F_V v z^(chi+1)\n"
              "B_4, B_theta: backbones of the four- and the five-parameter density; c = beta + (chi+1) / (chi+2);\n"
              "phi_max = F_S (1 + beta) / (K_T c); F_lim = F_S (beta + theta (chi+1) / (chi+2)) / c: slip force of "
              "B_theta;\n"
              "C_lim: the slip force for v -> 0, F_S (consistent) or F_lim + F_S (1 - theta) / c (printed)",
          .reference = "M. R. W. Brake, Nonlinear Dynamics 87 (2017) 1335-1349, eqs. (34)-(39).",
          .limits =
              "Those of ripp, the jump at a new pair of reversals among them. Velocity is zero at each reversal, where "
              "friction is static. As printed, the limit for "
              "small velocities exceeds slip_force: F_lim + F_S (1 - theta) / c, 1.49 F_S in the paper's example; "
              "the consistent form starts from F_S. exponent >= 1, because below it friction falls infinitely "
              "fast at every reversal. The stiffness of the printed form, and of the viscous part, is infinite at "
              "a reversal.",
          .parameters = stribeck_parameters(),
          .make = make_stribeck};
}

}  // namespace

std::vector<LawEntry> iwan_laws() { return {iwan(), iwan_population(), ripp(), iwan_stribeck()}; }

}  // namespace masing::detail
