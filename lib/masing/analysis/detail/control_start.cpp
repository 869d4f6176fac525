#include "masing/analysis/detail/control_start.hpp"

#include "masing/analysis/detail/tracking_start.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace masing::detail {

namespace {

constexpr double nothing = 1e-6;  // of the motion: rounding, however badly conditioned the structure is
constexpr double decades_below = 3.0, decades_above = 3.0, decades_above_undriven = 9.0;

}  // namespace

ControlStart::ControlStart(HarmonicBalance& balance, const ResponseControlRequest& request, double amplitude,
                           StartSearch search)
    : balance_(balance),
      request_(request),
      amplitude_(amplitude),
      search_(std::move(search)),
      omega_(2.0 * pi * request.from),
      weights_(request.controlled.weights(balance.load(0).size())),
      measure_(request.harmonic, weights_, request.controlled.quantity, amplitude) {}

ControlStart::Result ControlStart::find() {
  const LinearAnswer linear = linear_answer_of_sensor();
  if (!(linear.largest > 0.0)) {
    return none(
        fmt::format("The loads move nothing at {:.6g} Hz while the joints are as at rest, so that no level is "
                    "known to begin with. Begin at another frequency, or let a load act on what moves.",
                    request_.from));
  }
  const double wanted = amplitude_ / std::abs(quantity_factor(request_.controlled.quantity, request_.harmonic, omega_));
  const double small = std::log10(wanted / linear.largest);
  const bool driven = linear.controlled > nothing * linear.largest;
  return raise(
      {.from = small - decades_below,
       .to = driven ? std::log10(wanted / linear.controlled) + decades_above : small + decades_above_undriven});
}

ControlStart::LinearAnswer ControlStart::linear_answer_of_sensor() {
  balance_.set_level(1.0);
  const Vector linear = linear_answer(balance_, omega_);
  LinearAnswer result;
  double all_that_moves = 0.0;
  for (Index i = 0; i < balance_.set().count(); ++i) {
    const int k = balance_.set()[i];
    if (k == 0) continue;
    const ComplexVector& all = balance_.recover_amplitudes(linear, omega_, i);
    const double seen = std::abs((weights_.array() * all.array()).sum());
    if (k == request_.harmonic) result.controlled = seen;
    result.largest = std::max(result.largest, seen);
    all_that_moves = std::max(all_that_moves, weights_.norm() * all.norm());
  }
  if (result.largest < nothing * all_that_moves) result.largest = all_that_moves;
  return result;
}

double ControlStart::amplitude_of(const AugmentedProblem::State& state) {
  return measure_.amplitude({balance_, state.x, omega_, 1.0});
}

ControlStart::Result ControlStart::raise(const ParameterRange& decades) {
  AugmentedProblem problem(balance_, Parameter::level, {}, {.frequency = request_.from}, {});
  balance_.set_level(std::pow(10.0, decades.from));
  FirstSolution low = first_solution(balance_, request_.from, request_.newton, search_);
  if (!low.found) return {std::move(low), 1.0};
  const auto amplitude_at = [&](const BranchPoint& point) {
    return amplitude_of(problem.state(point.x, point.lambda));
  };
  std::optional<BranchPoint> reached;
  Passed passed;
  bool stopped = false;
  ContinuationHooks hooks;
  hooks.events.push_back({.name = "amplitude", .value = [&](const BranchPoint& point, const Vector&) {
                            return amplitude_at(point) / amplitude_ - 1.0;
                          }});
  hooks.on_event = [&](const BranchEvent& event) {
    if (event.name == "amplitude" && !reached) reached = event.point;
  };
  hooks.on_point = [&](const BranchPoint& point, Index index) {
    const double here = amplitude_at(point);
    passed = index == 0 ? Passed{here, here} : Passed{std::min(passed.least, here), std::max(passed.most, here)};
    stopped = search_.go_on && !search_.go_on("raising the load");
    return !reached && !stopped;
  };
  hooks.parameter_text = [&](double lambda) { return level_words(request_, std::pow(10.0, lambda)); };
  Continuation rise(problem, decades, {}, request_.newton);
  const Branch path = rise.follow(problem.unknowns(low.x, {}, decades.from), hooks);
  if (!reached) return none(not_found(decades, passed, path.summary.message), stopped);
  const AugmentedProblem::State& state = problem.state(reached->x, reached->lambda);
  return {{.x = state.x, .found = true, .message = {}}, state.controls.level};
}

ControlStart::Result ControlStart::none(const std::string& message, bool stopped) const {
  return {{.x = {}, .found = false, .message = message, .stopped = stopped}, 1.0};
}

std::string ControlStart::sensor_words() const {
  return request_.harmonic == 1 ? fmt::format("'{}'", request_.controlled.name)
                                : fmt::format("harmonic {} of '{}'", request_.harmonic, request_.controlled.name);
}

std::string ControlStart::not_found(const ParameterRange& decades, const Passed& passed, const std::string& end) const {
  const std::string_view unit = unit_of(request_.controlled);
  const std::string remedy = passed.most < nothing * amplitude_
                                 ? "Neither the loads nor the joints drive it: hold another harmonic or another sensor."
                                 : "Hold an amplitude in between, or begin at another frequency.";
  return fmt::format(
      "No level was found at which {} has the amplitude {:.6g} {} at {:.6g} Hz: where the load was raised from {} "
      "towards {}, it has {:.3g} to {:.6g} {}. {} {}",
      sensor_words(), amplitude_, unit, request_.from, level_words(request_, std::pow(10.0, decades.from)),
      level_words(request_, std::pow(10.0, decades.to)), passed.least, passed.most, unit, end, remedy);
}

}  // namespace masing::detail
