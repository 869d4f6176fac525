#include "masing/contact/jenkins.hpp"

#include "masing/contact/detail/linear_parts.hpp"
#include "masing/core/error.hpp"

#include <cmath>

namespace masing {

Jenkins::Jenkins(const Parameters& parameters)
    : stiffness_(parameters.stiffness),
      slip_force_(parameters.slip_force),
      slip_displacement_(parameters.slip_force / parameters.stiffness) {
  require(std::isfinite(stiffness_) && stiffness_ > 0.0, "jenkins: stiffness = {} N/m must be > 0.", stiffness_);
  require(
      std::isfinite(slip_force_) && slip_force_ > 0.0,
      "jenkins: slip_force = {} N must be > 0. Friction limits are magnitudes; reverse the joint's direction instead.",
      slip_force_);
}

PeriodicStart<Jenkins::State, 1, 1> Jenkins::periodic_start(const PeriodicMotion& motion) const {
  const auto x = motion.displacement.col(0);
  Index at_maximum = 0;
  Index at_minimum = 0;
  for (Index i = 1; i < x.size(); ++i) {
    if (x[i] > x[at_maximum]) at_maximum = i;
    if (x[i] < x[at_minimum]) at_minimum = i;
  }
  const double lowest = x[at_maximum] - slip_displacement_;   // the slider is dragged up at least to here,
  const double highest = x[at_minimum] + slip_displacement_;  // and down at least to here

  PeriodicStart<State, 1, 1> start;
  start.by_displacement(0, 0) = 1.0;
  if (lowest > highest || lowest > 0.0) {
    start.first = start.origin = at_maximum;
    start.state.slider = lowest;
  } else if (highest < 0.0) {
    start.first = start.origin = at_minimum;
    start.state.slider = highest;
  }
  return start;
}

void Jenkins::pieces(const PeriodicSignal& signal, std::span<const TurningPoint> turns,
                     std::vector<LinearPiece>& result) const {
  result.clear();
  detail::add_slider_pieces({.stiffness = stiffness_, .slip_displacement = slip_displacement_}, signal, turns, result);
}

double Jenkins::distance_to_switch(const Motion<1>& motion, const State& state) const {
  switch (state.phase) {
    case Phase::slip_forward:
      return motion.velocity[0];
    case Phase::slip_backward:
      return -motion.velocity[0];
    case Phase::stick:
      break;
  }
  return slip_displacement_ - std::abs(motion.displacement[0] - state.slider);
}

void Jenkins::switch_phase(const Motion<1>& motion, State& state) const {
  const double x = motion.displacement[0];
  if (state.phase == Phase::stick) {
    state.phase = x > state.slider ? Phase::slip_forward : Phase::slip_backward;
    return;
  }
  const double sign = state.phase == Phase::slip_forward ? 1.0 : -1.0;
  state.phase = Phase::stick;
  state.slider = x - sign * slip_displacement_;
  // Rounding must not leave the fresh stick phase outside its own limit.
  while (std::abs(x - state.slider) > slip_displacement_) state.slider = std::nextafter(state.slider, x);
}

SmallVector<1> Jenkins::force_in_phase(const Motion<1>& motion, const State& state) const {
  switch (state.phase) {
    case Phase::slip_forward:
      return SmallVector<1>(slip_force_);
    case Phase::slip_backward:
      return SmallVector<1>(-slip_force_);
    case Phase::stick:
      break;
  }
  return SmallVector<1>(stiffness_ * (motion.displacement[0] - state.slider));
}

std::string_view Jenkins::phase_name(const State& state) const {
  switch (state.phase) {
    case Phase::slip_forward:
      return "slip+";
    case Phase::slip_backward:
      return "slip-";
    case Phase::stick:
      break;
  }
  return "stick";
}

}  // namespace masing
