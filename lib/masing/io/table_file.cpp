#include "masing/io/table_file.hpp"

#include "masing/core/error.hpp"
#include "masing/io/matrix_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>

namespace masing {
namespace {

constexpr std::string_view separators = ",;\t ";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_text_table(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return extension == ".csv" || extension == ".tsv" || extension == ".txt" || extension == ".dat";
}

/// The cells of a line. Commas and semicolons stand between cells (two of them enclose an empty one), blanks may stand
/// around them or between cells by themselves.
std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  std::size_t begin = line.find_first_not_of(" \t");
  bool wanted = false;  // a cell must follow a comma
  while (begin != std::string_view::npos && begin < line.size()) {
    const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
    cells.push_back(line.substr(begin, end - begin));
    const std::size_t next = std::min(line.find_first_not_of(" \t", end), line.size());
    wanted = next < line.size() && (line[next] == ',' || line[next] == ';');
    begin = wanted ? std::min(line.find_first_not_of(" \t", next + 1), line.size()) : next;
  }
  if (wanted) cells.push_back({});
  return cells;
}

std::optional<double> number_of(std::string_view cell) {
  if (cell.starts_with('+')) cell.remove_prefix(1);
  double value = 0.0;
  const auto [end, fault] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  const bool whole = fault == std::errc() && end == cell.data() + cell.size() && std::isfinite(value);
  return whole ? std::optional(value) : std::nullopt;
}

struct TextTable {
  std::string path;
  std::vector<double> numbers = {};  ///< row after row
  std::size_t columns = 0;
  Index rows = 0;
  bool header_allowed = true;

  void add(std::string_view line, int number) {
    const std::vector<std::string_view> cells = cells_of(line);
    if (cells.empty() || cells.front().starts_with('#')) return;
    const bool header = header_allowed && std::none_of(cells.begin(), cells.end(), [](std::string_view cell) {
                          return number_of(cell).has_value();
                        });
    header_allowed = false;
    if (header) return;
    if (rows == 0) columns = cells.size();
    require(cells.size() == columns, "'{}' line {}: {} values; the first row has {}.", path, number, cells.size(),
            columns);
    for (const std::string_view cell : cells) {
      const std::optional<double> value = number_of(cell);
      require(value.has_value(), "'{}' line {}: '{}' is not a finite number.", path, number, cell);
      numbers.push_back(*value);
    }
    ++rows;
  }
};

Matrix read_text_table(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  require(file.good(), "'{}' cannot be opened.", path.string());
  TextTable table{.path = path.string()};
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::string_view text = line;
    if (number == 1 && text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    if (text.ends_with('\r')) text.remove_suffix(1);
    table.add(text, number);
  }
  require(table.rows > 0, "'{}' has no row of numbers.", path.string());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(table.numbers.data(), table.rows, static_cast<Index>(table.columns));
}

bool wants_matrix(const Option& option) {
  const auto wants = [&](OptionKind kind) { return std::count(option.kinds.begin(), option.kinds.end(), kind) > 0; };
  return wants(OptionKind::matrix) && !wants(OptionKind::text);
}

/// The keys of one nested table; those of its kind where a kind decides.
const OptionTable* keys_of(const Option& option, const OptionValues& values) {
  if (option.variants.empty()) return &option.children;
  if (!values.has("kind")) return nullptr;
  const auto* kind = std::get_if<std::string>(&values.at("kind"));
  const auto chosen = std::find_if(option.variants.begin(), option.variants.end(),
                                   [&](const OptionVariant& variant) { return kind && variant.name == *kind; });
  return chosen == option.variants.end() ? nullptr : &chosen->table;
}

}  // namespace

Matrix read_table(const std::string& reference, const std::filesystem::path& base_folder) {
  const std::filesystem::path path = base_folder / reference;
  if (!is_text_table(path)) return Matrix(read_matrix(reference, base_folder));
  require(std::filesystem::exists(path), "the file '{}' does not exist. File names are relative to the study file.",
          path.string());
  require(!std::filesystem::is_directory(path), "'{}' is a folder, not a table.", path.string());
  return read_text_table(path);
}

void read_file_tables(OptionValues& values, const OptionTable& table, const std::string& context,
                      const std::filesystem::path& base_folder) {
  for (const Option& option : table) {
    if (!values.has(option.name)) continue;
    const OptionValue value = values.at(option.name);
    const std::string where = values.where(option.name);
    if (const auto* file = std::get_if<std::string>(&value); file != nullptr && wants_matrix(option)) {
      try {
        values.set(option.name, read_table(*file, base_folder), fmt::format("{} ({})", where, *file));
      } catch (const ModelError& error) {
        throw ModelError(
            fmt::format("{}: {}: {} = \"{}\" cannot be read: {}", where, context, option.name, *file, error.what()));
      }
    }
    const auto* nested = std::get_if<std::vector<OptionValues>>(&value);
    if (nested == nullptr) continue;
    std::vector<OptionValues> tables = *nested;
    for (OptionValues& one : tables) {
      const OptionTable* keys = keys_of(option, one);
      if (keys != nullptr) read_file_tables(one, *keys, fmt::format("{}: {}", context, option.name), base_folder);
    }
    values.set(option.name, std::move(tables), where);
  }
}

}  // namespace masing
