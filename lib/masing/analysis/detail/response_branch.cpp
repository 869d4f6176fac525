#include "masing/analysis/detail/response_branch.hpp"

#include "masing/analysis/detail/branch_switch.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace

ResponseBranchRun::ResponseBranchRun(const Model& model, const FrequencyResponseRequest& request,
                                     const BranchOrigin& origin, ResultSink* sink, const ProgressCallback& progress)
    : request_(request),
      origin_(origin),
      balance_(*model.structure, model.joints, model.loads, request.balance),
      problem_(balance_),
      continuation_(problem_, {.from = request.from, .to = request.to}, request.continuation, request.newton),
      recorder_(model, request.balance, balance_, make_header(request, origin), sink, progress, request.stability),
      branch_(recorder_.branch()) {
  balance_.set_level(request.levels[origin.level]);
  constexpr double vanishes = 1e-6;
  for (Index i = 0; i < origin.x.size(); ++i) {
    if (std::abs(origin.x[i]) <= vanishes * origin.x.cwiseAbs().maxCoeff()) own_.push_back(i);
  }
  for (std::size_t o = 0; o < request.observables.size(); ++o) {
    for (const int k : request.peak_harmonics) {
      const Index position = balance_.set().find(k);
      require(position >= 0, "Peaks of harmonic {} are asked for, but it is not among the balanced harmonics.", k);
      measures_.push_back({o, k, position, fmt::format("peak {} {}", o, k)});
    }
  }
}

ResponseBranch ResponseBranchRun::run(const BranchRestart& restart) {
  return recorder_.run(restart, [&] { follow(restart); });
}

void ResponseBranchRun::follow(const BranchRestart& restart) {
  if (!restart.points.empty()) {
    recorder_.take(restart);
    for (const ResponsePoint& point : restart.points) {
      path_.push_back(branch_point(point));
      largest_own_ = std::max(largest_own_, own_share(point.coefficients));
    }
    finish(continuation_.resume(path_, hooks()).summary);
    return;
  }
  if (origin_.x.size() > 0) return follow_from_origin();
  const FirstSolution first = first_point(request_.from);
  if (!first.found) {
    recorder_.end_without_start(first);
    return;
  }
  finish(continuation_.follow(first.x, hooks()).summary);
}

FirstSolution ResponseBranchRun::first_point(double frequency) {
  const double towards = frequency == request_.from ? request_.to : request_.from;
  return first_solution(balance_, frequency, request_.newton,
                        {.towards = towards, .go_on = [this](const std::string& trying) {
                           return recorder_.still_wanted("first point: " + trying);
                         }});
}

void ResponseBranchRun::follow_from_origin() {
  std::string message;
  const auto point =
      leave_branch_point(problem_, continuation_, origin_.x, origin_.frequency / origin_.periods, message);
  if (!point) {
    recorder_.end_without_start(message);
    return;
  }
  path_ = {*point};
  if (!recorder_.add(describe(*point), 0.0)) {
    recorder_.end(
        ContinuationSummary{.stop = ContinuationStop::stopped_by_user, .message = "Stopped at its first point."});
    return;
  }
  largest_own_ = own_share(point->x);
  finish(continuation_.resume(path_, hooks()).summary);
}

/// The part of a motion that the branch it left has not got: even harmonics, or those of the longer period.
double ResponseBranchRun::own_share(const Vector& x) const { return own_.empty() ? 0.0 : x(own_).norm() / x.norm(); }

bool ResponseBranchRun::has_fallen_back(const Vector& x) {
  constexpr double lost = 1e-3;
  constexpr std::size_t soon = 8;  // later on it is a meeting, which is located
  const bool is_lost = !own_.empty() && path_.size() < soon && own_share(x) < lost * largest_own_;
  lost_points_ = is_lost ? lost_points_ + 1 : 0;
  return fell_back();
}

bool ResponseBranchRun::is_doubtful(const BranchEvent& event) {
  constexpr double gone = 0.01, nearly_gone = 0.05;
  if (own_.empty() || !is_bifurcation(event.name)) return false;
  const double share = own_share(event.point.x) / largest_own_;
  met_ = met_ || share < gone;
  return event.name != "fold" && share >= gone && share < nearly_gone;
}

ResponsePoint ResponseBranchRun::describe(const BranchPoint& point) {
  ResponsePoint result = recorder_.describe(point, point.x, point.lambda);
  result.frequency *= origin_.periods;
  return result;
}

BranchPoint ResponseBranchRun::branch_point(const ResponsePoint& point) const {
  return {.x = point.coefficients,
          .lambda = point.frequency / origin_.periods,
          .tangent = point.tangent,
          .step = point.step,
          .iterations = point.iterations,
          .residual = point.residual};
}

ResponseBranch ResponseBranchRun::run_through(const ResponsePoint& known, int index, const std::string& label) {
  branch_.header.index = index;
  branch_.header.label = label;
  return recorder_.run({}, [&] { follow_through(known); });
}

// The motion may stand at a fold: the branch begins a few steps away, so that this fold is located like any other.
void ResponseBranchRun::follow_through(const ResponsePoint& known) {
  constexpr Index away = 3;
  const auto start = continuation_.start(known.coefficients, known.frequency);
  if (!start) {
    recorder_.end_without_start(continuation_.last_message());
    return;
  }
  ContinuationHooks few;
  few.on_point = [](const BranchPoint&, Index i) { return i < away; };
  const BranchPoint first = continuation_.resume({*start}, few).points.back();
  hooks().on_point(first, 0);
  finish(continuation_.resume({first}, hooks()).summary);
}

ContinuationHooks ResponseBranchRun::hooks() {
  ContinuationHooks hooks;
  for (const Measure& measure : measures_) {
    hooks.events.push_back({.name = measure.event,
                            .value =
                                [this, &measure](const BranchPoint& point, const Vector& direction) {
                                  const SquaredAmplitude g =
                                      squared_amplitude(balance_, request_.observables[measure.observable],
                                                        measure.position, point, direction);
                                  return is_noise(g, measure, point) ? 0.0 : g.rate / g.value;
                                },
                            .crossing = Crossing::falling});
  }
  hooks.on_point = [this](const BranchPoint& point, Index) {
    largest_own_ = std::max(largest_own_, own_share(point.x));
    if (met_ || has_fallen_back(point.x)) return false;
    path_.push_back(point);
    const double fraction = (point.lambda - request_.from) / (request_.to - request_.from);
    return recorder_.add(describe(point), fraction);
  };
  const auto state_of = [](const BranchPoint& point) {
    return PointStability::State{point.x, 2.0 * pi * point.lambda};
  };
  if (PointStability* stability = recorder_.stability()) stability->add_events(balance_, state_of, true, hooks);
  hooks.on_event = [this, state_of](const BranchEvent& event) {
    if (is_doubtful(event)) return;
    PointStability* stability = recorder_.stability();
    if (stability && !stability->is_genuine(balance_, event, state_of(event.point))) return;
    const auto is_it = [&](const Measure& measure) { return measure.event == event.name; };
    const auto measure = std::find_if(measures_.begin(), measures_.end(), is_it);
    const bool peak = measure != measures_.end();
    report_special(peak ? "peak" : event.name, peak ? &*measure : nullptr, event.after_point, event.point);
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
  for (const Measure& measure : measures_) branch_.end.resonances.push_back(resonance(measure));
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
  for (const SpecialPoint& special : branch_.special_points) {
    if (special.kind != "peak" || special.observable != result.observable || special.harmonic != measure.harmonic)
      continue;
    if (peak == nullptr || amplitude(special.point) > amplitude(peak->point)) peak = &special;
  }
  const double located = peak != nullptr ? amplitude(peak->point) : 0.0;
  for (std::size_t i = 1; i + 1 < branch_.points.size(); ++i) {
    const double here = amplitude(branch_.points[i]);
    const bool sampled_peak = here > amplitude(branch_.points[i - 1]) && here > amplitude(branch_.points[i + 1]);
    if (!sampled_peak || here <= located || is_noise({here * here, 0.0}, measure, path_[i])) continue;
    result.note =
        fmt::format("the maximum near {:.6g} Hz, about {:.6g}, could not be located; try a smaller step_maximum",
                    branch_.points[i].frequency, here);
    return result;
  }
  if (peak == nullptr) {
    result.note = branch_.end.complete ? "no maximum inside the range"
                                       : "no maximum so far: the branch ended before the end of the range";
    return result;
  }
  result.frequency = peak->point.frequency;
  result.amplitude = located;
  const auto larger = std::find_if(branch_.points.begin(), branch_.points.end(),
                                   [&](const ResponsePoint& point) { return amplitude(point) > located; });
  if (larger != branch_.points.end()) {
    result.note = fmt::format("the response is larger at {:.6g} Hz, towards an end of the range", larger->frequency);
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
  report_special("half-power", &measure, lower.after, *lower.point);
  report_special("half-power", &measure, upper.after, *upper.point);
  result.damping_ratio =
      origin_.periods * std::abs(upper.point->lambda - lower.point->lambda) / (2.0 * result.frequency);
  if (folds_between(lower.after, upper.after)) {
    result.note = "the peak is bent over a fold: half-power damping is not a modal damping ratio here";
  } else if (lower.overlapped || upper.overlapped) {
    result.note = "another peak stands within the half-power band: this is not the damping ratio of one mode";
  }
}

ResponseBranchRun::HalfPower ResponseBranchRun::half_power_point(const Measure& measure, const SpecialPoint& peak,
                                                                 int way) {
  constexpr double rises_again = 1.02;  // of the lowest g since the peak
  const BranchPoint top = branch_point(peak.point);
  const double half = 0.5 * squared(measure, top);
  const auto function = [&](const BranchPoint& point, const Vector&) { return squared(measure, point) / half - 1.0; };
  const Index count = static_cast<Index>(path_.size());
  HalfPower result;
  double lowest = 2.0 * half;
  const BranchPoint* inner = &top;
  for (Index i = way > 0 ? peak.after_point + 1 : peak.after_point; i >= 0 && i < count; i += way) {
    const BranchPoint& outer = path_[static_cast<std::size_t>(i)];
    const double g = squared(measure, outer);
    result.overlapped = result.overlapped || g > rises_again * lowest;
    lowest = std::min(lowest, g);
    if (g <= half) {
      result.after = way > 0 ? i - 1 : i;
      result.point =
          way > 0 ? continuation_.locate(*inner, outer, function) : continuation_.locate(outer, *inner, function);
      return result;
    }
    inner = &outer;
  }
  result.range_ended = true;
  return result;
}

bool ResponseBranchRun::folds_between(Index first, Index last) const {
  return std::any_of(branch_.special_points.begin(), branch_.special_points.end(), [&](const SpecialPoint& special) {
    return special.kind == "fold" && special.after_point >= first && special.after_point <= last;
  });
}

double ResponseBranchRun::squared(const Measure& measure, const BranchPoint& point) {
  const Vector no_direction = Vector::Zero(point.x.size() + 1);
  const Observable& observable = request_.observables[measure.observable];
  return squared_amplitude(balance_, observable, measure.position, point, no_direction).value;
}

}  // namespace masing::detail
