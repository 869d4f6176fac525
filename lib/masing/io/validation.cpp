#include "masing/io/validation.hpp"

#include "masing/core/error.hpp"
#include "masing/core/parallel.hpp"
#include "masing/io/detail/validation_figures.hpp"
#include "masing/io/detail/validation_values.hpp"
#include "masing/io/run_loops.hpp"
#include "masing/io/run_modes.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <map>

namespace masing {
namespace {

using Clock = std::chrono::steady_clock;

/// The numerical error may be this share of what it helps to judge.
constexpr double allowed_share = 0.1;
/// Rounding of the last digits when a computed value hits its bound exactly.
constexpr double rounding = 1e-12;
/// Processor times of the same run scatter by this factor when the machine has other work.
constexpr double time_scatter = 1.5;
/// Two computations that differ by less, over the larger of their value and the published one, are the same but for rounding.
constexpr double same_but_rounding = 1e-13;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Processor time of this thread, which other work on the machine does not change much.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

RunSummary run_command(const ValidationRun& run, const RunOptions& options, const ProgressCallback& progress) {
  const Study study = read_study(run.study, run.overrides, detail::study_use(run));
  if (run.command == "loop") return run_loops(study, options, progress);
  if (run.command == "run") return run_study(study, options, progress);
  ModesRequest request;
  request.range.count = run.modes;
  return run_modes(study, request, options);
}

/// Why a run is not complete: what the first of its parts says that is not.
std::string reason_of(const Results& results) {
  for (const StoredAnalysis& analysis : results.analyses) {
    for (const StoredBranch& branch : analysis.branches) {
      if (!branch.end.complete) return branch.end.message.empty() ? branch.end.stop : branch.end.message;
    }
    for (const TimeHistory& history : analysis.histories) {
      if (!history.complete) return history.message;
    }
  }
  for (const JointLoop& loop : results.loops) {
    if (!loop.complete) return loop.message;
  }
  for (const ModeSet& set : results.modes) {
    if (!set.complete) return set.message;
  }
  return "a part of it could not be computed";
}

/// Runs the studies of a case and reads their results back.
class CaseRun {
 public:
  CaseRun(const ValidationCase& one, const ValidationOptions& options, const ProgressCallback& progress)
      : case_(one), options_(options), progress_(progress), outcomes_(one.runs.size()), results_(one.runs.size()) {}

  void run_all() {
    for_each_task(static_cast<int>(case_.runs.size()), options_.threads,
                  [&](int i) { run_one(static_cast<std::size_t>(i)); });
  }

  std::vector<RunOutcome> outcomes() const { return outcomes_; }

  detail::CaseResults results() const {
    detail::CaseResults all;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (outcomes_[i].complete) all.emplace(case_.runs[i].name, results_[i]);
    }
    return all;
  }

 private:
  void run_one(std::size_t i) {
    const Clock::time_point start = Clock::now();
    const double processor_start = processor_seconds();
    const ValidationRun& run = case_.runs[i];
    RunOutcome& outcome = outcomes_[i];
    outcome.run = run;
    RunOptions options;
    const std::string file = fmt::format("{}_{}.h5", case_.name, i + 1);
    options.results = (std::filesystem::path(options_.folder) / file).string();
    options.program_version = options_.program_version;
    try {
      const RunSummary summary = run_command(run, options, progress_of(run));
      outcome.complete = summary.complete;
      results_[i] = read_results(options.results);
      if (!summary.complete) outcome.message = reason_of(results_[i]);
    } catch (const Error& error) {
      outcome.message = error.what();
    }
    outcome.seconds = seconds_since(start);
    outcome.processor_seconds = processor_seconds() - processor_start;
  }

  ProgressCallback progress_of(const ValidationRun& run) const {
    if (!progress_) return {};
    return [this, prefix = fmt::format("{}, {}: ", case_.name, run.name)](const Progress& progress) {
      Progress told = progress;
      told.task = prefix + progress.task;
      return progress_(told);
    };
  }

  const ValidationCase& case_;
  const ValidationOptions& options_;
  const ProgressCallback& progress_;
  std::vector<RunOutcome> outcomes_;
  std::vector<Results> results_;
};

/// "the run 'x' did not finish: why"
std::string told(const std::string& message, const std::vector<RunOutcome>& runs) {
  for (const RunOutcome& run : runs) {
    if (message == fmt::format("the run '{}' did not finish.", run.run.name)) {
      return fmt::format("the run '{}' did not finish: {}", run.run.name, run.message);
    }
  }
  return message;
}

QuantityOutcome outcome_of(const ValidationQuantity& quantity, const detail::CaseResults& results,
                           const std::vector<RunOutcome>& runs) {
  QuantityOutcome outcome;
  outcome.quantity = quantity;
  const double factor = quantity.published.factor;
  try {
    outcome.computed = detail::taken_value(results, quantity.computed) / factor;
    outcome.numerical_error = 0.0;
    for (const Extraction& second : quantity.verified) {
      const double again = detail::taken_value(results, second) / factor;
      outcome.numerical_error = std::max(outcome.numerical_error, std::abs(outcome.computed - again));
    }
    judge(outcome);
  } catch (const NumericalError& error) {
    outcome.verdict = Verdict::not_computed;
    outcome.message = told(error.what(), runs);
  }
  return outcome;
}

double difference_of(const QuantityOutcome& outcome) {
  const double difference = outcome.computed - outcome.quantity.published.value;
  if (outcome.quantity.compare == "at-most") return std::max(difference, 0.0);
  if (outcome.quantity.compare == "at-least") return std::min(difference, 0.0);
  return difference;
}

/// From the published value; of a bound that is kept it is the way to the bound, which a numerical error could use up.
double distance_of(const QuantityOutcome& outcome) {
  return std::abs(outcome.computed - outcome.quantity.published.value);
}

/// How far it is from where the verdict would change: from the edge of the acceptance, which of a bound that is kept lies behind the
/// bound.
double margin_of(const QuantityOutcome& outcome) {
  const ValidationQuantity& quantity = outcome.quantity;
  const double above = outcome.computed - quantity.published.value;
  const double beyond = quantity.compare == "at-most"    ? above
                        : quantity.compare == "at-least" ? -above
                                                         : std::abs(above);
  return std::abs(beyond - quantity.acceptance);
}

Resolution resolution_of(const QuantityOutcome& outcome) {
  const double distance = distance_of(outcome);
  if (outcome.numerical_error <= allowed_share * distance) return Resolution::resolved;
  return outcome.numerical_error < distance ? Resolution::unresolved : Resolution::within_error;
}

/// Why the numerical error is too large to judge; empty when it is not.
std::string doubt_of(const QuantityOutcome& outcome) {
  const double acceptance = outcome.quantity.acceptance;
  const double judged = std::max(acceptance, distance_of(outcome));
  if (outcome.numerical_error > allowed_share * judged) {
    return fmt::format("the numerical error {:.2g} is more than a tenth of what it judges, {:.2g}",
                       outcome.numerical_error, judged);
  }
  if (outcome.numerical_error > margin_of(outcome)) {
    return fmt::format("the difference {:.3g} is nearer to the acceptance {:.3g} than the numerical error {:.2g}",
                       outcome.difference, acceptance, outcome.numerical_error);
  }
  return {};
}

Verdict verdict_of(Claim claim, bool within) {
  if (claim == Claim::not_reproduced) return within ? Verdict::reproduced_now : Verdict::not_reproduced;
  if (claim == Claim::undecided) return within ? Verdict::reproduced_now : Verdict::missed;
  if (!within) return Verdict::missed;
  if (claim == Claim::calibrated) return Verdict::calibrated;
  return claim == Claim::predicted ? Verdict::predicted : Verdict::reproduced;
}

}  // namespace

std::string_view to_string(Claim claim) {
  switch (claim) {
    case Claim::reproduced:
      return "reproduced";
    case Claim::calibrated:
      return "calibrated";
    case Claim::predicted:
      return "predicted";
    case Claim::not_reproduced:
      return "not reproduced";
    case Claim::undecided:
      return "undecided";
  }
  return "";
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::calibrated:
      return "calibrated";
    case Verdict::predicted:
      return "predicted";
    case Verdict::not_reproduced:
      return "not reproduced";
    case Verdict::undecided:
      return "undecided";
    case Verdict::reproduced_now:
      return "reproduced after all";
    case Verdict::missed:
      return "MISSED";
    case Verdict::unverified:
      return "UNVERIFIED";
    case Verdict::not_computed:
      return "NOT COMPUTED";
  }
  return "";
}

std::string_view to_string(Resolution resolution) {
  if (resolution == Resolution::resolved) return "resolved";
  return resolution == Resolution::unresolved ? "difference not resolved" : "within numerical error";
}

bool is_accepted(Verdict verdict) {
  return verdict != Verdict::missed && verdict != Verdict::unverified && verdict != Verdict::not_computed;
}

bool QuantityOutcome::is_rounding() const {
  const double size = std::max(std::abs(computed), std::abs(quantity.published.value));
  return numerical_error <= same_but_rounding * size;
}

bool CaseOutcome::accepted() const {
  return std::all_of(quantities.begin(), quantities.end(),
                     [](const QuantityOutcome& outcome) { return is_accepted(outcome.verdict); });
}

NullOutcome null_outcome(const NullTest& test, const std::vector<QuantityOutcome>& quantities) {
  NullOutcome result;
  std::size_t place = 0;
  for (const QuantityOutcome& outcome : quantities) {
    const ValidationQuantity& quantity = outcome.quantity;
    if (quantity.series != test.series) continue;
    const double trivial = std::abs(test.values[place++] - quantity.published.value);
    const double ours = std::abs(outcome.difference);
    result.null_difference = std::max(result.null_difference, trivial);
    const bool known = std::isfinite(ours) && std::isfinite(result.computed_difference);
    result.computed_difference = known ? std::max(result.computed_difference, ours) : QuantityOutcome::none;
    result.unit = quantity.published.unit;
  }
  return result;
}

CostOutcome cost_outcome(const CostComparison& comparison, const std::vector<RunOutcome>& runs) {
  const auto cost_of = [&](const std::string& name) {
    const auto found =
        std::find_if(runs.begin(), runs.end(), [&](const RunOutcome& one) { return one.run.name == name; });
    return found != runs.end() && found->complete ? found->processor_seconds : QuantityOutcome::none;
  };
  CostOutcome outcome{.reference = cost_of(comparison.reference), .costs = {}};
  for (const std::string& run : comparison.runs) outcome.costs.push_back(cost_of(run));
  return outcome;
}

Verdict CostOutcome::verdict(const CostComparison& comparison, std::size_t i) const {
  const double ratio = factor(i) / comparison.published.at(i).value().value;
  if (!std::isfinite(ratio)) return Verdict::not_computed;
  const double beyond = std::max(ratio, 1.0 / ratio) / comparison.within;
  const Verdict seen = beyond <= 1.0 ? Verdict::reproduced : Verdict::not_reproduced;
  const std::optional<Claim> claim = comparison.claims.empty() ? std::nullopt : comparison.claims.at(i);
  if (!claim) return seen;
  if (*claim == Claim::undecided) return Verdict::undecided;
  const bool as_claimed = (*claim == Claim::reproduced) == (seen == Verdict::reproduced);
  return !as_claimed && std::max(beyond, 1.0 / beyond) <= time_scatter ? Verdict::undecided : seen;
}

void judge(QuantityOutcome& outcome) {
  const ValidationQuantity& quantity = outcome.quantity;
  outcome.difference = difference_of(outcome);
  outcome.resolution = resolution_of(outcome);
  outcome.message = doubt_of(outcome);
  if (!outcome.message.empty()) {
    outcome.verdict = quantity.claim == Claim::undecided ? Verdict::undecided : Verdict::unverified;
    return;
  }
  const bool within = std::abs(outcome.difference) <= quantity.acceptance * (1.0 + rounding);
  outcome.verdict = verdict_of(quantity.claim, within);
  if (outcome.verdict == Verdict::missed) {
    outcome.message = fmt::format("the difference {:.3g} is more than the acceptance {:.3g} ({})", outcome.difference,
                                  quantity.acceptance, quantity.reason);
  } else if (outcome.verdict == Verdict::reproduced_now) {
    outcome.message = fmt::format("the case says it is {} ({}), but the difference {:.3g} is within {:.3g}",
                                  to_string(quantity.claim), quantity.why, outcome.difference, quantity.acceptance);
  }
}

CaseOutcome run_validation_case(const ValidationCase& one, const ValidationOptions& options,
                                const ProgressCallback& progress) {
  const Clock::time_point start = Clock::now();
  CaseRun run(one, options, progress);
  run.run_all();
  const detail::CaseResults results = run.results();
  CaseOutcome outcome{.source = one, .quantities = {}, .runs = run.outcomes(), .figures = {}, .seconds = 0.0};
  for (const ValidationQuantity& quantity : one.quantities) {
    outcome.quantities.push_back(outcome_of(quantity, results, outcome.runs));
  }
  for (const OptionValues& figure : one.figures) {
    outcome.figures.push_back(detail::case_figure(figure, results, outcome));
  }
  outcome.seconds = seconds_since(start);
  return outcome;
}

}  // namespace masing
