// Identification of a study: which of its values are sought, what was measured, and running the fit.
//
//   const IdentificationTask task = read_identification("models/21_identify_iwan.toml");
//   const RunSummary summary = run_identification(task, {.results = "iwan.h5"});
//
// A study with an [identify] section is an ordinary study; the section says which of its values are parameters (by the addresses
// that --set takes), and which measured numbers, from CSV files, the computed ones are to meet. Every evaluation reads the study
// with these values replaced and computes it anew, so whatever a study can say can be identified.
#pragma once

#include "masing/core/progress.hpp"
#include "masing/identification/identification.hpp"
#include "masing/io/run.hpp"

#include <string>
#include <utility>
#include <vector>

namespace masing {

/// value = offset + factor · Π parameter^power
struct DerivedValue {
  std::vector<std::string> keys;
  double factor = 1.0;
  double offset = 0.0;
  std::vector<std::pair<std::size_t, double>> powers;  ///< number of a parameter, power
};

/// Measured numbers and how the computed ones are found; numbers in the units of the set.
struct IdentificationData {
  MeasuredSet set;
  double factor = 1.0;              ///< value · factor is in SI units
  std::vector<OptionValues> takes;  ///< one for each point, as detail/validation_schema.hpp has them
  Vector at, measured, deviation;
};

struct IdentificationTask {
  Study study;         ///< with the parameters as written, for its name, title, text and overrides
  std::string folder;  ///< of the study
  std::vector<FitParameter> parameters;
  std::vector<std::vector<std::string>> keys;  ///< of each parameter
  std::vector<DerivedValue> derived;
  std::vector<IdentificationData> data;
  FitOptions options;
  Index modes = 10;  ///< number of modes computed, where some are measured

  /// The study's own overrides, then the parameters and what derives from them.
  std::vector<std::string> overrides(const Vector& values) const;
};

/// Reads and checks everything; nothing is computed. Throws ModelError with file, line, key, value and rule.
IdentificationTask read_identification(const std::string& path, const std::vector<std::string>& overrides = {});

/// What is sought, from what, and how; for `masing check` and the summary.
std::string identification_overview(const IdentificationTask& task);

/// The fit alone.
Identification identify(const IdentificationTask& task, int threads = 1, const ProgressCallback& progress = {});

/// The fit, then the study with the identified parameters; results to disk, a report, and a page for people. `complete` says
/// that the best start met a tolerance.
RunSummary run_identification(const IdentificationTask& task, const RunOptions& options,
                              const ProgressCallback& progress = {});

}  // namespace masing
