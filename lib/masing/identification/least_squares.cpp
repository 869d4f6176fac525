#include "masing/identification/least_squares.hpp"

#include "masing/core/error.hpp"
#include "masing/core/parallel.hpp"
#include "masing/identification/detail/fit_statistics.hpp"
#include "masing/identification/detail/minimise.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>

namespace masing {
namespace {

using Clock = std::chrono::steady_clock;

void check_parameter(const FitParameter& parameter) {
  const std::string& name = parameter.name;
  const double lower = parameter.lower, upper = parameter.upper, start = parameter.start;
  require(std::isfinite(lower) && std::isfinite(upper) && lower < upper,
          "parameter '{}': the lower bound {:g} must be below the upper bound {:g}, both finite.", name, lower, upper);
  require(parameter.scale == ParameterScale::linear || lower > 0.0,
          "parameter '{}': on a logarithmic scale the lower bound {:g} must be > 0.", name, lower);
  require(start >= lower && start <= upper, "parameter '{}': its start {:g} lies outside of its bounds {:g} … {:g}.",
          name, start, lower, upper);
  if (!parameter.prior) return;
  require(std::isfinite(parameter.prior->mean) && std::isfinite(parameter.prior->deviation) &&
              parameter.prior->deviation > 0.0,
          "parameter '{}': a prior has a finite mean and a standard deviation > 0, not {:g} and {:g}.", name,
          parameter.prior->mean, parameter.prior->deviation);
}

void check(const FitProblem& problem, const FitOptions& options) {
  require(!problem.parameters.empty(), "there is no parameter to identify.");
  for (const FitParameter& parameter : problem.parameters) check_parameter(parameter);
  require(options.starts >= 1, "starts = {} must be at least 1.", options.starts);
  require(options.max_iterations >= 1, "max_iterations = {} must be at least 1.", options.max_iterations);
  require(options.step > 0.0 && options.step <= 0.1, "step = {:g} must be in (0, 0.1].", options.step);
}

/// A number in [0, 1) that is the same on every machine.
double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1.0p-53; }

/// Fisher-Yates.
std::vector<int> shuffled(int count, std::mt19937_64& random) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (int i = count - 1; i > 0; --i) {
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(uniform(random) * (i + 1))]);
  }
  return order;
}

/// The caller's start, then one point in every layer of each parameter.
std::vector<Vector> starting_points(const detail::ScaledProblem& scaled, const FitProblem& problem,
                                    const FitOptions& options) {
  Vector first(scaled.parameters());
  for (Index j = 0; j < first.size(); ++j) first[j] = problem.parameters[static_cast<std::size_t>(j)].start;
  std::vector<Vector> points = {scaled.scaled(first)};
  const int others = options.starts - 1;
  points.resize(static_cast<std::size_t>(options.starts), Vector(scaled.parameters()));
  std::mt19937_64 random(options.seed);
  for (Index j = 0; j < scaled.parameters(); ++j) {
    const std::vector<int> layers = shuffled(others, random);
    for (int i = 0; i < others; ++i) {
      points[static_cast<std::size_t>(i + 1)][j] =
          (layers[static_cast<std::size_t>(i)] + uniform(random)) / static_cast<double>(others);
    }
  }
  return points;
}

/// All starts of one fit.
class Fit {
 public:
  Fit(const FitProblem& problem, const FitOptions& options)
      : problem_(problem),
        options_(options),
        outer_(std::min(options.threads, options.starts)),
        scaled_(problem, options, std::max(1, options.threads / std::max(outer_, 1))) {}

  FitResult run() {
    const std::vector<Vector> points = starting_points(scaled_, problem_, options_);
    result_.starts.resize(points.size());
    for_each_task(options_.starts, outer_, [&](int i) {
      result_.starts[static_cast<std::size_t>(i)] = run_start(i, points[static_cast<std::size_t>(i)]);
      ++finished_;
    });
    choose_best();
    if (result_.usable()) detail::add_statistics(scaled_, ends_[static_cast<std::size_t>(result_.best)], result_);
    result_.evaluations = scaled_.evaluations();
    result_.failed_evaluations = scaled_.failed_evaluations();
    result_.seconds = seconds();
    return result_;
  }

 private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  bool report(int start, int iterations, double cost) {
    if (stopped_) return false;
    if (!options_.progress) return true;
    const FitProgress progress{.start = start,
                               .starts = options_.starts,
                               .finished = finished_,
                               .iterations = iterations,
                               .evaluations = scaled_.evaluations(),
                               .cost = cost,
                               .seconds = seconds()};
    if (!options_.progress(progress)) stopped_ = true;
    return !stopped_;
  }

  FitStart run_start(int i, const Vector& z) {
    FitStart start;
    try {
      if (!report(i, 0, 0.0)) {
        start.message = "Interrupted.";
      } else {
        const Vector residuals = scaled_.residuals(z);
        start = detail::minimise(scaled_, z, residuals, options_,
                                 [&](int iteration, double cost) { return report(i, iteration, cost); });
      }
    } catch (const Error& error) {
      start.message = fmt::format("It cannot be computed where this start begins: {}", error.what());
    }
    start.begin = scaled_.values(z);
    ends_[static_cast<std::size_t>(i)] = start.usable ? start.end : z;
    start.end = scaled_.values(ends_[static_cast<std::size_t>(i)]);
    return start;
  }

  void choose_best() {
    for (Index i = 0; i < static_cast<Index>(result_.starts.size()); ++i) {
      const FitStart& start = result_.starts[static_cast<std::size_t>(i)];
      if (!start.usable) continue;
      if (result_.best < 0 || start.cost < result_.starts[static_cast<std::size_t>(result_.best)].cost)
        result_.best = i;
    }
    const FitStart& told = result_.starts[static_cast<std::size_t>(std::max<Index>(result_.best, 0))];
    result_.converged = result_.usable() && told.converged;
    result_.message = told.message;
  }

  const FitProblem& problem_;
  const FitOptions& options_;
  int outer_;
  detail::ScaledProblem scaled_;
  std::vector<Vector> ends_ = std::vector<Vector>(static_cast<std::size_t>(options_.starts));
  Clock::time_point begin_ = Clock::now();
  std::atomic<bool> stopped_ = false;
  std::atomic<int> finished_ = 0;
  FitResult result_;
};

}  // namespace

FitResult fit_parameters(const FitProblem& problem, const FitOptions& options) {
  check(problem, options);
  return Fit(problem, options).run();
}

}  // namespace masing
