#include "masing/analysis/detail/transient_run.hpp"

#include "masing/analysis/detail/series_observation.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace masing::detail {

namespace {

constexpr Index samples_without_frequency = 4096;
constexpr Index steady_periods_kept = 2;
constexpr Index reports_without_frequency = 64;

Drive drive_of(const TransientRequest& request, std::size_t level) {
  return {.level = request.levels[level], .omega = 2.0 * pi * request.frequency};
}

/// Whether a law commits its memory step by step, without changes of phase that are located: its error is one of the step,
/// which the error estimate of the integrator does not see.
bool commits_by_step(const Joint& joint) {
  const auto point = joint.element->at_rest();
  return !point->switches() && point->memory().size() > 0;
}

/// With such laws the steps are those of the output from the beginning: larger ones before the motion is steady would be
/// another discrete system, with another steady motion.
IntegratorOptions integrator_options(const Model& model, const TransientRequest& request) {
  IntegratorOptions options{.relative_tolerance = request.relative_tolerance, .max_step = request.max_step};
  const bool by_step = std::any_of(model.joints.begin(), model.joints.end(), commits_by_step);
  if (by_step && request.frequency > 0.0) {
    const double step = 1.0 / (request.frequency * static_cast<double>(request.samples_per_period));
    options.max_step = options.max_step > 0.0 ? std::min(options.max_step, step) : step;
  }
  return options;
}

double value_of(const TimeIntegrator& integrator, const Observable& observable) {
  const auto pick = [&](const auto& all) {
    return observable.is_combination() ? observable.motion.dot(all) : all[observable.coordinate];
  };
  switch (observable.quantity) {
    case Quantity::displacement:
      return pick(integrator.displacement());
    case Quantity::velocity:
      return pick(integrator.velocity());
    case Quantity::acceleration:
      break;
  }
  return pick(integrator.acceleration());
}

}  // namespace

Sampling sampling_of(const TransientRequest& request) {
  if (request.frequency == 0.0) {
    return {request.duration / static_cast<double>(samples_without_frequency), samples_without_frequency, 0};
  }
  const double period = 1.0 / request.frequency;
  const double step = period / static_cast<double>(request.samples_per_period);
  double length = static_cast<double>(steady_periods_kept) * period;
  if (request.periods > 0.0) length = request.periods * period;
  if (request.duration > 0.0) length = request.duration;
  // A length that is a whole number of steps but for rounding is one.
  return {step, static_cast<Index>(std::floor(length / step * (1.0 + 1e-12) + 1e-9)), request.samples_per_period};
}

TransientRun::TransientRun(const SecondOrderStructure& structure, const Model& model, const TransientRequest& request,
                           std::size_t level, const ProgressCallback& progress)
    : request_(request),
      progress_(progress),
      integrator_(structure, model.joints, model.loads, drive_of(request, level), integrator_options(model, request)),
      sampling_(sampling_of(request)),
      begin_(std::chrono::steady_clock::now()) {
  const Vector zero = Vector::Zero(structure.size());
  integrator_.set_state(request.initial_displacement.size() > 0 ? request.initial_displacement : zero,
                        request.initial_velocity.size() > 0 ? request.initial_velocity : zero);
  history_.analysis = request.name;
  history_.level = request.shown_levels.empty() ? request.levels[level] : request.shown_levels[level];
  history_.frequency = request.frequency;
  history_.observables = request.observables;
  history_.joint_forces = input_names(model.joints);
}

TimeHistory TransientRun::run() {
  const Index rows = sampling_.intervals + 1;
  const Index forces = static_cast<Index>(history_.joint_forces.size());
  history_.time.resize(rows);
  history_.values.resize(rows, static_cast<Index>(request_.observables.size()));
  history_.joint_force.resize(rows, forces);
  history_.joint_motion.resize(rows, forces);
  try {
    request_.periods > 0.0 || request_.duration > 0.0 ? march_fixed() : march_to_steady();
  } catch (const NumericalError& error) {
    finish(error.what(), false);
  }
  report(static_cast<int>(rows_), 1.0, true);
  return std::move(history_);
}

void TransientRun::march_to_steady() {
  const auto after_period = [&](int periods, double) {
    return report(periods, static_cast<double>(periods) / request_.max_periods, false);
  };
  const SteadySummary summary = run_to_steady(
      integrator_, {.tolerance = request_.steady_tolerance, .max_periods = request_.max_periods}, after_period);
  if (summary.stop == SteadyStop::stopped) {
    record(0);
  } else {
    sample(integrator_.time(), false);
  }
  finish(summary.message, summary.steady());
  if (summary.steady()) judge_last_period();
}

void TransientRun::march_fixed() {
  const bool finished = sample(0.0, true);
  if (!finished) return finish(fmt::format("Stopped by request at t = {:.6g} s.", integrator_.time()), false);
  std::string message = fmt::format("Integrated to t = {:.6g} s.", integrator_.time());
  if (last_change_ >= 0.0) {
    message += fmt::format(" The state changed by {:.2g} of its swing over the last period (steady_tolerance {:g}).",
                           last_change_, request_.steady_tolerance);
  }
  finish(message, true);
  if (last_change_ >= 0.0 && last_change_ <= request_.steady_tolerance) judge_last_period();
}

bool TransientRun::sample(double start, bool with_reports) {
  const Index last_period = sampling_.per_period > 0 ? sampling_.intervals - sampling_.per_period : -1;
  std::optional<PeriodComparison> comparison;
  record(0);
  for (Index i = 0; i < sampling_.intervals; ++i) {
    if (i == last_period) comparison.emplace(integrator_);
    integrator_.advance_to(start + static_cast<double>(i + 1) * sampling_.step);
    record(i + 1);
    if (!with_reports || !at_report(i + 1)) continue;
    const double fraction = static_cast<double>(i + 1) / static_cast<double>(sampling_.intervals);
    if (!report(static_cast<int>(i + 2), fraction, false)) return false;
    if (!comparison) integrator_.restart_extent();
  }
  if (comparison) last_change_ = comparison->change_over_period();
  return true;
}

bool TransientRun::at_report(Index interval) const {
  const Index every = sampling_.per_period > 0 ? sampling_.per_period
                                               : std::max<Index>(1, sampling_.intervals / reports_without_frequency);
  return interval % every == 0 && interval < sampling_.intervals;
}

void TransientRun::judge_last_period() {
  const Index n = sampling_.per_period;
  const Index first = rows_ - 1 - n;
  const double angle = 2.0 * pi * request_.frequency * history_.time[first];
  history_.is_steady = true;
  for (Index column = 0; column < history_.values.cols(); ++column) {
    history_.steady.push_back(observe_series(history_.values.col(column).segment(first, n), angle, request_.harmonics));
  }
}

void TransientRun::record(Index row) {
  history_.time[row] = integrator_.time();
  for (Index i = 0; i < history_.values.cols(); ++i) {
    history_.values(row, i) = value_of(integrator_, request_.observables[i]);
  }
  Index column = 0;
  for (Index j = 0; j < integrator_.joints(); ++j) {
    const auto force = integrator_.joint_force(j);
    history_.joint_force.row(row).segment(column, force.size()) = force.transpose();
    history_.joint_motion.row(row).segment(column, force.size()) = integrator_.joint_motion(j).displacement.transpose();
    column += force.size();
  }
  rows_ = row + 1;
}

void TransientRun::finish(const std::string& message, bool complete) {
  history_.message = message;
  history_.complete = complete;
  keep_rows(rows_);
}

void TransientRun::keep_rows(Index rows) {
  history_.time.conservativeResize(rows);
  history_.values.conservativeResize(rows, Eigen::NoChange);
  history_.joint_force.conservativeResize(rows, Eigen::NoChange);
  history_.joint_motion.conservativeResize(rows, Eigen::NoChange);
}

bool TransientRun::report(int points, double fraction, bool finished) {
  if (!progress_) return true;
  Progress now;
  now.task = fmt::format("{}, {:g}{}{}", request_.name, history_.level, request_.level_unit.empty() ? "" : " ",
                         request_.level_unit);
  now.frequency = request_.frequency;
  now.amplitude = present_amplitude();
  now.step = sampling_.step;
  now.points = points;
  now.fraction = fraction;
  now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  now.finished = finished;
  return progress_(now);
}

double TransientRun::present_amplitude() const {
  if (request_.observables.empty()) return 0.0;
  const Observable& observable = request_.observables.front();
  if (observable.is_combination()) return std::abs(value_of(integrator_, observable));
  const Index row = observable.coordinate + static_cast<Index>(observable.quantity) * integrator_.displacement().size();
  return std::max(std::abs(integrator_.extent().lowest[row]), std::abs(integrator_.extent().highest[row]));
}

}  // namespace masing::detail
