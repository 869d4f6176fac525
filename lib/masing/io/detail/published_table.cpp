#include "masing/io/detail/published_table.hpp"

#include "masing/core/error.hpp"
#include "masing/core/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

namespace masing::detail {
namespace {

const std::vector<std::string> columns = {"id", "value", "unit", "origin", "source", "note"};

/// The cells of a line; a quote that is not closed is an error.
std::vector<std::string> cells_of(const std::string& line, const std::string& place) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char letter = line[i];
    if (letter == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[++i];
    } else if (letter == '"') {
      quoted = !quoted;
    } else if (letter == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += letter;
    }
  }
  require(!quoted, "{}: a quote is opened and not closed.", place);
  return cells;
}

double number_of(const std::string& cell, const std::string& place) {
  double value = 0.0;
  const auto [end, fault] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  const bool whole = fault == std::errc() && end == cell.data() + cell.size() && std::isfinite(value);
  require(whole, "{}: value '{}' is not a finite number.", place, cell);
  return value;
}

PublishedValue value_of(const std::vector<std::string>& cells, const std::string& place) {
  require(cells.size() == columns.size(), "{}: {} cells instead of {} ({}).", place, cells.size(), columns.size(),
          join(columns, ", "));
  PublishedValue value{.id = cells[0],
                       .value = number_of(cells[1], place),
                       .unit = cells[2],
                       .factor = 1.0,
                       .origin = cells[3],
                       .source = cells[4],
                       .note = cells[5]};
  require(!value.id.empty(), "{}: the id is empty.", place);
  const auto& origins = published_origins();
  require(std::count(origins.begin(), origins.end(), value.origin) > 0, "{}: there is no origin '{}'.{}", place,
          value.origin, suggestion(value.origin, origins));
  require(!value.source.empty(), "{}: '{}' does not say where it is printed: page, table or equation as source.", place,
          value.id);
  try {
    value.factor = unit_factor(value.unit);
  } catch (const ModelError& error) {
    throw ModelError(fmt::format("{}: {}", place, error.what()));
  }
  return value;
}

/// The factor of "µm" or "N"; 0: it is none.
double simple_factor(const std::string& unit) {
  static const std::vector<std::string> bases = {"m", "N", "J", "Hz", "s", "kg", "Pa", "m^2", "s^2"};
  static const std::map<std::string, double> prefixes = {{"", 1.0},   {"k", 1e3},  {"M", 1e6}, {"G", 1e9},
                                                         {"m", 1e-3}, {"µ", 1e-6}, {"n", 1e-9}};
  for (const auto& [prefix, factor] : prefixes) {
    for (const std::string& base : bases) {
      if (unit == prefix + base) return base.ends_with("^2") ? factor * factor : factor;
    }
  }
  return 0.0;
}

}  // namespace

const std::vector<std::string>& published_origins() {
  static const std::vector<std::string> all = {"measured", "computed", "identified", "evaluated", "stated", "ours"};
  return all;
}

double unit_factor(const std::string& unit) {
  if (unit.empty()) return 1.0;
  if (unit == "%") return 0.01;
  const std::size_t slash = unit.find('/');
  const double above = simple_factor(unit.substr(0, slash));
  const double below = slash == std::string::npos ? 1.0 : simple_factor(unit.substr(slash + 1));
  require(above != 0.0 && below != 0.0,
          "the unit '{}' is not known. Units are m, N, J, Hz, s, kg, Pa with k, M, G, m, µ, n before them, one over "
          "another (N/µm), %, or nothing.",
          unit);
  return above / below;
}

std::vector<PublishedValue> read_published(const std::string& path) {
  require(std::filesystem::is_regular_file(path), "{}: there is no such file; it has the published values.", path);
  std::ifstream file(path, std::ios::binary);
  std::vector<PublishedValue> values;
  std::string line;
  bool header = true;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.starts_with('#')) continue;
    const std::string place = fmt::format("{}:{}", path, number);
    const std::vector<std::string> cells = cells_of(line, place);
    if (header) {
      require(cells == columns, "{}: the first line must be {}.", place, join(columns, ","));
      header = false;
      continue;
    }
    const PublishedValue value = value_of(cells, place);
    require(std::none_of(values.begin(), values.end(), [&](const PublishedValue& v) { return v.id == value.id; }),
            "{}: the id '{}' is there already.", place, value.id);
    values.push_back(value);
  }
  require(!values.empty(), "{}: there is no value in it.", path);
  return values;
}

}  // namespace masing::detail
