// Closed branches of the frequency response, from motions that may lie on one.
//
// From each such motion the response is followed over frequency: a branch that comes back to where it began is an isola; one
// that leaves the range is the main branch, or belongs to it, and is not kept.
#pragma once

#include "masing/analysis/detail/curve_run.hpp"
#include "masing/analysis/tracking.hpp"

namespace masing::detail {

/// What became of one motion.
enum class IsolaOutcome {
  found,    ///< on an isola, which was added
  known,    ///< on an isola that was found earlier
  open,     ///< on a branch that leaves the range
  stopped,  ///< on a branch that could not be followed to an end
};

class IsolaCollector {
 public:
  /// Isolas are added behind the branches that are there, with the stability that the request asks for.
  IsolaCollector(const Model& model, const TrackingRequest& request, ResponseCurves& curves,
                 const std::vector<BranchRestart>& restarts, const RunOutput& output)
      : model_(model), request_(request), curves_(curves), restarts_(restarts), output_(output) {}

  /// Follows the response at `level` through a motion with these coefficients and frequency.
  IsolaOutcome follow(const ResponsePoint& motion, double level);
  /// Whether an isola found earlier has a fold at this frequency and level.
  bool is_known(double frequency, double level) const;

 private:
  const Model& model_;
  const TrackingRequest& request_;
  ResponseCurves& curves_;
  const std::vector<BranchRestart>& restarts_;
  const RunOutput& output_;
  std::vector<std::size_t> isolas_;  // among the branches
};

/// Hands a finished branch to the sink, which may be null.
void record_branch(const ResponseBranch& branch, ResultSink* sink);

/// Adds the isolas to the curves of folds: at the levels of the request, or at one level for each birth of an isola. A search
/// that finds none says so in the notes.
void add_isolas(const Model& model, const TrackingRequest& request, ResponseCurves& curves,
                const std::vector<BranchRestart>& restarts, const RunOutput& output);

}  // namespace masing::detail
