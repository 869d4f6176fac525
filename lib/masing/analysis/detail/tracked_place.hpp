// One place of a frequency response (a peak, a fold, a superharmonic resonance), followed over the level with the frequency as
// a further unknown and one condition that says which place it is.
#pragma once

#include "masing/analysis/detail/curve_run.hpp"
#include "masing/analysis/tracking.hpp"

namespace masing::detail {

class TrackedPlace {
 public:
  /// Keeps references to both.
  TrackedPlace(const Model& model, const TrackingRequest& request);

  HarmonicBalance& balance() { return balance_; }
  CurveTask& task() { return task_; }
  /// Makes the points have their "peak_amplitude" in the unit of the quantity.
  void tell_amplitude(std::function<double(const AugmentedProblem::State&)> amplitude, Quantity quantity,
                      const std::string& description);
  /// Called with the motion of every accepted point and of the first guess: conditions that move along.
  void follow_with(std::function<void(const Vector& x, double omega)> follow) { follow_ = std::move(follow); }

  /// From `start` if it has a point; its message tells why there is none.
  ResponseBranch run(std::unique_ptr<Condition> condition, BranchHeader header,
                     const std::optional<ResponsePoint>& start, const std::string& message,
                     const BranchRestart& restart, const RunOutput& output);

 private:
  const Model& model_;
  const TrackingRequest& request_;
  CurveRequest curve_;  // without stability: at the places themselves it is known
  HarmonicBalance balance_;
  CurveTask task_;
  std::function<double(const AugmentedProblem::State&)> amplitude_;  // empty: not told
  PointQuantity amplitude_quantity_;
  std::function<void(const Vector&, double)> follow_;  // empty: nothing to do
};

/// λ of the levels told exactly: those of the request, or `unless_told` between the ends, evenly spaced.
std::vector<double> level_marks(const TrackingRequest& request, int unless_told);

}  // namespace masing::detail
