#include "masing/io/run.hpp"

#include "masing/analysis/internal_resonance.hpp"
#include "masing/core/error.hpp"
#include "masing/io/detail/branch_summary.hpp"
#include "masing/io/detail/curve_tables.hpp"
#include "masing/io/detail/overwriting.hpp"
#include "masing/io/detail/run_end.hpp"
#include "masing/io/report.hpp"
#include "masing/io/study_overview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>

namespace masing {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

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

  void run_one(const FrequencyResponseRequest& request) {
    run_curves(request, request.levels.size(), frequency_response, [&](const ResponseBranch& branch) {
      if (options_.check_jacobian) add_jacobian_check(request, branch);
    });
  }

  void add_jacobian_check(const FrequencyResponseRequest& request, const ResponseBranch& branch) {
    const BranchJacobianCheck worst = check_jacobian(study_.model, request, branch);
    if (worst.frequencies.empty()) return;
    add(fmt::format(
        "    Jacobian at {:.6g} Hz against central differences: worst relative error {:.1e} at {:.6g} Hz, {}",
        fmt::join(worst.frequencies, ", "), worst.check.worst_error, worst.worst_frequency, worst.check.worst_entry));
  }

  void add_branch(const ResponseBranch& branch) {
    if (!branch.end.complete) ++summary_.unfinished;
    for (const std::string& line : detail::branch_summary(branch)) add(line);
  }

  /// Of all branches of the analysis, those that left others included.
  std::vector<BranchRestart> restarts(const std::string& analysis, std::size_t branches) const {
    std::vector<BranchRestart> left;
    for (std::size_t i = 0; true; ++i) {
      BranchRestart one = file_->restart(analysis, static_cast<int>(i));
      if (i >= branches && one.points.empty() && !one.ended) return left;
      left.push_back(std::move(one));
    }
  }

  template <class Request, class Analysis>
  void run_curves(Request request, std::size_t branches, const Analysis& analysis,
                  const std::function<void(const ResponseBranch&)>& then = {},
                  const std::function<void(const ResponseCurves&)>& at_last = {}) {
    request.threads = options_.threads;
    const auto left = restarts(request.name, branches);
    const ResponseCurves curves = analysis(study_.model, request, file_.get(), progress_, left);
    for (const ResponseBranch& branch : curves.branches) {
      add_branch(branch);
      const bool meetings = branch.header.kind == "backbone";
      for (const InternalResonance& found : internal_resonances(study_.model, branch, meetings)) {
        add("    " + to_text(found));
      }
      if (then) then(branch);
    }
    if (at_last) at_last(curves);
    for (const std::string& note : curves.notes) add("    " + note);
  }

  void run_one(const BackboneRequest& request) { run_curves(request, 1, backbone); }
  void run_one(const ForceResponseRequest& request) { run_curves(request, request.frequencies.size(), force_response); }
  void run_one(const ResponseControlRequest& request) {
    run_curves(request, request.amplitudes.size(), response_control);
  }

  void run_one(const ResonanceTrackingRequest& request) { run_curves(request, 1, resonance_tracking); }
  void run_one(const SuperharmonicTrackingRequest& request) { run_curves(request, 1, superharmonic_tracking); }
  void run_one(const IsolaSearchRequest& request) { run_curves(request, request.modes.size(), isola_search); }
  void run_one(const BifurcationTrackingRequest& request) {
    run_curves(request, most_tracked_bifurcations, bifurcation_tracking);
  }
  void run_one(const FoldTrackingRequest& request) {
    std::vector<double> asked = request.levels;
    for (double& level : asked) level *= request.level_value;
    run_curves(request, most_tracked_folds, fold_tracking, {}, [&](const ResponseCurves& curves) {
      for (const std::string& line : detail::fold_lines(curves, asked)) add("    " + line);
    });
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
