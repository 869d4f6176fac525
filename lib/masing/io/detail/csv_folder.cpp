#include "masing/io/detail/csv_folder.hpp"

#include "masing/core/error.hpp"

#include <cctype>
#include <fstream>

namespace masing::detail {

namespace {

// Quotes round a field that holds a comma, a quote or a line break; quotes inside doubled.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string file_name_part(const std::string& name) {
  std::string safe;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    safe += byte >= 0x80 || std::isalnum(byte) != 0 || c == '-' || c == '_' ? c : '_';
  }
  return safe.empty() ? "_" : safe;
}

std::string csv_number(double value) { return fmt::format("{:.17g}", value); }

void CsvTable::cell(const std::string& text) {
  if (!row_begun_)
    row_begun_ = true;
  else
    text_ += ',';
  text_ += field(text);
}

void CsvTable::end_row() {
  text_ += '\n';
  row_begun_ = false;
}

CsvFolder::CsvFolder(const std::string& path) : path_(path) {
  std::error_code problem;
  std::filesystem::create_directories(path_, problem);
  require(std::filesystem::is_directory(path_), "cannot make the folder '{}': {}.", path, problem.message());
}

void CsvFolder::add(const std::string& stem, const CsvTable& table) {
  std::string name = stem;
  for (int copy = 2; !used_.insert(name).second; ++copy) name = fmt::format("{}_{}", stem, copy);
  const std::string file = (path_ / (name + ".csv")).string();
  std::ofstream stream(file, std::ios::binary);
  stream << table.text();
  stream.close();
  require(!stream.fail(), "cannot write '{}'. Is the disk full, or the folder write-protected?", file);
  files_.push_back(file);
}

}  // namespace masing::detail
