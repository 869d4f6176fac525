#include "masing/contact/detail/slip_slap_events.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

// A signal that varies by less than this share of its size is constant: u up to rounding, which decides about reversals
// only; w up to what solvers leave, because the instant of its largest value decides about derivatives.
constexpr double rounding = 1e-14;
constexpr double noise = 1e-9;

using Kind = SlipSlapEventKind;

bool rests(const VectorView& samples, double offset, double threshold) {
  const double lowest = samples.minCoeff();
  const double highest = samples.maxCoeff();
  return highest - lowest <= threshold * std::max(std::abs(lowest + offset), std::abs(highest + offset));
}

// Turning points of the polygon: the last sample before the way back.
void find_corners(const VectorView& samples, std::vector<TurningPoint>& turns) {
  turns.clear();
  const Index count = samples.size();
  const auto change = [&](Index i) { return samples[(i + 1) % count] - samples[i % count]; };
  Index first = 0;
  while (first < count && change(first) == 0.0) ++first;
  if (first == count) return;
  double before = change(first);
  for (Index i = first + 1; i <= first + count; ++i) {
    const double now = change(i);
    if (now == 0.0) continue;
    if ((now > 0.0) != (before > 0.0)) {
      turns.push_back(
          {2.0 * pi * static_cast<double>(i % count) / static_cast<double>(count), samples[i % count], before > 0.0});
    }
    before = now;
  }
  std::sort(turns.begin(), turns.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
}

void find_turns(const SlipSlapPath& path, Index input, std::vector<TurningPoint>& turns) {
  const auto samples = path.motion().displacement.col(input);
  if (path.has_chosen_instants()) {
    const auto known = input == 0 ? path.motion().turns : path.motion().normal_turns;
    turns.assign(known.begin(), known.end());
    return;
  }
  turns.clear();
  if (input == 0 ? rests(samples, 0.0, rounding) : rests(samples, path.approach(), noise)) return;
  if (path.is_known_between_samples()) {
    find_turning_points(*path.motion().signals[static_cast<std::size_t>(input)], samples, turns);
  } else {
    find_corners(samples, turns);
  }
}

void add_reversals(const SlipSlapPath& path, SlipSlapEvents& events) {
  find_turns(path, 0, events.turns);
  for (const TurningPoint& turn : events.turns) {
    events.list.push_back({Kind::reversal, path.at(path.position(turn.time)), turn.maximum ? -1.0 : 1.0});
  }
}

void add_crossing(const SlipSlapPath& path, double begin, double w_begin, double end, double w_end,
                  SlipSlapEvents& events) {
  double position = begin + (end - begin) * w_begin / (w_begin - w_end);
  if (path.is_known_between_samples()) {
    position =
        path.position(find_crossing(*path.motion().signals[1], path.time(begin), path.time(end), -path.approach()));
  }
  const auto count = static_cast<double>(path.samples());
  const Instant at = path.at(position < count ? position : position - count);
  events.list.push_back({w_begin > 0.0 ? Kind::opening : Kind::closing, at});
}

// Crests and crossings of w = 0: w is monotone between neighbouring samples and turning points.
void add_normal_events(const SlipSlapPath& path, SlipSlapEvents& events) {
  find_turns(path, 1, events.normal_turns);
  events.w_rests = events.normal_turns.empty();
  const Index count = path.samples();
  const auto period = static_cast<double>(count);
  const double first = path.position_of(0);
  const auto turn_position = [&](const TurningPoint& turn) {  // from the first sample on
    const double position = path.position(turn.time);
    return position < first ? position + period : position;
  };
  std::sort(events.normal_turns.begin(), events.normal_turns.end(),
            [&](const auto& a, const auto& b) { return turn_position(a) < turn_position(b); });
  std::size_t next_turn = 0;
  double highest = path.w(0);
  events.highest = first;
  for (Index i = 0; i < count; ++i) {
    double begin = path.position_of(i);
    const double next_sample = i + 1 < count ? path.position_of(i + 1) : first + period;
    double w_begin = path.w(i);
    const auto go_to = [&](double end, double w_end) {
      if ((w_begin > 0.0) != (w_end > 0.0)) add_crossing(path, begin, w_begin, end, w_end, events);
      if (w_end > highest) highest = w_end, events.highest = end;
      begin = end;
      w_begin = w_end;
    };
    for (; next_turn < events.normal_turns.size(); ++next_turn) {
      const TurningPoint& turn = events.normal_turns[next_turn];
      const double position = turn_position(turn);
      if (position >= next_sample) break;
      go_to(std::max(position, begin), turn.value + path.approach());
      if (turn.maximum) events.list.push_back({Kind::crest, path.at(path.position(turn.time))});
    }
    go_to(next_sample, path.w((i + 1) % count));
  }
  if (events.highest >= period) events.highest -= period;
  events.any_contact = highest > 0.0;
}

}  // namespace

Instant SlipSlapPath::at(double position) const {
  if (is_known_between_samples()) {
    const Jet u_jet = motion_.signals[0]->at(time(position));
    const Jet w_jet = motion_.signals[1]->at(time(position));
    return {position, u_jet.value, w_jet.value + approach_, u_jet.slope, w_jet.slope, u_jet.curvature};
  }
  const Index count = samples();
  const double whole = std::floor(position);
  const double share = position - whole;
  const Index i = static_cast<Index>(whole) % count;
  const Index j = (i + 1) % count;
  return {position, u(i) + share * (u(j) - u(i)), w(i) + share * (w(j) - w(i)), u(j) - u(i), w(j) - w(i), 0.0};
}

double SlipSlapPath::mean_u() const {
  if (!has_chosen_instants()) return motion_.displacement.col(0).mean();
  double sum = 0.0;
  for (Index i = 0; i < samples(); ++i) sum += motion_.signals[0]->at(time(static_cast<double>(i))).value;
  return sum / static_cast<double>(samples());
}

void find_events(const SlipSlapPath& path, SlipSlapEvents& events) {
  events.list.clear();
  add_normal_events(path, events);
  if (!events.any_contact) return;
  add_reversals(path, events);
  std::stable_sort(events.list.begin(), events.list.end(),
                   [](const auto& a, const auto& b) { return a.at.position < b.at.position; });
}

}  // namespace masing::detail
