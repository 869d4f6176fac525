#include "masing/io/detail/measured_table.hpp"

#include "masing/core/error.hpp"
#include "masing/core/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <numeric>

namespace masing::detail {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \r") - first + 1));
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  while (true) {
    const std::size_t end = line.find_first_of(",;\t");
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

}  // namespace

MeasuredTable::MeasuredTable(const std::filesystem::path& path) : path_(path.string()) {
  require(std::filesystem::is_regular_file(path), "there is no file {}. File names are relative to the study file.",
          path_);
  std::ifstream file(path, std::ios::binary);
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    std::string_view line = text;
    if (number == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
    if (trimmed(line).empty() || line.starts_with('#')) continue;
    std::vector<std::string> cells = cells_of(line);
    if (names_.empty()) {
      names_ = std::move(cells);
      continue;
    }
    require(cells.size() == names_.size(), "{}:{}: {} cells; the first line names {} columns ({}).", path_, number,
            cells.size(), names_.size(), join(names_, ", "));
    cells_.push_back(std::move(cells));
    lines_.push_back(number);
  }
  require(!cells_.empty(), "{}: there is no row of measured numbers below a line of names.", path_);
}

Vector MeasuredTable::column(const std::string& name, const std::vector<long>& rows) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  require(found != names_.end(), "{}: there is no column '{}'.{}", path_, name, suggestion(name, names_));
  const auto column = static_cast<std::size_t>(found - names_.begin());
  std::vector<long> wanted = rows;
  if (wanted.empty()) {
    wanted.resize(cells_.size());
    std::iota(wanted.begin(), wanted.end(), 1L);
  }
  Vector values(static_cast<Index>(wanted.size()));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    require(wanted[i] >= 1 && wanted[i] <= this->rows(), "{}: there is no row {}; there are {}, counted from 1.", path_,
            wanted[i], this->rows());
    const auto row = static_cast<std::size_t>(wanted[i] - 1);
    const std::string& cell = cells_[row][column];
    double& value = values[static_cast<Index>(i)];
    const auto [end, fault] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    require(fault == std::errc() && end == cell.data() + cell.size() && std::isfinite(value),
            "{}:{}: '{}' in column '{}' is not a finite number.", path_, lines_[row], cell, name);
  }
  return values;
}

}  // namespace masing::detail
