// Loops of joints in the report, and the pieces of a page that it shares with the analyses.
#pragma once

#include "masing/io/detail/svg.hpp"
#include "masing/io/results.hpp"

#include <string>
#include <vector>

namespace masing::detail {

/// <tr> with escaped cells.
std::string row(const std::vector<std::string>& cells, const char* tag = "td");
/// A heading and a card with the table; nothing when there are no rows.
std::string table(const std::string& heading, const std::vector<std::string>& columns, const std::string& rows);
std::string figure(const svg::Plot& plot, const std::string& caption);

/// One section for every loop and joint.
std::string loop_sections(const std::vector<JointLoop>& loops);

/// Whether a picture of `name` shows loops: they have that name, or nothing is asked for and there is nothing else.
bool shows_loops(const Results& results, const std::string& name);

/// Force over displacement of one joint; empty names mean the first. Throws ModelError for unknown ones.
svg::Plot loops_plot(const std::vector<JointLoop>& loops, const std::string& name, const std::string& joint);

}  // namespace masing::detail
