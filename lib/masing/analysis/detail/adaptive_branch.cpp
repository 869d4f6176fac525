#include "masing/analysis/detail/adaptive_branch.hpp"

#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

#include <algorithm>
#include <span>

namespace masing::detail {

namespace {

constexpr std::size_t least_points_in_a_set = 3;

}  // namespace

AdaptiveBranch::AdaptiveBranch(HarmonicLadder& ladder, ParameterRange range, const ContinuationOptions& options,
                               const NewtonOptions& newton, BranchOwner owner)
    : ladder_(ladder), range_(range), options_(options), newton_(newton), owner_(std::move(owner)) {
  use(ladder.first());
}

void AdaptiveBranch::use(Rung& rung) {
  if (rung_ == &rung) return;
  rung_ = &rung;
  continuation_.emplace(owner_.use(rung), range_, options_, newton_);
}

ContinuationSummary AdaptiveBranch::follow(const Vector& guess) {
  guess_ = guess;
  return run();
}

ContinuationSummary AdaptiveBranch::follow_from(const BranchPoint& point) {
  path_ = {{point, rung_}};
  return run();
}

// Where the last set was gone over to, the point before is settled as it was then: predictors look back to it.
ContinuationSummary AdaptiveBranch::resume(std::vector<PathPoint> path) {
  for (PathPoint& known : path) {
    if (!path_.empty() && known.rung != path_.back().rung) go_over(*known.rung);
    use(*known.rung);
    path_.push_back(std::move(known));
    adapt(path_.back().point);
  }
  const BranchPoint& last = path_.back().point;
  const bool at_end = last.lambda == range_.to || last.lambda == range_.from;
  if (Rung* next = at_end && path_.size() > 1 ? nullptr : smaller_after(last)) go_over_or_stay(*next);
  return run();
}

ContinuationSummary AdaptiveBranch::run() {
  while (true) {
    next_ = nullptr;
    undone_ = false;
    waiting_.clear();
    const ContinuationHooks own = owner_.hooks();
    Branch piece =
        path_.empty() ? continuation_->follow(guess_, watched(own)) : continuation_->resume(history(), watched(own));
    if (!undone_) {
      for (const BranchEvent& event : waiting_) own.on_event(event);
    }
    std::vector<BranchJump>& jumps = piece.summary.jumps;
    if (undone_ && !jumps.empty() && jumps.back().to == piece.points.back().lambda) jumps.pop_back();
    jumps_.insert(jumps_.end(), jumps.begin(), jumps.end());
    const bool changes = next_ != nullptr && (undone_ || piece.summary.stop == ContinuationStop::stopped_by_user);
    if (!changes) return with_all_jumps(std::move(piece.summary), own);
    if (path_.empty()) {
      BranchPoint first = carried(piece.points.back(), rung_->set(), next_->set());
      use(*next_);
      adapt(first);
      guess_ = first.x;
    } else {
      go_over_or_stay(*next_);
    }
  }
}

ContinuationSummary AdaptiveBranch::with_all_jumps(ContinuationSummary summary, const ContinuationHooks& own) const {
  const std::span earlier(jumps_.data(), jumps_.size() - summary.jumps.size());
  if (!earlier.empty()) {
    summary.message += " In other sets of harmonics:" + describe_jumps(earlier, own.parameter_text);
  }
  summary.jumps = jumps_;
  return summary;
}

ContinuationHooks AdaptiveBranch::watched(const ContinuationHooks& own) {
  ContinuationHooks hooks = own;
  hooks.on_point = [this, &own](const BranchPoint& point, Index index) { return take(point, index, own); };
  hooks.on_event = [this](const BranchEvent& event) { waiting_.push_back(event); };
  hooks.adapt = [this](BranchPoint& point) {
    if (adapted_) point = path_.back().point;
    return adapted_;
  };
  return hooks;
}

bool AdaptiveBranch::take(const BranchPoint& point, Index index, const ContinuationHooks& own) {
  if (ladder_.is_adaptive()) {
    const PointStability::State state = owner_.state(point);
    const bool stuck = !path_.empty() && stuck_at_ == path_.size();
    next_ = stuck ? nullptr : ladder_.larger_for(*rung_, state.x, state.omega);
    undone_ = next_ != nullptr;
    if (undone_) return false;
  }
  for (const BranchEvent& event : waiting_) own.on_event(event);
  waiting_.clear();
  path_.push_back({point, rung_});
  if (!own.on_point(point, index)) return false;
  adapted_ = adapt(path_.back().point);
  next_ = smaller_after(point);
  return next_ == nullptr;
}

bool AdaptiveBranch::adapt(BranchPoint& point) {
  if (!owner_.adapt || !owner_.adapt(point)) return false;
  if (owner_.turn) {
    Vector direction = continuation_->direction(point);
    owner_.turn(point, direction);
    point = continuation_->directed(std::move(point), direction);
  }
  return true;
}

Rung* AdaptiveBranch::smaller_after(const BranchPoint& point) {
  if (!ladder_.is_adaptive() || stuck_at_ == path_.size()) return nullptr;
  const PointStability::State state = owner_.state(point);
  if (path_.size() == 1) return ladder_.odd_for(*rung_, state.x, state.omega);
  if (points_in_set() < least_points_in_a_set) return nullptr;
  return ladder_.smaller_for(*rung_, state.x, state.omega);
}

std::size_t AdaptiveBranch::points_in_set() const {
  const auto other = std::find_if(path_.rbegin(), path_.rend(), [&](const PathPoint& p) { return p.rung != rung_; });
  return static_cast<std::size_t>(other - path_.rbegin());
}

void AdaptiveBranch::go_over_or_stay(Rung& next) {
  if (!go_over(next)) stuck_at_ = path_.size();
}

// False: no solution was found there, and the present set stays.
bool AdaptiveBranch::go_over(Rung& next) {
  Rung& before = *rung_;
  BranchPoint last = carried(path_.back().point, path_.back().rung->set(), next.set());
  use(next);
  adapt(last);
  std::optional<BranchPoint> found = continuation_->settle(last);
  if (!found) {
    use(before);
    BranchPoint again = carried(path_.back().point, path_.back().rung->set(), before.set());
    adapt(again);
    return false;
  }
  settled_ = {std::move(*found), &next};
  settled_at_ = path_.size() - 1;
  return true;
}

BranchPoint AdaptiveBranch::carried(const BranchPoint& point, const HarmonicSet& from, const HarmonicSet& to) const {
  BranchPoint result = point;
  if (from == to) return result;
  const Index motions = rung_->balance.motions();
  result.x = carried_over(point.x, motions, from, to);
  result.tangent = carried_over(point.tangent, motions, from, to);
  return result;
}

std::vector<BranchPoint> AdaptiveBranch::history() const {
  std::vector<BranchPoint> points;
  for (const PathPoint& known : path_) points.push_back(carried(known.point, known.rung->set(), rung_->set()));
  if (settled_.rung == rung_) points[settled_at_] = settled_.point;
  return points;
}

std::optional<BranchPoint> AdaptiveBranch::locate(const PathPoint& from, const PathPoint& to,
                                                  const BranchFunction& function) {
  use(ladder_.common(*from.rung, *to.rung));
  return continuation_->locate(carried(from.point, from.rung->set(), rung_->set()),
                               carried(to.point, to.rung->set(), rung_->set()), function);
}

}  // namespace masing::detail
