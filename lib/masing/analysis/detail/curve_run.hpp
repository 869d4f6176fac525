// One branch of an augmented balance: first point, continuation, recording, resuming.
#pragma once

#include "masing/analysis/curve_request.hpp"
#include "masing/analysis/detail/adaptive_branch.hpp"
#include "masing/analysis/detail/augmented_problem.hpp"
#include "masing/analysis/detail/branch_recorder.hpp"
#include "masing/analysis/detail/first_solution.hpp"

#include <chrono>
#include <optional>

namespace masing::detail {

/// Where output of a run goes.
struct RunOutput {
  ResultSink* sink = nullptr;
  const ProgressCallback& progress;
};

/// For the search of a first solution, which hears the user.
StartSearch search_heard_by(const RunOutput& output, const std::string& task);

struct CurveTask {
  ParameterRange range;  ///< of λ
  /// Unknowns near the first point, at range.from, in the set of harmonics that the problem is left in.
  std::function<FirstSolution()> first;
  /// The same once more where no solution was found near the last ones, which `why` tells; empty: they are the only ones.
  std::function<FirstSolution(const std::string& why)> other_first = {};
  /// When work for this branch began, if its start has been sought before.
  std::optional<std::chrono::steady_clock::time_point> began = {};
  /// The first guess holds at any small amplitude: when it is no use at range.from, come up from decades below.
  bool linear_below = false;
  /// Quantities of a point besides its energies.
  std::function<Vector(const AugmentedProblem::State& state, const EnergyTerms& energy)> quantities;
  /// Called with every accepted point, also with one that an earlier run left. True: a condition changed.
  std::function<bool(const AugmentedProblem::State& state)> accepted = {};
  /// Turns the direction (dz, dλ) of the branch with a condition that has changed; empty: it stays as it is.
  std::function<void(const AugmentedProblem::State& state, Vector& direction)> turn = {};
  /// Where the branch ends inside the range: unknowns near the last state at a λ a little ahead; see ContinuationHooks::seek.
  std::function<std::optional<Vector>(double lambda, const AugmentedProblem::State& last)> seek = {};
  /// Whether the last points are no longer what is followed (ContinuationHooks::strayed).
  std::function<bool(double lambda)> strayed = {};
  /// Values of λ at which the branch is solved exactly: special points "level".
  std::vector<double> marks = {};
  /// The level is the last unknown; places where it is least or highest are special points ("least level", "highest level").
  bool locates_levels = false;
  /// What a place is called where λ has an extremum along the branch, `before` being the tangent at the point before; empty: "fold".
  std::function<std::string(const BranchPoint& point, const Vector& before)> turning_point = {};
  /// The frequency is an unknown, and the curve ends where it has fallen to zero (FrequencyFall).
  bool ends_at_zero_frequency = false;
  int periods = 1;          ///< of the excitation in one of the motion: frequencies told are those of the excitation
  bool may_return = false;  ///< a branch that comes back to where it began has got where it was sent
  std::function<std::string(double lambda)> parameter_text;
  /// How the continuation ended; empty: nobody asks.
  std::function<void(const ContinuationSummary&)> ended = {};
};

/// Follows it, from what an earlier run left if there is something. The problem is that of the first rung to begin with.
ResponseBranch run_curve(const Model& model, const CurveRequest& request, HarmonicLadder& ladder,
                         AugmentedProblem& problem, BranchHeader header, const CurveTask& task,
                         const BranchRestart& restart, const RunOutput& output);

}  // namespace masing::detail
