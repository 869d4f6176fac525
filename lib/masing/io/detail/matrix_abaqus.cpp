// Matrix input text of Abaqus (*MATRIX OUTPUT with FORMAT=MATRIX INPUT or LABELS), one entry a line:
//
//   row node, row degree of freedom, column node, column degree of freedom, value
//
// Lines that begin with ** are comments, *MATRIX INPUT, TYPE=UNSYMMETRIC may stand above. A symmetric matrix (the
// default) has one triangle or both. Degrees of freedom with a boundary condition have 1e36 on the diagonal of the
// stiffness: they are fixed and taken out.
//
// Reference: Abaqus Analysis User's Guide, "Generating matrices", and Keywords Reference Guide, *MATRIX INPUT.
#include "masing/core/error.hpp"
#include "masing/io/detail/labelled_entries.hpp"
#include "masing/io/detail/matrix_readers.hpp"

#include <array>
#include <cmath>
#include <fstream>

namespace masing::detail {
namespace {

constexpr double boundary_condition = 1e36;
constexpr std::size_t cells_in_a_row = 5;

/// Separated by commas or, where there are none, by blanks.
std::vector<std::string_view> cells_of(std::string_view line) {
  const bool commas = line.find(',') != std::string_view::npos;
  std::vector<std::string_view> cells;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(commas ? "," : " \t\r"), line.size());
    const std::string_view cell = trimmed(line.substr(0, end));
    if (commas || !cell.empty()) cells.push_back(cell);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return cells;
}

bool parse_row(std::string_view line, std::array<long, 4>& indices, double& value) {
  const std::vector<std::string_view> cells = cells_of(line);
  if (cells.size() != cells_in_a_row) return false;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!parse_integer(cells[i], indices[i])) return false;
  }
  return parse_real(cells.back(), value);
}

}  // namespace

bool is_abaqus_matrix(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    const std::string_view text = trimmed(line);
    if (text.empty()) continue;
    std::array<long, 4> indices = {};
    double value = 0.0;
    return text.front() == '*' || parse_row(text, indices, value);
  }
  return false;
}

LabelledMatrix read_abaqus_matrix(const std::string& path) {
  std::ifstream file(path);
  require(file.good(), "'{}' cannot be opened for reading.", path);
  LabelledEntries entries;
  bool symmetric = true;
  std::string line;
  for (long number = 1; std::getline(file, line); ++number) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text.starts_with("**")) continue;
    if (text.front() == '*') {
      symmetric = symmetric && upper_case(text).find("UNSYMMETRIC") == std::string::npos;
      continue;
    }
    std::array<long, 4> indices = {};
    double value = 0.0;
    require(parse_row(text, indices, value),
            "{}:{}: '{}' must be: row node, degree of freedom, column node, degree of freedom, value.", path, number,
            text);
    require(std::isfinite(value), "{}:{}: the entry is {}. All entries must be finite numbers.", path, number, value);
    entries.add({indices[0], indices[1]}, {indices[2], indices[3]}, value);
  }
  require(!entries.empty(), "{}: the file has no entries.", path);
  return entries.finish(symmetric, boundary_condition);
}

}  // namespace masing::detail
