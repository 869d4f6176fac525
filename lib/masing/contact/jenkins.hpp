// Jenkins element: a spring in series with a dry-friction slider (elastic Coulomb friction).
//
//   slider   z = clamp(z_before, x − f_s/k, x + f_s/k)       (play operator)
//   force    f = k (x − z),  |f| <= f_s                      k [N/m] stick stiffness, f_s [N] slip force
//
// Phases: stick (z at rest, f = k (x − z)), slip+ (f = f_s), slip− (f = −f_s). It slips on until the velocity reverses.
// Memory: the slider position z (M = 1). Held while sticking; while slipping it is set by the present sample with
// ∂z/∂x = 1, and the past is forgotten.
//
// Periodic state, known before marching:
//   max x − min x > 2 f_s/k   it slips in both directions: at the maximum z = x_max − f_s/k. One pass from there is
//                             exact.
//   otherwise                 it sticks all the time, and the motion does not determine the offset. Convention: the
//                             contact is virgin, z = 0, before the vibration builds up, so that
//                             z = clamp(0, x_max − f_s/k, x_min + f_s/k): it moved only as far as it was dragged.
//
// Limits: constant normal load, one direction, no difference between static and kinetic friction, no micro-slip before
// gross slip (superpose several for that).
//
// References: G. M. Jenkins, Analysis of the stress-strain relationships in reactor grade graphite, British Journal of
// Applied Physics 13 (1962) 30-32. W. D. Iwan, A distributed-element model for hysteresis and its steady-state dynamic
// response, Journal of Applied Mechanics 33 (1966) 893-900.
#pragma once

#include "masing/contact/cycle.hpp"
#include "masing/contact/piecewise.hpp"

namespace masing {

class Jenkins {
 public:
  static constexpr int dimension = 1;
  static constexpr int memory = 1;
  static constexpr bool uses_velocity = false;
  static constexpr std::string_view name = "jenkins";
  enum class Phase { stick, slip_forward, slip_backward };
  struct State {
    double slider = 0.0;  ///< z [m]
    Phase phase = Phase::stick;
  };
  struct Parameters {
    double stiffness = 0.0;   ///< k > 0 [N/m]
    double slip_force = 0.0;  ///< f_s > 0 [N]
  };

  explicit Jenkins(const Parameters& parameters);

  int inputs() const { return 1; }
  State virgin() const { return {}; }
  SmallVector<1> memory_of(const State& state) const { return SmallVector<1>(state.slider); }

  Response<1, 1> advance(const Motion<1>& motion, State& state) const {
    const double trial = stiffness_ * (motion.displacement[0] - state.slider);
    if (trial > slip_force_) return slip(motion.displacement[0], Phase::slip_forward, state);
    if (trial < -slip_force_) return slip(motion.displacement[0], Phase::slip_backward, state);
    state.phase = Phase::stick;
    Response<1, 1> r;
    r.force[0] = trial;
    r.by_displacement(0, 0) = stiffness_;
    r.by_memory(0, 0) = -stiffness_;
    return r;
  }

  PeriodicStart<State, 1, 1> periodic_start(const PeriodicMotion& motion) const;
  void pieces(const PeriodicSignal& signal, std::span<const TurningPoint> turns,
              std::vector<LinearPiece>& result) const;

  /// In stick the force left to the limit over k [m]; in slip the velocity in the direction of slip [m/s].
  double distance_to_switch(const Motion<1>& motion, const State& state) const;
  void switch_phase(const Motion<1>& motion, State& state) const;
  SmallVector<1> force_in_phase(const Motion<1>& motion, const State& state) const;
  std::string_view phase_name(const State& state) const;

 private:
  Response<1, 1> slip(double x, Phase phase, State& state) const {
    const double sign = phase == Phase::slip_forward ? 1.0 : -1.0;
    state.phase = phase;
    state.slider = x - sign * slip_displacement_;
    Response<1, 1> r;
    r.force[0] = sign * slip_force_;
    r.memory_set = true;
    r.memory_by_displacement(0, 0) = 1.0;
    return r;
  }

  double stiffness_;
  double slip_force_;
  double slip_displacement_;  // f_s / k
};

}  // namespace masing
