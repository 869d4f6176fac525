#include "masing/io/run.hpp"

#include "masing/core/error.hpp"
#include "masing/io/detail/overwriting.hpp"
#include "masing/io/detail/run_end.hpp"
#include "masing/io/report.hpp"
#include "masing/io/study_overview.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace masing {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// "x", or "x in harmonic 3".
std::string whose_amplitude(const std::string& observable, int harmonic) {
  return harmonic == 1 ? observable : fmt::format("{} in harmonic {}", observable, harmonic);
}

std::string_view unit_of_observable(const BranchHeader& header, const std::string& name) {
  const auto observable = std::find_if(header.observables.begin(), header.observables.end(),
                                       [&](const Observable& o) { return o.name == name; });
  return observable == header.observables.end() ? "" : unit_of(observable->quantity);
}

std::string resonance_text(const BranchHeader& header, const Resonance& resonance) {
  const std::string note = resonance.note.empty() ? "" : fmt::format(" ({})", resonance.note);
  const std::string whose = whose_amplitude(resonance.observable, resonance.harmonic);
  if (resonance.frequency <= 0.0) return fmt::format("no resonance of {}{}", whose, note);
  const bool damped = resonance.damping_ratio >= 0.0;
  return fmt::format("resonance of {}: {:.6g} Hz, amplitude {:.6g} {}{}{}", whose, resonance.frequency,
                     resonance.amplitude, unit_of_observable(header, resonance.observable),
                     damped ? fmt::format(", damping ratio {:.4g}", resonance.damping_ratio) : "", note);
}

/// Folds, and the peaks besides the largest one; empty for any other special point.
std::string special_text(const ResponseBranch& branch, const SpecialPoint& special) {
  if (special.kind == "fold") return fmt::format("fold at {:.9g} Hz", special.point.frequency);
  if (special.kind != "peak") return "";
  for (const Resonance& largest : branch.end.resonances) {
    if (largest.frequency == special.point.frequency) return "";
  }
  const BranchHeader& header = branch.header;
  const auto observable = std::find_if(header.observables.begin(), header.observables.end(),
                                       [&](const Observable& o) { return o.name == special.observable; });
  const auto harmonic = std::find(header.harmonics.begin(), header.harmonics.end(), special.harmonic);
  if (observable == header.observables.end() || harmonic == header.harmonics.end()) return "";
  const Observation& seen =
      special.point.observations[static_cast<std::size_t>(observable - header.observables.begin())];
  return fmt::format("further peak of {}: {:.6g} Hz, amplitude {:.6g} {}",
                     whose_amplitude(special.observable, special.harmonic), special.point.frequency,
                     seen.amplitude[harmonic - header.harmonics.begin()], unit_of(observable->quantity));
}

/// One run with its open file and the page that grows.
class Run {
 public:
  Run(const Study& study, const RunOptions& options, const ProgressCallback& progress)
      : study_(study), options_(options), progress_(progress) {
    const ResultMetadata metadata{study.title, study.text, study.overrides, options.program_version};
    detail::refuse_to_overwrite(options);
    const bool resumes = options.resume && std::filesystem::exists(options.results);
    file_ = resumes ? ResultFile::open_for_resume(options.results, metadata)
                    : ResultFile::create(options.results, metadata);
  }

  RunSummary run() {
    const Clock::time_point start = Clock::now();
    summary_.text = study_overview(study_) + "\n";
    for (const AnalysisRequest& analysis : study_.analyses) run_guarded(analysis);
    summary_.complete = summary_.unfinished == 0;
    add("");
    detail::end_run(options_, seconds_since(start), file_, summary_);
    return summary_;
  }

 private:
  void add(const std::string& line) { summary_.text += line + "\n"; }

  void run_guarded(const AnalysisRequest& analysis) {
    try {
      std::visit([this](const auto& request) { run_one(request); }, analysis);
    } catch (const NumericalError& error) {
      ++summary_.unfinished;
      add(fmt::format("{}: stopped. {}", name_of(analysis), error.what()));
    }
  }

  void run_one(FrequencyResponseRequest request) {
    request.threads = options_.threads;
    if (options_.check_jacobian) add_jacobian_check(request);
    std::vector<BranchRestart> restarts;
    for (std::size_t i = 0; i < request.levels.size(); ++i) {
      restarts.push_back(file_->restart(request.name, static_cast<int>(i)));
    }
    const FrequencyResponse response = frequency_response(study_.model, request, file_.get(), progress_, restarts);
    for (const ResponseBranch& branch : response.branches) add_branch(branch);
  }

  void add_jacobian_check(const FrequencyResponseRequest& request) {
    const double frequency = 0.5 * (request.from + request.to);
    const JacobianCheck check = check_jacobian(study_.model, request, frequency);
    add(fmt::format("{}: Jacobian at {} Hz against central differences: worst relative error {:.1e}, {}", request.name,
                    frequency, check.worst_error, check.worst_entry));
  }

  void add_branch(const ResponseBranch& branch) {
    if (!branch.end.complete) ++summary_.unfinished;
    const auto folds = std::count_if(branch.special_points.begin(), branch.special_points.end(),
                                     [](const SpecialPoint& special) { return special.kind == "fold"; });
    add(fmt::format("{}, {}: {} points, {} fold{}, {}. {}", branch.header.analysis,
                    levels_text({branch.header.level}, branch.header.level_unit), branch.points.size(), folds,
                    folds == 1 ? "" : "s", duration_text(branch.end.seconds), branch.end.message));
    double truncation = 0.0;
    for (const ResponsePoint& point : branch.points) truncation = std::max(truncation, point.truncation);
    if (truncation > truncation_warning) {
      add(fmt::format("    the last two harmonics hold up to {:.1e} of the amplitude: try more harmonics", truncation));
    }
    for (const Resonance& resonance : branch.end.resonances) add("    " + resonance_text(branch.header, resonance));
    for (const SpecialPoint& special : branch.special_points) {
      const std::string text = special_text(branch, special);
      if (!text.empty()) add("    " + text);
    }
  }

  void run_one(TransientRequest request) {
    const std::vector<TimeHistory> finished = file_->finished_histories(request.name);
    for (const TimeHistory& history : finished) add_history(request, history, ", from the earlier run");
    drop_finished(request, finished);
    if (request.levels.empty()) return;
    for (const TimeHistory& history : transient_response(study_.model, request, file_.get(), progress_)) {
      add_history(request, history, "");
    }
  }

  /// Levels that an earlier run has completed are not computed again.
  static void drop_finished(TransientRequest& request, const std::vector<TimeHistory>& finished) {
    for (std::size_t i = request.levels.size(); i-- > 0;) {
      const auto same = [&](const TimeHistory& history) { return history.level == request.shown_levels[i]; };
      if (std::none_of(finished.begin(), finished.end(), same)) continue;
      request.levels.erase(request.levels.begin() + static_cast<std::ptrdiff_t>(i));
      request.shown_levels.erase(request.shown_levels.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void add_history(const TransientRequest& request, const TimeHistory& history, const std::string& remark) {
    if (!history.complete) ++summary_.unfinished;
    const double end = history.time.size() > 0 ? history.time(history.time.size() - 1) : 0.0;
    add(fmt::format("{}, {}: {} samples up to {:.6g} s{}. {}", history.analysis,
                    levels_text({history.level}, request.level_unit), history.time.size(), end, remark,
                    history.message));
  }

  const Study& study_;
  const RunOptions& options_;
  const ProgressCallback& progress_;
  std::unique_ptr<ResultFile> file_;
  RunSummary summary_;
};

}  // namespace

RunSummary run_study(const Study& study, const RunOptions& options, const ProgressCallback& progress) {
  return Run(study, options, progress).run();
}

}  // namespace masing
