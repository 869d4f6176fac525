#include "masing/transient/steady.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace masing {

namespace {

constexpr double died_out = 1e-6;  // share of the largest swing below which the motion counts as no motion

double swing(const MotionExtent& extent, Index begin, Index count) {
  if (count == 0) return 0.0;
  return 0.5 * (extent.highest.segment(begin, count) - extent.lowest.segment(begin, count)).maxCoeff();
}

double relative(double difference, double scale) { return difference == 0.0 ? 0.0 : difference / scale; }

// What is still to come when changes go on to shrink as they did, on average, over the last periods: with complex
// multipliers they shrink in waves. Negative when they do not shrink.
double remaining_change(const std::vector<double>& changes) {
  constexpr std::size_t window = 12;
  if (changes.back() == 0.0) return 0.0;
  const std::size_t span = std::min(window, changes.size() - 1);
  if (span == 0) return -1.0;
  const double ratio = std::pow(changes.back() / changes[changes.size() - 1 - span], 1.0 / static_cast<double>(span));
  if (ratio >= 1.0) return -1.0;
  const double remaining = changes.back() * ratio / (1.0 - ratio);
  return remaining < 1.0 ? remaining : -1.0;  // more than the whole swing: not a rate to rely on
}

std::string steady_message(const SteadySummary& summary, const SteadyOptions& options) {
  const std::string numbers =
      fmt::format("the state changed by {:.2g} of its swing over the last period (tolerance {:g})", summary.change,
                  options.tolerance);
  const std::string outlook = summary.remaining >= 0.0
                                  ? fmt::format("at this rate about {:.2g} is still to come", summary.remaining)
                                  : std::string("the changes do not shrink");
  switch (summary.stop) {
    case SteadyStop::steady:
      return fmt::format("Steady after {} periods: {}; {}.", summary.periods, numbers, outlook);
    case SteadyStop::max_periods:
      return fmt::format(
          "Not steady after {} periods: {}; {}. Raise max_periods, or look at the history: the motion may be "
          "quasi-periodic or repeat after several periods only.",
          summary.periods, numbers, outlook);
    case SteadyStop::stopped:
      return fmt::format("Stopped by request after {} periods: {}.", summary.periods, numbers);
    case SteadyStop::not_run:
      break;
  }
  return summary.message;
}

}  // namespace

std::string_view to_string(SteadyStop stop) {
  switch (stop) {
    case SteadyStop::steady:
      return "steady";
    case SteadyStop::max_periods:
      return "not steady after the allowed periods";
    case SteadyStop::stopped:
      return "stopped by request";
    case SteadyStop::not_run:
      break;
  }
  return "not run";
}

PeriodComparison::PeriodComparison(TimeIntegrator& integrator)
    : integrator_(integrator), largest_memory_(integrator.joint_memory().cwiseAbs()) {
  begin_period();
}

void PeriodComparison::begin_period() {
  displacement_ = integrator_.displacement();
  velocity_ = integrator_.velocity();
  memory_ = integrator_.joint_memory();
  integrator_.restart_extent();
}

double PeriodComparison::change_over_period() {
  const Index n = displacement_.size();
  double change = 0.0;
  const auto compare = [&](const Vector& before, const Vector& now, int block) {
    const double present = swing(integrator_.extent(), block * n, n);
    largest_swing_[block] = std::max(largest_swing_[block], present);
    const double scale = std::max(present, died_out * largest_swing_[block]);
    change = std::max(change, relative((now - before).lpNorm<Eigen::Infinity>(), scale));
  };
  compare(displacement_, integrator_.displacement(), 0);
  compare(velocity_, integrator_.velocity(), 1);
  const Vector memory = integrator_.joint_memory();
  largest_memory_ = largest_memory_.cwiseMax(memory.cwiseAbs());
  for (Index i = 0; i < memory.size(); ++i) {
    change = std::max(change, relative(std::abs(memory[i] - memory_[i]), largest_memory_[i]));
  }
  return change;
}

SteadySummary run_to_steady(TimeIntegrator& integrator, const SteadyOptions& options, const PeriodCallback& callback) {
  require(integrator.period() > 0.0,
          "A steady state needs an excitation frequency > 0; without one, integrate for a fixed "
          "duration.");
  require(options.tolerance > 0.0, "steady_tolerance = {:g} must be > 0.", options.tolerance);
  require(options.max_periods >= 1, "max_periods = {} must be >= 1.", options.max_periods);

  SteadySummary summary;
  std::vector<double> changes;
  const double start = integrator.time();
  PeriodComparison comparison(integrator);
  while (summary.stop == SteadyStop::not_run) {
    ++summary.periods;
    comparison.begin_period();
    integrator.advance_to(start + summary.periods * integrator.period());
    changes.push_back(comparison.change_over_period());
    summary.change = changes.back();
    summary.remaining = remaining_change(changes);
    if (summary.change <= options.tolerance) {
      summary.stop = SteadyStop::steady;
    } else if (summary.periods >= options.max_periods) {
      summary.stop = SteadyStop::max_periods;
    }
    const bool go_on = !callback || callback(summary.periods, summary.change);
    if (!go_on && summary.stop == SteadyStop::not_run) summary.stop = SteadyStop::stopped;
  }
  summary.message = steady_message(summary, options);
  return summary;
}

}  // namespace masing
