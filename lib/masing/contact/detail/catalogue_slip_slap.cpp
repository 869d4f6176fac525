#include "masing/contact/continuous_slip_slap.hpp"
#include "masing/contact/detail/catalogue_parts.hpp"
#include "masing/contact/slip_slap.hpp"

#include <cmath>

namespace masing::detail {

namespace {

OptionTable slip_slap_parameters() {
  return {
      number("normal_exponent", "", Range::positive(), "n: the loading curve is P = C_p w^n"),
      number("friction_exponent", "", Range::positive(), "m: the friction limit is C_Q P^m"),
      number("normal_coefficient", "N/m^n", Range::positive(), "C_p: normal force at a penetration of one metre"),
      number("friction_coefficient", "N^(1-m)", Range::positive(),
             "C_Q: friction limit over P^m; the friction coefficient where m = 1"),
      number("unloading_rate", "1/m", Range::non_negative(),
             "k_N: how fast P falls below the loading curve with the way back from the deepest penetration; 0: no "
             "normal hysteresis"),
      number("stiffness_ratio", "", Range::positive(), "C_k: tangential over normal stiffness of the contact at rest"),
      with_default(number("approach", "m", Range::any(),
                          "penetration where the second input is zero, such as that under a static load"),
                   0.0),
      {.name = "smooth_refresh",
       .kinds = {OptionKind::boolean},
       .fallback = {false},
       .meaning = "whether sliding renews the deepest penetration gradually, over 97 to 100 % of the friction limit, "
                  "instead of at once at 99 % as published: exp(-k_N (w_max - w)) stays above the smoothstep of "
                  "|D_T| over 0.97 to 1"},
      with_default(number("continuity_depth", "m", Range::non_negative(),
                          "d; 0: as published. > 0: the law is continuous in the motion, so that responses do not end "
                          "where the contact first opens or reversals are born; about 0.01 of the penetration"),
                   0.0)};
}

SlipSlap::Parameters parameters_from(const OptionValues& v) {
  return {.normal_exponent = v.number("normal_exponent"),
          .friction_exponent = v.number("friction_exponent"),
          .normal_coefficient = v.number("normal_coefficient"),
          .friction_coefficient = v.number("friction_coefficient"),
          .unloading_rate = v.number("unloading_rate"),
          .stiffness_ratio = v.number("stiffness_ratio"),
          .approach = v.number("approach"),
          .smooth_refresh = v.boolean("smooth_refresh")};
}

LawEntry slip_slap() {
  return {.name = SlipSlap::name.data(),
          .summary =
              "Friction and normal contact of rough surfaces with micro-slip, sliding, separation and re-contact, "
              "each with its hysteresis.",
          .equation =
              "P = C_p w^n D_P, Q = C_Q P^m D_T for w > 0, else 0; w = second input + approach\n"
              "D_T = s - (s - D_0) exp(-k_T |u - u_0|), k_T = n C_k C_p^(1-m) / (C_Q w^(1-n(1-m))), s = sgn(du/dt)\n"
              "D_P = D_N + (1 - D_N) |D_T|, D_N = exp(-k_N (w_max - w))\n"
              "a reversal of u sets u_0 = u, D_0 = D_T; re-contact sets u_0 = u, D_0 = 0, w_max = 0; "
              "sliding, |D_T| >= 0.99, sets w_max = w\n"
              "continuity_depth d > 0: D_T = sgn(x) (1 - exp(-k |x|)), k = k_T at w + d; x follows u as the branches "
              "above do, is kept while w varies, and fades with w_max by exp(-|dw|/d) while open; smooth_refresh",
          .reference =
              "H. Ahmadian, M. Mohammadali, A distributed mechanical joint contact model with slip/slap coupling "
              "effects, Mechanical Systems and Signal Processing 80 (2016).",
          .limits =
              "One tangential direction. The published law can give energy back where u and w move together, because "
              "friction follows P at a given D_T; u alone or w alone dissipates. As published, a slide, however brief, "
              "changes w_max for good, and P jumps by up to 1 % where sliding begins; smooth_refresh makes w_max "
              "continuous and changes P by 0.1 %, Q by 0.3 % and the energy of a cycle by 0.005 % in the published "
              "example. In both, friction starts anew at the first separation, and each reversal of u is remembered, "
              "however small: response curves may have gaps there, which continuity_depth avoids. A contact that does "
              "not move tangentially carries no friction. One that neither slides nor separates keeps the deepest "
              "penetration that it ever had: steady motions are those with the deepest of the period, a transient from "
              "rest may have been deeper.",
          .inputs = 2,
          .parameters = slip_slap_parameters(),
          .make = [](const OptionValues& v) -> Element {
            const double depth = v.number("continuity_depth");
            if (depth > 0.0) return make_element(ContinuousSlipSlap(parameters_from(v), depth));
            return make_slip_slap(parameters_from(v));
          },
          .approach_for_load =
              [](const OptionValues& v, double load) {
                const SlipSlap::Parameters p = parameters_from(v);
                return std::pow(load / p.normal_coefficient, 1.0 / p.normal_exponent) - p.approach;
              }};
}

}  // namespace

std::vector<LawEntry> slip_slap_laws() { return {slip_slap()}; }

}  // namespace masing::detail
