// A motion stays at a peak of its response curve while the level changes: an extremum of g = Σ_k |A_k|² of an observable over some
// harmonics.
#pragma once

#include "masing/analysis/detail/curve_difference.hpp"

namespace masing::detail {

class PeakCondition final : public CurveDifference {
 public:
  /// Of Σ |A_k|² over these harmonics.
  PeakCondition(const Observable& observable, Index coordinates, const std::vector<int>& harmonics);

 private:
  void measure(const ConditionPoint& point, const Neighbour& at, Measure& g) override;

  std::vector<AmplitudeCondition> squares_;
  ConditionValue square_;
};

}  // namespace masing::detail
