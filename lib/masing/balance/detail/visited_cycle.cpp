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
  divide(motion.displacement.rows());
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

// Visits of the first period are instants, too: there a slider may be dragged, period after period, without a kink.
void VisitedCycle::divide(Index samples) {
  std::sort(kinks_.ends.begin(), kinks_.ends.end());
  const std::vector<double> ends = kinks_.ends;
  for (const double root : kinks_.roots) {
    const std::vector<double> added = graded_instants(root, ends, samples);
    kinks_.ends.insert(kinks_.ends.end(), added.begin(), added.end());
  }
  std::vector<double> instants = kinks_.ends;
  instants.insert(instants.end(), kinks_.visits.begin(), kinks_.visits.end());
  std::sort(instants.begin(), instants.end());
  cells_ = find_cells(instants, samples);
  for (const Cell& cell : cells_) {
    for (std::size_t i = 0; i < Cell::nodes; ++i) kinks_.visits.push_back(cell.node(i));
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
  for (Cell& cell : cells_) {
    for (std::size_t i = 0; i < Cell::nodes; ++i) {
      cell.rows[i] = std::lower_bound(times_.begin(), times_.end(), cell.node(i)) - times_.begin();
    }
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
