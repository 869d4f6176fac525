// Validation: the numbers of a publication beside the same numbers computed, each judged and called by name.
//
// A case is a folder with a case.toml (what is run, what is compared), published values as a CSV table, and ordinary studies:
//
//   validation/pressure-iwan/{case.toml, published.csv, sphere.toml, …, README.md}
//
//   const ValidationCase one = read_validation_case("validation/pressure-iwan");
//   const CaseOutcome outcome = run_validation_case(one, {.folder = "results"});
//
// How a quantity is judged, all numbers in the unit of the published value:
//
//   difference        computed − published; for bounds ("at most 1 %") only what lies beyond the bound
//   acceptance        absolute, or relative to the published value; the case says why it is what it is
//   numerical error   |computed − verification|, where the verification is a second computation of the same number: finer,
//                     or by another method; of several the largest. It must be at most a tenth of the larger of acceptance and
//                     |computed − published|, and must not decide on which side of the acceptance the difference lies, so that what
//                     is judged is the model and not the computation.
//                     An error of rounding alone says that both evaluate one closed form, or as good as one.
//   resolution        a difference less than ten times the numerical error may be the computation's as well as the
//                     model's: then the verdict stands (the acceptance is large enough), and the row says so in words.
//
// What is called reproduced, calibrated or predicted must lie within its acceptance. What is called not reproduced
// must not; should it ever, that is told. What is called undecided must be too close to call. docs/validation.md describes the
// files.
#pragma once

#include "masing/core/options.hpp"
#include "masing/core/progress.hpp"

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace masing {

/// One row of the published table.
struct PublishedValue {
  std::string id;
  double value = 0.0;
  std::string unit;
  double factor = 1.0;  ///< value · factor is in SI units
  std::string origin;   ///< measured | identified | computed | evaluated | stated | ours, see docs/validation.md
  std::string source;   ///< page, table, equation
  std::string note;
};

/// One study, run by one command.
struct ValidationRun {
  std::string name;
  std::string study;    ///< path
  std::string command;  ///< "run", "loop" or "modes"
  std::vector<std::string> overrides;
  long modes = 10;  ///< number of modes, for "modes"
};

enum class Claim { reproduced, calibrated, predicted, not_reproduced, undecided };
std::string_view to_string(Claim claim);  ///< "reproduced", "calibrated", "predicted", "not reproduced", "undecided"

/// What is taken from the results: one value, or two put together.
struct Extraction {
  OptionValues value;
  std::optional<OptionValues> against;
  std::string combine;  ///< "ratio", "difference", "relative-difference" or "product" of both
};

struct ValidationQuantity {
  std::string name;
  PublishedValue published;
  Extraction computed;
  std::vector<Extraction> verified;  ///< second computations, at least one; the largest change counts
  std::string compare = "value";     ///< "value", "at-most", "at-least"
  double acceptance = 0.0;           ///< in the unit of the published value
  std::string reason;                ///< of the acceptance
  Claim claim = Claim::reproduced;
  std::string why;           ///< on which data it was calibrated, why it is not reproduced
  std::string verified_how;  ///< what the second computation is
  std::string series;        ///< for figures
  std::optional<double> at;  ///< abscissa in its series
};

/// What needs no model at all gives this for the quantities of a series: a comparison that a model should win.
struct NullTest {
  std::string name;
  std::string how;
  std::string series;
  std::vector<double> values;  ///< one for each quantity of the series, in their units
};

/// Runs that compute the same in different ways. What each costs is told beside what is published, with a verdict of its own;
/// whether a case is accepted does not depend on it, because times depend on the machine.
struct CostComparison {
  std::string name;
  std::string reference;                                 ///< the run whose cost is divided by those of the others
  std::vector<std::string> runs;                         ///< the others
  std::vector<std::optional<PublishedValue>> published;  ///< factor of each of them, if there is one
  double within = 2.0;           ///< a published factor is reproduced if ours is at most this many times more or less
  std::string reason;            ///< of it
  std::vector<std::string> why;  ///< of each run, if anything is to be said of its factor
  std::vector<std::optional<Claim>> claims;  ///< of each run: reproduced, not reproduced or undecided
};

struct ValidationCase {
  std::string name;  ///< of the folder
  std::string title;
  std::string publication;
  std::vector<std::string> assumptions;
  std::vector<std::string> inconsistencies;
  std::vector<ValidationRun> runs;
  std::vector<ValidationQuantity> quantities;
  std::vector<OptionValues> figures;
  std::vector<NullTest> null_tests;
  std::vector<CostComparison> costs;
  std::vector<PublishedValue> not_compared;  ///< in the table, but of no quantity
};

/// The cases of a folder: its subfolders with a case.toml, in alphabetical order. Throws ModelError if there is no such
/// folder or no case in it.
std::vector<std::string> validation_cases(const std::string& folder);

/// Reads and checks a case with its table and its studies; nothing is computed. Throws ModelError with file, line, key, value
/// and rule.
ValidationCase read_validation_case(const std::string& folder);

enum class Verdict {
  reproduced,
  calibrated,
  predicted,
  not_reproduced,  ///< as the case says
  undecided,       ///< as the case says: the numerical error is too large to tell
  reproduced_now,  ///< the case says it is not, but it lies within the acceptance
  missed,          ///< outside of the acceptance
  unverified,      ///< the numerical error is too large to judge
  not_computed,
};
std::string_view to_string(Verdict verdict);
bool is_accepted(Verdict verdict);  ///< false for missed, unverified and not computed

/// What the numerical error leaves of a difference.
enum class Resolution {
  resolved,      ///< the numerical error is at most a tenth of it
  unresolved,    ///< it is more than the numerical error, but not ten times
  within_error,  ///< it is not more than the numerical error
};
std::string_view to_string(Resolution resolution);  ///< "resolved", "difference not resolved", "within numerical error"

struct QuantityOutcome {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  ValidationQuantity quantity;
  double computed = none;
  double difference = none;
  double numerical_error = none;
  Verdict verdict = Verdict::not_computed;
  Resolution resolution = Resolution::resolved;
  std::string message;  ///< why it was not computed, or not accepted

  /// Both computations are the same up to rounding: a closed form, which the second one confirms as programmed and no more.
  bool is_rounding() const;
};

struct RunOutcome {
  ValidationRun run;
  bool complete = false;
  std::string message;  ///< why not
  double seconds = 0.0;
  double processor_seconds = 0.0;  ///< of its thread alone
};

struct CaseFigure {
  std::string svg;
  std::string caption;
};

struct CaseOutcome {
  ValidationCase source;
  std::vector<QuantityOutcome> quantities;
  std::vector<RunOutcome> runs;
  std::vector<CaseFigure> figures;
  double seconds = 0.0;

  bool accepted() const;
};

struct ValidationOptions {
  std::string folder;  ///< exists; result files are written there, one for each run
  int threads = 1;     ///< runs at once; outcomes do not depend on it
  std::string program_version;
};

/// A run that fails does not lose the others: its quantities are not computed, and say why.
CaseOutcome run_validation_case(const ValidationCase& one, const ValidationOptions& options,
                                const ProgressCallback& progress = {});

/// The largest differences from the published values over a series: of a null test, and of what was computed.
struct NullOutcome {
  double null_difference = 0.0;
  double computed_difference = 0.0;  ///< NaN when one was not computed
  std::string unit;
};
NullOutcome null_outcome(const NullTest& test, const std::vector<QuantityOutcome>& quantities);

/// What the runs of a comparison cost: processor time of the reference, and of each run. NaN: it did not finish.
struct CostOutcome {
  double reference = 0.0;     ///< [s]
  std::vector<double> costs;  ///< [s]
  double factor(std::size_t i) const { return reference / costs[i]; }
  /// Of a published factor: reproduced, not reproduced, undecided where the case says so or where the factor is on the other
  /// side of the bound than claimed by no more than times scatter, or not computed. It never fails a case.
  Verdict verdict(const CostComparison& comparison, std::size_t i) const;
};
CostOutcome cost_outcome(const CostComparison& comparison, const std::vector<RunOutcome>& runs);

/// The judgement alone: fills difference, verdict, resolution and message from computed and numerical_error.
void judge(QuantityOutcome& outcome);

/// One table for people: case, quantity, origin, published, computed, difference, acceptance, numerical error, verdict.
std::string validation_table(const std::vector<CaseOutcome>& cases);
std::string validation_json(const std::vector<CaseOutcome>& cases, const std::string& program_version);
/// A self-contained page: for each case figures, table, assumptions, inconsistencies, runs.
std::string validation_html(const std::vector<CaseOutcome>& cases, const std::string& program_version);
/// Both to files; an empty name writes none. Throws ModelError if one cannot be written.
void write_validation(const std::vector<CaseOutcome>& cases, const std::string& program_version,
                      const std::string& json_path, const std::string& html_path);

}  // namespace masing
