// The steady cycle of a law at equidistant samples, marched over the instants between them that it asks to be visited
// (Kinks::visits): memory is then set where it is, not at the sample before. Where samples do not resolve what happens between
// these instants, it visits cells, too (cells.hpp).
#pragma once

#include "masing/balance/detail/cells.hpp"
#include "masing/contact/element.hpp"

#include <vector>

namespace masing::detail {

class VisitedCycle {
 public:
  /// As element.steady_cycle(motion, options, result), with sources between samples; result.corners are the kinks, and instants that crowd at
  /// those beside which slopes go with a root.
  void evaluate(const ContactElement& element, const PeriodicMotion& motion, const CycleOptions& options,
                CycleResult& result);

  // Of the last evaluate():
  /// Their nodes are rows of march().
  const std::vector<Cell>& cells() const { return cells_; }
  /// At samples, visits and nodes of cells; its sources are numbered as those of the result.
  const CycleResult& march() const { return march_; }

 private:
  void divide(Index samples);
  void merge(const PeriodicMotion& motion);
  void keep_samples(CycleResult& result) const;

  Kinks kinks_;
  std::vector<Cell> cells_;
  std::vector<double> times_;   // of samples and visits
  std::vector<Index> numbers_;  // of samples; negative: a visit
  Matrix displacement_;
  CycleResult march_, room_;
};

}  // namespace masing::detail
