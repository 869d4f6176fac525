// Measured numbers from a CSV file whose first line names the columns:
//
//   force,frequency        # lines that begin with # are left out, so are empty ones
//   0.121,42.48
//
// Cells are separated by commas, semicolons or tabs, with spaces round them or not. Columns that are not asked for may hold
// anything.
#pragma once

#include "masing/core/types.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace masing::detail {

class MeasuredTable {
 public:
  /// Throws ModelError if there is no such file, no line of names, no row, or a row of another length.
  explicit MeasuredTable(const std::filesystem::path& path);

  Index rows() const { return static_cast<Index>(lines_.size()); }
  /// The numbers of a column. Throws ModelError with the nearest names for an unknown one, with line and cell for one that is
  /// not a finite number. `rows` are those wanted, counted from 1; empty: all.
  Vector column(const std::string& name, const std::vector<long>& rows) const;

 private:
  std::string path_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> cells_;
  std::vector<int> lines_;  // where each row stands
};

}  // namespace masing::detail
