#include "masing/io/detail/toml_values.hpp"

#include "masing/core/error.hpp"
#include "masing/core/text.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>

namespace masing::detail {
namespace {

constexpr std::string_view override_mark = "--set ";

std::string place(const toml::source_region& source) {
  if (!source.path) return "";
  if (source.path->starts_with(override_mark)) return *source.path;
  return fmt::format("{}:{}", *source.path, source.begin.line);
}

toml::table parse(std::string_view text, const std::string& name) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw ModelError(fmt::format("{}: not valid TOML: {}.", place(error.source()), error.description()));
  }
}

// --- overrides -------------------------------------------------------------------------------------------------------

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> steps(1);
  for (const char c : path) {
    if (c == '.') {
      steps.emplace_back();
    } else {
      steps.back() += c;
    }
  }
  return steps;
}

/// The entry of [[table]] that a step means: by number or by name.
toml::table& entry_of(toml::array& array, const std::string& step, const std::string& mark) {
  std::vector<std::string> names;
  for (auto& node : array) {
    toml::table* table = node.as_table();
    require(table != nullptr, "{}: '{}' is not a table that could be changed.", mark, step);
    if ((*table)["name"].value_or(std::string()) == step) return *table;
    names.push_back((*table)["name"].value_or(std::to_string(names.size())));
  }
  std::size_t number = 0;
  const auto [end, fault] = std::from_chars(step.data(), step.data() + step.size(), number);
  const bool is_number = fault == std::errc() && end == step.data() + step.size();
  require(is_number || !names.empty(), "{}: there is no '{}'.", mark, step);
  require(is_number, "{}: there is no '{}'.{}", mark, step, suggestion(step, names));
  require(number < array.size(), "{}: there is no number {}; the last one is {} (they count from 0).", mark, number,
          static_cast<long>(array.size()) - 1);
  return *array[number].as_table();
}

/// The table that holds the last step of the path; missing tables on the way are made.
toml::table& holder_of(toml::table& root, const std::vector<std::string>& steps, const std::string& mark) {
  toml::table* table = &root;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    if (!table->contains(steps[i])) table->insert(steps[i], toml::table{});
    toml::node* node = table->get(steps[i]);
    if (toml::array* array = node->as_array()) {
      require(i + 2 < steps.size(), "{}: '{}' is a list; say which entry and key, as in {}.0.name.", mark, steps[i],
              steps[i]);
      table = &entry_of(*array, steps[++i], mark);
    } else {
      table = node->as_table();
      require(table != nullptr, "{}: '{}' has a value; nothing can be put below it.", mark, steps[i]);
    }
  }
  return *table;
}

void apply_override(toml::table& root, const std::string& text) {
  const std::string mark = fmt::format("{}{}", override_mark, text);
  const std::size_t equals = text.find('=');
  require(equals != std::string::npos && equals > 0 && equals + 1 < text.size(),
          "{}: write key=value, for example --set harmonic_balance.samples=512.", mark);
  const std::vector<std::string> steps = split(std::string_view(text).substr(0, equals));
  require(std::none_of(steps.begin(), steps.end(), [](const std::string& step) { return step.empty(); }),
          "{}: an empty name between the dots of the key.", mark);
  toml::table parsed;
  try {
    parsed = toml::parse(fmt::format("value = {}", text.substr(equals + 1)), mark);
  } catch (const toml::parse_error&) {
    throw ModelError(fmt::format("{}: '{}' is not a TOML value. Texts need quotes: --set '{}=\"{}\"'.", mark,
                                 text.substr(equals + 1), text.substr(0, equals), text.substr(equals + 1)));
  }
  toml::table& holder = holder_of(root, steps, mark);
  parsed.get("value")->visit([&](auto& node) { holder.insert_or_assign(steps.back(), std::move(node)); });
}

// --- TOML to OptionValues --------------------------------------------------------------------------------------------

OptionValues table_values(const toml::table& table);

std::vector<double> numbers_of(const toml::array& array) {
  std::vector<double> numbers;
  for (const auto& node : array) numbers.push_back(node.value<double>().value());
  return numbers;
}

bool all_numbers(const toml::array& array) {
  return std::all_of(array.begin(), array.end(), [](const toml::node& node) { return node.is_number(); });
}

Matrix matrix_of(const toml::array& array, const std::string& key) {
  const toml::array* first = array[0].as_array();
  Matrix matrix(static_cast<Index>(array.size()), static_cast<Index>(first->size()));
  for (std::size_t i = 0; i < array.size(); ++i) {
    const toml::array& row = *array[i].as_array();
    require(all_numbers(row), "{}: {}: row {} of the matrix has something else than numbers.", place(row.source()), key,
            i + 1);
    require(row.size() == first->size(), "{}: {}: row {} of the matrix has length {}, row 1 has length {}.",
            place(row.source()), key, i + 1, row.size(), first->size());
    const std::vector<double> numbers = numbers_of(row);
    matrix.row(static_cast<Index>(i)) = Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()));
  }
  return matrix;
}

OptionValue array_value(const toml::array& array, const std::string& key) {
  if (array.empty()) return std::vector<double>{};
  if (array.is_homogeneous<int64_t>()) {
    std::vector<long> integers;
    for (const auto& node : array) integers.push_back(static_cast<long>(node.value<int64_t>().value()));
    return integers;
  }
  if (all_numbers(array)) return numbers_of(array);
  if (array.is_homogeneous<std::string>()) {
    std::vector<std::string> texts;
    for (const auto& node : array) texts.push_back(node.value<std::string>().value());
    return texts;
  }
  if (array.is_homogeneous<toml::array>()) return matrix_of(array, key);
  require(array.is_array_of_tables(), "{}: {}: a list must have entries of one kind only.", place(array.source()), key);
  std::vector<OptionValues> tables;
  for (const auto& node : array) tables.push_back(table_values(*node.as_table()));
  return tables;
}

OptionValue value_of(const toml::node& node, const std::string& key) {
  if (const auto* integer = node.as_integer()) return static_cast<long>(integer->get());
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* yes = node.as_boolean()) return yes->get();
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* array = node.as_array()) return array_value(*array, key);
  if (const auto* table = node.as_table()) return std::vector<OptionValues>{table_values(*table)};
  throw ModelError(fmt::format("{}: {}: dates and times have no use in a study.", place(node.source()), key));
}

OptionValues table_values(const toml::table& table) {
  OptionValues values;
  values.set_context("", place(table.source()));
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    values.set(name, value_of(node, name), place(node.source()));
  }
  return values;
}

}  // namespace

OptionValues toml_values(const std::string& text, const std::string& name, const std::vector<std::string>& overrides) {
  toml::table root = parse(text, name);
  for (const std::string& text_of_one : overrides) apply_override(root, text_of_one);
  OptionValues values = table_values(root);
  values.set_context("", name);
  return values;
}

}  // namespace masing::detail
