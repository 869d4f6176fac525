// Tables as CSV files (RFC 4180) in a folder.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace masing::detail {

/// Names of users as parts of file names: letters, digits, '-' and '_'; bytes of UTF-8 letters stay.
std::string file_name_part(const std::string& name);

/// With all 17 digits, so that it reads back exactly.
std::string csv_number(double value);

/// One table while it is filled, cell by cell.
class CsvTable {
 public:
  void cell(const std::string& text);
  void cell(double value) { cell(csv_number(value)); }
  void end_row();
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  bool row_begun_ = false;
};

/// Writes tables into the folder, each under a name of its own. Throws ModelError if the folder or a file cannot be made.
class CsvFolder {
 public:
  explicit CsvFolder(const std::string& path);
  void add(const std::string& stem, const CsvTable& table);
  std::vector<std::string> files() const { return files_; }

 private:
  std::filesystem::path path_;
  std::set<std::string> used_;
  std::vector<std::string> files_;
};

}  // namespace masing::detail
