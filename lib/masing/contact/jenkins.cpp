#include "masing/contact/jenkins.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
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

LinearPiece Jenkins::stuck_period(const PeriodicSignal& signal, const TurningPoint* top,
                                  const TurningPoint* bottom) const {
  const double constant = signal.at(0.0).value;  // where there are no turning points
  const double lowest = (top != nullptr ? top->value : constant) - slip_displacement_;
  const double highest = (bottom != nullptr ? bottom->value : constant) + slip_displacement_;
  LinearPiece piece{.begin = 0.0, .end = 2.0 * pi, .stiffness = stiffness_};
  if (lowest > 0.0 || highest < 0.0) {
    const TurningPoint* reached = lowest > 0.0 ? top : bottom;
    piece.offset = -stiffness_ * (lowest > 0.0 ? lowest : highest);
    piece.source_time = reached != nullptr ? reached->time : 0.0;
    piece.source_weight = -stiffness_;
  }
  return piece;
}

// From the highest maximum, where it slips forward, section by section between turning points: x is monotone in each, so
// the slider either rests or is caught once and dragged to the section's end.
void Jenkins::pieces(const PeriodicSignal& signal, std::span<const TurningPoint> turns,
                     std::vector<LinearPiece>& result) const {
  result.clear();
  const auto lower = [](const TurningPoint& a, const TurningPoint& b) { return a.value < b.value; };
  const auto top = std::max_element(turns.begin(), turns.end(), lower);
  const auto bottom = std::min_element(turns.begin(), turns.end(), lower);
  if (turns.empty() || top->value - bottom->value <= 2.0 * slip_displacement_) {
    const bool constant = turns.empty();
    result.push_back(stuck_period(signal, constant ? nullptr : &*top, constant ? nullptr : &*bottom));
    return;
  }
  const auto count = static_cast<Index>(turns.size());
  const Index first = top - turns.begin();
  LinearPiece stick{.begin = top->time,
                    .offset = -stiffness_ * (top->value - slip_displacement_),
                    .stiffness = stiffness_,
                    .source_time = top->time,
                    .source_weight = -stiffness_};
  double section = top->time;
  for (Index i = first + 1; i <= first + count; ++i) {
    const TurningPoint& turn = turns[static_cast<std::size_t>(i % count)];
    const double time = turn.time + (i >= count ? 2.0 * pi : 0.0);
    const double sign = turn.maximum ? 1.0 : -1.0;
    const double slider = -stick.offset / stiffness_;
    const double caught = slider + sign * slip_displacement_;
    if (sign * (turn.value - caught) > 0.0) {
      stick.end = find_crossing(signal, section, time, caught);
      result.push_back(stick);
      result.push_back({.begin = stick.end, .end = time, .offset = sign * slip_force_});
      stick.begin = time;
      stick.offset = -stiffness_ * (turn.value - sign * slip_displacement_);
      stick.source_time = turn.time;
    }
    section = time;
  }
  stick.end = top->time + 2.0 * pi;
  if (stick.end > stick.begin) result.push_back(stick);
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
