#include "masing/analysis/frequency_response.hpp"

#include "masing/analysis/detail/followed_branches.hpp"
#include "masing/analysis/detail/response_branch.hpp"
#include "masing/core/error.hpp"
#include "masing/core/parallel.hpp"

#include <algorithm>
#include <cmath>

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

BranchJacobianCheck check_jacobian(const Model& model, const FrequencyResponseRequest& request,
                                   const ResponseBranch& branch, int most_points) {
  const auto number = static_cast<std::size_t>(branch.header.index);
  if (number >= request.levels.size()) return {};  // a branch that leaves another one, perhaps with a longer period
  HarmonicBalance balance(*model.structure, model.joints, model.loads, request.balance);
  balance.set_level(request.levels[number]);
  const std::size_t last = branch.points.empty() ? 0 : branch.points.size() - 1;
  const std::size_t count = std::min(branch.points.size(), static_cast<std::size_t>(most_points));
  BranchJacobianCheck worst;
  for (std::size_t i = 0; i < count; ++i) {
    const ResponsePoint& point = branch.points[count > 1 ? i * last / (count - 1) : 0];
    worst.frequencies.push_back(point.frequency);
    JacobianCheck check = check_jacobian(balance, point.coefficients, 2.0 * pi * point.frequency);
    if (i > 0 && !(check.worst_error > worst.check.worst_error) && !std::isnan(check.worst_error)) continue;
    worst.check = std::move(check);
    worst.worst_frequency = point.frequency;
  }
  return worst;
}

}  // namespace masing
