#include "masing/analysis/detail/response_branch.hpp"

#include "masing/analysis/detail/branch_switch.hpp"
#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace masing::detail {

namespace {

/// Of a branch that leaves another one; the level says enough of the others.
std::string label(const FrequencyResponseRequest& request, const BranchOrigin& origin) {
  if (origin.x.size() == 0) return {};
  const double level =
      origin.level < request.shown_levels.size() ? request.shown_levels[origin.level] : request.levels[origin.level];
  const std::string what = origin.periods > 1 ? fmt::format("{} periods", origin.periods) : "unsymmetric";
  return fmt::format("{:g}{}{}, {} from {:.6g} Hz", level, request.level_unit.empty() ? "" : " ", request.level_unit,
                     what, origin.frequency);
}

BranchHeader make_header(const FrequencyResponseRequest& request, const BranchOrigin& origin) {
  const std::size_t i = origin.level;
  return {.analysis = request.name,
          .index = origin.index,
          .level = i < request.shown_levels.size() ? request.shown_levels[i] : request.levels[i],
          .level_unit = request.level_unit,
          .harmonics = {},
          .kept_motions = {},
          .observables = request.observables,
          .label = label(request, origin),
          .periods = origin.periods};
}

PointStability::State state_of(const BranchPoint& point) { return {point.x, 2.0 * pi * point.lambda}; }

/// Harmonics that every set must hold: those whose peaks are wanted, and even ones where symmetry is broken.
std::vector<int> needed_harmonics(const FrequencyResponseRequest& request, const BranchOrigin& origin) {
  std::vector<int> needed = request.peak_harmonics;
  if (origin.x.size() > 0) needed.push_back(0);
  return needed;
}

/// The coefficients that the other branch has not got where this one leaves it: of harmonics between the old ones at a doubling,
/// of even ones where symmetry breaks. Harmonics that the other one did not balance there say nothing.
std::vector<Index> vanishing(const BranchOrigin& origin, const HarmonicSet& set) {
  if (origin.x.size() == 0) return {};
  // At a doubling they are zero, where symmetry breaks nearly so.
  const double limit = (origin.periods > 1 ? 1e-13 : 1e-6) * origin.x.cwiseAbs().maxCoeff();
  const int highest = origin.highest > 0 ? origin.highest : set.highest();
  const Index motions = origin.x.size() / set.positions();
  std::vector<Index> result;
  for (Index i = 0; i < set.count() && set[i] <= highest; ++i) {
    const Index begin = set.cosine(i) * motions, parts = set[i] == 0 ? 1 : 2;
    for (Index j = begin; j < begin + parts * motions; ++j) {
      if (std::abs(origin.x[j]) <= limit) result.push_back(j);
    }
  }
  return result;
}

}  // namespace

ResponseBranchRun::ResponseBranchRun(const Model& model, const FrequencyResponseRequest& request,
                                     const BranchOrigin& origin, ResultSink* sink, const ProgressCallback& progress)
    : request_(request),
      origin_(origin),
      ladder_(model, request.balance, request.stability, needed_harmonics(request, origin)),
      recorder_(model, ladder_, make_header(request, origin), sink, progress),
      result_(recorder_.branch()),
      branch_(ladder_, {.from = request.from, .to = request.to}, request.continuation, request.newton, owner()) {
  own_ = vanishing(origin, ladder_.full());
  for (std::size_t o = 0; o < request.observables.size(); ++o) {
    for (const int k : request.peak_harmonics) {
      const Index position = ladder_.full().find(k);
      require(position >= 0, "Peaks of harmonic {} are asked for, but it is not among the balanced harmonics.", k);
      measures_.push_back({o, k, position, fmt::format("peak {} {}", o, k)});
    }
  }
}

BranchOwner ResponseBranchRun::owner() {
  return {.use = [this](Rung& rung) -> ContinuationProblem& {
            rung.balance.set_level(request_.levels[origin_.level]);
            recorder_.use(rung);
            return problem_.emplace(rung.balance);
          },
          .state = [](const BranchPoint& point) { return state_of(point); },
          .hooks = [this] { return hooks(); }};
}

ResponseBranch ResponseBranchRun::run(const BranchRestart& restart) {
  return recorder_.run(restart, [&] { follow(restart); });
}

void ResponseBranchRun::follow(const BranchRestart& restart) {
  if (!restart.points.empty()) {
    recorder_.take(restart);
    std::vector<PathPoint> path;
    for (const ResponsePoint& point : restart.points) {
      path.push_back(path_point(point));
      largest_own_ = std::max(largest_own_, own_share(point.coefficients));
    }
    finish(branch_.resume(std::move(path)));
    return;
  }
  if (origin_.x.size() > 0) return follow_from_origin();
  const FirstSolution first = first_point(request_.from);
  if (!first.found) {
    recorder_.end_without_start(first);
    return;
  }
  finish(branch_.follow(first.x));
}

FirstSolution ResponseBranchRun::first_point(double frequency) {
  const double towards = frequency == request_.from ? request_.to : request_.from;
  return first_solution(branch_.rung().balance, frequency, request_.newton,
                        {.towards = towards, .go_on = [this](const std::string& trying) {
                           return recorder_.still_wanted("first point: " + trying);
                         }});
}

void ResponseBranchRun::follow_from_origin() {
  if (ladder_.is_adaptive()) branch_.use(ladder_.at(HarmonicSet::up_to(origin_.highest)));
  HarmonicBalance& balance = branch_.rung().balance;
  const Vector x = carried_over(origin_.x, balance.motions(), ladder_.full(), balance.set());
  std::string message;
  const auto point =
      leave_branch_point(*problem_, branch_.continuation(), x, origin_.frequency / origin_.periods, message);
  if (!point) {
    recorder_.end_without_start(message);
    return;
  }
  if (!recorder_.add(describe(*point), 0.0)) {
    recorder_.end(
        ContinuationSummary{.stop = ContinuationStop::stopped_by_user, .message = "Stopped at its first point."});
    return;
  }
  largest_own_ = own_share(branch_.stored(*point).x);
  finish(branch_.follow_from(*point));
}

/// The part of a motion that the branch it left has not got: even harmonics, or those of the longer period.
double ResponseBranchRun::own_share(const Vector& stored) const {
  return own_.empty() ? 0.0 : stored(own_).norm() / stored.norm();
}

bool ResponseBranchRun::has_fallen_back(const Vector& stored) {
  constexpr double lost = 1e-3;
  constexpr std::size_t soon = 8;  // later on it is a meeting, which is located
  const bool is_lost = !own_.empty() && result_.points.size() < soon && own_share(stored) < lost * largest_own_;
  lost_points_ = is_lost ? lost_points_ + 1 : 0;
  return fell_back();
}

/// A step ended at the meeting, where continuation closes in on a crossing, or went past it along the branch that this one left.
bool ResponseBranchRun::has_slid_over(const Vector& stored) const {
  constexpr double nothing = 1e-3;  // what is left of the frequency's way to the meeting is the square of it
  return !own_.empty() && !fell_back() && lost_points_ == 0 && own_share(stored) < nothing * largest_own_;
}

/// Where the step to `beyond` passed the meeting without showing it, the nearest place at which the other branch is known to
/// bifurcate like that is where this one ends: there the motion has lost all that was its own.
void ResponseBranchRun::end_at_meeting(const BranchPoint& beyond) {
  met_ = true;
  if (meeting_told_ || result_.points.empty()) return;
  const ResponsePoint& last = result_.points.back();
  const Vector after = branch_.stored(beyond).x;
  const double unit = std::abs(request_.to - request_.from) * origin_.periods;
  const auto way_from_last = [&](const Vector& x, double frequency) {
    return std::hypot((x - last.coefficients).norm() / last.coefficients.norm(), (frequency - last.frequency) / unit);
  };
  const KnownPlace* nearest = nullptr;
  const double aside = ladder_.is_adaptive() ? 1e-2 : 0.0;  // the other branch left other harmonics out
  // It lies on the step, or a little beyond it.
  double way = std::max(2.0 * way_from_last(after, beyond.lambda * origin_.periods), aside);
  for (const KnownPlace& place : origin_.others) {
    const double to_place = way_from_last(place.x, place.frequency);
    if (to_place < way) way = to_place, nearest = &place;
  }
  if (nearest == nullptr) return;
  const HarmonicBalance& balance = branch_.rung().balance;
  const BranchPoint there{.x = carried_over(nearest->x, balance.motions(), ladder_.full(), balance.set()),
                          .lambda = nearest->frequency / origin_.periods,
                          .tangent = Vector::Zero(beyond.tangent.size()),
                          .step = beyond.step};
  meeting_told_ = true;
  report_special("branch-point", nullptr, static_cast<Index>(result_.points.size()) - 1, there);
}

/// Where the branch left the other one, once more: with other harmonics than that one had it lies a little aside.
bool ResponseBranchRun::is_own_beginning(const BranchEvent& event) const {
  constexpr double aside = 1e-4;
  constexpr std::size_t soon = 4;
  const double frequency = event.point.lambda * origin_.periods;
  return ladder_.is_adaptive() && result_.points.size() < soon && std::abs(frequency / origin_.frequency - 1.0) < aside;
}

std::string ResponseBranchRun::kind_of(const BranchEvent& event) {
  constexpr double gone = 0.01, nearly_gone = 0.05;
  if (own_.empty() || !is_bifurcation(event.name)) return event.name;
  if (is_own_beginning(event)) return "";
  const double share = own_share(branch_.stored(event.point).x) / largest_own_;
  if (share >= gone) return event.name != "fold" && share < nearly_gone ? "" : event.name;
  met_ = true;
  if (event.name != "fold" && event.name != "branch-point") return event.name;
  return std::exchange(meeting_told_, true) ? "" : "branch-point";
}

ResponsePoint ResponseBranchRun::describe(const BranchPoint& point) {
  ResponsePoint result = recorder_.describe(point, point.x, point.lambda);
  result.frequency *= origin_.periods;
  return result;
}

PathPoint ResponseBranchRun::path_point(const ResponsePoint& point) {
  const BranchPoint stored{.x = point.coefficients,
                           .lambda = point.frequency / origin_.periods,
                           .tangent = point.tangent,
                           .step = point.step,
                           .iterations = point.iterations,
                           .residual = point.residual};
  Rung& rung = recorder_.rung_of(point);
  return {branch_.carried(stored, ladder_.full(), rung.set()), &rung};
}

ResponseBranch ResponseBranchRun::run_through(const ResponsePoint& known, int index, const std::string& label) {
  result_.header.index = index;
  result_.header.label = label;
  return recorder_.run({}, [&] { follow_through(known); });
}

int ResponseBranchRun::highest_in_use(const Vector& stored) {
  const HarmonicSet& set = ladder_.full();
  const Index motions = stored.size() / set.positions();
  Index i = set.count() - 1;
  while (i > branch_.rung().set().highest() && stored.segment(set.cosine(i) * motions, 2 * motions).isZero(0.0)) --i;
  return set[i];
}

// The motion may stand at a fold: the branch begins a few steps away, so that this fold is located like any other.
void ResponseBranchRun::follow_through(const ResponsePoint& known) {
  constexpr Index away = 3;
  if (ladder_.is_adaptive()) branch_.use(ladder_.at(HarmonicSet::up_to(highest_in_use(known.coefficients))));
  HarmonicBalance& balance = branch_.rung().balance;
  Continuation& continuation = branch_.continuation();
  const auto start = continuation.start(
      carried_over(known.coefficients, balance.motions(), ladder_.full(), balance.set()), known.frequency);
  if (!start) {
    recorder_.end_without_start(continuation.last_message());
    return;
  }
  ContinuationHooks few;
  few.on_point = [](const BranchPoint&, Index i) { return i < away; };
  const BranchPoint first = continuation.resume({*start}, few).points.back();
  hooks().on_point(first, 0);
  finish(branch_.follow_from(first));
}

ContinuationHooks ResponseBranchRun::hooks() {
  ContinuationHooks hooks;
  for (const Measure& measure : measures_) {
    hooks.events.push_back({.name = measure.event,
                            .value =
                                [this, &measure](const BranchPoint& point, const Vector& direction) {
                                  const SquaredAmplitude g = squared_in_present_set(measure, point, direction);
                                  return is_noise(g, measure, point) ? 0.0 : g.rate / g.value;
                                },
                            .crossing = Crossing::falling});
  }
  hooks.on_point = [this](const BranchPoint& point, Index) {
    const Vector stored = branch_.stored(point).x;
    largest_own_ = std::max(largest_own_, own_share(stored));
    if (!met_ && has_fallen_back(stored)) return false;
    if (met_ || has_slid_over(stored)) {
      end_at_meeting(point);
      return false;
    }
    const double fraction = (point.lambda - request_.from) / (request_.to - request_.from);
    return recorder_.add(describe(point), fraction);
  };
  if (PointStability* stability = recorder_.stability()) {
    stability->add_events(branch_.rung().balance, state_of, true, hooks);
  }
  hooks.on_event = [this](const BranchEvent& event) {
    const std::string kind = kind_of(event);
    if (kind.empty()) return;
    PointStability* stability = recorder_.stability();
    if (stability && !stability->is_genuine(branch_.rung().balance, event, state_of(event.point))) return;
    const auto is_it = [&](const Measure& measure) { return measure.event == event.name; };
    const auto measure = std::find_if(measures_.begin(), measures_.end(), is_it);
    const bool peak = measure != measures_.end();
    report_special(peak ? "peak" : kind, peak ? &*measure : nullptr, event.after_point, event.point);
  };
  hooks.parameter_text = [this](double frequency) { return fmt::format("{:.6g} Hz", frequency * origin_.periods); };
  return hooks;
}

void ResponseBranchRun::finish(const ContinuationSummary& summary) {
  // One that leaves another branch was sent nowhere, and may end where it began.
  const bool sent = origin_.x.size() == 0;
  if (met_) {
    recorder_.end_at_meeting();
  } else if (fell_back()) {
    recorder_.end_fallen_back(origin_.frequency);
  } else if (sent) {
    recorder_.end(summary);
  } else {
    recorder_.end(summary, summary.complete() || summary.stop == ContinuationStop::retraced_path);
  }
  for (const Measure& measure : measures_) result_.end.resonances.push_back(resonance(measure));
}

void ResponseBranchRun::report_special(const std::string& kind, const Measure* measure, Index after,
                                       const BranchPoint& point) {
  SpecialPoint special{.kind = kind, .after_point = after, .point = describe(point)};
  if (measure != nullptr) {
    special.observable = request_.observables[measure->observable].name;
    special.harmonic = measure->harmonic;
  }
  recorder_.add(std::move(special));
}

}  // namespace masing::detail
