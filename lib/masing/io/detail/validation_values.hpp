// Numbers taken from results, as the tables of validation_schema.hpp ask for them.
#pragma once

#include "masing/io/detail/point_value.hpp"
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

/// The loops at the first or last point of a branch, or at all of its special points of a kind ("steady": of a history), in
/// their order.
std::vector<const JointCycles*> cycles_at(const StoredBranch& branch, const std::string& at);
/// The loops over the last period of a steady history, as if it were a branch of one point.
StoredBranch steady_cycles(const TimeHistory& history);
/// A branch with loops: by analysis and number; for `at` = "steady" of a transient.
StoredBranch branch_with_cycles(const Results& results, const OptionValues& values);
/// The column of an input, counted from 1, of a joint; an empty name means the first.
Index cycle_input(const BranchHeader& header, const std::string& joint, long input);
/// By its number, counted from 1.
const StoredBranch& numbered_branch(const StoredAnalysis& analysis, long number);

/// An empty name means the first with branches.
const StoredAnalysis& branches_of(const Results& results, const std::string& name);
/// An empty name means the first with histories.
const StoredAnalysis& histories_of(const Results& results, const std::string& name);
/// Position of a sensor; an empty name means the first.
std::size_t sensor_of(const std::vector<Observable>& sensors, const std::string& name);

}  // namespace masing::detail
