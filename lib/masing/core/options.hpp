// Option tables: every set of keys a user may write (a law's parameters, a structure, an analysis, …) is declared once,
// as data. From the same table come the reading and checking of the study file, the reference that `masing describe`
// prints, the defaults, and the echo in the report, so that text and behaviour cannot drift apart.
//
//   const OptionTable jenkins = {
//       {.name = "stiffness", .kinds = {OptionKind::number}, .unit = "N/m", .range = Range::positive(),
//        .meaning = "tangential stiffness while the contact sticks"},
//       {.name = "slip_force", .kinds = {OptionKind::number}, .unit = "N", .range = Range::positive(),
//        .meaning = "friction limit: the force at which it slides"},
//   };
//   OptionValues values = OptionValues::from(jenkins, {{"stiffness", 1e6}, {"slip_force", 10.0}});
//   double k = values.number("stiffness");
#pragma once

#include "masing/core/types.hpp"

#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace masing {

class OptionValues;

/// What a user may write behind a key. `weights` is a table of numbers by name, such as a joint's direction
/// { tip = 1.0, base = -1.0 } (nested tables { tip = { u = 1 } } become "tip.u"); `table` and `tables` are nested sets.
enum class OptionKind { number, integer, boolean, text, numbers, integers, texts, matrix, weights, table, tables };

std::string_view to_string(OptionKind kind);

/// Allowed interval of a number (of each entry for lists).
struct Range {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false;  ///< true: value > lower, false: value >= lower
  bool upper_open = false;

  static Range any() { return {}; }
  static Range positive() { return {.lower = 0.0, .lower_open = true}; }
  static Range non_negative() { return {.lower = 0.0}; }
  static Range at_least(double lower) { return {.lower = lower}; }
  static Range between(double lower, double upper) { return {.lower = lower, .upper = upper}; }

  bool contains(double value) const;  ///< false for NaN and infinities
  std::string text() const;           ///< "> 0", ">= 1", "in [0, 1]", "finite"
};

/// A value as written; integers are also accepted where a number is asked for.
using OptionValue =
    std::variant<double, long, bool, std::string, std::vector<double>, std::vector<long>, std::vector<std::string>,
                 Matrix, std::map<std::string, double>, std::vector<OptionValues>>;

struct OptionVariant;

struct Option {
  std::string name;
  std::vector<OptionKind> kinds;
  std::string unit = {};                   ///< "N/m", "Hz", "" for none
  bool required = true;                    ///< ignored when there is a default
  std::vector<OptionValue> fallback = {};  ///< the default: empty or one value
  Range range = {};
  std::vector<std::string> choices = {};  ///< for text: the allowed words
  std::vector<Option> children = {};      ///< for table and tables; none: free names with numbers, like weights
  /// For table and tables: a key `kind` decides which of these sets of further keys it has.
  std::vector<OptionVariant> variants = {};
  std::string meaning = {};
};

/// One kind of a table, such as density = { kind = "four-parameter", chi = -0.5, beta = 0.005 }.
struct OptionVariant {
  std::string name;     ///< what `kind` says
  std::string summary;  ///< one sentence
  std::vector<Option> table = {};
};

using OptionTable = std::vector<Option>;

/// The values of one table, checked, with defaults filled in, each remembering where it was written.
class OptionValues {
 public:
  OptionValues() = default;

  /// For C++ users and tests: same checks as the study file. Throws ModelError.
  static OptionValues from(const OptionTable& table,
                           std::initializer_list<std::pair<const std::string, OptionValue>> values,
                           std::string context = {});

  bool has(std::string_view name) const;
  const OptionValue& at(std::string_view name) const;  ///< asserts that it is there
  double number(std::string_view name) const;
  long integer(std::string_view name) const;
  bool boolean(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  std::vector<double> numbers(std::string_view name) const;  ///< a single number counts as a list of one
  std::vector<long> integers(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  const Matrix& matrix(std::string_view name) const;
  const std::map<std::string, double>& weights(std::string_view name) const;
  const OptionValues& table(std::string_view name) const;
  const std::vector<OptionValues>& tables(std::string_view name) const;

  /// Stores a value with the place where it was written ("study.toml:12"; empty when it came from code or a default).
  void set(std::string name, OptionValue value, std::string where = {});
  /// Checks kind, range and choices against the table, adds defaults, complains about missing and unknown names.
  void complete(const OptionTable& table);

  /// "joint 'support'": put in front of messages.
  const std::string& context() const { return context_; }
  void set_context(std::string context, std::string where);
  std::string where(std::string_view name) const;  ///< place of a value, or of the whole table

  /// reject("slip_force", "must be > 0. Friction limits are magnitudes.") throws the ModelError
  /// "study.toml:12: joint 'support': slip_force = -12 N must be > 0. Friction limits are magnitudes."
  [[noreturn]] void reject(std::string_view name, std::string_view rule) const;

  const std::map<std::string, OptionValue, std::less<>>& all() const { return values_; }

 private:
  void complete_one(const Option& option);
  void complete_tables(const Option& option, std::vector<OptionValues>& tables) const;
  void complete_variant(const Option& option);

  std::map<std::string, OptionValue, std::less<>> values_;
  std::map<std::string, std::string, std::less<>> places_;
  std::map<std::string, std::string, std::less<>> units_;  // filled by complete(), for messages
  std::string context_;
  std::string where_;
};

/// The value as a user would write it.
std::string to_string(const OptionValue& value);

}  // namespace masing
