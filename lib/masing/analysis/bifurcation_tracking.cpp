#include "masing/analysis/bifurcation_tracking.hpp"

#include "masing/analysis/detail/curve_run.hpp"
#include "masing/analysis/detail/followed_branches.hpp"
#include "masing/analysis/detail/multiplier_condition.hpp"
#include "masing/analysis/detail/tracking_start.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace masing {

namespace {

using detail::AugmentedProblem;
using detail::PointStability;

StabilityOptions used_stability(const BifurcationTrackingRequest& request) {
  StabilityOptions options = request.stability;
  if (options.method == StabilityMethod::none) options.method = StabilityMethod::monodromy;
  return options;
}

/// Where a curve begins: a point of a branch of the first response, with the harmonics and the period of that branch.
struct Start {
  ResponsePoint point;
  std::vector<int> harmonics;
  Index samples = 0;
  int periods = 1;
};

/// The points of that kind at the first level; the nearest to `near` alone, if that is given.
std::vector<Start> find_points(const Model& model, const BifurcationTrackingRequest& request,
                               const ProgressCallback& progress, std::string& message) {
  FrequencyResponseRequest ask = detail::response_at(request, request.from_level);
  ask.stability = used_stability(request);
  ask.follow = request.follow;
  const FrequencyResponse response = frequency_response(model, ask, nullptr, detail::heard_as_search(progress));
  std::vector<Start> starts;
  for (const ResponseBranch& branch : response.branches) {
    for (const SpecialPoint& special : branch.special_points) {
      if (special.kind != request.of) continue;
      starts.push_back({special.point, branch.header.harmonics, branch.header.samples, branch.header.periods});
    }
  }
  message = fmt::format("The response at the first level, {}, has no {} point between {:.6g} and {:.6g} Hz. {}",
                        detail::level_words(request, request.from_level), request.of, request.from, request.to,
                        response.branches.front().end.message);
  if (request.near <= 0.0 || starts.empty()) return starts;
  return {*std::min_element(starts.begin(), starts.end(), [&](const Start& a, const Start& b) {
    return std::abs(a.point.frequency - request.near) < std::abs(b.point.frequency - request.near);
  })};
}

/// The request for a curve that begins there.
BifurcationTrackingRequest curve_request(BifurcationTrackingRequest request, const Start& start) {
  request.stability = used_stability(request);
  if (start.harmonics.empty()) return request;
  request.balance.harmonics = start.harmonics;
  request.balance.samples = start.samples;
  request.stability.steps *= start.periods;
  return request;
}

class TrackedBifurcation {
 public:
  TrackedBifurcation(const Model& model, const BifurcationTrackingRequest& request, const Start& start)
      : model_(detail::with_longer_period(model, start.periods)),
        start_(start),
        request_(curve_request(request, start)),
        curve_(request_),
        ladder_(model_, request_.balance),
        balance_(ladder_.first().balance),
        stability_(model_, request_.balance, request_.stability) {
    curve_.stability = {};  // along the curve the test is zero: it has no further zeros to look for
    task_.periods = start.periods;
    task_.range = {.from = std::log10(request.from_level), .to = std::log10(request.to_level)};
    task_.parameter_text = [this](double lambda) { return detail::level_words(request_, std::pow(10.0, lambda)); };
    task_.quantities = [this](const AugmentedProblem::State& state, const detail::EnergyTerms&) {
      return Vector{{state.controls.level * request_.level_value, modulation(state)}};
    };
    task_.turning_point = [](const BranchPoint& /*point*/, const Vector& before) {
      const bool minimum = before[before.size() - 1] < 0.0;
      return std::string(minimum ? "least level" : "highest level");
    };
    task_.may_return = true;
  }

  /// The search for its start is part of its work.
  void count_from(std::chrono::steady_clock::time_point began) { task_.began = began; }

  /// `found`: there is a point to begin at; else `message` says why there is none.
  ResponseBranch run(int index, bool found, const std::string& message, const BranchRestart& restart,
                     const detail::RunOutput& output) {
    const bool doubles = request_.of == "period-doubling";
    std::vector<std::unique_ptr<detail::Condition>> conditions;
    conditions.push_back(std::make_unique<detail::MultiplierCondition>(
        stability_, doubles ? detail::period_doubling_test : detail::neimark_sacker_test));
    AugmentedProblem problem(balance_, detail::Parameter::level, {detail::Control::frequency}, {},
                             std::move(conditions));
    task_.first = [&]() -> detail::FirstSolution {
      if (!found) return {.x = {}, .found = false, .message = message};
      const detail::Controls controls{.frequency = start_.point.frequency / start_.periods,
                                      .level = request_.from_level};
      const Vector& x = start_.point.coefficients;
      return {.x = problem.unknowns(x, controls, task_.range.from), .found = true, .message = {}};
    };
    const std::string whose = start_.periods > 1 ? fmt::format(" of {} periods", start_.periods) : "";
    BranchHeader header{.index = index, .label = fmt::format("{} {}{}", request_.of, index + 1, whose)};
    header.kind = "bifurcation-tracking";
    header.periods = start_.periods;
    header.quantities = {
        {"level", request_.level_unit.empty() ? "1" : request_.level_unit, "level of the oscillating loads"},
        {"modulation_frequency", "Hz", "at which the motion is modulated beyond this border"}};
    return detail::run_curve(model_, curve_, ladder_, problem, std::move(header), task_, restart, output);
  }

 private:
  double modulation(const AugmentedProblem::State& state) {
    if (request_.of == "period-doubling") return 0.5 * state.controls.frequency;
    const double angle = stability_.modulation_angle(balance_.recover(state.x, state.omega()), state.omega());
    return state.controls.frequency * angle / 360.0;
  }

  Model model_;
  Start start_;
  BifurcationTrackingRequest request_;
  CurveRequest curve_;
  detail::HarmonicLadder ladder_;
  HarmonicBalance& balance_;
  PointStability stability_;
  detail::CurveTask task_;
};

}  // namespace

ResponseCurves bifurcation_tracking(const Model& model, const BifurcationTrackingRequest& request, ResultSink* sink,
                                    const ProgressCallback& progress, const std::vector<BranchRestart>& restarts) {
  detail::check_tracking(request);
  require(request.of == "neimark-sacker" || request.of == "period-doubling",
          "Bifurcation tracking '{}': of = '{}' is neither neimark-sacker nor period-doubling.", request.name,
          request.of);
  require(!request.balance.adaptive,
          "Bifurcation tracking '{}': harmonics = \"adaptive\" cannot be used, because a multiplier is followed that "
          "belongs "
          "to one set of harmonics. Give the set that a response with adaptive harmonics used there.",
          request.name);
  std::string message;
  const auto began = std::chrono::steady_clock::now();
  const std::vector<Start> starts = find_points(model, request, progress, message);
  ResponseCurves curves;
  const BranchRestart fresh;
  const auto follow = [&](const Start& start, bool found) {
    const std::size_t index = curves.branches.size();
    TrackedBifurcation tracked(model, request, start);
    if (index == 0) tracked.count_from(began);
    curves.branches.push_back(tracked.run(static_cast<int>(index), found, message,
                                          index < restarts.size() ? restarts[index] : fresh, {sink, progress}));
  };
  if (starts.empty()) follow({}, false);
  for (const Start& start : starts) {
    constexpr double same = 1e-6;
    const double frequency = start.point.frequency;
    const bool passed = std::any_of(curves.branches.begin(), curves.branches.end(), [&](const ResponseBranch& curve) {
      return curve.points.size() > 1 && std::abs(curve.points.back().frequency - frequency) < same * frequency;
    });
    if (!passed && static_cast<int>(curves.branches.size()) < most_tracked_bifurcations) follow(start, true);
  }
  return curves;
}

}  // namespace masing
