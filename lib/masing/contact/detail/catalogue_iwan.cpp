#include "masing/contact/detail/catalogue_parts.hpp"
#include "masing/contact/detail/spring_options.hpp"
#include "masing/contact/iwan.hpp"

namespace masing::detail {
namespace {

using MakeLaw = Element (*)(BackbonePointer);

/// The law of what slides, with the springs beside it.
Element with_written_springs(const OptionValues& values, const BackbonePointer& whole, MakeLaw make) {
  const BackbonePointer sliding = sliding_part(whole, values.number("residual_share"));
  return with_springs(make(sliding), read_springs(values, whole->stick_stiffness()));
}

LawEntry iwan() {
  return {.name = "iwan",
          .summary = "Exact Iwan law: micro-slip to gross slip for any density of sliders, with Masing's memory.",
          .equation = "first loading F = sgn(x) B(|x|) with the backbone B; after a reversal (x_r, F_r) in direction d:\n"
                      "F = F_r + 2 d B(d (x - x_r) / 2); closed loops are forgotten",
          .reference = "W. D. Iwan, J. Appl. Mech. 33 (1966) 893-900; D. J. Segalman, J. Appl. Mech. 72 (2005) 752-760; "
                       "G. Masing, Proc. 2nd Int. Congr. Appl. Mech. (1926) 332-335.",
          .limits = "Constant normal load, one direction, rate-independent. Masing's rules are exact as long as a slider's "
                    "friction does not depend on its sliding; with a backbone that has a maximum (five-parameter, theta "
                    "< 1) they are an assumption. A vibration about an offset in partial slip is taken to have built up "
                    "from rest: its end farther from zero lies on the backbone.",
          .parameters = {residual_option(), pinning_option()},
          .make_from_backbone = [](const OptionValues& values, const BackbonePointer& backbone) {
            return with_written_springs(values, backbone, &make_iwan);
          }};
}

}  // namespace

std::vector<LawEntry> iwan_laws() { return {iwan()}; }

}  // namespace masing::detail
