// Numbers taken from results, as the tables of validation_schema.hpp ask for them.
#pragma once

#include "masing/io/results.hpp"
#include "masing/io/study.hpp"
#include "masing/io/validation.hpp"

#include <map>
#include <string>

namespace masing::detail {

/// What a study is read for when this run reads it.
StudyUse study_use(const ValidationRun& run);

/// The text behind a key that may be left out: then it is empty.
std::string optional_text(const OptionValues& values, const char* key);

/// Results of the runs of a case by name.
using CaseResults = std::map<std::string, Results>;

/// The number, in SI units. Throws NumericalError with the reason when the results do not have it.
double taken_value(const CaseResults& results, const Extraction& extraction);

/// The same from the results of a single run; `values` needs no `run`.
double taken_value(const Results& results, const OptionValues& values);

/// One number of a point of a branch: "frequency", "amplitude", "harmonic-share", "rms", "peak" or the name of a quantity.
double point_value(const BranchHeader& header, const ResponsePoint& point, const std::string& what, std::size_t sensor,
                   int harmonic);

/// An empty name means the first with branches.
const StoredAnalysis& branches_of(const Results& results, const std::string& name);
/// An empty name means the first with histories.
const StoredAnalysis& histories_of(const Results& results, const std::string& name);
/// Position of a sensor; an empty name means the first.
std::size_t sensor_of(const std::vector<Observable>& sensors, const std::string& name);

}  // namespace masing::detail
