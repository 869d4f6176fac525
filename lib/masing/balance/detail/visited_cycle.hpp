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

 private:
  void merge(const PeriodicMotion& motion);
  void keep_samples(CycleResult& result) const;

  Kinks kinks_;
  std::vector<double> times_;   // of samples and visits
  std::vector<Index> numbers_;  // of samples; negative: a visit
  Matrix displacement_;
  CycleResult march_, room_;
};

}  // namespace masing::detail
