// Unilateral spring with a gap: a stop that only pushes.
//
//   f = k max(u − g, 0)          k [N/m] contact stiffness, g [m] gap
//
// The gap is open while u < g. A negative gap is a preload: at u = 0 the spring already presses with −k g.
// Phases: open, closed. The tangent jumps from 0 to k at u = g; sampled coefficients converge with second order in 1/N.
// Limits: penalty contact without damping, so no energy is lost in impacts.
//
// Reference: P. Wriggers, Computational Contact Mechanics, 2nd ed., Springer, 2006 (penalty method).
#pragma once

#include "masing/contact/law.hpp"
#include "masing/contact/piecewise.hpp"

namespace masing {

class Unilateral {
 public:
  static constexpr int dimension = 1;
  static constexpr int memory = 0;
  static constexpr bool uses_velocity = false;
  static constexpr std::string_view name = "unilateral";
  struct State {
    bool closed = false;
  };
  struct Parameters {
    double stiffness = 0.0;  ///< k > 0 [N/m]
    double gap = 0.0;        ///< g [m], negative: preloaded
  };

  explicit Unilateral(const Parameters& parameters);

  int inputs() const { return 1; }
  State virgin() const { return {.closed = gap_ < 0.0}; }
  SmallVector<0> memory_of(const State&) const { return {}; }

  Response<1, 0> advance(const Motion<1>& motion, State& state) const {
    state.closed = motion.displacement[0] > gap_;
    Response<1, 0> r;
    r.force[0] = state.closed ? stiffness_ * (motion.displacement[0] - gap_) : 0.0;
    r.by_displacement(0, 0) = state.closed ? stiffness_ : 0.0;
    return r;
  }

  void pieces(const PeriodicSignal& signal, std::span<const TurningPoint> turns,
              std::vector<LinearPiece>& result) const;

  double distance_to_switch(const Motion<1>& motion, const State& state) const {  ///< [m]
    const double approach = motion.displacement[0] - gap_;
    return state.closed ? approach : -approach;
  }
  void switch_phase(const Motion<1>&, State& state) const { state.closed = !state.closed; }
  SmallVector<1> force_in_phase(const Motion<1>& motion, const State& state) const {
    return SmallVector<1>(state.closed ? stiffness_ * (motion.displacement[0] - gap_) : 0.0);
  }
  std::string_view phase_name(const State& state) const { return state.closed ? "closed" : "open"; }

 private:
  double stiffness_;
  double gap_;
};

}  // namespace masing
