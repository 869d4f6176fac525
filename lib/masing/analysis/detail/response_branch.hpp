// One branch of a frequency response: one force level, from the first frequency to the last.
#pragma once

#include "masing/analysis/detail/adaptive_branch.hpp"
#include "masing/analysis/detail/amplitude_measure.hpp"
#include "masing/analysis/detail/balance_problem.hpp"
#include "masing/analysis/detail/branch_recorder.hpp"
#include "masing/analysis/detail/first_solution.hpp"
#include "masing/analysis/frequency_response.hpp"
#include "masing/continuation/continuation.hpp"

namespace masing::detail {

/// A motion at a frequency of the excitation [Hz].
struct KnownPlace {
  Vector x;
  double frequency = 0.0;
};

/// Which branch it is, and where it comes from.
struct BranchOrigin {
  int index = 0;           ///< number in the analysis
  std::size_t level = 0;   ///< number of its level
  int periods = 1;         ///< of the excitation in one of the motion; the loads of the model are those of that period
  Vector x = {};           ///< coefficients where it leaves another branch; empty: it begins at the range's beginning
  int highest = 0;         ///< highest harmonic in use there, if harmonics are adaptive
  double frequency = 0.0;  ///< of the excitation there [Hz]
  /// Other places where such branches leave that one: this branch may end there.
  std::vector<KnownPlace> others = {};
};

class ResponseBranchRun {
 public:
  ResponseBranchRun(const Model& model, const FrequencyResponseRequest& request, const BranchOrigin& origin,
                    ResultSink* sink, const ProgressCallback& progress);

  /// Follows the branch, from what an interrupted run left if there is something.
  ResponseBranch run(const BranchRestart& restart);

  /// Follows the branch through a motion that is known, until it closes or leaves the range.
  ResponseBranch run_through(const ResponsePoint& known, int index, const std::string& label);

  /// The solution at one frequency [Hz], or why there is none.
  FirstSolution first_point(double frequency);

 private:
  struct Measure {  // whose maxima are located
    std::size_t observable = 0;
    int harmonic = 1;
    Index position = 0;  // of the harmonic in what is stored
    std::string event;
  };

  ContinuationHooks hooks();
  void follow(const BranchRestart& restart);
  void follow_from_origin();
  ResponsePoint describe(const BranchPoint& point);
  BranchOwner owner();
  PathPoint path_point(const ResponsePoint& point);
  double own_share(const Vector& stored) const;
  /// The highest harmonic that is not zero, or that of the smallest set.
  int highest_in_use(const Vector& stored);
  SquaredAmplitude squared_in_present_set(const Measure& measure, const BranchPoint& point, const Vector& direction);
  /// Newton's method fell back onto the branch that this one left, soon after. Two points in a row tell: one alone may lie where the
  /// branch passes through the other one on its way to its mirror image.
  bool has_fallen_back(const Vector& stored);
  bool has_slid_over(const Vector& stored) const;
  void end_at_meeting(const BranchPoint& beyond);
  bool fell_back() const { return lost_points_ > 1; }
  void follow_through(const ResponsePoint& known);
  /// What is reported of an event; empty: nothing. Where the branch meets the one that it left, on its way to its mirror image, the
  /// frequency turns: that is the branch point and no fold. A multiplier one shortly before is nothing: multipliers and balance
  /// leave out different harmonics, so that they do not agree on where the two meet.
  bool is_own_beginning(const BranchEvent& event) const;
  std::string kind_of(const BranchEvent& event);
  void finish(const ContinuationSummary& summary);
  void report_special(const std::string& kind, const Measure* measure, Index after, const BranchPoint& point);
  Resonance resonance(const Measure& measure);
  void half_power(const Measure& measure, const SpecialPoint& peak, Resonance& resonance);
  /// Where g falls to half its peak value, walking from the peak along the branch (+1) or against it (−1).
  struct HalfPower {
    std::optional<PathPoint> point;
    Index after = 0;
    bool range_ended = false;
    bool overlapped = false;  // g rose again on the way
  };
  HalfPower half_power_point(const Measure& measure, const SpecialPoint& peak, int way);
  bool folds_between(Index first, Index last) const;
  double squared(const Measure& measure, const PathPoint& point);
  bool is_noise(const SquaredAmplitude& g, const Measure& measure, const BranchPoint& point) const;

  const FrequencyResponseRequest& request_;
  BranchOrigin origin_;
  std::vector<Index> own_;     // coefficients that vanish where the branch leaves the other one
  double largest_own_ = 0.0;   // their share, at any point so far
  int lost_points_ = 0;        // in a row, without the part that is its own
  bool met_ = false;           // they vanish again: the branch is back on the other one
  bool meeting_told_ = false;  // as a branch point
  HarmonicLadder ladder_;
  std::vector<Measure> measures_;
  BranchRecorder recorder_;
  ResponseBranch& result_;  // of the recorder
  std::optional<FrequencyProblem> problem_;
  AdaptiveBranch branch_;
};

}  // namespace masing::detail
