// Rules that the parameters of several backbones obey.
#pragma once

#include "masing/core/error.hpp"

#include <cmath>
#include <string_view>

namespace masing::detail {

inline void check_stiffness_and_slip_force(std::string_view name, double stiffness, double slip_force) {
  require(std::isfinite(stiffness) && stiffness > 0.0, "{}: stiffness = {} N/m must be > 0.", name, stiffness);
  require(std::isfinite(slip_force) && slip_force > 0.0, "{}: slip_force = {} N must be > 0.", name, slip_force);
}

inline void check_chi_and_beta(std::string_view name, double chi, double beta) {
  require(chi > -1.0 && chi <= 0.0,
          "{}: chi = {} must be in (-1, 0]. At -1 and below the density does not integrate; dissipation in microslip "
          "grows as amplitude^(chi + 3).",
          name, chi);
  require(std::isfinite(beta) && beta >= 0.0,
          "{}: beta = {} must be >= 0. It is the stiffness of the sliders that let go together at macroslip over that "
          "of the others.",
          name, beta);
}

}  // namespace masing::detail
