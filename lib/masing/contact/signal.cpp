#include "masing/contact/signal.hpp"

#include "masing/contact/detail/bracketed_root.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace masing {

namespace {

constexpr double smallest_step = 1e-15;  // of a period of 2π: the last digit

// `evaluate` returns {value, slope}.
template <class Function>
double find_root(double begin, double end, bool rising, Function evaluate) {
  return detail::find_root(begin, end, rising, smallest_step, evaluate);
}

// The turning point in an interval at whose ends the slope has opposite signs and between which it is monotone.
TurningPoint locate(const PeriodicSignal& signal, double begin, double end, bool maximum) {
  const double time = find_root(begin, end, !maximum, [&](double tau) {
    const Jet jet = signal.at(tau);
    return std::pair(jet.slope, jet.curvature);
  });
  return {time, signal.at(time).value, maximum};
}

double find_curvature_root(const PeriodicSignal& signal, double begin, double end, bool rising) {
  return find_root(begin, end, rising, [&](double tau) {
    const Jet jet = signal.at(tau);
    return std::pair(jet.curvature, jet.third);
  });
}

// One end of the bracket of a turning point, where the slope should have the sign of `direction`. It is the neighbour of the
// best sample, unless the samples turn round again there: then a pair of turning points lies between the two, and the best
// sample or the steepest instant between them separates it.
double bracket_end(const PeriodicSignal& signal, double best_sample, double neighbour, double direction) {
  if (direction * signal.at(neighbour).slope > 0.0) return neighbour;
  const double outward = neighbour - best_sample;
  const double change = signal.at(neighbour + outward).value - signal.at(neighbour).value;
  if (direction * change * outward > 0.0) return neighbour;
  if (direction * signal.at(best_sample).slope > 0.0) return best_sample;
  const auto [begin, end] = std::minmax(best_sample, neighbour);
  if (!(direction * signal.at(begin).curvature > 0.0 && direction * signal.at(end).curvature < 0.0)) return neighbour;
  const double steepest = find_curvature_root(signal, begin, end, direction < 0.0);
  return direction * signal.at(steepest).slope > 0.0 ? steepest : neighbour;
}

// Samples that rise and then fall enclose a maximum; a flat top may hide a minimum between two of them. The slope is
// monotone except between the roots of the curvature, which lie on both sides of where the curvature is largest.
void locate_bracketed(const PeriodicSignal& signal, double begin, double end, double best_sample, bool maximum,
                      std::vector<TurningPoint>& turns) {
  const double sign = maximum ? 1.0 : -1.0;
  const double spacing = 0.5 * (end - begin);
  begin = bracket_end(signal, best_sample, begin, sign);
  end = bracket_end(signal, best_sample, end, -sign);
  constexpr int widest = 2;  // a flat top may reach into the neighbouring intervals
  for (int i = 0; i < widest && !(sign * signal.at(begin).slope > 0.0); ++i) begin -= spacing;
  for (int i = 0; i < widest && !(sign * signal.at(end).slope < 0.0); ++i) end += spacing;
  const Jet first = signal.at(begin);
  const Jet last = signal.at(end);
  if (!(sign * first.slope > 0.0 && sign * last.slope < 0.0)) {
    turns.push_back({best_sample, signal.at(best_sample).value, maximum});
    return;
  }
  const double share = first.third == last.third ? 0.5 : first.third / (first.third - last.third);
  const double middle = begin + std::clamp(share, 0.0, 1.0) * (end - begin);
  const bool single =
      !(sign * signal.at(middle).curvature > 0.0 && sign * first.curvature < 0.0 && sign * last.curvature < 0.0);
  if (single) {
    turns.push_back(locate(signal, begin, end, maximum));
    return;
  }
  const double before = find_curvature_root(signal, begin, middle, maximum);
  const double behind = find_curvature_root(signal, middle, end, !maximum);
  const bool falls_early = sign * signal.at(before).slope < 0.0;
  const bool rises_again = sign * signal.at(behind).slope > 0.0;
  if (falls_early) turns.push_back(locate(signal, begin, before, maximum));
  if (falls_early && rises_again) turns.push_back(locate(signal, before, behind, !maximum));
  if (rises_again) turns.push_back(locate(signal, behind, end, maximum));
  if (!falls_early && !rises_again) turns.push_back(locate(signal, before, behind, maximum));
}

// Between samples that rise (sign 1) or fall (−1) throughout, the flattest instant may hide a pair of turning points.
void find_hidden_pair(const PeriodicSignal& signal, double begin, double end, double sign,
                      std::vector<TurningPoint>& turns) {
  if (!(sign * signal.at(begin).curvature < 0.0 && sign * signal.at(end).curvature > 0.0)) return;
  const double flattest = find_curvature_root(signal, begin, end, sign > 0.0);
  if (sign * signal.at(flattest).slope >= 0.0) return;
  if (sign * signal.at(begin).slope > 0.0) turns.push_back(locate(signal, begin, flattest, sign > 0.0));
  if (sign * signal.at(end).slope > 0.0) turns.push_back(locate(signal, flattest, end, sign < 0.0));
}

// +1, −1: the samples rise or fall after sample i; 0: they are equal.
int trend(const VectorView& samples, Index i) {
  const double difference = samples[(i + 1) % samples.size()] - samples[i % samples.size()];
  return (difference > 0.0) - (difference < 0.0);
}

// Turning points that the samples reveal: where they cease to rise or to fall.
void find_bracketed(const PeriodicSignal& signal, const VectorView& samples, std::vector<TurningPoint>& turns) {
  const Index count = samples.size();
  Index first = 0;  // a sample after which the signal moves
  while (first < count && trend(samples, first) == 0) ++first;
  if (first == count) return;
  const double spacing = 2.0 * pi / static_cast<double>(count);
  int before = trend(samples, first);
  Index last_moving = first;
  for (Index i = first + 1; i <= first + count; ++i) {
    const int now = trend(samples, i);
    if (now == 0) continue;
    if (now != before) {
      const double begin = spacing * static_cast<double>(last_moving);
      const double end = spacing * static_cast<double>(i + 1);
      locate_bracketed(signal, begin, end, spacing * static_cast<double>(i), before > 0, turns);
    }
    before = now;
    last_moving = i;
  }
}

// Pairs of turning points closer than the samples: looked for where the samples change least.
void find_hidden(const PeriodicSignal& signal, const VectorView& samples, std::vector<TurningPoint>& turns) {
  const Index count = samples.size();
  const double spacing = 2.0 * pi / static_cast<double>(count);
  const auto change = [&](Index i) { return samples[(i + 1) % count] - samples[i % count]; };
  double before = change(count - 1);
  double now = change(0);
  for (Index i = 0; i < count; ++i) {
    const double after = change(i + 1);
    const bool same_way = (before > 0.0) == (now > 0.0) && (now > 0.0) == (after > 0.0);
    if (same_way && std::abs(now) <= std::abs(before) && std::abs(now) <= std::abs(after)) {
      const double time = spacing * static_cast<double>(i);
      find_hidden_pair(signal, time - spacing, time + 2.0 * spacing, now > 0.0 ? 1.0 : -1.0, turns);
    }
    before = now;
    now = after;
  }
}

}  // namespace

void find_turning_points(const PeriodicSignal& signal, const VectorView& samples, std::vector<TurningPoint>& turns) {
  turns.clear();
  find_bracketed(signal, samples, turns);
  if (turns.empty()) return;
  find_hidden(signal, samples, turns);
  for (TurningPoint& turn : turns) turn.time -= 2.0 * pi * std::floor(turn.time / (2.0 * pi));
  std::sort(turns.begin(), turns.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
}

double find_crossing(const PeriodicSignal& signal, double begin, double end, double value) {
  const bool rising = signal.at(end).value > signal.at(begin).value;
  return find_root(begin, end, rising, [&](double tau) {
    const Jet jet = signal.at(tau);
    return std::pair(jet.value - value, jet.slope);
  });
}

}  // namespace masing
