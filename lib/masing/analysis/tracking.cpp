#include "masing/analysis/tracking.hpp"

#include "masing/analysis/detail/corner_fold.hpp"
#include "masing/analysis/detail/fold_condition.hpp"
#include "masing/analysis/detail/isola_search.hpp"
#include "masing/analysis/detail/peak_condition.hpp"
#include "masing/analysis/detail/tracked_place.hpp"
#include "masing/analysis/detail/tracking_start.hpp"
#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

#include <algorithm>
#include <cmath>

namespace masing {

namespace {

using detail::AugmentedProblem;
using detail::TrackedPlace;
using detail::TrackingStart;

ResponseBranch run(TrackedPlace& place, std::unique_ptr<detail::TrackingCondition> condition, BranchHeader header,
                   const TrackingStart& start, const BranchRestart& restart, const detail::RunOutput& output) {
  place.follow_with([tracked = condition.get()](HarmonicBalance& balance, const Vector& x, double omega) {
    tracked->follow(balance, x, omega);
  });
  return place.run(std::move(condition), std::move(header), start, restart, output);
}

// --- folds -------------------------------------------------------------------------------------------------------------

// Where the level has an extremum along a curve of folds. At a cusp frequency and level both stand still; or both turn round there
// suddenly, where one of two folds that meet is a corner of the response. `before`: the tangent at the point before.
std::string turning_point(const BranchPoint& point, const Vector& before) {
  constexpr double standing_still = 1e-6;  // of the unit tangent; located to 1e-10
  const Index level = before.size() - 1, frequency = level - 1;
  const Vector& here = point.tangent;
  const bool sudden = std::abs(here[level]) > standing_still;
  const bool still_before = here[level] * before[level] > 0.0;  // then the frequency is not known to go on
  const bool turns_round = still_before || here[frequency] * before[frequency] < 0.0;
  if (sudden ? turns_round : std::abs(here[frequency]) < standing_still) return "cusp";
  return before[level] < 0.0 ? "isola birth" : "isola merging";
}

// Sliders, and other joints that remember: where one begins to slip, a response curve has a corner, and may turn back there.
Index makers_of_corners(const Model& model) {
  Index count = 0;
  for (const Joint& joint : model.joints) {
    if (joint.element->at_rest()->memory().size() > 0) count += joint.element->parts();
  }
  return count;
}

// A fold that sits at a corner is followed in steps of a hundredth. The corners of many sliders are small, but each of them would
// cost such steps.
constexpr Index most_makers_of_corners = 64;

enum class FoldKind { smooth, corner };

std::unique_ptr<detail::TrackingCondition> condition_of(FoldKind kind) {
  if (kind == FoldKind::corner) return std::make_unique<detail::CornerFold>();
  return std::make_unique<detail::FoldCondition>();
}

std::string corners_not_followed(Index makers) {
  return fmt::format(
      "A curve of folds stopped, perhaps at a corner: where a slider begins to slip a response may turn back without "
      "being "
      "vertical, and a fold that sits at such a corner is followed with up to {} sliders, but here are {}. Take fewer "
      "`elements`, or law = \"iwan\"; the folds of single responses are right.",
      most_makers_of_corners, makers);
}

/// A curve of folds, as one that follows one kind of them sees it.
struct FoldCurve {
  ResponseBranch branch;
  bool whole = false;  ///< to an end of its range, without a gap
};

FoldCurve follow_folds(const Model& model, const FoldTrackingRequest& request, FoldKind kind, int index,
                       const TrackingStart& start, const BranchRestart& restart, const detail::RunOutput& output) {
  TrackedPlace place(model, request, {});  // at a fold one multiplier is one: request.stability is that of the isolas
  place.task().marks = detail::level_marks(request, 0);
  place.task().turning_point = turning_point;
  place.task().may_return = true;
  place.task().ends_at_zero_frequency = true;
  bool has_gaps = false;
  place.task().ended = [&](const ContinuationSummary& summary) { has_gaps = !summary.jumps.empty(); };
  BranchHeader header{.index = index, .label = index == 0 ? "folds" : fmt::format("folds {}", index + 1)};
  header.kind = "fold-tracking";
  FoldCurve curve{.branch = run(place, condition_of(kind), std::move(header), start, restart, output)};
  curve.whole = curve.branch.end.complete && !has_gaps;
  return curve;
}

// How far a curve goes over ln Ω and the level, up and down.
double length(const ResponseBranch& curve) {
  const Index level = curve.header.find_quantity("level");
  double sum = 0.0;
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    const ResponsePoint &from = curve.points[i - 1], &to = curve.points[i];
    sum += std::abs(std::log(to.frequency / from.frequency)) +
           std::abs(std::log(to.quantities[level] / from.quantities[level]));
  }
  return sum;
}

// Where two branches of the response cross, as where isolas are born and merge, smooth folds are followed, but no difference
// between neighbouring points; at corners it is the other way round. Whichever goes through; if neither does, the farther one.
FoldKind kind_that_goes_through(const Model& model, const FoldTrackingRequest& request, const TrackingStart& start,
                                const ProgressCallback& progress) {
  const Index makers = makers_of_corners(model);
  if (makers == 0 || makers > most_makers_of_corners || start.places.empty()) return FoldKind::smooth;
  const detail::RunOutput unwritten{nullptr, progress};
  const FoldCurve smooth = follow_folds(model, request, FoldKind::smooth, 0, start, {}, unwritten);
  if (smooth.whole) return FoldKind::smooth;
  const FoldCurve corner = follow_folds(model, request, FoldKind::corner, 0, start, {}, unwritten);
  return corner.whole || length(corner.branch) > length(smooth.branch) ? FoldKind::corner : FoldKind::smooth;
}

ResponseBranch follow_fold(const Model& model, const FoldTrackingRequest& request, int index,
                           const TrackingStart& start, const BranchRestart& restart, const detail::RunOutput& output) {
  const FoldKind kind = kind_that_goes_through(model, request, start, output.progress);
  return follow_folds(model, request, kind, index, start, restart, output).branch;
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
  TrackedPlace place(model, request, request.stability, request.harmonics);
  place.task().marks = detail::level_marks(request, told);
  std::vector<detail::AmplitudeCondition> parts;
  const Vector weights = request.observed.weights(model.structure->size());
  for (const int k : request.harmonics) parts.emplace_back(k, weights, request.observed.quantity, 1.0);
  const auto amplitude = [&](HarmonicBalance& balance, const AugmentedProblem::State& state) {
    double sum = 0.0;
    for (auto& part : parts) sum += std::pow(part.amplitude({balance, state.x, state.omega(), 1.0}), 2);
    return std::sqrt(sum);
  };
  place.tell_amplitude(amplitude, request.observed, "amplitude that has its peak here");
  const BranchRestart& restart = restart_of(restarts, 0);
  TrackingStart start;
  if (detail::needs_start(restart)) start = detail::find_peaks(model, request, progress);
  if (start.places.size() > 1) start.places.resize(1);  // not another resonance than the one that was asked for
  BranchHeader header{.label = fmt::format("resonance of {}", request.observed.name)};
  header.kind = "resonance-tracking";
  auto condition =
      std::make_unique<detail::PeakCondition>(request.observed, model.structure->size(), request.harmonics);
  place.seek_with(
      [peak = condition.get()](HarmonicBalance& balance, const AugmentedProblem::State& state) {
        try {
          return peak->is_maximum({balance, state.x, state.omega(), state.scale});
        } catch (const NumericalError&) {  // at a corner that has no point on one side: what it was
          return true;
        }
      },
      [&](double level, double frequency, double peak) {
        return detail::nearest_peak(model, request, level, frequency, peak, progress);
      });
  return {.branches = {run(place, std::move(condition), std::move(header), start, restart, {sink, progress})}};
}

ResponseCurves fold_tracking(const Model& model, const FoldTrackingRequest& request, ResultSink* sink,
                             const ProgressCallback& progress, const std::vector<BranchRestart>& restarts) {
  detail::check_tracking(request);
  const TrackingStart all = detail::find_folds(model, request, progress);
  const detail::RunOutput output{sink, progress};
  ResponseCurves curves;
  const auto follow = [&](const TrackingStart& start) {
    const std::size_t index = curves.branches.size();
    curves.branches.push_back(
        follow_fold(model, request, static_cast<int>(index), start, restart_of(restarts, index), output));
  };
  if (all.places.empty()) follow(all);
  for (const detail::FoundPlace& fold : all.places) {
    if (static_cast<int>(curves.branches.size()) >= most_tracked_folds || passes(curves.branches, fold.point)) continue;
    TrackingStart start{.places = {fold}};
    if (curves.branches.empty()) start.began = all.began;
    follow(start);
  }
  const auto stopped = [](const ResponseBranch& curve) { return !curve.points.empty() && !curve.end.complete; };
  const Index makers = makers_of_corners(model);
  if (makers > most_makers_of_corners && !all.stopped &&
      std::any_of(curves.branches.begin(), curves.branches.end(), stopped)) {
    curves.notes.push_back(corners_not_followed(makers));
  }
  if (!all.stopped) detail::add_isolas(model, request, curves, restarts, output);
  return curves;
}

}  // namespace masing
