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

}  // namespace

ResponseBranchRun::ResponseBranchRun(const Model& model, const FrequencyResponseRequest& request,
                                     const BranchOrigin& origin, ResultSink* sink, const ProgressCallback& progress)
    : request_(request),
      origin_(origin),
      ladder_(model, request.balance, request.stability, needed_harmonics(request, origin)),
      recorder_(model, ladder_, make_header(request, origin), sink, progress),
      result_(recorder_.branch()),
      branch_(ladder_, {.from = request.from, .to = request.to}, request.continuation, request.newton, owner()) {
  // At a doubling the harmonics between the old ones are zero; where symmetry breaks, even ones are nearly so.
  const double vanishes = origin.periods > 1 ? 1e-13 : 1e-6;
  for (Index i = 0; i < origin.x.size(); ++i) {
    if (std::abs(origin.x[i]) <= vanishes * origin.x.cwiseAbs().maxCoeff()) own_.push_back(i);
  }
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

/// A step went past the meeting without finding it, on along the branch that this one left.
bool ResponseBranchRun::has_slid_over(const Vector& stored) const {
  constexpr double nothing = 1e-6;
  return !own_.empty() && !fell_back() && lost_points_ == 0 && own_share(stored) < nothing * largest_own_;
}

std::string ResponseBranchRun::kind_of(const BranchEvent& event) {
  constexpr double gone = 0.01, nearly_gone = 0.05;
  if (own_.empty() || !is_bifurcation(event.name)) return event.name;
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
    if (met_ || has_fallen_back(stored)) return false;
    if (has_slid_over(stored)) {
      met_ = true;
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

// An amplitude that the motion of the joints does not reach beyond its rounding errors has no maximum worth a name.
bool ResponseBranchRun::is_noise(const SquaredAmplitude& g, const Measure& measure, const BranchPoint& point) const {
  constexpr double rounding = 1e-12;
  const Quantity quantity = request_.observables[measure.observable].quantity;
  const double unit = std::abs(quantity_factor(quantity, measure.harmonic, 2.0 * pi * point.lambda));
  const double smallest = rounding * unit * point.x.cwiseAbs().maxCoeff();
  return g.value <= smallest * smallest;
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

Resonance ResponseBranchRun::resonance(const Measure& measure) {
  Resonance result{.observable = request_.observables[measure.observable].name, .harmonic = measure.harmonic};
  const auto amplitude = [&](const ResponsePoint& point) {
    return point.observations[measure.observable].amplitude[measure.position];
  };
  const SpecialPoint* peak = nullptr;
  for (const SpecialPoint& special : result_.special_points) {
    if (special.kind != "peak" || special.observable != result.observable || special.harmonic != measure.harmonic)
      continue;
    if (peak == nullptr || amplitude(special.point) > amplitude(peak->point)) peak = &special;
  }
  const double located = peak != nullptr ? amplitude(peak->point) : 0.0;
  for (std::size_t i = 1; i + 1 < result_.points.size(); ++i) {
    const double here = amplitude(result_.points[i]);
    const bool sampled_peak = here > amplitude(result_.points[i - 1]) && here > amplitude(result_.points[i + 1]);
    if (!sampled_peak || here <= located || is_noise({here * here, 0.0}, measure, branch_.path()[i].point)) {
      continue;
    }
    result.note =
        fmt::format("the maximum near {:.6g} Hz, about {:.6g}, could not be located; try a smaller step_maximum",
                    result_.points[i].frequency, here);
    return result;
  }
  if (peak == nullptr) {
    result.note = result_.end.complete ? "no maximum inside the range"
                                       : "no maximum so far: the branch ended before the end of the range";
    return result;
  }
  result.frequency = peak->point.frequency;
  result.amplitude = located;
  const auto larger = std::find_if(result_.points.begin(), result_.points.end(),
                                   [&](const ResponsePoint& point) { return amplitude(point) > located; });
  if (larger != result_.points.end()) {
    result.note = fmt::format("the response is larger at {:.6g} Hz, towards an end of the range", larger->frequency);
    return result;
  }
  // What is stored of a branch that goes on later must not change when it does.
  if (result_.end.stop == to_string(ContinuationStop::stopped_by_user)) {
    result.note = "half-power points are looked for when the branch is complete";
    return result;
  }
  if (result_.end.stop == to_string(ContinuationStop::closed_loop)) {
    result.note = "the branch is closed: it turns back at folds on both sides of the peak and has no half-power band";
    return result;
  }
  half_power(measure, SpecialPoint(*peak), result);
  return result;
}

void ResponseBranchRun::half_power(const Measure& measure, const SpecialPoint& peak, Resonance& result) {
  const HalfPower lower = half_power_point(measure, peak, -1);
  const HalfPower upper = half_power_point(measure, peak, +1);
  if (!lower.point || !upper.point) {
    result.note = lower.range_ended || upper.range_ended
                      ? "the range ends before the amplitude has fallen to half power"
                      : "a half-power point could not be located; try a smaller step_maximum";
    return;
  }
  for (const HalfPower* found : {&lower, &upper}) {
    branch_.use(*found->point->rung);
    report_special("half-power", &measure, found->after, found->point->point);
  }
  const double width = std::abs(upper.point->point.lambda - lower.point->point.lambda);
  result.damping_ratio = origin_.periods * width / (2.0 * result.frequency);
  if (folds_between(lower.after, upper.after)) {
    result.note = "the peak is bent over a fold: half-power damping is not a modal damping ratio here";
  } else if (lower.overlapped || upper.overlapped) {
    result.note = "another peak stands within the half-power band: this is not the damping ratio of one mode";
  }
}

ResponseBranchRun::HalfPower ResponseBranchRun::half_power_point(const Measure& measure, const SpecialPoint& peak,
                                                                 int way) {
  constexpr double rises_again = 1.02;  // of the lowest g since the peak
  const PathPoint top = path_point(peak.point);
  const double half = 0.5 * squared(measure, top);
  const auto function = [&](const BranchPoint& point, const Vector&) {
    return squared(measure, {point, &branch_.rung()}) / half - 1.0;
  };
  const auto count = static_cast<Index>(result_.points.size());
  HalfPower result;
  double lowest = 2.0 * half;
  const PathPoint* inner = &top;
  for (Index i = way > 0 ? peak.after_point + 1 : peak.after_point; i >= 0 && i < count; i += way) {
    const PathPoint& outer = branch_.path()[static_cast<std::size_t>(i)];
    const double g = squared(measure, outer);
    result.overlapped = result.overlapped || g > rises_again * lowest;
    lowest = std::min(lowest, g);
    if (g <= half) {
      result.after = way > 0 ? i - 1 : i;
      const auto found = way > 0 ? branch_.locate(*inner, outer, function) : branch_.locate(outer, *inner, function);
      if (found) result.point = PathPoint{*found, &branch_.rung()};
      return result;
    }
    inner = &outer;
  }
  result.range_ended = true;
  return result;
}

bool ResponseBranchRun::folds_between(Index first, Index last) const {
  return std::any_of(result_.special_points.begin(), result_.special_points.end(), [&](const SpecialPoint& special) {
    return special.kind == "fold" && special.after_point >= first && special.after_point <= last;
  });
}

double ResponseBranchRun::squared(const Measure& measure, const PathPoint& at) {
  branch_.use(*at.rung);
  return squared_in_present_set(measure, at.point, Vector::Zero(at.point.x.size() + 1)).value;
}

SquaredAmplitude ResponseBranchRun::squared_in_present_set(const Measure& measure, const BranchPoint& point,
                                                           const Vector& direction) {
  HarmonicBalance& balance = branch_.rung().balance;
  return squared_amplitude(balance, request_.observables[measure.observable], balance.set().find(measure.harmonic),
                           point, direction);
}

}  // namespace masing::detail
