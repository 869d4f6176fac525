// Power-law contact spring: a stop that only pushes, the harder the more it is pressed.
//
//   f = k max(u − g, 0)^n        k [N/m^n], g [m] gap, n >= 1; n = 3/2: Hertz contact of bodies of revolution
//
// For two spheres k = (4/3) E* √R with 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂ and 1/R = 1/R₁ + 1/R₂.
// Phases: open, closed. For n > 1 the tangent is continuous where the gap closes.
// Limits: elastic, no energy is lost in impacts.
//
// Reference: K. L. Johnson, Contact Mechanics, Cambridge University Press, 1985, section 4.2.
#pragma once

#include "masing/contact/cycle.hpp"
#include "masing/contact/detail/crossings.hpp"
#include "masing/contact/kinks.hpp"
#include "masing/contact/law.hpp"
#include "masing/contact/normal_contact.hpp"

namespace masing {

class HertzSpring {
 public:
  static constexpr int dimension = 1;
  static constexpr int memory = 0;
  static constexpr bool uses_velocity = false;
  static constexpr std::string_view name = "hertz-spring";
  struct State {
    bool closed = false;
  };
  struct Parameters {
    double stiffness = 0.0;  ///< k > 0 [N/m^n]
    double exponent = 1.5;   ///< n >= 1
    double gap = 0.0;        ///< g >= 0 [m]
  };

  explicit HertzSpring(const Parameters& p)
      : contact_({.stiffness = p.stiffness, .exponent = p.exponent, .gap = p.gap}) {}

  int inputs() const { return 1; }
  State virgin() const { return {}; }
  SmallVector<0> memory_of(const State&) const { return {}; }

  Response<1, 0> advance(const Motion<1>& motion, State& state) const {
    const NormalContact::Value value = contact_.at(motion.displacement[0]);
    state.closed = !contact_.is_open(motion.displacement[0]);
    Response<1, 0> r;
    r.force[0] = value.load;
    r.by_displacement(0, 0) = value.stiffness;
    return r;
  }

  /// Where the surfaces touch and part, or nearly so.
  void find_kinks(const PeriodicMotion& motion, CycleWorkspace&, Kinks& kinks) const {
    const PeriodicSignal& signal = *motion.signals.front();
    find_turning_points(signal, motion.displacement.col(0), kinks.turns);
    detail::for_crossings(signal, kinks.turns, contact_.contact_approach(), [&](double time, bool) {
      kinks.ends.push_back(time);
      kinks.roots.push_back(time);
    });
    for (const TurningPoint& turn : kinks.turns) {
      if (!turn.maximum && !contact_.is_open(turn.value)) kinks.ends.push_back(turn.time);
    }
  }

  double distance_to_switch(const Motion<1>& motion, const State& state) const {  ///< [m]
    const double pressed = motion.displacement[0] - contact_.contact_approach();
    return state.closed ? pressed : -pressed;
  }
  void switch_phase(const Motion<1>&, State& state) const { state.closed = !state.closed; }
  SmallVector<1> force_in_phase(const Motion<1>& motion, const State& state) const {
    return SmallVector<1>(state.closed ? contact_.continued(motion.displacement[0]).load : 0.0);
  }
  std::string_view phase_name(const State& state) const { return state.closed ? "closed" : "open"; }

 private:
  NormalContact contact_;
};

}  // namespace masing
