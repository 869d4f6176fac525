// Slip/slap made continuous: forces that change little when the whole motion changes little.
//
// The published law (slip_slap.hpp) starts a new branch at every reversal and re-contact, however small. Where the penetration
// has changed since the branch before, a reversal that is just being born, or a contact that just opens, changes the forces
// by 5 to 20 % for the rest of the period: response curves end there. This variant keeps P, Q, Δ_P, Δ_N and the meaning of
// all parameters, and replaces origin and start of branches by one length ξ:
//
//   k = k_T(max(w, 0) + d)                              d > 0: continuity depth [m]
//   Δ_T = sgn(ξ) (1 − e^(−k |ξ|))                       a first loading by ξ
//   u moves at constant w      Δ_T → s − (s − Δ_T) e^(−k |du|), and ξ with it; away from zero simply dξ = du
//   w moves at constant u      ξ stays, so that Δ_T follows k
//   w moves by dw while open   ξ and w_max fade by e^(−|dw| / d)
//   contact                    w_max = max(w, min(w_max, w + c)), c as for smooth_refresh
//
// A first loading after a re-contact is that of the published law for d → 0, whatever w does, and at constant w all branches
// are. Between reversals while w varies they differ, because the published law remembers where each branch began. A contact
// that opens by several d forgets as the published one does; d also bounds the stiffness of a contact that barely touches.
//
// From sample to sample: half of du with k before, then dw, then half of du with k after, divided once more where the contact
// opens or closes on the way; this errs by the square of the step, near w = 0 once the step is shorter than d. Memory: ξ, w_max and the motion of the sample before, all in metres; the period is marched until it closes, with
// Newton's method where it hardly slides (steady_cycle.hpp).
#pragma once

#include "masing/contact/law.hpp"
#include "masing/contact/slip_slap.hpp"

namespace masing {

class ContinuousSlipSlap {
 public:
  static constexpr int dimension = 2;
  static constexpr int memory = 4;
  static constexpr bool uses_velocity = false;
  static constexpr std::string_view name = "slip-slap, continuous";
  struct State {
    double elongation = 0.0;  ///< ξ [m]
    double peak = 0.0;        ///< w_max [m]
    double u = 0.0, w = 0.0;  ///< of the sample before [m]
    bool begun = false;       ///< whether there was one
  };

  /// `depth` d > 0 [m].
  ContinuousSlipSlap(const SlipSlap::Parameters& parameters, double depth);

  int inputs() const { return 2; }
  State virgin() const { return {}; }
  SmallVector<4> memory_of(const State& state) const { return {state.elongation, state.peak, state.u, state.w}; }
  State with_memory(const State& state, const SmallVector<4>& scalars) const {
    return {.elongation = scalars[0], .peak = scalars[1], .u = state.u, .w = state.w, .begun = state.begun};
  }
  Response<2, 4> advance(const Motion<2>& motion, State& state) const;

 private:
  /// k and dk/dw.
  struct Rate {
    double value = 0.0;
    double by_w = 0.0;
  };
  Rate rate(double w) const;
  struct Step;
  Step step(double u, double w, const State& state) const;
  SlipSlap::Value renew_peak(double w, const SlipSlap::Value& friction, Step& next) const;
  void set_forces(double w, Step& next, Response<2, 4>& response) const;

  SlipSlap law_;
  double depth_;
};

}  // namespace masing
