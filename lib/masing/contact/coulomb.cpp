#include "masing/contact/coulomb.hpp"

#include "masing/core/error.hpp"

namespace masing {

RegularisedCoulomb::RegularisedCoulomb(const Parameters& parameters)
    : slip_force_(parameters.slip_force), reference_velocity_(parameters.reference_velocity) {
  require(std::isfinite(slip_force_) && slip_force_ > 0.0, "coulomb: slip_force = {} N must be > 0.", slip_force_);
  require(std::isfinite(reference_velocity_) && reference_velocity_ > 0.0,
          "coulomb: reference_velocity = {} m/s must be > 0.", reference_velocity_);
}

}  // namespace masing
