#include "masing/contact/detail/reversals.hpp"

#include <algorithm>

namespace masing::detail {
namespace {

void find_sampled(const Eigen::Ref<const Vector>& x, std::vector<Reversal>& reversals) {
  const Index count = x.size();
  const auto trend = [&](Index i) {
    const Index here = i < count ? i : i - count;
    const double change = x[here + 1 < count ? here + 1 : 0] - x[here];
    return (change > 0.0) - (change < 0.0);
  };
  Index first = 0;  // a sample after which the motion goes on
  while (first < count && trend(first) == 0) ++first;
  int before = first < count ? trend(first) : 0;
  for (Index i = first + 1; i <= first + count && before != 0; ++i) {
    const int now = trend(i);
    if (now == 0 || now == before) continue;
    const Index sample = i % count;
    const auto position = static_cast<double>(sample);
    reversals.push_back({.position = position,
                         .value = x[sample],
                         .maximum = before > 0,
                         .sample = sample,
                         .time = 2.0 * pi * position / static_cast<double>(count)});
    before = now;
  }
  std::sort(reversals.begin(), reversals.end(), [](const auto& a, const auto& b) { return a.position < b.position; });
}

void take_located(std::span<const TurningPoint> turns, const PeriodicMotion& motion, std::vector<Reversal>& reversals) {
  const auto samples = static_cast<double>(motion.displacement.rows());
  const double per_time = samples / (2.0 * pi);
  const double highest = std::nextafter(samples, 0.0);
  const auto among_equidistant = [&](double time) { return std::min(time * per_time, highest); };
  const auto among_times = [&](double time) {
    constexpr double between = -0.5;
    return static_cast<double>(std::upper_bound(motion.times.begin(), motion.times.end(), time) -
                               motion.times.begin()) +
           between;
  };
  for (const TurningPoint& turn : turns) {
    reversals.push_back({.position = motion.times.empty() ? among_equidistant(turn.time) : among_times(turn.time),
                         .value = turn.value,
                         .maximum = turn.maximum,
                         .time = turn.time});
  }
}

/// Where rounding hid one of a pair of turning points, two neighbours of the same kind remain: the farther one counts.
void alternate(std::vector<Reversal>& reversals) {
  const auto same_kind = [](const Reversal& a, const Reversal& b) { return a.maximum == b.maximum; };
  const auto keep_farther = [](Reversal& kept, const Reversal& other) {
    if ((other.value > kept.value) == kept.maximum) kept = other;
  };
  std::size_t count = 0;
  for (const Reversal& reversal : reversals) {
    if (count > 0 && same_kind(reversals[count - 1], reversal)) {
      keep_farther(reversals[count - 1], reversal);
    } else {
      reversals[count++] = reversal;
    }
  }
  if (count > 1 && same_kind(reversals[0], reversals[count - 1])) {
    if ((reversals[count - 1].value > reversals[0].value) == reversals[0].maximum) {
      std::rotate(reversals.begin(), reversals.begin() + 1, reversals.begin() + static_cast<std::ptrdiff_t>(count));
    }
    --count;
  }
  reversals.resize(count > 1 ? count : 0);
}

}  // namespace

void find_reversals(const PeriodicMotion& motion, std::vector<TurningPoint>& scratch,
                    std::vector<Reversal>& reversals) {
  reversals.clear();
  const auto x = motion.displacement.col(0);
  if (!motion.turns.empty()) {
    take_located(motion.turns, motion, reversals);
  } else if (!motion.signals.empty()) {
    find_turning_points(*motion.signals[0], x, scratch);
    take_located(scratch, motion, reversals);
  } else {
    return find_sampled(x, reversals);
  }
  alternate(reversals);
}

std::size_t farthest_reversal(std::span<const Reversal> reversals) {
  const auto nearer = [](const Reversal& a, const Reversal& b) { return std::abs(a.value) < std::abs(b.value); };
  return static_cast<std::size_t>(std::max_element(reversals.begin(), reversals.end(), nearer) - reversals.begin());
}

void Corners::pass(double value, double begin, double end) {
  if (signal_ == nullptr) return;
  constexpr double period = 2.0 * pi;
  if (end <= begin) end += period;
  const double from = signal_->at(begin).value, to = signal_->at(end).value;
  if ((value - from) * (to - value) <= 0.0) return;
  found_.push_back(std::fmod(find_crossing(*signal_, begin, end, value), period));
}

void find_turns_and_corners(const ContactElement& element, const PeriodicMotion& motion, CycleResult& room,
                            Kinks& kinks) {
  find_turning_points(*motion.signals[0], motion.displacement.col(0), kinks.turns);
  if (kinks.turns.empty()) return;
  const Matrix no_samples(0, 1);
  element.steady_cycle(
      {.displacement = no_samples, .velocity = no_samples, .signals = motion.signals, .turns = kinks.turns},
      {.corners = true}, room);
  for (const TurningPoint& turn : kinks.turns) kinks.ends.push_back(turn.time);
  kinks.ends.insert(kinks.ends.end(), room.corners.begin(), room.corners.end());
}

Index add_source(CycleResult& result, const Reversal& reversal, double weight, std::span<const MemoryParent> parents) {
  const Index first = static_cast<Index>(result.parents.size());
  for (const MemoryParent& parent : parents) {
    if (parent.weight != 0.0) result.parents.push_back(parent);
  }
  using Small = SmallVector<Eigen::Dynamic>;
  result.sources.push_back({.sample = reversal.sample,
                            .by_displacement = Small::Constant(1, weight),
                            .by_velocity = Small::Zero(1),
                            .first_parent = first,
                            .end_parent = static_cast<Index>(result.parents.size()),
                            .time = reversal.time});
  return static_cast<Index>(result.sources.size()) - 1;
}

}  // namespace masing::detail
