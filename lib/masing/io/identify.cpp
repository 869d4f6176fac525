#include "masing/io/identify.hpp"

#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/computed_results.hpp"
#include "masing/io/detail/identification_text.hpp"
#include "masing/io/detail/overwriting.hpp"
#include "masing/io/detail/run_end.hpp"
#include "masing/io/detail/validation_values.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>

namespace masing {
namespace {

using Clock = std::chrono::steady_clock;

/// What of the study must be computed so that all data have their partners.
detail::WantedResults wanted_of(const IdentificationTask& task) {
  detail::WantedResults wanted;
  wanted.mode_count = task.modes;
  bool all = false;
  for (const IdentificationData& data : task.data) {
    for (const OptionValues& take : data.takes) {
      const std::string& kind = take.text("kind");
      if (kind == "loop" || kind == "loop-sample" || kind == "density") {
        wanted.loops = true;
      } else if (kind == "mode") {
        wanted.modes = true;
      } else {
        wanted.branches = true;
        const std::string name = detail::optional_text(take, "analysis");
        if (name.empty()) all = true;
        if (std::count(wanted.analyses.begin(), wanted.analyses.end(), name) == 0) wanted.analyses.push_back(name);
      }
    }
  }
  if (all) wanted.analyses.clear();
  return wanted;
}

/// What a user types to see the study computed.
std::string command_of(const IdentificationTask& task) {
  const detail::WantedResults wanted = wanted_of(task);
  return fmt::format("masing {} {}", wanted.branches ? "run" : wanted.loops ? "loop" : "modes", task.study.name);
}

Index count_of(const IdentificationTask& task) {
  Index count = 0;
  for (const IdentificationData& data : task.data) count += data.measured.size();
  return count;
}

/// Computes the study at given parameters, and compares.
class Comparison {
 public:
  Comparison(const IdentificationTask& task, const ProgressCallback& progress)
      : task_(task), wanted_(wanted_of(task)), progress_(progress) {}

  /// In the units of the sets, one after the other.
  Vector computed(const Vector& values, ResultFile* file = nullptr) const {
    if (stopped_) throw NumericalError("interrupted.");
    const Results results = detail::computed_results(
        task_.study, task_.overrides(values), wanted_, task_.folder,
        [this](const Progress& inner) { return goes_on(inner); }, file);
    Vector numbers(count_of(task_));
    Index next = 0;
    for (const IdentificationData& data : task_.data) {
      for (std::size_t i = 0; i < data.takes.size(); ++i) {
        try {
          numbers[next++] = detail::taken_value(results, data.takes[i]) / data.factor;
        } catch (const NumericalError& error) {
          throw NumericalError(fmt::format("{}, {} = {:g} {}: {}", data.set.name, data.set.at_label,
                                           data.at[static_cast<Index>(i)], data.set.at_unit, error.what()));
        }
      }
    }
    return numbers;
  }

  Vector residuals(const Vector& values) const {
    Vector numbers = computed(values);
    Index next = 0;
    for (const IdentificationData& data : task_.data) {
      const Index count = data.measured.size();
      numbers.segment(next, count) = (numbers.segment(next, count) - data.measured).cwiseQuotient(data.deviation);
      next += count;
    }
    return numbers;
  }

  bool report(const FitProgress& fit) const {
    if (!progress_) return true;
    Progress progress;
    progress.task = fmt::format("identify, start {} of {}", fit.start + 1, fit.starts);
    progress.iterations = fit.iterations;
    progress.points = fit.evaluations;
    progress.fraction = static_cast<double>(fit.finished) / static_cast<double>(fit.starts);
    progress.seconds = fit.seconds;
    if (!progress_(progress)) stopped_ = true;
    return !stopped_;
  }

 private:
  /// An analysis tells of itself too, and can be stopped in its course.
  bool goes_on(const Progress& inner) const {
    if (stopped_ || !progress_) return !stopped_;
    Progress progress = inner;
    progress.task = "identify: " + inner.task;
    progress.finished = false;
    if (!progress_(progress)) stopped_ = true;
    return !stopped_;
  }

  const IdentificationTask& task_;
  detail::WantedResults wanted_;
  const ProgressCallback& progress_;
  mutable std::atomic<bool> stopped_ = false;
};

/// NaN where it cannot be computed.
Vector computed_or_nothing(const Comparison& comparison, const Vector& values, Index count) {
  try {
    return comparison.computed(values);
  } catch (const Error&) {
    return Vector::Constant(count, std::numeric_limits<double>::quiet_NaN());
  }
}

void add_points(const IdentificationTask& task, const Vector& at_start, const Vector& computed,
                Identification& result) {
  Index next = 0;
  for (const IdentificationData& data : task.data) {
    result.sets.push_back(data.set);
    for (Index i = 0; i < data.measured.size(); ++i, ++next) {
      result.points.push_back({.data = data.set.name,
                               .at = data.at[i],
                               .measured = data.measured[i],
                               .deviation = data.deviation[i],
                               .at_start = at_start[next],
                               .computed = computed[next]});
    }
  }
}

}  // namespace

Identification identify(const IdentificationTask& task, int threads, const ProgressCallback& progress) {
  const Comparison comparison(task, progress);
  FitProblem problem{.parameters = task.parameters,
                     .residuals = [&](const Vector& values) { return comparison.residuals(values); }};
  FitOptions options = task.options;
  options.threads = threads;
  options.progress = [&](const FitProgress& fit) { return comparison.report(fit); };
  Identification result;
  result.parameters = task.parameters;
  result.fit = fit_parameters(problem, options);
  const Index count = count_of(task);
  Vector start(static_cast<Index>(task.parameters.size()));
  for (Index j = 0; j < start.size(); ++j) start[j] = task.parameters[static_cast<std::size_t>(j)].start;
  const Vector at_start = computed_or_nothing(comparison, start, count);
  Vector computed = Vector::Constant(count, std::numeric_limits<double>::quiet_NaN());
  if (result.fit.usable()) {
    result.overrides = task.overrides(result.fit.values);
    computed = computed_or_nothing(comparison, result.fit.values, count);
  }
  add_points(task, at_start, computed, result);
  return result;
}

RunSummary run_identification(const IdentificationTask& task, const RunOptions& options,
                              const ProgressCallback& progress) {
  const Clock::time_point start = Clock::now();
  detail::refuse_to_overwrite(options);
  const Identification result = identify(task, options.threads, progress);
  const bool usable = result.fit.usable();
  const Study& study = task.study;
  auto file = ResultFile::create(
      options.results, {study.title, study.text, usable ? result.overrides : study.overrides, options.program_version});
  file->add_identification(result);
  RunSummary summary;
  summary.text = identification_overview(task) + "\n" + detail::identification_text(result, command_of(task));
  if (usable) {
    try {
      Comparison(task, {}).computed(result.fit.values, file.get());
    } catch (const Error& error) {
      summary.text += fmt::format("The study with these parameters stopped: {}\n\n", error.what());
    }
  }
  summary.complete = result.fit.converged;
  summary.unfinished = summary.complete ? 0 : 1;
  detail::end_run(options, std::chrono::duration<double>(Clock::now() - start).count(), file, summary);
  return summary;
}

}  // namespace masing
