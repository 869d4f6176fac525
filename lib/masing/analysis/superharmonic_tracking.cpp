#include "masing/analysis/superharmonic_tracking.hpp"

#include "masing/analysis/detail/superharmonic_condition.hpp"
#include "masing/analysis/detail/tracked_place.hpp"
#include "masing/analysis/detail/tracking_start.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace masing {

namespace {

using detail::AugmentedProblem;
using detail::FoundPlace;
using detail::TrackedPlace;
using detail::TrackingStart;

/// The response at the first level, looked at for places where the phase passes a quarter of a turn as at a resonance and not
/// as at an antiresonance: from in phase to against what drives the harmonic, on the way up.
class CrossingSearch {
 public:
  CrossingSearch(const Model& model, const SuperharmonicTrackingRequest& request)
      : request_(request),
        balance_(*model.structure, model.joints, model.loads, request.balance),
        condition_(request.harmonic) {
    balance_.set_level(request.from_level);
  }

  TrackingStart find(const ResponseBranch& response) {
    TrackingStart start;
    start.stopped = response.end.stop == to_string(ContinuationStop::stopped_by_user);
    if (!start.stopped) start.places = crossings(response);
    if (start.places.empty()) start.message = nowhere(response);
    const auto better = [&](const FoundPlace& a, const FoundPlace& b) {
      if (request_.near <= 0.0) return size(a.point) > size(b.point);
      return std::abs(a.point.frequency - request_.near) < std::abs(b.point.frequency - request_.near);
    };
    std::stable_sort(start.places.begin(), start.places.end(), better);
    return start;
  }

 private:
  /// ψ on the way up; none where the harmonic has no phase.
  std::optional<double> phase(const ResponsePoint& point) {
    // What Newton's method leaves of the motion, and a decade for the resonance of the harmonic.
    const double resolved = 10.0 * request_.newton.residual_tolerance;
    const detail::ConditionPoint at{balance_, point.coefficients, 2.0 * pi * point.frequency, 1.0};
    if (!condition_.has_phase(at, resolved)) return std::nullopt;
    condition_.evaluate(at, value_);
    return request_.to > request_.from ? value_.value : -value_.value;
  }

  std::vector<FoundPlace> crossings(const ResponseBranch& response) {
    std::vector<FoundPlace> found;
    std::optional<double> before;
    for (std::size_t i = 0; i < response.points.size(); ++i) {
      const std::optional<double> here = phase(response.points[i]);
      is_driven_ = is_driven_ || here;
      if (before && here && *before < 0.0 && *here >= 0.0) {
        found.push_back(between(response, i - 1, *before / (*before - *here)));
      }
      before = here;
    }
    return found;
  }

  /// A share t of the way to the next point, in the larger set of both.
  static FoundPlace between(const ResponseBranch& response, std::size_t i, double t) {
    const ResponsePoint &from = response.points[i], &to = response.points[i + 1];
    FoundPlace place = detail::found_place(response.header, from);
    const FoundPlace next = detail::found_place(response.header, to);
    if (next.harmonic_count > place.harmonic_count) place = next;
    place.point = {.frequency = (1.0 - t) * from.frequency + t * to.frequency,
                   .coefficients = (1.0 - t) * from.coefficients + t * to.coefficients,
                   .tangent = {},
                   .observations = {}};
    return place;
  }

  double size(const ResponsePoint& point) const {
    const HarmonicSet& set = balance_.set();
    const Index motions = balance_.motions();
    return point.coefficients.segment(set.cosine(set.find(request_.harmonic)) * motions, 2 * motions).norm();
  }

  std::string nowhere(const ResponseBranch& response) const {
    const std::string level = detail::level_words(request_, request_.from_level);
    if (!response.end.complete) {
      return fmt::format("The response at the first level, {}, shows no resonance of harmonic {}. {}", level,
                         request_.harmonic, response.end.message);
    }
    if (!is_driven_) {
      return fmt::format(
          "On the response at the first level, {}, from {:.6g} to {:.6g} Hz the joints do not drive harmonic {}: all "
          "of "
          "it is rounding, as where nothing slips or no contact opens. Begin at a larger level.",
          level, request_.from, request_.to, request_.harmonic);
    }
    return fmt::format(
        "On the response at the first level, {}, harmonic {} is nowhere between {:.6g} and {:.6g} Hz in quadrature "
        "with the joint forces that drive it. Begin at another level, or widen the range of frequencies.",
        level, request_.harmonic, request_.from, request_.to);
  }

  const SuperharmonicTrackingRequest& request_;
  HarmonicBalance balance_;
  detail::SuperharmonicCondition condition_;
  detail::ConditionValue value_;
  bool is_driven_ = false;
};

TrackingStart find_start(const Model& model, const SuperharmonicTrackingRequest& request,
                         const ProgressCallback& progress) {
  TrackingStart start;
  FrequencyResponseRequest ask = detail::response_at(request, request.from_level);
  ask.observables = {request.observed};
  ask.peak_harmonics = {request.harmonic};  // adaptive sets hold it then
  const ResponseCurves response = frequency_response(model, ask, nullptr, detail::heard_as_search(progress));
  const auto began = start.began;
  start = CrossingSearch(model, request).find(response.branches.front());
  start.began = began;
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
  TrackedPlace place(model, request, request.stability, {request.harmonic});
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
  TrackingStart start;
  if (detail::needs_start(restart)) start = find_start(model, request, progress);
  BranchHeader header{.label = fmt::format("superharmonic {}:1 of {}", request.harmonic, request.observed.name)};
  header.kind = "superharmonic-tracking";
  ResponseCurves curves;
  curves.branches.push_back(place.run(std::make_unique<detail::SuperharmonicCondition>(request.harmonic),
                                      std::move(header), start, restart, {sink, progress}));
  if (!curves.branches.front().points.empty()) curves.notes = place.notes();
  return curves;
}

}  // namespace masing
