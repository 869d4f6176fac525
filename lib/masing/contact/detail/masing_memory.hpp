// The stack of reversals of Masing's rules (iwan.hpp) along a history that starts at rest.
#pragma once

#include "masing/contact/backbone.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace masing::detail {

/// F̂ continued as an odd function.
inline BackboneValue odd_value(const Backbone& backbone, double u) {
  if (u >= 0.0) return backbone.at(u);
  BackboneValue value = backbone.at(-u);
  value.force = -value.force;
  return value;
}

/// Force and stiffness of the branch that left (x_r, F_r) in direction d.
inline BackboneValue branch_value(const Backbone& backbone, double x_r, double force_r, double d, double x) {
  BackboneValue value = odd_value(backbone, 0.5 * d * (x - x_r));
  value.force = force_r + 2.0 * d * value.force;
  return value;
}

class MasingMemory {
 public:
  struct Turn {
    double x = 0.0;      ///< [m]
    double force = 0.0;  ///< [N]
  };

  double direction() const { return direction_; }  ///< ±1; a joint at rest waits for forward motion
  Turn last_turn() const { return turns_.empty() ? Turn{} : turns_.back(); }

  /// Force at x while the motion goes on in its present direction; nothing is forgotten.
  BackboneValue value(const Backbone& backbone, double x) const {
    const std::size_t open = open_turns(x);
    if (open == 0) return odd_value(backbone, x);
    const Turn& turn = turns_[open - 1];
    return branch_value(backbone, turn.x, turn.force, direction_, x);
  }

  /// The motion has gone on to x: forgets the loops closed on the way.
  void proceed(const Backbone& backbone, double x) {
    turns_.resize(open_turns(x));
    slips_ = !(way_to_macroslip(backbone, x) > 0.0);
  }

  /// How far the present branch reaches beyond x until it closes a loop, or the backbone is back …
  double way_to_closure(double x) const {
    if (turns_.empty()) return infinity;
    const double closure = turns_.size() >= 2 ? turns_[turns_.size() - 2].x : -turns_[0].x;
    return direction_ * (closure - x);
  }
  void close_loop() { turns_.resize(turns_.size() >= 2 ? turns_.size() - 2 : 0); }

  /// … and until everything slides; infinite when it does already.
  double way_to_slip(const Backbone& backbone, double x) const {
    return slips_ ? infinity : way_to_macroslip(backbone, x);
  }
  void begin_slip() { slips_ = true; }

  /// The motion turns round at x. Loops without extent are forgotten at once, such as the turn at 0 of a joint at rest
  /// that moves backward.
  void reverse(const Backbone& backbone, double x) {
    const double force = value(backbone, x).force;
    turns_.resize(open_turns(x));
    turns_.push_back({x, force});
    direction_ = -direction_;
    turns_.resize(open_turns(x));
    slips_ = false;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  double way_to_macroslip(const Backbone& backbone, double x) const {
    const double macroslip = backbone.macroslip();
    return turns_.empty() ? macroslip - direction_ * x : 2.0 * macroslip - direction_ * (x - turns_.back().x);
  }

  /// How many turns are still remembered when the motion reaches x. The first one lies on the backbone and is passed
  /// at its mirror image, too.
  std::size_t open_turns(double x) const {
    std::size_t open = turns_.size();
    while (open >= 2 && direction_ * (x - turns_[open - 2].x) >= 0.0) open -= 2;
    if (open == 1 && direction_ * (x + turns_[0].x) >= 0.0) open = 0;
    return open;
  }

  std::vector<Turn> turns_;
  double direction_ = 1.0;
  bool slips_ = false;
};

}  // namespace masing::detail
