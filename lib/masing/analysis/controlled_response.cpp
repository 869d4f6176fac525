#include "masing/analysis/controlled_response.hpp"

#include "masing/analysis/detail/control_start.hpp"
#include "masing/analysis/detail/curve_run.hpp"
#include "masing/core/error.hpp"
#include "masing/core/parallel.hpp"

#include <cmath>

namespace masing {

namespace {

using detail::AugmentedProblem;
using detail::CurveTask;
using detail::FirstSolution;

PointQuantity level_quantity(const CurveRequest& request) {
  return {"level", request.level_unit.empty() ? "1" : request.level_unit, "level of the oscillating loads"};
}

// Runs all branches, each by make(i, restart).
template <class Make>
ResponseCurves run_all(std::size_t count, int threads, const std::vector<BranchRestart>& restarts, const Make& make) {
  ResponseCurves curves;
  curves.branches.resize(count);
  const BranchRestart fresh;
  for_each_task(static_cast<int>(count), threads, [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    curves.branches[at] = make(at, at < restarts.size() ? restarts[at] : fresh);
  });
  return curves;
}

ResponseBranch force_response_at(const Model& model, const ForceResponseRequest& request, std::size_t index,
                                 const BranchRestart& restart, const detail::RunOutput& output) {
  const double frequency = request.frequencies[index];
  detail::HarmonicLadder ladder(model, request.balance, request.stability);
  HarmonicBalance& balance = ladder.first().balance;
  AugmentedProblem problem(balance, detail::Parameter::level, {}, {.frequency = frequency}, {});
  CurveTask task;
  task.range = {.from = std::log10(request.from_level), .to = std::log10(request.to_level)};
  for (const double mark : request.marks) task.marks.push_back(std::log10(mark));
  task.first = [&] {
    balance.set_level(request.from_level);
    FirstSolution first =
        detail::first_solution(balance, frequency, request.newton, detail::search_heard_by(output, request.name));
    if (!first.found) return first;
    first.x = problem.unknowns(first.x, {.frequency = frequency, .level = request.from_level}, task.range.from);
    return first;
  };
  task.quantities = [&](const AugmentedProblem::State& state, const detail::EnergyTerms&) {
    return Vector::Constant(1, state.controls.level * request.level_value);
  };
  task.parameter_text = [&](double lambda) {
    return fmt::format("level {:.6g} {}", std::pow(10.0, lambda) * request.level_value, request.level_unit);
  };
  BranchHeader header{.index = static_cast<int>(index), .level = frequency, .level_unit = "Hz"};
  header.kind = "force-response";
  header.quantities = {level_quantity(request)};
  return detail::run_curve(model, request, ladder, problem, std::move(header), task, restart, output);
}

// --- response control ------------------------------------------------------------------------------------------------

ResponseBranch response_control_at(const Model& model, const ResponseControlRequest& request, std::size_t index,
                                   const BranchRestart& restart, const detail::RunOutput& output) {
  const double amplitude = request.amplitudes[index];
  detail::HarmonicLadder ladder(model, request.balance, request.stability, {request.harmonic});
  HarmonicBalance& balance = ladder.first().balance;
  const Vector weights = request.controlled.weights(model.structure->size());
  std::vector<std::unique_ptr<detail::Condition>> conditions;
  conditions.push_back(
      std::make_unique<detail::AmplitudeCondition>(request.harmonic, weights, request.controlled.quantity, amplitude));
  AugmentedProblem problem(balance, detail::Parameter::frequency, {detail::Control::level}, {}, std::move(conditions));
  CurveTask task;
  task.range = {.from = request.from, .to = request.to};
  task.locates_levels = true;
  task.first = [&] {
    detail::ControlStart::Result start =
        detail::ControlStart(balance, request, amplitude, detail::search_heard_by(output, request.name)).find();
    if (start.solution.found) {
      start.solution.x = problem.unknowns(start.solution.x, {.level = start.level}, request.from);
    }
    return start.solution;
  };
  task.quantities = [&](const AugmentedProblem::State& state, const detail::EnergyTerms&) {
    return Vector::Constant(1, std::abs(state.controls.level) * request.level_value);
  };
  task.parameter_text = [](double frequency) { return fmt::format("{:.6g} Hz", frequency); };
  BranchHeader header{
      .index = static_cast<int>(index), .level = amplitude, .level_unit = std::string(unit_of(request.controlled))};
  header.kind = "response-control";
  header.quantities = {level_quantity(request)};
  return detail::run_curve(model, request, ladder, problem, std::move(header), task, restart, output);
}

}  // namespace

ResponseCurves force_response(const Model& model, const ForceResponseRequest& request, ResultSink* sink,
                              const ProgressCallback& progress, const std::vector<BranchRestart>& restarts) {
  require(request.from_level > 0.0 && request.to_level > 0.0 && request.from_level != request.to_level,
          "Force response '{}': the levels {} and {} must both be > 0, and differ.", request.name, request.from_level,
          request.to_level);
  require(!request.frequencies.empty(), "Force response '{}': the list of frequencies is empty.", request.name);
  for (const double frequency : request.frequencies) {
    require(frequency > 0.0, "Force response '{}': the frequency {} Hz must be > 0.", request.name, frequency);
  }
  const detail::RunOutput output{sink, progress};
  return run_all(request.frequencies.size(), request.threads, restarts,
                 [&](std::size_t i, const BranchRestart& restart) {
                   return force_response_at(model, request, i, restart, output);
                 });
}

ResponseCurves response_control(const Model& model, const ResponseControlRequest& request, ResultSink* sink,
                                const ProgressCallback& progress, const std::vector<BranchRestart>& restarts) {
  require(request.from > 0.0 && request.to > 0.0 && request.from != request.to,
          "Response control '{}': from = {} Hz and to = {} Hz must both be > 0, and differ.", request.name,
          request.from, request.to);
  require(!request.amplitudes.empty(), "Response control '{}': the list of amplitudes is empty.", request.name);
  const std::vector<int>& harmonics = request.balance.harmonics;
  require(request.harmonic > 0 && std::find(harmonics.begin(), harmonics.end(), request.harmonic) != harmonics.end(),
          "Response control '{}': harmonic {} is not among the balanced harmonics.", request.name, request.harmonic);
  const detail::RunOutput output{sink, progress};
  return run_all(request.amplitudes.size(), request.threads, restarts,
                 [&](std::size_t i, const BranchRestart& restart) {
                   return response_control_at(model, request, i, restart, output);
                 });
}

}  // namespace masing
