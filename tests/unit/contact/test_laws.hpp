// Laws that exist only to exercise the steady cycle.
#pragma once

#include "masing/contact/jenkins.hpp"

#include <cmath>
#include <limits>

namespace masing::support {

/// Jenkins without its periodic start: has to be marched.
class MarchedJenkins : public Jenkins {
 public:
  using Jenkins::Jenkins;
  PeriodicStart<State, 1, 1> periodic_start(const PeriodicMotion& motion) const = delete;
};

/// Creeping memory q' = keep q + (1 − keep) x, f = x − q + q²: the past fades, but is never forgotten at once.
class FadingMemory {
 public:
  static constexpr int dimension = 1;
  static constexpr int memory = 1;
  static constexpr bool uses_velocity = false;
  struct State {
    double q = 0.0;
  };

  explicit FadingMemory(double keep) : keep_(keep) {}
  int inputs() const { return 1; }
  State virgin() const { return {}; }
  SmallVector<1> memory_of(const State& state) const { return SmallVector<1>(state.q); }

  Response<1, 1> advance(const Motion<1>& motion, State& state) const {
    const double x = motion.displacement[0];
    Response<1, 1> r;
    r.force[0] = x - state.q + state.q * state.q;
    r.by_displacement(0, 0) = 1.0;
    r.by_memory(0, 0) = -1.0 + 2.0 * state.q;
    r.memory_set = true;
    r.memory_by_displacement(0, 0) = 1.0 - keep_;
    r.memory_by_memory(0, 0) = keep_;
    state.q = keep_ * state.q + (1.0 - keep_) * x;
    return r;
  }

 private:
  double keep_;
};

/// Two inputs, velocity, two coupled nonlinear memories: everything that a law may do, at once.
class CoupledMemory {
 public:
  static constexpr int dimension = 2;
  static constexpr int memory = 2;
  static constexpr bool uses_velocity = true;
  using State = SmallVector<2>;

  int inputs() const { return 2; }
  State virgin() const { return State::Zero(); }
  SmallVector<2> memory_of(const State& state) const { return state; }

  Response<2, 2> advance(const Motion<2>& motion, State& q) const {
    const double u1 = motion.displacement[0];
    const double u2 = motion.displacement[1];
    const double v1 = motion.velocity[0];
    const double v2 = motion.velocity[1];
    Response<2, 2> r;
    r.force << u1 * q[1] + v2, u2 * u2 - q[0] * v1;
    r.by_displacement << q[1], 0.0, 0.0, 2.0 * u2;
    r.by_velocity << 0.0, 1.0, -q[0], 0.0;
    r.by_memory << 0.0, u1, -v1, 0.0;
    r.memory_set = true;
    r.memory_by_displacement << 0.1 * std::cos(u1), 0.0, 0.0, 0.05;
    r.memory_by_velocity << 0.0, 0.02, 0.0, 0.0;
    r.memory_by_memory << 0.9, 0.03 * std::cos(q[1]), 0.1 * std::cos(q[0]), 0.85;
    const State next(0.9 * q[0] + 0.03 * std::sin(q[1]) + 0.1 * std::sin(u1) + 0.02 * v2,
                     0.85 * q[1] + 0.1 * std::sin(q[0]) + 0.05 * u2);
    q = next;
    return r;
  }
};

/// Remembers the last two displacements beyond a threshold: the second memory takes over what the first held.
class ShiftRegister {
 public:
  static constexpr int dimension = 1;
  static constexpr int memory = 2;
  static constexpr bool uses_velocity = false;
  using State = SmallVector<2>;

  int inputs() const { return 1; }
  State virgin() const { return State::Zero(); }
  SmallVector<2> memory_of(const State& state) const { return state; }

  Response<1, 2> advance(const Motion<1>& motion, State& q) const {
    const double x = motion.displacement[0];
    Response<1, 2> r;
    r.force[0] = x * q[0] * q[1];
    r.by_displacement(0, 0) = q[0] * q[1];
    r.by_memory << x * q[1], x * q[0];
    if (x > threshold) {
      r.memory_set = true;
      r.memory_by_displacement << 1.0, 0.0;
      r.memory_by_memory << 0.0, 0.0, 1.0, 0.0;
      q = State(x, q[0]);
    }
    return r;
  }

  static constexpr double threshold = 0.5;
};

/// Fails for displacements above one.
class BrokenLaw {
 public:
  static constexpr int dimension = 1;
  static constexpr int memory = 0;
  static constexpr bool uses_velocity = false;
  static constexpr std::string_view name = "broken";
  struct State {};

  int inputs() const { return 1; }
  State virgin() const { return {}; }
  SmallVector<0> memory_of(const State&) const { return {}; }
  Response<1, 0> advance(const Motion<1>& motion, State&) const {
    Response<1, 0> r;
    r.force[0] = motion.displacement[0] > 1.0 ? std::numeric_limits<double>::quiet_NaN() : 0.0;
    return r;
  }
};

}  // namespace masing::support
