#include "masing/contact/backbone.hpp"

#include <cmath>
#include <limits>

namespace masing {

double Backbone::slip_force() const {
  const double end = macroslip();
  return std::isfinite(end) ? at(end).force : std::numeric_limits<double>::infinity();
}

double Backbone::loop_energy(double amplitude) const {
  return 8.0 * work(amplitude) - 4.0 * amplitude * at(amplitude).force;
}

}  // namespace masing
