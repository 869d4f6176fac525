#include "masing/analysis/bifurcation_tracking.hpp"

#include "masing/analysis/detail/curve_run.hpp"
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

/// The points of that kind on the response at the first level, those nearest to `near` first.
std::vector<ResponsePoint> find_points(const Model& model, const BifurcationTrackingRequest& request,
                                       std::string& message) {
  FrequencyResponseRequest ask = detail::response_at(request, request.from_level);
  ask.stability = used_stability(request);
  const ResponseBranch branch = frequency_response(model, ask).branches.front();
  std::vector<ResponsePoint> points;
  for (const SpecialPoint& special : branch.special_points) {
    if (special.kind == request.of) points.push_back(special.point);
  }
  message = fmt::format("The response at the first level, {}, has no {} point between {:.6g} and {:.6g} Hz. {}",
                        detail::level_words(request, request.from_level), request.of, request.from, request.to,
                        branch.end.message);
  if (request.near <= 0.0 || points.empty()) return points;
  return {*std::min_element(points.begin(), points.end(), [&](const ResponsePoint& a, const ResponsePoint& b) {
    return std::abs(a.frequency - request.near) < std::abs(b.frequency - request.near);
  })};
}

class TrackedBifurcation {
 public:
  TrackedBifurcation(const Model& model, const BifurcationTrackingRequest& request)
      : model_(model),
        request_(request),
        curve_(request),
        ladder_(model, request.balance),
        balance_(ladder_.first().balance),
        stability_(model, request.balance, used_stability(request)) {
    curve_.stability = {};  // along the curve the test is zero: it has no further zeros to look for
    task_.range = {.from = std::log10(request.from_level), .to = std::log10(request.to_level)};
    task_.parameter_text = [&](double lambda) { return detail::level_words(request, std::pow(10.0, lambda)); };
    task_.quantities = [&](const AugmentedProblem::State& state, const detail::EnergyTerms&) {
      return Vector{{state.controls.level * request.level_value, modulation(state)}};
    };
    task_.turning_point = [](const BranchPoint&, bool minimum) {
      return std::string(minimum ? "least level" : "highest level");
    };
    task_.may_return = true;
  }

  ResponseBranch run(int index, const std::optional<ResponsePoint>& start, const std::string& message,
                     const BranchRestart& restart, const detail::RunOutput& output) {
    const bool doubles = request_.of == "period-doubling";
    std::vector<std::unique_ptr<detail::Condition>> conditions;
    conditions.push_back(std::make_unique<detail::MultiplierCondition>(
        stability_, doubles ? detail::period_doubling_test : detail::neimark_sacker_test));
    AugmentedProblem problem(balance_, detail::Parameter::level, {detail::Control::frequency}, {},
                             std::move(conditions));
    task_.first = [&]() -> detail::FirstSolution {
      if (!start) return {.x = {}, .found = false, .message = message};
      const detail::Controls controls{.frequency = start->frequency, .level = request_.from_level};
      return {.x = problem.unknowns(start->coefficients, controls, task_.range.from), .found = true, .message = {}};
    };
    BranchHeader header{.index = index, .label = fmt::format("{} {}", request_.of, index + 1)};
    header.kind = "bifurcation-tracking";
    header.quantities = {
        {"level", request_.level_unit.empty() ? "1" : request_.level_unit, "level of the oscillating loads"},
        {"modulation_frequency", "Hz", "at which the motion is modulated beyond this border"}};
    return detail::run_curve(model_, curve_, ladder_, problem, std::move(header), task_, restart, output);
  }

 private:
  /// Of the multiplier nearest to the unit circle that is not real; of −1 for a doubling.
  double modulation(const AugmentedProblem::State& state) {
    if (request_.of == "period-doubling") return 0.5 * state.controls.frequency;
    double nearest = 1.0, angle = 0.0;
    for (const Complex& value : stability_.evaluate(balance_, {state.x, state.omega()}).values) {
      const double distance = std::abs(std::abs(value) - 1.0);
      if (value.imag() <= 0.0 || distance >= nearest) continue;
      nearest = distance;
      angle = std::arg(value);
    }
    return state.controls.frequency * angle / (2.0 * pi);
  }

  const Model& model_;
  const BifurcationTrackingRequest& request_;
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
  const std::vector<ResponsePoint> points = find_points(model, request, message);
  ResponseCurves curves;
  const BranchRestart fresh;
  const auto follow = [&](const std::optional<ResponsePoint>& point) {
    const std::size_t index = curves.branches.size();
    TrackedBifurcation tracked(model, request);
    curves.branches.push_back(tracked.run(static_cast<int>(index), point, message,
                                          index < restarts.size() ? restarts[index] : fresh, {sink, progress}));
  };
  if (points.empty()) follow(std::nullopt);
  for (const ResponsePoint& point : points) {
    constexpr double same = 1e-6;
    const bool passed = std::any_of(curves.branches.begin(), curves.branches.end(), [&](const ResponseBranch& curve) {
      return curve.points.size() > 1 &&
             std::abs(curve.points.back().frequency - point.frequency) < same * point.frequency;
    });
    if (!passed && static_cast<int>(curves.branches.size()) < most_tracked_bifurcations) follow(point);
  }
  return curves;
}

}  // namespace masing
