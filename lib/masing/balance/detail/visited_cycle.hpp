// The steady cycle of a law at equidistant samples, marched over the instants between them that it asks to be visited
// (Kinks::visits): memory is then set where it is, not at the sample before.
#pragma once

#include "masing/contact/element.hpp"

#include <vector>

namespace masing::detail {

class VisitedCycle {
 public:
  /// As element.steady_cycle(motion, options, result), with sources between samples; result.corners are the kinks.
  void evaluate(const ContactElement& element, const PeriodicMotion& motion, const CycleOptions& options,
                CycleResult& result);

  /// Kinks that no sample separates: the law is evaluated between them, in a row of march().
  struct Gap {
    double begin = 0.0, end = 0.0;  ///< τ
    Index row = 0;
  };
  // Of the last evaluate():
  const std::vector<Gap>& gaps() const { return gaps_; }
  /// At samples, visits and in gaps; its sources are numbered as those of the result.
  const CycleResult& march() const { return march_; }

 private:
  void find_gaps(Index samples);
  void merge(const PeriodicMotion& motion);
  void keep_samples(CycleResult& result) const;

  Kinks kinks_;
  std::vector<Gap> gaps_;
  std::vector<double> times_;   // of samples and visits
  std::vector<Index> numbers_;  // of samples; negative: a visit
  Matrix displacement_;
  CycleResult march_, room_;
};

}  // namespace masing::detail
