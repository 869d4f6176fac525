#include "masing/contact/detail/normal_options.hpp"

#include "masing/contact/detail/catalogue_parts.hpp"

namespace masing::detail {
namespace {

Option preload_option() {
  return with_default(number("preload", "N", Range::non_negative(),
                             "load at w = 0; whoever applies it balances it, so the law returns N - preload"),
                      0.0);
}

Option gap_option() {
  return with_default(
      number("gap", "m", Range::non_negative(), "approach at which the surfaces touch; only without preload"), 0.0);
}

}  // namespace

Option normal_option() {
  return {
      .name = "normal",
      .kinds = {OptionKind::table},
      .variants = {{"linear",
                    "N = stiffness * max(w - w_c, 0)",
                    {number("stiffness", "N/m", Range::positive(), "normal stiffness while closed"), preload_option(),
                     gap_option()}},
                   {"hertz",
                    "N = stiffness * max(w - w_c, 0)^exponent",
                    {number("stiffness", "N/m^exponent", Range::positive(), "factor of the power law"),
                     with_default(number("exponent", "", Range::at_least(1.0), "1.5 for bodies of revolution"), 1.5),
                     preload_option(), gap_option()}}},
      .meaning =
          "the normal load N as a function of the approach w, the last input; w counts from the preloaded "
          "equilibrium, and w_c follows from preload or gap"};
}

NormalContact read_normal(const OptionValues& values) {
  const OptionValues& normal = values.table("normal");
  if (normal.number("gap") > 0.0 && normal.number("preload") > 0.0) {
    normal.reject("gap", "contradicts the preload: a preloaded contact is closed. Leave one of them out.");
  }
  return NormalContact({.stiffness = normal.number("stiffness"),
                        .exponent = normal.has("exponent") ? normal.number("exponent") : 1.0,
                        .preload = normal.number("preload"),
                        .gap = normal.number("gap")});
}

double approach_for_load(const OptionValues& values, double load) {
  return read_normal(values).approach_for_load(load);
}

}  // namespace masing::detail
