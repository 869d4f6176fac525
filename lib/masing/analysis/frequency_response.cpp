#include "masing/analysis/frequency_response.hpp"

#include "masing/analysis/detail/followed_branches.hpp"
#include "masing/analysis/detail/response_branch.hpp"
#include "masing/core/error.hpp"
#include "masing/core/parallel.hpp"

namespace masing {

namespace {

void validate(const FrequencyResponseRequest& request) {
  require(request.from > 0.0 && request.to > 0.0,
          "Frequency response '{}': from = {} Hz and to = {} Hz must both be > 0.", request.name, request.from,
          request.to);
  require(request.from != request.to, "Frequency response '{}': from and to are both {} Hz; give a range.",
          request.name, request.from);
  require(!request.levels.empty(), "Frequency response '{}': the list of levels is empty.", request.name);
  require(!request.observables.empty(), "Frequency response '{}': nothing is observed; give at least one sensor.",
          request.name);
  require(!request.follow.any() || request.stability.method != StabilityMethod::none,
          "Frequency response '{}': bifurcations can be followed only where stability is computed.", request.name);
}

}  // namespace

FrequencyResponse frequency_response(const Model& model, const FrequencyResponseRequest& request, ResultSink* sink,
                                     const ProgressCallback& progress, const std::vector<BranchRestart>& restarts) {
  validate(request);
  FrequencyResponse response;
  response.branches.resize(request.levels.size());
  const BranchRestart fresh;
  for_each_task(static_cast<int>(request.levels.size()), request.threads, [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    detail::ResponseBranchRun run(model, request, {.index = i, .level = at}, sink, progress);
    response.branches[at] = run.run(at < restarts.size() ? restarts[at] : fresh);
  });
  if (request.follow.any()) detail::follow_bifurcations(model, request, sink, progress, restarts, response);
  return response;
}

JacobianCheck check_jacobian(const Model& model, const FrequencyResponseRequest& request, double frequency) {
  validate(request);
  const ProgressCallback silent;
  detail::ResponseBranchRun run(model, request, {}, nullptr, silent);
  const auto first = run.first_point(frequency);
  return check_jacobian(run.balance(), first.x, 2.0 * pi * frequency);
}

}  // namespace masing
