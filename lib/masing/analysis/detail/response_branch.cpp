#include "masing/analysis/detail/response_branch.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

BranchHeader make_header(const FrequencyResponseRequest& request, int index) {
  const auto i = static_cast<std::size_t>(index);
  return {.analysis = request.name,
          .index = index,
          .level = i < request.shown_levels.size() ? request.shown_levels[i] : request.levels[i],
          .level_unit = request.level_unit,
          .harmonics = {},
          .kept_motions = {},
          .observables = request.observables};
}

BranchPoint branch_point(const ResponsePoint& point) {
  return {.x = point.coefficients,
          .lambda = point.frequency,
          .tangent = point.tangent,
          .step = point.step,
          .iterations = point.iterations,
          .residual = point.residual};
}

}  // namespace

ResponseBranchRun::ResponseBranchRun(const Model& model, const FrequencyResponseRequest& request, int index,
                                     ResultSink* sink, const ProgressCallback& progress)
    : request_(request),
      balance_(*model.structure, model.joints, model.loads, request.balance),
      problem_(balance_),
      continuation_(problem_, {.from = request.from, .to = request.to}, request.continuation, request.newton),
      recorder_(model, request.balance, balance_, make_header(request, index), sink, progress),
      branch_(recorder_.branch()) {
  balance_.set_level(request.levels[static_cast<std::size_t>(index)]);
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
    for (const ResponsePoint& point : restart.points) path_.push_back(branch_point(point));
    finish(continuation_.resume(path_, hooks()).summary);
    return;
  }
  const FirstSolution first = first_point(request_.from);
  if (!first.found) {
    recorder_.end(std::string(to_string(ContinuationStop::no_start)), false, first.message);
    return;
  }
  finish(continuation_.follow(first.x, hooks()).summary);
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
    path_.push_back(point);
    const double fraction = (point.lambda - request_.from) / (request_.to - request_.from);
    return recorder_.add(recorder_.describe(point, point.x, point.lambda), fraction);
  };
  hooks.on_event = [this](const BranchEvent& event) {
    const auto is_it = [&](const Measure& measure) { return measure.event == event.name; };
    const auto measure = std::find_if(measures_.begin(), measures_.end(), is_it);
    const bool peak = measure != measures_.end();
    report_special(peak ? "peak" : event.name, peak ? &*measure : nullptr, event.after_point, event.point);
  };
  hooks.parameter_text = [](double frequency) { return fmt::format("{:.6g} Hz", frequency); };
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
  // A branch that came back and left the range at its start did not get where it was sent.
  recorder_.end(std::string(to_string(summary.stop)),
                summary.complete() && summary.stop != ContinuationStop::left_at_start, summary.message);
  for (const Measure& measure : measures_) branch_.end.resonances.push_back(resonance(measure));
}

void ResponseBranchRun::report_special(const std::string& kind, const Measure* measure, Index after,
                                       const BranchPoint& point) {
  SpecialPoint special{.kind = kind, .after_point = after, .point = recorder_.describe(point, point.x, point.lambda)};
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
  result.damping_ratio = std::abs(upper.point->lambda - lower.point->lambda) / (2.0 * result.frequency);
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
