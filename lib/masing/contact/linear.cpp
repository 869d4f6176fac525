#include "masing/contact/linear.hpp"

#include "masing/core/error.hpp"

#include <cmath>

namespace masing {

LinearSpring::LinearSpring(double stiffness) : stiffness_(stiffness) {
  require(std::isfinite(stiffness), "linear-spring: stiffness = {} N/m must be finite.", stiffness);
}

Dashpot::Dashpot(double coefficient) : coefficient_(coefficient) {
  require(std::isfinite(coefficient), "dashpot: coefficient = {} N s/m must be finite.", coefficient);
}

}  // namespace masing
