// One branch while it is followed: what every point is described by, and where it goes (sink, progress, memory).
#pragma once

#include "masing/analysis/detail/first_solution.hpp"
#include "masing/analysis/detail/harmonic_ladder.hpp"
#include "masing/analysis/detail/motion_shares.hpp"
#include "masing/analysis/results.hpp"
#include "masing/continuation/branch.hpp"
#include "masing/core/progress.hpp"

#include <chrono>
#include <functional>
#include <optional>

namespace masing::detail {

class BranchRecorder {
 public:
  /// Completes the header by harmonics, kept motions, joints, the energies and, if asked for, stability and what adaptive
  /// harmonics tell; keeps references to the model, the ladder and the progress.
  BranchRecorder(const Model& model, HarmonicLadder& ladder, BranchHeader header, ResultSink* sink,
                 const ProgressCallback& progress);
  /// Work for this branch began earlier than the recorder was made.
  void count_from(std::chrono::steady_clock::time_point began) { began_ = began; }
  /// Points are described in this set from now on.
  void use(Rung& rung) { rung_ = &rung; }
  /// The set that a point of this branch was balanced in.
  Rung& rung_of(const ResponsePoint& point) const;

  /// Lets `follow` make the branch, unless an earlier run has finished it; a NumericalError ends it with its reason.
  ResponseBranch run(const BranchRestart& restart, const std::function<void()>& follow);
  ResponseBranch& branch() { return branch_; }
  const BranchHeader& header() const { return branch_.header; }
  /// Null: not asked for.
  PointStability* stability() { return rung_->stability ? &*rung_->stability : nullptr; }

  /// The motion x (in the present set) at a frequency [Hz] as a point of the results; `own` gives the quantities of the analysis itself.
  using OwnQuantities = std::function<Vector(const EnergyTerms& energy)>;
  ResponsePoint describe(const BranchPoint& point, const Vector& x, double frequency, const OwnQuantities& own = {});

  /// Stores an accepted point. False: the user stops the run.
  bool add(ResponsePoint point, double fraction);
  void add(SpecialPoint special);
  /// What was known from an earlier run.
  void take(const BranchRestart& restart);
  void end(const ContinuationSummary& summary);
  void end(const ContinuationSummary& summary, bool complete);  ///< for branches that are complete in another sense
  void end_at_zero_frequency(const std::string& reason);
  void end_at_meeting();                 ///< with the branch that it left
  void end_fallen_back(double left_at);  ///< onto the branch that it left at this frequency [Hz]
  void end_without_start(const std::string& message);
  void end_without_start(const FirstSolution& none);

  /// To be asked in work that makes no points, with what it is. False: the user stops the run.
  bool still_wanted(const std::string& work) const;

 private:
  bool report(const ResponsePoint& point, double fraction, bool finished);
  Progress progress() const;
  Vector adaptive_values(const Vector& x, double omega);
  void keep(JointCycles cycles, const char* kind, Index point, double frequency);
  void keep_last();
  std::string jumps_of_laws() const;

  const Model& model_;
  HarmonicLadder& ladder_;
  Rung* rung_;
  MotionShares shares_;
  ResultSink* sink_;
  const ProgressCallback& progress_;
  ResponseBranch branch_;
  JointCycles described_;    // of the point described last
  Matrix described_motion_;  // its motion of all coordinates
  double described_omega_ = 0.0;
  JointCycles last_;  // of the last point that was added
  double fraction_ = 0.0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace masing::detail
