#include "masing/analysis/detail/response_branch.hpp"

#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

#include <Eigen/Cholesky>
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
  Vector step = jacobian.partialPivLu().solve(r);
  if (!step.allFinite()) {  // nothing resists at rest: pushed against a soft spring, loads close the contacts they can
    constexpr double soft = 1e-2;
    jacobian.diagonal().array() += soft * jacobian.cwiseAbs().maxCoeff();
    step = jacobian.partialPivLu().solve(r);
  }
  if (step.allFinite()) x -= step;
  return x;
}

// Levenberg-Marquardt descent on |R|², which gets on where the Jacobian is singular (a contact that is open at rest and
// closed by a preload) or the way is long. Ends near a solution if it finds one.
Vector descend(HarmonicBalance& balance, Vector x, double omega) {
  constexpr int most_steps = 200;
  constexpr double good_enough = 1e-12;  // of the first |R|²
  Vector r, trial_r, by_omega;
  Matrix jacobian;
  balance.residual(x, omega, r);
  const double first = r.squaredNorm();
  double damping = 1e-3;
  for (int i = 0; i < most_steps && r.squaredNorm() > good_enough * first && damping < 1e12; ++i) {
    balance.derivatives(x, omega, jacobian, by_omega);
    Matrix normal = jacobian.transpose() * jacobian;
    normal.diagonal().array() += damping * normal.diagonal().maxCoeff();
    const Vector step = normal.ldlt().solve(jacobian.transpose() * r);
    const Vector trial = x - step;
    balance.residual(trial, omega, trial_r);
    const bool better = trial_r.allFinite() && trial_r.squaredNorm() < r.squaredNorm();
    damping *= better ? 0.2 : 5.0;
    if (better) x = trial, r = trial_r;
  }
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
  const bool was_stopped = restart.end.stop == to_string(ContinuationStop::stopped_by_user);
  if (restart.ended && !was_stopped) {
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
  // A branch that came back and left the range at its start did not get where it was sent.
  branch_.end.complete = summary.complete() && summary.stop != ContinuationStop::left_at_start;
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
    result.note = "no maximum inside the range";
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

// Newton's method from the linear answer; then from where a damped descent gets; then by raising the load.
ResponseBranchRun::FirstPoint ResponseBranchRun::first_point(double frequency) {
  const double omega = 2.0 * pi * frequency;
  const Vector linear = linear_answer(balance_, omega);
  auto point = continuation_.start(linear, frequency);
  const std::string direct = continuation_.last_message();
  if (!point) point = continuation_.start(descend(balance_, linear, omega), frequency);
  if (point) return {.x = point->x, .found = true, .message = {}};
  FirstPoint first = raise_level(frequency);
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
