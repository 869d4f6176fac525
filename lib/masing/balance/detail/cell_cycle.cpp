#include "masing/balance/detail/cell_cycle.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace masing::detail {
namespace {

constexpr double period = 2.0 * pi;

// Two sets of equidistant instants on one side of an instant, the second one closer by a factor of eight: third differences of
// smooth slopes fall by its cube, those of a root by its root.
constexpr std::array<double, 2> reaches = {1.0, 0.125};
constexpr std::array<double, 4> places = {0.05, 0.35, 0.65, 0.95};
constexpr double falls_at_least = 64.0;

double third_difference(const Matrix& slopes, std::span<const Index> rows) {
  return slopes(rows[0], 0) - 3.0 * slopes(rows[1], 0) + 3.0 * slopes(rows[2], 0) - slopes(rows[3], 0);
}

}  // namespace

void CellCycle::evaluate(const CellMotion& motion, CycleResult& sampled) {
  const Index samples = motion.samples.displacement.rows();
  find_turning_points(*motion.samples.signals[0], motion.samples.displacement.col(0), turns_);
  list_instants(sampled, samples);
  grade(motion, sampled);
  cells_ = find_cells(instants_, samples);
  times_.clear();
  for (Cell& cell : cells_) {
    for (std::size_t i = 0; i < Cell::nodes; ++i) {
      cell.rows[i] = static_cast<Index>(times_.size());
      times_.push_back(cell.node(i));
    }
  }
  evaluate_at_times(motion);
}

void CellCycle::list_instants(const CycleResult& sampled, Index samples) {
  instants_ = sampled.corners;
  for (const MemorySource& source : sampled.sources) {
    const bool is_sample = source.sample != MemorySource::between_samples;
    instants_.push_back(is_sample ? period * static_cast<double>(source.sample) / static_cast<double>(samples)
                                  : source.time);
  }
  std::erase_if(instants_, [](double instant) { return instant < 0.0; });
  std::sort(instants_.begin(), instants_.end());
}

void CellCycle::list_probes(Index samples) {
  constexpr double shortest = 3e-8;
  const double farthest = 2.0 * period / static_cast<double>(samples);
  probes_.clear();
  for (std::size_t i = 0; i < instants_.size(); ++i) {
    const double last = i > 0 ? instants_[i - 1] : 0.0;
    const double next = i + 1 < instants_.size() ? instants_[i + 1] : period;
    for (const double room : {next - instants_[i], last - instants_[i]}) {
      const double reach = std::copysign(std::min(farthest, 0.5 * std::abs(room)), room);
      if (std::abs(reach) > shortest) probes_.push_back({.instant = instants_[i], .reach = reach});
    }
  }
}

bool CellCycle::is_rough(const Probe& probe, double largest_slope) const {
  constexpr double least = 1e-7;  // of the largest slope: what it is worth
  std::array<double, reaches.size()> difference = {};
  for (std::size_t k = 0; k < reaches.size(); ++k) {
    std::array<Index, places.size()> rows;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double time = probe.instant + probe.reach * reaches[k] * places[i];
      rows[i] = std::lower_bound(times_.begin(), times_.end(), time) - times_.begin();
    }
    difference[k] = std::abs(third_difference(rows_.by_displacement, rows));
  }
  return difference[1] > least * largest_slope && difference[1] * falls_at_least > difference[0];
}

void CellCycle::grade(const CellMotion& motion, CycleResult& sampled) {
  const Index samples = motion.samples.displacement.rows();
  list_probes(samples);
  times_.clear();
  for (const Probe& probe : probes_) {
    for (const double reach : reaches) {
      for (const double place : places) times_.push_back(probe.instant + probe.reach * reach * place);
    }
  }
  std::sort(times_.begin(), times_.end());
  evaluate_at_times(motion);
  const double largest_slope = sampled.by_displacement.cwiseAbs().maxCoeff();
  const std::vector<double> instants = instants_;
  double graded = -1.0;
  for (const Probe& probe : probes_) {
    if (probe.instant == graded || !is_rough(probe, largest_slope)) continue;
    graded = probe.instant;
    const std::vector<double> added = graded_instants(graded, instants, samples);
    sampled.corners.insert(sampled.corners.end(), added.begin(), added.end());
    instants_.insert(instants_.end(), added.begin(), added.end());
  }
  std::sort(instants_.begin(), instants_.end());
}

void CellCycle::evaluate_at_times(const CellMotion& motion) {
  const PeriodicSignal& signal = *motion.samples.signals[0];
  const auto count = static_cast<Index>(times_.size());
  displacement_.resize(count, 1);
  velocity_.resize(count, 1);
  for (Index i = 0; i < count; ++i) {
    const Jet jet = signal.at(times_[static_cast<std::size_t>(i)]);
    displacement_(i, 0) = jet.value;
    velocity_(i, 0) = motion.omega * jet.slope;
  }
  motion.element.steady_cycle({.displacement = displacement_,
                               .velocity = velocity_,
                               .signals = motion.samples.signals,
                               .times = times_,
                               .turns = turns_},
                              motion.options, rows_);
}

}  // namespace masing::detail
