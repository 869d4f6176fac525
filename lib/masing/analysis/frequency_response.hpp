// Frequency response: the periodic answer of the model to its loads, followed from one frequency to another at one or
// more force levels, round every fold; peaks and half-power points solved for.
#pragma once

#include "masing/analysis/model.hpp"
#include "masing/analysis/results.hpp"
#include "masing/analysis/stability.hpp"
#include "masing/balance/jacobian_check.hpp"
#include "masing/balance/options.hpp"
#include "masing/continuation/options.hpp"
#include "masing/core/progress.hpp"
#include "masing/solve/newton.hpp"

#include <string>
#include <vector>

namespace masing {

/// Which bifurcations are followed onto the branches that leave there; they need stability.
struct FollowOptions {
  bool branch_points = false;
  bool period_doublings = false;

  bool any() const { return branch_points || period_doublings; }
};

/// What the user asks for.
struct FrequencyResponseRequest {
  std::string name = "response";
  double from = 0.0;                   ///< [Hz]; from > to sweeps down
  double to = 0.0;                     ///< [Hz]
  std::vector<double> levels = {1.0};  ///< multipliers of the oscillating loads, one branch each
  std::vector<double> shown_levels;    ///< the same as the user wrote them (N, m/s², …), for output
  std::string level_unit;
  std::vector<Observable> observables;
  std::vector<int> peak_harmonics = {1};  ///< harmonics whose amplitude maxima are located
  BalanceOptions balance;
  NewtonOptions newton;
  ContinuationOptions continuation;
  StabilityOptions stability;
  FollowOptions follow;
  int threads = 1;  ///< branches at once; the results do not depend on it
};

using FrequencyResponse = ResponseCurves;

/// Runs it. `sink` gets every point as it is accepted and may be null; `restarts` holds what an interrupted run left, one
/// entry a branch, or is empty. Branches that leave others come after those of the levels.
FrequencyResponse frequency_response(const Model& model, const FrequencyResponseRequest& request,
                                     ResultSink* sink = nullptr, const ProgressCallback& progress = {},
                                     const std::vector<BranchRestart>& restarts = {});

/// Exact Jacobian against central differences at some points of a branch, evenly spread from its first to its last: each
/// force level has its own. `frequencies` are those looked at [Hz], the worst one is that of the check.
struct BranchJacobianCheck {
  JacobianCheck check;
  double worst_frequency = 0.0;
  std::vector<double> frequencies;
};
BranchJacobianCheck check_jacobian(const Model& model, const FrequencyResponseRequest& request,
                                   const ResponseBranch& branch, int most_points = 3);

}  // namespace masing
