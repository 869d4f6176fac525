#include "masing/contact/backbone.hpp"

#include <cmath>
#include <limits>

namespace masing {

void Backbone::at_all(std::span<const double> u, std::span<BackboneValue> values) const {
  for (std::size_t i = 0; i < u.size(); ++i) values[i] = at(u[i]);
}

double Backbone::slip_force() const {
  const double end = macroslip();
  return std::isfinite(end) ? at(end).force : std::numeric_limits<double>::infinity();
}

double Backbone::loop_energy(double amplitude) const {
  return 8.0 * work(amplitude) - 4.0 * amplitude * at(amplitude).force;
}

}  // namespace masing
