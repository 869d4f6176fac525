#include "masing/analysis/detail/peak_condition.hpp"

#include "masing/core/error.hpp"

namespace masing::detail {

PeakCondition::PeakCondition(const Observable& observable, Index coordinates, const std::vector<int>& harmonics) {
  for (const int k : harmonics) squares_.emplace_back(k, observable.weights(coordinates), observable.quantity, 1.0);
}

void PeakCondition::measure(const ConditionPoint& point, const Neighbour& at, Measure& g) {
  g.value = g.by_omega = g.by_level = 0.0;
  g.by_x.setZero(at.x.size());
  for (AmplitudeCondition& square : squares_) {
    square.evaluate({point.balance, at.x, at.omega, point.scale}, square_);
    g.value += square.ratio();
    g.by_x += square_.by_x;
    g.by_omega += square_.by_omega;
    g.by_level += square_.by_level;
  }
  if (!(g.value > 0.0)) throw NumericalError("The amplitude whose peak is followed vanishes.");
}

}  // namespace masing::detail
