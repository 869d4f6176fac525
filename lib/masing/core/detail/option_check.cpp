#include "masing/core/detail/option_check.hpp"

#include "masing/core/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace masing::detail {
namespace {

using Numbers = std::vector<double>;
using Integers = std::vector<long>;
using Texts = std::vector<std::string>;
using Weights = std::map<std::string, double>;
using Tables = std::vector<OptionValues>;

bool is_empty_list(const OptionValue& value) {
  const auto empty = [](const auto* list) { return list != nullptr && list->empty(); };
  return empty(std::get_if<Numbers>(&value)) || empty(std::get_if<Integers>(&value)) ||
         empty(std::get_if<Texts>(&value)) || empty(std::get_if<Tables>(&value));
}

std::optional<OptionValue> as_numbers(const OptionValue& value) {
  if (std::holds_alternative<Numbers>(value)) return value;
  if (const auto* list = std::get_if<Integers>(&value)) return Numbers(list->begin(), list->end());
  if (const auto* one = std::get_if<double>(&value)) return Numbers{*one};
  if (const auto* one = std::get_if<long>(&value)) return Numbers{static_cast<double>(*one)};
  if (is_empty_list(value)) return Numbers{};
  return std::nullopt;
}

template <class List>
std::optional<OptionValue> as_list(const OptionValue& value) {
  if (std::holds_alternative<List>(value)) return value;
  if (const auto* one = std::get_if<typename List::value_type>(&value)) return List{*one};
  if (is_empty_list(value)) return List{};
  return std::nullopt;
}

template <class Type>
std::optional<OptionValue> exactly(const OptionValue& value) {
  if (std::holds_alternative<Type>(value)) return value;
  return std::nullopt;
}

std::optional<OptionValue> as_number(const OptionValue& value) {
  if (const auto* one = std::get_if<long>(&value)) return static_cast<double>(*one);
  return exactly<double>(value);
}

std::optional<OptionValue> as_tables(const OptionValue& value, bool single) {
  if (!single && is_empty_list(value)) return Tables{};
  const auto* tables = std::get_if<Tables>(&value);
  if (tables == nullptr || (single && tables->size() != 1)) return std::nullopt;
  return value;
}

bool add_weights(const OptionValues& values, const std::string& prefix, Weights& weights) {
  for (const auto& [name, value] : values.all()) {
    if (const auto* number = std::get_if<double>(&value)) {
      weights[prefix + name] = *number;
    } else if (const auto* integer = std::get_if<long>(&value)) {
      weights[prefix + name] = static_cast<double>(*integer);
    } else if (const auto* tables = std::get_if<Tables>(&value); tables != nullptr && tables->size() == 1) {
      if (!add_weights(tables->front(), prefix + name + ".", weights)) return false;
    } else {
      return false;
    }
  }
  return true;
}

std::optional<OptionValue> as_weights(const OptionValue& value) {
  const auto* tables = std::get_if<Tables>(&value);
  if (tables == nullptr || tables->size() != 1) return exactly<Weights>(value);
  return flat_weights(tables->front());
}

std::optional<OptionValue> fit_to_kind(const OptionValue& value, OptionKind kind) {
  switch (kind) {
    case OptionKind::number:
      return as_number(value);
    case OptionKind::integer:
      return exactly<long>(value);
    case OptionKind::boolean:
      return exactly<bool>(value);
    case OptionKind::text:
      return exactly<std::string>(value);
    case OptionKind::numbers:
      return as_numbers(value);
    case OptionKind::integers:
      return as_list<Integers>(value);
    case OptionKind::texts:
      return as_list<Texts>(value);
    case OptionKind::matrix:
      return exactly<Matrix>(value);
    case OptionKind::weights:
      return as_weights(value);
    case OptionKind::table:
      return as_tables(value, true);
    case OptionKind::tables:
      return as_tables(value, false);
  }
  return std::nullopt;
}

/// Calls `use` with every number inside the value; returns whether it is a list.
template <class Use>
bool for_each_number(const OptionValue& value, const Use& use) {
  if (const auto* number = std::get_if<double>(&value)) return use(*number), false;
  if (const auto* integer = std::get_if<long>(&value)) return use(static_cast<double>(*integer)), false;
  if (const auto* numbers = std::get_if<Numbers>(&value)) std::for_each(numbers->begin(), numbers->end(), use);
  if (const auto* integers = std::get_if<Integers>(&value)) {
    for (const long integer : *integers) use(static_cast<double>(integer));
  }
  if (const auto* matrix = std::get_if<Matrix>(&value)) {
    for (Index i = 0; i < matrix->size(); ++i) use(matrix->data()[i]);
  }
  if (const auto* weights = std::get_if<Weights>(&value)) {
    for (const auto& [name, weight] : *weights) use(weight);
  }
  return true;
}

/// Messages show lists and matrices up to this size whole.
constexpr Index shown_whole = 8;

/// "; row 17, column 2 is -3" for a number inside a list or matrix too long to be shown; empty otherwise.
std::string entry_text(const OptionValue& value, Index entry, double number) {
  if (const auto* matrix = std::get_if<Matrix>(&value)) {
    if (matrix->size() <= shown_whole) return "";
    return fmt::format("; row {}, column {} is {}", entry % matrix->rows() + 1, entry / matrix->rows() + 1, number);
  }
  const auto* numbers = std::get_if<Numbers>(&value);
  if (numbers == nullptr || static_cast<Index>(numbers->size()) <= shown_whole) return "";
  return fmt::format("; entry {} is {}", entry + 1, number);
}

std::string broken_number_rule(const OptionValue& value, const Range& range) {
  bool finite = true;
  Index count = 0;
  Index wrong = -1;
  double wrong_number = 0.0;
  const bool list = for_each_number(value, [&](double number) {
    finite = finite && std::isfinite(number);
    if (wrong < 0 && !range.contains(number)) {
      wrong = count;
      wrong_number = number;
    }
    ++count;
  });
  if (wrong < 0) return "";
  return fmt::format("must be {}{}{}.", finite ? range.text() : "finite", list ? " in every entry" : "",
                     entry_text(value, wrong, wrong_number));
}

std::string broken_choice_rule(const OptionValue& value, const std::vector<std::string>& choices) {
  Texts words;
  if (const auto* word = std::get_if<std::string>(&value)) words = {*word};
  if (const auto* list = std::get_if<Texts>(&value)) words = *list;
  for (const std::string& word : words) {
    if (std::find(choices.begin(), choices.end(), word) == choices.end()) {
      return fmt::format("is not known.{}", suggestion(word, choices));
    }
  }
  return "";
}

}  // namespace

std::optional<OptionValue> fit_to_kinds(const OptionValue& value, const std::vector<OptionKind>& kinds) {
  // A kind that takes the value as it is goes before one that converts it.
  for (const OptionKind kind : kinds) {
    const std::optional<OptionValue> fitted = fit_to_kind(value, kind);
    if (fitted && fitted->index() == value.index()) return fitted;
  }
  for (const OptionKind kind : kinds) {
    if (std::optional<OptionValue> fitted = fit_to_kind(value, kind)) return fitted;
  }
  return std::nullopt;
}

std::optional<std::map<std::string, double>> flat_weights(const OptionValues& values) {
  Weights weights;
  if (!add_weights(values, "", weights)) return std::nullopt;
  return weights;
}

std::string kinds_text(const std::vector<OptionKind>& kinds) {
  std::vector<std::string> words;
  for (const OptionKind kind : kinds) words.emplace_back(to_string(kind));
  return join(words, " or ");
}

std::string broken_rule(const OptionValue& value, const Option& option) {
  const std::string rule = broken_number_rule(value, option.range);
  if (!rule.empty() || option.choices.empty()) return rule;
  return broken_choice_rule(value, option.choices);
}

}  // namespace masing::detail
