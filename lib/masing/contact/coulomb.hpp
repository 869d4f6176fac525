// Regularised Coulomb friction: the jump of the friction force at zero velocity is smoothed over a reference velocity.
//
//   f = F tanh(v / v_ref)        F [N] slip force, v_ref [m/s] velocity at which 76 % of F is reached
//
// Smooth, memoryless and dissipative (f v >= 0). Limits: it creeps where a real contact sticks (any lasting force moves
// it), so it has neither stick stiffness nor a static limit; choose v_ref well below the sliding velocities of
// interest, but not so low that a step of tanh falls between two samples (v_ref > v_max · 2π/N resolves it).
//
// Reference: E. Pennestrì, V. Rossi, P. Salvini, P. P. Valentini, Review and comparison of dry friction force models,
// Nonlinear Dynamics 83 (2016) 1785-1801.
#pragma once

#include "masing/contact/law.hpp"

#include <cmath>

namespace masing {

class RegularisedCoulomb {
 public:
  static constexpr int dimension = 1;
  static constexpr int memory = 0;
  static constexpr bool uses_velocity = true;
  static constexpr std::string_view name = "coulomb";
  struct State {};
  struct Parameters {
    double slip_force = 0.0;          ///< F > 0 [N]
    double reference_velocity = 0.0;  ///< v_ref > 0 [m/s]
  };

  explicit RegularisedCoulomb(const Parameters& parameters);

  int inputs() const { return 1; }
  State virgin() const { return {}; }
  SmallVector<0> memory_of(const State&) const { return {}; }

  Response<1, 0> advance(const Motion<1>& motion, State&) const {
    const double t = std::tanh(motion.velocity[0] / reference_velocity_);
    Response<1, 0> r;
    r.force[0] = slip_force_ * t;
    r.by_velocity(0, 0) = slip_force_ / reference_velocity_ * (1.0 - t * t);
    return r;
  }

 private:
  double slip_force_;
  double reference_velocity_;
};

}  // namespace masing
