#include "masing/contact/detail/linear_parts.hpp"

#include <algorithm>

namespace masing::detail {
namespace {

LinearPiece stuck_period(const SliderSpring& slider, double highest_x, const TurningPoint* top, double lowest_x,
                         const TurningPoint* bottom) {
  const double lowest = highest_x - slider.slip_displacement;  // the slider is dragged up at least to here,
  const double highest = lowest_x + slider.slip_displacement;  // and down at least to here
  LinearPiece piece{.begin = 0.0, .end = 2.0 * pi, .stiffness = slider.stiffness, .holds = true};
  if (lowest > 0.0 || highest < 0.0) {
    const TurningPoint* reached = lowest > 0.0 ? top : bottom;
    piece.offset = -slider.stiffness * (lowest > 0.0 ? lowest : highest);
    piece.source_time = reached != nullptr ? reached->time : 0.0;
    piece.source_weight = -slider.stiffness;
  }
  return piece;
}

}  // namespace

// From the highest maximum, where it slips forward, section by section between turning points: x is monotone in each, so
// the slider either rests or is caught once and dragged to the section's end.
void add_slider_pieces(const SliderSpring& slider, const PeriodicSignal& signal, std::span<const TurningPoint> turns,
                       std::vector<LinearPiece>& result) {
  const auto [k, way] = slider;
  if (turns.empty()) {
    const double constant = signal.at(0.0).value;
    result.push_back(stuck_period(slider, constant, nullptr, constant, nullptr));
    return;
  }
  const auto lower = [](const TurningPoint& a, const TurningPoint& b) { return a.value < b.value; };
  const auto top = std::max_element(turns.begin(), turns.end(), lower);
  const auto bottom = std::min_element(turns.begin(), turns.end(), lower);
  if (top->value - bottom->value <= 2.0 * way) {
    result.push_back(stuck_period(slider, top->value, &*top, bottom->value, &*bottom));
    return;
  }
  const auto count = static_cast<Index>(turns.size());
  const Index first = top - turns.begin();
  double rest = top->value - way;  // z, while it sticks
  LinearPiece stick{
      .begin = top->time, .offset = -k * rest, .stiffness = k, .source_time = top->time, .source_weight = -k};
  double section = top->time;
  for (Index i = first + 1; i <= first + count; ++i) {
    const TurningPoint& turn = turns[static_cast<std::size_t>(i % count)];
    const double time = turn.time + (i >= count ? 2.0 * pi : 0.0);
    const double sign = turn.maximum ? 1.0 : -1.0;
    const double caught = rest + sign * way;
    if (sign * (turn.value - caught) > 0.0) {
      stick.end = find_crossing(signal, section, time, caught);
      result.push_back(stick);
      result.push_back({.begin = stick.end, .end = time, .offset = sign * k * way});
      rest = turn.value - sign * way;
      stick.begin = time;
      stick.offset = -k * rest;
      stick.source_time = turn.time;
    }
    section = time;
  }
  stick.end = top->time + 2.0 * pi;
  if (stick.end > stick.begin) result.push_back(stick);
}

void add_stop_pieces(const Stop& stop, const PeriodicSignal& signal, std::span<const TurningPoint> turns,
                     std::vector<LinearPiece>& result) {
  const auto is_beyond = [&](double x) { return stop.side * (x - stop.wall) > 0.0; };
  const auto add = [&](double begin, double end, bool closed) {
    const double k = closed ? stop.stiffness : 0.0;
    result.push_back({.begin = begin, .end = end, .offset = -k * stop.wall, .stiffness = k});
  };
  if (turns.empty()) return add(0.0, 2.0 * pi, is_beyond(signal.at(0.0).value));
  const auto count = static_cast<Index>(turns.size());
  bool closed = is_beyond(turns.front().value);
  double begin = turns.front().time;
  double section = begin;
  for (Index i = 1; i <= count; ++i) {
    const TurningPoint& turn = turns[static_cast<std::size_t>(i % count)];
    const double time = turn.time + (i >= count ? 2.0 * pi : 0.0);
    if (is_beyond(turn.value) != closed) {
      const double crossing = find_crossing(signal, section, time, stop.wall);
      add(begin, crossing, closed);
      begin = crossing;
      closed = !closed;
    }
    section = time;
  }
  add(begin, section, closed);
}

}  // namespace masing::detail
