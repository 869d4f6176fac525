#include "masing/analysis/tracking.hpp"

#include "masing/analysis/detail/curve_run.hpp"
#include "masing/analysis/detail/isola_search.hpp"
#include "masing/analysis/detail/tracking_condition.hpp"
#include "masing/analysis/detail/tracking_start.hpp"
#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

#include <algorithm>
#include <cmath>

namespace masing {

namespace {

using detail::AugmentedProblem;
using detail::CurveTask;
using detail::FirstSolution;

/// One place of the response, followed over the level with the frequency as a further unknown.
class TrackedPlace {
 public:
  TrackedPlace(const Model& model, const TrackingRequest& request, const std::vector<int>& harmonics = {})
      : model_(model),
        request_(request),
        ladder_(model, request.balance, request.stability, harmonics),
        balance_(ladder_.first().balance) {
    task_.range = {.from = std::log10(request.from_level), .to = std::log10(request.to_level)};
    task_.parameter_text = [&](double lambda) { return detail::level_words(request, std::pow(10.0, lambda)); };
    task_.quantities = [&](const AugmentedProblem::State& state, const detail::EnergyTerms& energy) {
      Vector own(2 + static_cast<Index>(amplitude_ ? 1 : 0));
      own.head(2) << state.controls.level * request.level_value, energy.damping_ratio();
      if (amplitude_) own[2] = amplitude_(problem_->balance(), state);
      return own;
    };
  }

  CurveTask& task() { return task_; }
  using Amplitude = std::function<double(HarmonicBalance& balance, const AugmentedProblem::State& state)>;
  /// Makes the points have their "peak_amplitude", in the unit of what is observed.
  void tell_amplitude(Amplitude amplitude, const Observable& observed) {
    amplitude_ = std::move(amplitude);
    unit_ = unit_of(observed);
  }

  /// From `start` if it has a point; its message tells why there is none.
  ResponseBranch run(std::unique_ptr<detail::TrackingCondition> condition, BranchHeader header,
                     const std::optional<ResponsePoint>& start, const std::string& message,
                     const BranchRestart& restart, const detail::RunOutput& output) {
    detail::TrackingCondition& place = *condition;
    std::vector<std::unique_ptr<detail::Condition>> conditions;
    conditions.push_back(std::move(condition));
    AugmentedProblem problem(balance_, detail::Parameter::level, {detail::Control::frequency}, {},
                             std::move(conditions));
    problem_ = &problem;
    task_.accepted = [&](const AugmentedProblem::State& state) {
      place.follow(problem.balance(), state.x, state.omega());
      return true;
    };
    task_.first = [&]() -> FirstSolution {
      if (!start) return {.x = {}, .found = false, .message = message};
      balance_.set_level(request_.from_level);
      const Vector x = carried_over(start->coefficients, balance_.motions(), ladder_.full(), balance_.set());
      place.follow(balance_, x, 2.0 * pi * start->frequency);
      const detail::Controls controls{.frequency = start->frequency, .level = request_.from_level};
      return {.x = problem.unknowns(x, controls, task_.range.from), .found = true, .message = {}};
    };
    header.quantities = {
        {"level", request_.level_unit.empty() ? "1" : request_.level_unit, "level of the oscillating loads"},
        {"damping_ratio", "1", "dissipated energy / (4 pi kinetic energy)"}};
    if (amplitude_) header.quantities.push_back({"peak_amplitude", unit_, "amplitude that has its peak here"});
    return detail::run_curve(model_, request_, ladder_, problem, std::move(header), task_, restart, output);
  }

 private:
  const Model& model_;
  const TrackingRequest& request_;
  detail::HarmonicLadder ladder_;
  HarmonicBalance& balance_;  // of the first rung: where the curve begins
  CurveTask task_;
  Amplitude amplitude_;                  // empty: not told
  AugmentedProblem* problem_ = nullptr;  // while it runs
  std::string unit_;
};

// λ of the levels told exactly: those of the request, or seven between the ends, evenly spaced.
std::vector<double> marks_of(const TrackingRequest& request, int unless_told) {
  const double from = std::log10(request.from_level), to = std::log10(request.to_level);
  std::vector<double> marks;
  for (const double level : request.levels) marks.push_back(std::log10(level));
  for (int i = 1; request.levels.empty() && i <= unless_told; ++i) {
    marks.push_back(from + (to - from) * i / (unless_told + 1));
  }
  return marks;
}

// --- folds -------------------------------------------------------------------------------------------------------------

// Where the level has an extremum along a curve of folds. At a cusp frequency and level both stand still.
std::string turning_point(const BranchPoint& point, bool minimum) {
  constexpr double standing_still = 1e-6;  // of the unit tangent; located to 1e-10
  const double frequency_share = std::abs(point.tangent[point.tangent.size() - 2]);
  if (frequency_share < standing_still) return "cusp";
  return minimum ? "isola birth" : "isola merging";
}

ResponseBranch follow_fold(const Model& model, const FoldTrackingRequest& request, int index,
                           const std::optional<ResponsePoint>& start, const std::string& message,
                           const BranchRestart& restart, const detail::RunOutput& output) {
  TrackedPlace place(model, request);
  place.task().marks = marks_of(request, 0);
  place.task().turning_point = turning_point;
  place.task().may_return = true;
  BranchHeader header{.index = index, .label = index == 0 ? "folds" : fmt::format("folds {}", index + 1)};
  header.kind = "fold-tracking";
  return place.run(std::make_unique<detail::FoldCondition>(), std::move(header), start, message, restart, output);
}

// Whether a curve of folds that came back to its first level ended at this fold.
bool passes(const std::vector<ResponseBranch>& curves, const ResponsePoint& fold) {
  constexpr double same = 1e-6;
  return std::any_of(curves.begin(), curves.end(), [&](const ResponseBranch& curve) {
    return curve.points.size() > 1 && std::abs(curve.points.back().frequency - fold.frequency) < same * fold.frequency;
  });
}

const BranchRestart& restart_of(const std::vector<BranchRestart>& restarts, std::size_t index) {
  static const BranchRestart fresh;
  return index < restarts.size() ? restarts[index] : fresh;
}

}  // namespace

ResponseCurves resonance_tracking(const Model& model, const ResonanceTrackingRequest& request, ResultSink* sink,
                                  const ProgressCallback& progress, const std::vector<BranchRestart>& restarts) {
  detail::check_tracking(request);
  require(!request.harmonics.empty(), "Resonance tracking '{}': the list of harmonics is empty.", request.name);
  constexpr int told = 7;  // besides the ends
  for (const int k : request.harmonics) {
    require(k > 0 && HarmonicSet(request.balance.harmonics).find(k) >= 0,
            "Resonance tracking '{}': harmonic {} is not among the balanced harmonics that oscillate.", request.name,
            k);
  }
  TrackedPlace place(model, request, request.harmonics);
  place.task().marks = marks_of(request, told);
  std::vector<detail::AmplitudeCondition> parts;
  const Vector weights = request.observed.weights(model.structure->size());
  for (const int k : request.harmonics) parts.emplace_back(k, weights, request.observed.quantity, 1.0);
  place.tell_amplitude(
      [&](HarmonicBalance& balance, const AugmentedProblem::State& state) {
        double sum = 0.0;
        for (auto& part : parts) sum += std::pow(part.amplitude({balance, state.x, state.omega(), 1.0}), 2);
        return std::sqrt(sum);
      },
      request.observed);
  const BranchRestart& restart = restart_of(restarts, 0);
  const detail::TrackingStart start =
      restart.points.empty() && !restart.ended ? detail::find_peaks(model, request) : detail::TrackingStart{};
  std::optional<ResponsePoint> first;
  if (!start.points.empty()) first = start.points.front();
  BranchHeader header{.label = fmt::format("resonance of {}", request.observed.name)};
  header.kind = "resonance-tracking";
  auto condition =
      std::make_unique<detail::PeakCondition>(request.observed, model.structure->size(), request.harmonics);
  return {.branches = {
              place.run(std::move(condition), std::move(header), first, start.message, restart, {sink, progress})}};
}

ResponseCurves fold_tracking(const Model& model, const FoldTrackingRequest& request, ResultSink* sink,
                             const ProgressCallback& progress, const std::vector<BranchRestart>& restarts) {
  detail::check_tracking(request);
  const detail::TrackingStart start = detail::find_folds(model, request);
  const detail::RunOutput output{sink, progress};
  ResponseCurves curves;
  const auto follow = [&](const std::optional<ResponsePoint>& fold) {
    const std::size_t index = curves.branches.size();
    curves.branches.push_back(
        follow_fold(model, request, static_cast<int>(index), fold, start.message, restart_of(restarts, index), output));
  };
  if (start.points.empty()) follow(std::nullopt);
  for (const ResponsePoint& fold : start.points) {
    if (static_cast<int>(curves.branches.size()) < most_tracked_folds && !passes(curves.branches, fold)) follow(fold);
  }
  detail::add_isolas(model, request, curves, restarts, output);
  return curves;
}

}  // namespace masing
