#include "masing/core/options.hpp"

#include "masing/core/detail/option_check.hpp"
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace masing {
namespace {

/// Longer lists are cut in messages.
constexpr std::size_t most_shown = 8;

template <class List, class Show>
std::string list_text(const List& list, const Show& show) {
  std::vector<std::string> words;
  for (const auto& entry : list) {
    if (words.size() == most_shown) {
      words.emplace_back("…");
      break;
    }
    words.push_back(show(entry));
  }
  return fmt::format("[{}]", join(words, ", "));
}

std::string quoted(const std::string& text) { return fmt::format("\"{}\"", text); }
std::string plain(double number) { return fmt::format("{}", number); }

std::string matrix_text(const Matrix& matrix) {
  if (matrix.size() > static_cast<Index>(most_shown))
    return fmt::format("{} x {} matrix", matrix.rows(), matrix.cols());
  std::vector<std::string> rows;
  for (Index i = 0; i < matrix.rows(); ++i) {
    const Vector row = matrix.row(i);
    rows.push_back(list_text(std::vector<double>(row.begin(), row.end()), plain));
  }
  return fmt::format("[{}]", join(rows, ", "));
}

std::string braced(const std::vector<std::string>& words) {
  return words.empty() ? "{}" : fmt::format("{{ {} }}", join(words, ", "));
}

std::string table_text(const OptionValues& values) {
  std::vector<std::string> words;
  for (const auto& [name, value] : values.all()) words.push_back(name + " = " + to_string(value));
  return braced(words);
}

std::string tables_text(const std::vector<OptionValues>& tables) {
  return tables.size() == 1 ? table_text(tables.front()) : list_text(tables, table_text);
}

struct ValueText {
  std::string operator()(double number) const { return plain(number); }
  std::string operator()(long integer) const { return std::to_string(integer); }
  std::string operator()(bool yes) const { return yes ? "true" : "false"; }
  std::string operator()(const std::string& text) const { return quoted(text); }
  std::string operator()(const std::vector<double>& list) const { return list_text(list, plain); }
  std::string operator()(const std::vector<long>& list) const {
    return list_text(list, [](long integer) { return std::to_string(integer); });
  }
  std::string operator()(const std::vector<std::string>& list) const { return list_text(list, quoted); }
  std::string operator()(const Matrix& matrix) const { return matrix_text(matrix); }
  std::string operator()(const std::map<std::string, double>& weights) const {
    std::vector<std::string> words;
    for (const auto& [name, weight] : weights) words.push_back(name + " = " + plain(weight));
    return braced(words);
  }
  std::string operator()(const std::vector<OptionValues>& tables) const { return tables_text(tables); }
};

bool is_plain_number(const OptionValue& value) {
  return std::holds_alternative<double>(value) || std::holds_alternative<long>(value) ||
         std::holds_alternative<std::vector<double>>(value) || std::holds_alternative<std::vector<long>>(value);
}

/// "study.toml:12: joint 'support': "
std::string heading(const std::string& where, const std::string& context) {
  std::string result;
  if (!where.empty()) result += where + ": ";
  if (!context.empty()) result += context + ": ";
  return result;
}

std::string missing_text(const Option& option) {
  const bool numeric = option.range.text() != Range::any().text();
  return fmt::format("'{}' is missing: {} ({}{}{}).", option.name, option.meaning, detail::kinds_text(option.kinds),
                     numeric ? fmt::format(" {}", option.range.text()) : "",
                     option.unit.empty() ? "" : fmt::format(", {}", option.unit));
}

/// "must be an integer." with what to do when it is nearly one.
std::string kind_rule(const OptionValue& value, const Option& option) {
  const auto wants = [&](OptionKind kind) { return std::count(option.kinds.begin(), option.kinds.end(), kind) > 0; };
  const bool real = (std::holds_alternative<double>(value) && wants(OptionKind::integer)) ||
                    (std::holds_alternative<std::vector<double>>(value) && wants(OptionKind::integers));
  return fmt::format("must be {}{}.", detail::kinds_text(option.kinds), real ? ", without a decimal point" : "");
}

template <class Type>
const Type& expect(const OptionValue& value, std::string_view name) {
  if (const auto* wanted = std::get_if<Type>(&value)) return *wanted;
  throw std::logic_error(fmt::format("option '{}' is asked for as another kind than its table says", name));
}

}  // namespace

std::string_view to_string(OptionKind kind) {
  switch (kind) {
    case OptionKind::number:
      return "a number";
    case OptionKind::integer:
      return "an integer";
    case OptionKind::boolean:
      return "true or false";
    case OptionKind::text:
      return "a text";
    case OptionKind::numbers:
      return "a list of numbers";
    case OptionKind::integers:
      return "a list of integers";
    case OptionKind::texts:
      return "a list of texts";
    case OptionKind::matrix:
      return "a matrix [[…], […]]";
    case OptionKind::weights:
      return "a table { name = number, … }";
    case OptionKind::table:
      return "a table";
    case OptionKind::tables:
      return "a list of tables";
  }
  return "";
}

std::string to_string(const OptionValue& value) { return std::visit(ValueText{}, value); }

bool Range::contains(double value) const {
  if (!std::isfinite(value)) return false;
  const bool above = lower_open ? value > lower : value >= lower;
  const bool below = upper_open ? value < upper : value <= upper;
  return above && below;
}

std::string Range::text() const {
  const bool has_lower = std::isfinite(lower);
  const bool has_upper = std::isfinite(upper);
  if (has_lower && has_upper) {
    return fmt::format("in {}{}, {}{}", lower_open ? "(" : "[", lower, upper, upper_open ? ")" : "]");
  }
  if (has_lower) return fmt::format("{} {}", lower_open ? ">" : ">=", lower);
  if (has_upper) return fmt::format("{} {}", upper_open ? "<" : "<=", upper);
  return "finite";
}

OptionValues OptionValues::from(const OptionTable& table,
                                std::initializer_list<std::pair<const std::string, OptionValue>> values,
                                std::string context) {
  OptionValues result;
  result.set_context(std::move(context), "");
  for (const auto& [name, value] : values) result.set(name, value);
  result.complete(table);
  return result;
}

bool OptionValues::has(std::string_view name) const { return values_.find(name) != values_.end(); }

const OptionValue& OptionValues::at(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw std::logic_error(fmt::format("option '{}' is asked for but not there", name));
  return found->second;
}

double OptionValues::number(std::string_view name) const {
  const OptionValue& value = at(name);
  if (const auto* integer = std::get_if<long>(&value)) return static_cast<double>(*integer);
  return expect<double>(value, name);
}

long OptionValues::integer(std::string_view name) const { return expect<long>(at(name), name); }
bool OptionValues::boolean(std::string_view name) const { return expect<bool>(at(name), name); }
const std::string& OptionValues::text(std::string_view name) const { return expect<std::string>(at(name), name); }
const Matrix& OptionValues::matrix(std::string_view name) const { return expect<Matrix>(at(name), name); }

std::vector<double> OptionValues::numbers(std::string_view name) const {
  const auto list = detail::fit_to_kinds(at(name), {OptionKind::numbers});
  return expect<std::vector<double>>(list ? *list : at(name), name);
}

std::vector<long> OptionValues::integers(std::string_view name) const {
  const auto list = detail::fit_to_kinds(at(name), {OptionKind::integers});
  return expect<std::vector<long>>(list ? *list : at(name), name);
}

std::vector<std::string> OptionValues::texts(std::string_view name) const {
  const auto list = detail::fit_to_kinds(at(name), {OptionKind::texts});
  return expect<std::vector<std::string>>(list ? *list : at(name), name);
}

const std::map<std::string, double>& OptionValues::weights(std::string_view name) const {
  return expect<std::map<std::string, double>>(at(name), name);
}

const std::vector<OptionValues>& OptionValues::tables(std::string_view name) const {
  return expect<std::vector<OptionValues>>(at(name), name);
}

const OptionValues& OptionValues::table(std::string_view name) const { return tables(name).at(0); }

void OptionValues::set(std::string name, OptionValue value, std::string where) {
  if (!where.empty()) places_.insert_or_assign(name, std::move(where));
  values_.insert_or_assign(std::move(name), std::move(value));
}

void OptionValues::set_context(std::string context, std::string where) {
  context_ = std::move(context);
  where_ = std::move(where);
}

std::string OptionValues::where(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? where_ : found->second;
}

void OptionValues::complete(const OptionTable& table) {
  std::vector<std::string> known;
  for (const Option& option : table) {
    known.push_back(option.name);
    units_.insert_or_assign(option.name, option.unit);
  }
  for (const auto& [name, value] : values_) {
    require(units_.contains(name), "{}unknown key '{}'.{}", heading(where(name), context_), name,
            suggestion(name, known));
  }
  for (const Option& option : table) complete_one(option);
}

void OptionValues::complete_one(const Option& option) {
  const auto written = values_.find(option.name);
  if (written == values_.end()) {
    require(!option.required || !option.fallback.empty(), "{}{}", heading(where_, context_), missing_text(option));
    if (option.fallback.empty()) return;
  }
  const OptionValue value = written == values_.end() ? option.fallback.front() : written->second;
  std::optional<OptionValue> fitted = detail::fit_to_kinds(value, option.kinds);
  values_.insert_or_assign(option.name, value);
  if (!fitted) reject(option.name, kind_rule(value, option));
  if (auto* tables = std::get_if<std::vector<OptionValues>>(&*fitted)) complete_tables(option, *tables);
  const std::string rule = detail::broken_rule(*fitted, option);
  if (!rule.empty()) reject(option.name, rule);
  values_.insert_or_assign(option.name, std::move(*fitted));
}

void OptionValues::complete_tables(const Option& option, std::vector<OptionValues>& tables) const {
  const bool many = tables.size() > 1;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (tables[i].context_.empty()) {
      tables[i].context_ = fmt::format("{}{}{}", context_.empty() ? "" : context_ + ": ", option.name,
                                       many ? fmt::format(" {}", i + 1) : "");
    }
    if (tables[i].where_.empty()) tables[i].where_ = where(option.name);
    if (!option.variants.empty()) {
      tables[i].complete_variant(option);
    } else if (!option.children.empty()) {
      tables[i].complete(option.children);
    } else if (const auto weights = detail::flat_weights(tables[i])) {
      for (const auto& [name, weight] : *weights) {
        require(std::isfinite(weight), "{}{} = {} must be finite.", heading(tables[i].where_, tables[i].context_), name,
                weight);
      }
      tables[i].values_ = {weights->begin(), weights->end()};
    } else {
      reject(option.name, "must have a number behind every name.");
    }
  }
}

void OptionValues::complete_variant(const Option& option) {
  Option kind{.name = "kind", .kinds = {OptionKind::text}, .meaning = "which kind"};
  for (const OptionVariant& variant : option.variants) kind.choices.push_back(variant.name);
  kind.meaning = fmt::format("which kind of {}: {}", option.name, join(kind.choices, ", "));
  complete_one(kind);
  const std::string& name = text("kind");
  const auto chosen = std::find_if(option.variants.begin(), option.variants.end(),
                                   [&](const OptionVariant& variant) { return variant.name == name; });
  OptionTable table = {kind};
  table.insert(table.end(), chosen->table.begin(), chosen->table.end());
  complete(table);
}

void OptionValues::reject(std::string_view name, std::string_view rule) const {
  const auto value = values_.find(name);
  std::string what(name);
  if (value != values_.end()) {
    const auto unit = units_.find(name);
    const bool shows_unit = unit != units_.end() && !unit->second.empty() && is_plain_number(value->second);
    what += fmt::format(" = {}{}{}", to_string(value->second), shows_unit ? " " : "", shows_unit ? unit->second : "");
  }
  throw ModelError(fmt::format("{}{} {}", heading(where(name), context_), what, rule));
}

}  // namespace masing
