// One branch of an augmented balance: first point, continuation, recording, resuming.
#pragma once

#include "masing/analysis/curve_request.hpp"
#include "masing/analysis/detail/augmented_problem.hpp"
#include "masing/analysis/detail/branch_recorder.hpp"
#include "masing/analysis/detail/first_solution.hpp"

namespace masing::detail {

/// Where output of a run goes.
struct RunOutput {
  ResultSink* sink = nullptr;
  const ProgressCallback& progress;
};

struct CurveTask {
  ParameterRange range;  ///< of λ
  /// Unknowns near the first point, at range.from.
  std::function<FirstSolution()> first;
  /// The first guess holds at any small amplitude: when it is no use at range.from, come up from decades below.
  bool linear_below = false;
  /// Quantities of a point besides its energies.
  std::function<Vector(const AugmentedProblem::State& state, const EnergyTerms& energy)> quantities;
  /// Called with the coefficients of every accepted point, also of one that an earlier run left. True: a condition changed.
  std::function<bool(const Vector& x)> accepted = {};
  std::function<std::string(double lambda)> parameter_text;
};

/// Follows it, from what an earlier run left if there is something.
ResponseBranch run_curve(const Model& model, const CurveRequest& request, AugmentedProblem& problem,
                         BranchHeader header, const CurveTask& task, const BranchRestart& restart,
                         const RunOutput& output);

}  // namespace masing::detail
