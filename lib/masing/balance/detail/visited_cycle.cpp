#include "masing/balance/detail/visited_cycle.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace masing::detail {
namespace {

constexpr Index visit = -1;

}  // namespace

void VisitedCycle::evaluate(const ContactElement& element, const PeriodicMotion& motion, const CycleOptions& options,
                            CycleResult& result) {
  assert(!element.uses_velocity() && !motion.signals.empty());
  kinks_.clear();
  element.find_kinks(motion, room_, kinks_);
  find_gaps(motion.displacement.rows());
  merge(motion);
  element.steady_cycle({.displacement = displacement_,
                        .velocity = displacement_,
                        .signals = motion.signals,
                        .times = times_,
                        .turns = kinks_.turns,
                        .normal_turns = kinks_.normal_turns},
                       options, march_);
  result.resize(motion.displacement.rows(), element.inputs(), false);
  keep_samples(result);
}

// Kinks closer than the instants beside a touch, which are visits, are one.
void VisitedCycle::find_gaps(Index samples) {
  constexpr double shortest = 3e-8, dust = 1e-9;
  const double per_time = static_cast<double>(samples) / (2.0 * pi);
  const auto sample_before = [&](double time) { return std::floor(time * per_time + dust); };
  std::sort(kinks_.ends.begin(), kinks_.ends.end());
  gaps_.clear();
  for (std::size_t i = 1; i < kinks_.ends.size(); ++i) {
    const double begin = kinks_.ends[i - 1], end = kinks_.ends[i];
    if (end - begin < shortest || sample_before(end) > sample_before(begin)) continue;
    gaps_.push_back({.begin = begin, .end = end});
    kinks_.visits.push_back(0.5 * (begin + end));
  }
}

void VisitedCycle::merge(const PeriodicMotion& motion) {
  const Index samples = motion.displacement.rows();
  std::sort(kinks_.visits.begin(), kinks_.visits.end());
  times_.clear();
  numbers_.clear();
  auto next = kinks_.visits.begin();
  const auto add_visits = [&](double until) {
    for (; next != kinks_.visits.end() && *next < until; ++next) {
      times_.push_back(*next);
      numbers_.push_back(visit);
    }
  };
  for (Index i = 0; i < samples; ++i) {
    const double time = 2.0 * pi * static_cast<double>(i) / static_cast<double>(samples);
    add_visits(time);
    times_.push_back(time);
    numbers_.push_back(i);
  }
  add_visits(2.0 * pi);
  for (Gap& gap : gaps_) {
    const double middle = 0.5 * (gap.begin + gap.end);
    gap.row = std::lower_bound(times_.begin(), times_.end(), middle) - times_.begin();
  }
  displacement_.resize(static_cast<Index>(times_.size()), motion.displacement.cols());
  for (std::size_t i = 0; i < times_.size(); ++i) {
    for (Index b = 0; b < displacement_.cols(); ++b) {
      displacement_(static_cast<Index>(i), b) = numbers_[i] != visit
                                                    ? motion.displacement(numbers_[i], b)
                                                    : motion.signals[static_cast<std::size_t>(b)]->at(times_[i]).value;
    }
  }
}

void VisitedCycle::keep_samples(CycleResult& result) const {
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    if (numbers_[i] == visit) continue;
    result.force.row(numbers_[i]) = march_.force.row(static_cast<Index>(i));
    result.by_displacement.row(numbers_[i]) = march_.by_displacement.row(static_cast<Index>(i));
  }
  result.sources = march_.sources;
  result.parents = march_.parents;
  result.jumps = march_.jumps;
  result.corners = kinks_.ends;
  result.report = march_.report;
  for (MemorySource& source : result.sources) {
    if (source.sample == MemorySource::between_samples) continue;
    const auto at = static_cast<std::size_t>(source.sample);
    source.time = times_[at];
    source.sample = numbers_[at] == visit ? MemorySource::between_samples : numbers_[at];
  }
  result.uses.clear();
  for (const MemoryUse& use : march_.uses) {
    const Index number = numbers_[static_cast<std::size_t>(use.sample)];
    if (number != visit) result.uses.push_back({number, use.source, use.weight});
  }
}

}  // namespace masing::detail
