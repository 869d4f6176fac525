#include "masing/analysis/superharmonic_tracking.hpp"

#include "masing/analysis/detail/superharmonic_condition.hpp"
#include "masing/analysis/detail/tracked_place.hpp"
#include "masing/analysis/detail/tracking_start.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace masing {

namespace {

using detail::AugmentedProblem;
using detail::TrackedPlace;

/// Where the phase passes a quarter of a turn along the response at the first level, as at a resonance and not as at an
/// antiresonance: from in phase to against what drives the harmonic, on the way up.
std::vector<ResponsePoint> crossings(const ResponseBranch& response, HarmonicBalance& balance, int harmonic,
                                     bool upwards) {
  detail::SuperharmonicCondition condition(harmonic);
  detail::ConditionValue value;
  std::vector<ResponsePoint> found;
  double before = 0.0;
  for (std::size_t i = 0; i < response.points.size(); ++i) {
    const ResponsePoint& point = response.points[i];
    condition.evaluate({balance, point.coefficients, 2.0 * pi * point.frequency, 1.0}, value);
    const double here = upwards ? value.value : -value.value;
    if (i > 0 && before < 0.0 && here >= 0.0) {
      const ResponsePoint& last = response.points[i - 1];
      const double t = before / (before - here);
      found.push_back({.frequency = (1.0 - t) * last.frequency + t * point.frequency,
                       .coefficients = (1.0 - t) * last.coefficients + t * point.coefficients,
                       .tangent = {},
                       .observations = {}});
    }
    before = here;
  }
  return found;
}

detail::TrackingStart find_start(const Model& model, const SuperharmonicTrackingRequest& request) {
  HarmonicBalance balance(*model.structure, model.joints, model.loads, request.balance);
  const ResponseBranch response =
      frequency_response(model, detail::response_at(request, request.from_level)).branches.front();
  balance.set_level(request.from_level);
  detail::TrackingStart start;
  start.points = crossings(response, balance, request.harmonic, request.to > request.from);
  if (start.points.empty()) {
    start.message = fmt::format(
        "On the response at the first level, {}, harmonic {} is nowhere between {:.6g} and {:.6g} Hz in quadrature "
        "with the joint forces that drive it. {}",
        detail::level_words(request, request.from_level), request.harmonic, request.from, request.to,
        response.end.complete ? "Begin at another level, or widen the range of frequencies." : response.end.message);
    return start;
  }
  const HarmonicSet& set = balance.set();
  const Index motions = balance.motions(), first = set.cosine(set.find(request.harmonic)) * motions;
  const auto size = [&](const ResponsePoint& point) { return point.coefficients.segment(first, 2 * motions).norm(); };
  const auto better = [&](const ResponsePoint& a, const ResponsePoint& b) {
    if (request.near <= 0.0) return size(a) > size(b);
    return std::abs(a.frequency - request.near) < std::abs(b.frequency - request.near);
  };
  std::stable_sort(start.points.begin(), start.points.end(), better);
  return start;
}

void check(const Model& model, const SuperharmonicTrackingRequest& request) {
  detail::check_tracking(request);
  const std::vector<int>& balanced = request.balance.harmonics;
  require(request.harmonic > 1 && std::find(balanced.begin(), balanced.end(), request.harmonic) != balanced.end(),
          "Superharmonic tracking '{}': harmonic {} must be above 1 and among the balanced harmonics.", request.name,
          request.harmonic);
  for (const Load& load : model.loads) {
    require(load.harmonic != request.harmonic,
            "Superharmonic tracking '{}': harmonic {} has a load of its own; it is driven by the joints alone.",
            request.name, request.harmonic);
  }
}

}  // namespace

ResponseCurves superharmonic_tracking(const Model& model, const SuperharmonicTrackingRequest& request, ResultSink* sink,
                                      const ProgressCallback& progress, const std::vector<BranchRestart>& restarts) {
  check(model, request);
  constexpr int told = 7;  // besides the ends
  TrackedPlace place(model, request, {request.harmonic});
  place.task().marks = detail::level_marks(request, told);
  detail::AmplitudeCondition measure(request.harmonic, request.observed.weights(model.structure->size()),
                                     request.observed.quantity, 1.0);
  place.tell_amplitude(
      [&](HarmonicBalance& balance, const AugmentedProblem::State& state) {
        return measure.amplitude({balance, state.x, state.omega(), 1.0});
      },
      request.observed, fmt::format("amplitude of {} in harmonic {}", request.observed.name, request.harmonic));
  const BranchRestart fresh;
  const BranchRestart& restart = restarts.empty() ? fresh : restarts.front();
  detail::TrackingStart start;
  if (restart.points.empty() && !restart.ended) start = find_start(model, request);
  std::optional<ResponsePoint> first;
  if (!start.points.empty()) first = start.points.front();
  BranchHeader header{.label = fmt::format("superharmonic {}:1 of {}", request.harmonic, request.observed.name)};
  header.kind = "superharmonic-tracking";
  return {.branches = {place.run(std::make_unique<detail::SuperharmonicCondition>(request.harmonic), std::move(header),
                                 first, start.message, restart, {sink, progress})}};
}

}  // namespace masing
