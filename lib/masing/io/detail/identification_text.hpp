// An identification as tables for people, on the terminal and in the report.
#pragma once

#include "masing/identification/identification.hpp"

#include <string>
#include <vector>

namespace masing::detail {

/// One table: a heading, and rows of as many cells.
struct TextTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// Parameters, correlations, measured and computed, starts.
std::vector<TextTable> identification_tables(const Identification& result);
/// What there is to say about the outcome, a sentence each: why it ended, bounds, undecided directions.
std::vector<std::string> identification_remarks(const Identification& result);
/// The whole page. `command` runs the study, "masing run study.toml": it is told with the identified values.
std::string identification_text(const Identification& result, const std::string& command);

}  // namespace masing::detail
