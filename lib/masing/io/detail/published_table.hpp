// Published values from a CSV file: a row a value, with its unit and where it is printed.
//
//   id,value,unit,origin,source,note
//   f_one_block,55.3,Hz,measured,"Table 1, p. 11",
//
// The first line has these names, in this order. Cells with commas are quoted, "" is a quote within quotes; lines that begin
// with # and empty lines are left out.
#pragma once

#include "masing/io/validation.hpp"

#include <string>
#include <vector>

namespace masing::detail {

/// Where a value may come from: "measured" by the authors, "computed" by them with their model, "identified" by them from
/// measurements, "evaluated" from their printed equations and parameters, "stated" in words.
const std::vector<std::string>& published_origins();

/// "µJ" is 1e-6, "N/µm" 1e6, "%" 0.01, "" 1: what turns the number into SI units. Throws ModelError for an unknown unit.
double unit_factor(const std::string& unit);

/// Throws ModelError with file, line, value and rule.
std::vector<PublishedValue> read_published(const std::string& path);

}  // namespace masing::detail
