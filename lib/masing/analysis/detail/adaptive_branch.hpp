// Follows a branch whose harmonics follow the motion: in pieces, each with a set of its own.
//
// Every point that continuation finds is judged before it is taken. Where the set is too small for it, the step is undone with
// all special points on it: the last point is carried over to the larger set, settled there, and the step is made again. Where
// a smaller set will do, three points after the last change at the soonest, the point is kept and carried over for the next
// step. Newton's method never sees a set change, nor does continuation: each piece is a problem of its own.
//
// Which set comes next depends on the stored points alone, so that a resumed run goes on as an interrupted one would have done.
// A ladder of one rung makes this plain continuation.
#pragma once

#include "masing/analysis/detail/harmonic_ladder.hpp"
#include "masing/analysis/results.hpp"
#include "masing/continuation/continuation.hpp"

#include <functional>

namespace masing::detail {

/// What the branch belongs to.
struct BranchOwner {
  /// Goes over to another set and returns the problem in it, which lives until the next call.
  std::function<ContinuationProblem&(Rung& rung)> use;
  /// The motion behind a point of the present set. Sets level and damping of the balance.
  std::function<PointStability::State(const BranchPoint& point)> state;
  /// Points, special points and events in the present set; called for every piece.
  std::function<ContinuationHooks()> hooks;
  /// Conditions that depend on the motion adapt to a point, in the present set; may be empty. True: they changed.
  std::function<bool(const BranchPoint& point)> adapt = {};
  /// Turns the direction (dx, dλ) of the branch with conditions that have changed; empty: it stays as it is.
  std::function<void(const BranchPoint& point, Vector& direction)> turn = {};
};

/// A point with the set it was balanced in.
struct PathPoint {
  BranchPoint point;
  Rung* rung = nullptr;
};

class AdaptiveBranch {
 public:
  AdaptiveBranch(HarmonicLadder& ladder, ParameterRange range, const ContinuationOptions& options,
                 const NewtonOptions& newton, BranchOwner owner);

  HarmonicLadder& ladder() { return ladder_; }
  Rung& rung() { return *rung_; }
  /// Of the present set.
  Continuation& continuation() { return *continuation_; }
  const std::vector<PathPoint>& path() const { return path_; }
  void use(Rung& rung);

  /// From a guess in the present set, at the beginning of the range.
  ContinuationSummary follow(const Vector& guess);
  /// From a point in the present set that has been taken, or is the only one.
  ContinuationSummary follow_from(const BranchPoint& point);
  /// From what an earlier run left.
  ContinuationSummary resume(std::vector<PathPoint> path);

  /// The zero of a function of points in the present set, which is then that of both ends.
  std::optional<BranchPoint> locate(const PathPoint& from, const PathPoint& to, const BranchFunction& function);
  /// Unknowns and tangent carried over; to the largest set, for storing.
  BranchPoint carried(const BranchPoint& point, const HarmonicSet& from, const HarmonicSet& to) const;
  BranchPoint stored(const BranchPoint& point) const { return carried(point, rung_->set(), ladder_.full()); }

 private:
  ContinuationSummary run();
  ContinuationHooks watched(const ContinuationHooks& own);
  bool adapt(BranchPoint& point);
  bool take(const BranchPoint& point, Index index, const ContinuationHooks& own);
  Rung* smaller_after(const BranchPoint& point);
  bool go_over(Rung& next);
  void go_over_or_stay(Rung& next);
  ContinuationSummary with_all_jumps(ContinuationSummary summary, const ContinuationHooks& own) const;
  std::vector<BranchPoint> history() const;
  std::size_t points_in_set() const;

  HarmonicLadder& ladder_;
  ParameterRange range_;
  ContinuationOptions options_;
  NewtonOptions newton_;
  BranchOwner owner_;
  Rung* rung_ = nullptr;
  std::optional<Continuation> continuation_;
  std::vector<PathPoint> path_;
  PathPoint settled_;           // where the present set was gone over to, in that set; no rung: it is the first one
  std::size_t settled_at_ = 0;  // its number in path_
  Vector guess_;                // of the first point
  std::vector<BranchEvent> waiting_;  // on the step to the point that is judged next
  Rung* next_ = nullptr;              // the set to go over to
  bool adapted_ = false;              // a condition changed at the last point
  bool undone_ = false;               // the last step is to be made again
  std::size_t stuck_at_ = 0;          // so many points: the larger set was not reached from the last of them
  std::vector<BranchJump> jumps_;     // of earlier pieces
};

}  // namespace masing::detail
