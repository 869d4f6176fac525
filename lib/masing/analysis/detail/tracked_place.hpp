// One place of a frequency response (a peak, a fold, a superharmonic resonance), followed over the level with the frequency as
// a further unknown and one condition that says which place it is.
#pragma once

#include "masing/analysis/detail/curve_run.hpp"
#include "masing/analysis/detail/tracking_start.hpp"
#include "masing/analysis/tracking.hpp"

namespace masing::detail {

class TrackedPlace {
 public:
  /// Keeps references to both. `harmonics` are balanced at every point; `stability` is that of the forced motion there.
  TrackedPlace(const Model& model, const TrackingRequest& request, const StabilityOptions& stability,
               const std::vector<int>& harmonics = {});

  CurveTask& task() { return task_; }
  using Amplitude = std::function<double(HarmonicBalance& balance, const AugmentedProblem::State& state)>;
  /// Makes the points have their "peak_amplitude" in the unit of what is observed.
  void tell_amplitude(Amplitude amplitude, const Observable& observed, const std::string& description);
  using Follow = std::function<void(HarmonicBalance& balance, const Vector& x, double omega)>;
  /// Called with the motion of every accepted point and of the first guess: conditions that move along.
  void follow_with(Follow follow) { follow_ = std::move(follow); }

  /// The place of this kind on the response at a level that is nearest to the one that was followed till here.
  using Seek = std::function<std::optional<ResponsePoint>(double level, double frequency, double amplitude)>;
  using IsPlace = std::function<bool(HarmonicBalance& balance, const AugmentedProblem::State& state)>;
  /// Where the place ceases to be one (`is_place`), the nearest ahead is gone on from, unless it is one again soon. Needs an
  /// amplitude.
  void seek_with(IsPlace is_place, Seek seek) {
    is_place_ = std::move(is_place);
    seek_ = std::move(seek);
  }

  /// From the first of the places near which there is a solution.
  ResponseBranch run(std::unique_ptr<Condition> condition, BranchHeader header, const TrackingStart& start,
                     const BranchRestart& restart, const RunOutput& output);
  /// Sentences on the places that were tried before.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  // The last accepted point that is a place of the kind, and where the curve went on as something else.
  struct Trail {
    double frequency = 0.0, amplitude = 0.0;
    std::optional<double> left_at;  // λ
  };

  FirstSolution begin_at(const TrackingStart& start, std::size_t place, const std::string& why = {});
  void seek_where_it_ends();
  void note(const AugmentedProblem::State& state);
  Vector unknowns_at(const ResponsePoint& point, double lambda);

  const Model& model_;
  const TrackingRequest& request_;
  HarmonicLadder ladder_;
  HarmonicBalance& balance_;             // of the first rung: where the curve begins
  AugmentedProblem* problem_ = nullptr;  // while it runs
  CurveTask task_;
  Amplitude amplitude_;  // empty: not told
  PointQuantity amplitude_quantity_;
  Follow follow_;  // empty: nothing to do
  Seek seek_;      // empty: none is sought
  IsPlace is_place_;
  Trail trail_;
  std::vector<std::string> notes_;
};

/// λ of the levels told exactly: those of the request, or `unless_told` between the ends, evenly spaced.
std::vector<double> level_marks(const TrackingRequest& request, int unless_told);

}  // namespace masing::detail
