// One branch while it is followed: what every point is described by, and where it goes (sink, progress, memory).
#pragma once

#include "masing/analysis/detail/energy_balance.hpp"
#include "masing/analysis/results.hpp"
#include "masing/continuation/branch.hpp"
#include "masing/core/progress.hpp"

#include <chrono>
#include <functional>

namespace masing::detail {

class BranchRecorder {
 public:
  /// Completes the header by harmonics, kept motions, joints and the energies; keeps references to the balance and the
  /// progress.
  BranchRecorder(const Model& model, const BalanceOptions& options, HarmonicBalance& balance, BranchHeader header,
                 ResultSink* sink, const ProgressCallback& progress);

  /// Lets `follow` make the branch, unless an earlier run has finished it; a NumericalError ends it with its reason.
  ResponseBranch run(const BranchRestart& restart, const std::function<void()>& follow);
  ResponseBranch& branch() { return branch_; }
  const BranchHeader& header() const { return branch_.header; }

  /// The motion x at a frequency [Hz] as a point of the results; `own` gives the quantities of the analysis itself.
  using OwnQuantities = std::function<Vector(const EnergyTerms& energy)>;
  ResponsePoint describe(const BranchPoint& point, const Vector& x, double frequency, const OwnQuantities& own = {});

  /// Stores an accepted point. False: the user stops the run.
  bool add(ResponsePoint point, double fraction);
  void add(SpecialPoint special);
  /// What was known from an earlier run.
  void take(const BranchRestart& restart);
  void end(const ContinuationSummary& summary);
  void end_without_start(const std::string& message);

 private:
  bool report(const ResponsePoint& point, double fraction, bool finished);

  HarmonicBalance& balance_;
  EnergyBalance energy_;
  ResultSink* sink_;
  const ProgressCallback& progress_;
  ResponseBranch branch_;
  std::string jumps_;  // of the joints' laws
  double fraction_ = 0.0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace masing::detail
