// Linear spring and linear dashpot between two coordinates.
//
//   spring   f = k u     k [N/m]
//   dashpot  f = c v     c [N s/m]
//
// A linear spring as a joint equals the same spring inside the structure: useful as a check and for "stuck"
// comparisons. Negative values are allowed (negative-stiffness mechanisms, fluid-induced damping).
#pragma once

#include "masing/contact/law.hpp"

namespace masing {

class LinearSpring {
 public:
  static constexpr int dimension = 1;
  static constexpr int memory = 0;
  static constexpr bool uses_velocity = false;
  static constexpr std::string_view name = "linear-spring";
  struct State {};

  explicit LinearSpring(double stiffness);

  int inputs() const { return 1; }
  State virgin() const { return {}; }
  SmallVector<0> memory_of(const State&) const { return {}; }

  Response<1, 0> advance(const Motion<1>& motion, State&) const {
    Response<1, 0> r;
    r.force[0] = stiffness_ * motion.displacement[0];
    r.by_displacement(0, 0) = stiffness_;
    return r;
  }

 private:
  double stiffness_;
};

class Dashpot {
 public:
  static constexpr int dimension = 1;
  static constexpr int memory = 0;
  static constexpr bool uses_velocity = true;
  static constexpr std::string_view name = "dashpot";
  struct State {};

  explicit Dashpot(double coefficient);

  int inputs() const { return 1; }
  State virgin() const { return {}; }
  SmallVector<0> memory_of(const State&) const { return {}; }

  Response<1, 0> advance(const Motion<1>& motion, State&) const {
    Response<1, 0> r;
    r.force[0] = coefficient_ * motion.velocity[0];
    r.by_velocity(0, 0) = coefficient_;
    return r;
  }

 private:
  double coefficient_;
};

}  // namespace masing
