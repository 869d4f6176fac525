#include "masing/analysis/detail/response_branch.hpp"

#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

BranchHeader make_header(const FrequencyResponseRequest& request, int index, const HarmonicBalance& balance) {
  const auto i = static_cast<std::size_t>(index);
  return {.analysis = request.name,
          .index = index,
          .level = i < request.shown_levels.size() ? request.shown_levels[i] : request.levels[i],
          .level_unit = request.level_unit,
          .harmonics = request.balance.harmonics,
          .samples = request.balance.samples,
          .kept_motions = balance.motion_names(),
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

// One Newton step from rest: the linear answer with every joint in the state it has at rest (friction stuck).
Vector linear_answer(HarmonicBalance& balance, double omega) {
  Vector x = Vector::Zero(balance.size());
  Vector r, by_omega;
  Matrix jacobian;
  balance.residual(x, omega, r);
  balance.derivatives(x, omega, jacobian, by_omega);
  const Vector step = jacobian.partialPivLu().solve(r);
  if (step.allFinite()) x -= step;
  return x;
}

}  // namespace

ResponseBranchRun::ResponseBranchRun(const Model& model, const FrequencyResponseRequest& request, int index,
                                     ResultSink* sink, const ProgressCallback& progress)
    : request_(request),
      sink_(sink),
      progress_(progress),
      balance_(*model.structure, model.joints, model.loads, request.balance),
      problem_(balance_),
      continuation_(problem_, {.from = request.from, .to = request.to}, request.continuation, request.newton) {
  balance_.set_level(request.levels[static_cast<std::size_t>(index)]);
  branch_.header = make_header(request, index, balance_);
  for (std::size_t o = 0; o < request.observables.size(); ++o) {
    for (const int k : request.peak_harmonics) {
      const Index position = balance_.set().find(k);
      require(position >= 0, "Peaks of harmonic {} are asked for, but it is not among the balanced harmonics.", k);
      measures_.push_back({o, k, position, fmt::format("peak {} {}", o, k)});
    }
  }
}

ResponseBranch ResponseBranchRun::run(const BranchRestart& restart) {
  if (restart.ended && restart.end.complete) {
    branch_.points = restart.points;
    branch_.special_points = restart.special_points;
    branch_.end = restart.end;
    return branch_;
  }
  if (sink_ != nullptr) sink_->begin_branch(branch_.header);
  try {
    follow(restart);
  } catch (const NumericalError& error) {
    branch_.end.stop = "numerical error";
    branch_.end.message = fmt::format("{} {} points are saved.", error.what(), branch_.points.size());
  }
  branch_.end.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  if (sink_ != nullptr) sink_->end_branch(branch_.header, branch_.end);
  if (!branch_.points.empty()) report_progress(branch_.points.back(), true);
  return branch_;
}

void ResponseBranchRun::follow(const BranchRestart& restart) {
  if (!restart.points.empty()) {
    branch_.points = restart.points;
    branch_.special_points = restart.special_points;
    for (const ResponsePoint& point : restart.points) path_.push_back(branch_point(point));
    finish(continuation_.resume(path_, hooks()).summary);
    return;
  }
  const FirstPoint first = first_point(request_.from);
  if (!first.found) {
    branch_.end.stop = to_string(ContinuationStop::no_start);
    branch_.end.message = first.message;
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
    branch_.points.push_back(response_point(point));
    if (sink_ != nullptr) sink_->add_point(branch_.header, branch_.points.back());
    return report_progress(branch_.points.back(), false);
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
  branch_.end.stop = to_string(summary.stop);
  branch_.end.complete = summary.complete();
  branch_.end.message = summary.message;
  for (const Measure& measure : measures_) branch_.end.resonances.push_back(resonance(measure));
}

void ResponseBranchRun::report_special(const std::string& kind, const Measure* measure, Index after,
                                       const BranchPoint& point) {
  SpecialPoint special{.kind = kind, .after_point = after, .point = response_point(point)};
  if (measure != nullptr) {
    special.observable = request_.observables[measure->observable].name;
    special.harmonic = measure->harmonic;
  }
  branch_.special_points.push_back(std::move(special));
  if (sink_ != nullptr) sink_->add_special_point(branch_.header, branch_.special_points.back());
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
  if (peak == nullptr) {
    result.note = "no maximum inside the range";
    return result;
  }
  result.frequency = peak->point.frequency;
  result.amplitude = amplitude(peak->point);
  const auto larger = std::find_if(branch_.points.begin(), branch_.points.end(),
                                   [&](const ResponsePoint& point) { return amplitude(point) > result.amplitude; });
  if (larger != branch_.points.end()) {
    result.note =
        fmt::format("the response is larger at {:.6g} Hz, where it has no maximum inside the range", larger->frequency);
    return result;
  }
  half_power(measure, SpecialPoint(*peak), result);
  return result;
}

void ResponseBranchRun::half_power(const Measure& measure, const SpecialPoint& peak, Resonance& result) {
  const double half = 0.5 * result.amplitude * result.amplitude;
  Index before = 0;
  Index behind = 0;
  const auto lower = half_power_point(measure, peak.after_point, half, -1, before);
  const auto upper = half_power_point(measure, peak.after_point, half, +1, behind);
  if (!lower || !upper) {
    result.note = "the range ends before the amplitude has fallen to half power";
    return;
  }
  report_special("half-power", &measure, before, *lower);
  report_special("half-power", &measure, behind, *upper);
  result.damping_ratio = std::abs(upper->lambda - lower->lambda) / (2.0 * result.frequency);
  if (folds_between(before, behind)) {
    result.note = "the peak is bent over a fold: half-power damping is not a modal damping ratio here";
  }
}

std::optional<BranchPoint> ResponseBranchRun::half_power_point(const Measure& measure, Index after_peak, double half,
                                                               int way, Index& after) {
  const Index count = static_cast<Index>(path_.size());
  for (Index i = way > 0 ? after_peak + 1 : after_peak; i >= 0 && i < count; i += way) {
    if (squared(measure, path_[static_cast<std::size_t>(i)]) > half) continue;
    const Index inner = i - way;  // the neighbour on the side of the peak
    after = std::min(i, inner);
    const auto function = [&](const BranchPoint& point, const Vector&) { return squared(measure, point) / half - 1.0; };
    const auto& first = path_[static_cast<std::size_t>(after)];
    const auto& second = path_[static_cast<std::size_t>(after + 1)];
    return continuation_.locate(first, second, function);
  }
  return std::nullopt;
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

ResponsePoint ResponseBranchRun::response_point(const BranchPoint& point) {
  const double omega = 2.0 * pi * point.lambda;
  ResponsePoint result{.frequency = point.lambda,
                       .coefficients = point.x,
                       .tangent = point.tangent,
                       .step = point.step,
                       .iterations = point.iterations,
                       .residual = point.residual};
  const Eigen::Map<const Matrix> y(point.x.data(), balance_.motions(), balance_.set().positions());
  result.truncation = truncation(balance_.set(), y);
  const Matrix all = balance_.recover(point.x, omega);
  for (const Observable& observable : request_.observables) {
    result.observations.push_back(observe(observable, balance_.set(), all, omega));
  }
  return result;
}

bool ResponseBranchRun::report_progress(const ResponsePoint& point, bool finished) {
  if (!progress_) return true;
  const double span = request_.to - request_.from;
  Progress progress{.task = fmt::format("{}, {:.4g}{}{}", request_.name, branch_.header.level,
                                        request_.level_unit.empty() ? "" : " ", request_.level_unit),
                    .frequency = point.frequency,
                    .step = point.step,
                    .iterations = point.iterations,
                    .points = static_cast<int>(branch_.points.size()),
                    .fraction = std::clamp((point.frequency - request_.from) / span, 0.0, 1.0),
                    .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(),
                    .finished = finished};
  if (!point.observations.empty()) {
    const Observation& first = point.observations.front();
    progress.amplitude = first.amplitude.size() > 1 ? first.amplitude[balance_.set().has_zero() ? 1 : 0] : first.rms;
  }
  return progress_(progress);
}

ResponseBranchRun::FirstPoint ResponseBranchRun::first_point(double frequency) {
  FirstPoint first;
  first.x = linear_answer(balance_, 2.0 * pi * frequency);
  const auto point = continuation_.start(first.x, frequency);
  if (point) return {.x = point->x, .found = true, .message = {}};
  const std::string direct = continuation_.last_message();
  first = raise_level(frequency);
  if (!first.found) {
    first.message =
        fmt::format("No solution was found at the first frequency, {:.6g} Hz. Directly: {} By raising the load: {}",
                    frequency, direct, first.message);
  }
  return first;
}

// From a thousandth of the load, where joints hardly leave their state at rest, up to the whole of it.
ResponseBranchRun::FirstPoint ResponseBranchRun::raise_level(double frequency) {
  constexpr double first_share = 1e-3;
  const double level = balance_.level();
  const double omega = 2.0 * pi * frequency;
  balance_.set_level(first_share * level);
  const Vector guess = linear_answer(balance_, omega);
  LevelProblem problem(balance_, omega);
  Continuation raise(problem, {.from = first_share * level, .to = level}, {}, request_.newton);
  const Branch path = raise.follow(guess);
  balance_.set_level(level);
  const bool found = path.summary.stop == ContinuationStop::reached_end;
  return {.x = found ? path.points.back().x : guess, .found = found, .message = path.summary.message};
}

}  // namespace masing::detail
