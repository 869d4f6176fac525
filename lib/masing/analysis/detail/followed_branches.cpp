#include "masing/analysis/detail/followed_branches.hpp"

#include "masing/analysis/detail/response_branch.hpp"
#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

#include <algorithm>
#include <deque>

namespace masing::detail {

namespace {

// Cascades have no end; these are enough to see one begin.
constexpr std::size_t most_branches = 12;
constexpr int most_periods = 4;

struct Task {
  Model model;
  FrequencyResponseRequest request;
  BranchOrigin origin;
};

/// With every harmonic up to `factor` times the highest one.
FrequencyResponseRequest completed(FrequencyResponseRequest request, int factor) {
  const int highest = factor * request.balance.harmonics.back();
  request.balance.harmonics = HarmonicSet::up_to(highest).harmonics();
  request.balance.samples *= factor;
  request.stability.steps *= factor;
  if (request.balance.adaptive) request.balance.adaptive->samples *= factor;
  request.from /= factor;
  request.to /= factor;
  request.peak_harmonics.clear();  // resonances are those of the branches of the levels
  return request;
}

class Follower {
 public:
  Follower(ResultSink* sink, const ProgressCallback& progress, const std::vector<BranchRestart>& restarts,
           FrequencyResponse& response)
      : sink_(sink), progress_(progress), restarts_(restarts), response_(response) {}

  /// Takes note of the bifurcations of a branch.
  void look_at(const ResponseBranch& branch, const Task& of) {
    const bool main = of.origin.x.size() == 0;
    for (const SpecialPoint& special : branch.special_points) {
      const bool splits = special.kind.ends_with("branch-point") && of.request.follow.branch_points;
      if (main && splits) add(branch, special, of, 1);
      const bool doubles = special.kind.ends_with("period-doubling") && of.request.follow.period_doublings;
      if (doubles && 2 * of.origin.periods <= most_periods) add(branch, special, of, 2);
    }
  }

  void run() {
    for (std::size_t followed = 0; !tasks_.empty() && followed < most_branches; ++followed) {
      Task task = std::move(tasks_.front());
      tasks_.pop_front();
      if (is_known(task)) continue;
      const auto index = response_.branches.size();
      task.origin.index = static_cast<int>(index);
      ResponseBranchRun run(task.model, task.request, task.origin, sink_, progress_);
      response_.branches.push_back(run.run(index < restarts_.size() ? restarts_[index] : BranchRestart{}));
      if (was_stopped(response_.branches.back())) return;
      look_at(response_.branches.back(), task);
    }
  }

  /// The user wants no more.
  static bool was_stopped(const ResponseBranch& branch) {
    return branch.end.stop == to_string(ContinuationStop::stopped_by_user);
  }

 private:
  /// Of a point with harmonics of its own; else 0.
  static int highest_in_use(const ResponseBranch& branch, const ResponsePoint& point) {
    const Index highest = branch.header.find_quantity("highest_harmonic");
    return highest < 0 ? 0 : static_cast<int>(point.quantities[highest]);
  }

  void add(const ResponseBranch& branch, const SpecialPoint& special, const Task& of, int factor) {
    Task task{
        .model = with_longer_period(of.model, factor), .request = completed(of.request, factor), .origin = of.origin};
    task.origin.periods *= factor;
    const HarmonicSet to(task.request.balance.harmonics);
    const HarmonicSet from(of.request.balance.harmonics);
    const auto carried = [&](const Vector& x) {
      return carried_over(x, x.size() / from.positions(), from, to, factor);
    };
    task.origin.x = carried(special.point.coefficients);
    task.origin.others.clear();
    for (const SpecialPoint& other : branch.special_points) {
      if (other.kind != special.kind || &other == &special) continue;
      task.origin.others.push_back({carried(other.point.coefficients), other.point.frequency});
    }
    task.origin.highest = factor * highest_in_use(branch, special.point);
    task.origin.frequency = special.point.frequency;
    tasks_.push_back(std::move(task));
  }

  /// A branch that has been followed ends here, too: it turns back where it meets the one that it left.
  bool is_known(const Task& task) const {
    // The harmonics that are left out differ between the two.
    constexpr double same_frequency = 1e-4, same_motion = 1e-2;
    for (std::size_t i = task.request.levels.size(); i < response_.branches.size(); ++i) {
      for (const SpecialPoint& special : response_.branches[i].special_points) {
        const Vector& x = special.point.coefficients;
        if (x.size() != task.origin.x.size() || !is_bifurcation(special.kind)) continue;
        const double change = std::abs(special.point.frequency / task.origin.frequency - 1.0);
        if (change < same_frequency && (x - task.origin.x).norm() < same_motion * x.norm()) return true;
      }
    }
    return false;
  }

  ResultSink* sink_;
  const ProgressCallback& progress_;
  const std::vector<BranchRestart>& restarts_;
  FrequencyResponse& response_;
  std::deque<Task> tasks_;
};

}  // namespace

Model with_longer_period(Model model, int factor) {
  for (Load& load : model.loads) load.harmonic *= factor;
  return model;
}

void follow_bifurcations(const Model& model, const FrequencyResponseRequest& request, ResultSink* sink,
                         const ProgressCallback& progress, const std::vector<BranchRestart>& restarts,
                         FrequencyResponse& response) {
  // Branches are numbered in the order in which they are found: a resumed run must find them in the same order.
  if (std::any_of(response.branches.begin(), response.branches.end(), Follower::was_stopped)) return;
  Follower follower(sink, progress, restarts, response);
  for (std::size_t i = 0; i < request.levels.size(); ++i) {
    follower.look_at(response.branches[i], {.model = model, .request = request, .origin = {.level = i}});
  }
  follower.run();
}

}  // namespace masing::detail
