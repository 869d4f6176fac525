// What programs read of a validation.
#include "masing/core/text.hpp"
#include "masing/io/validation.hpp"

#include <algorithm>
#include <cmath>

namespace masing {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') {
      out += fmt::format("\\{}", letter);
    } else if (static_cast<unsigned char>(letter) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<int>(letter));
    } else {
      out += letter;
    }
  }
  return out + "\"";
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{:.17g}", value) : "null"; }

std::string json_list(const std::vector<std::string>& entries, const std::string& indent) {
  if (entries.empty()) return "[]";
  return fmt::format("[\n{0}  {1}\n{0}]", indent, join(entries, ",\n" + indent + "  "));
}

/// Texts in their order.
std::string json_texts(const std::vector<std::string>& texts, const std::string& indent) {
  std::vector<std::string> entries;
  for (const std::string& text : texts) entries.push_back(quoted(text));
  return json_list(entries, indent);
}

std::string json_quantity(const QuantityOutcome& outcome) {
  const ValidationQuantity& quantity = outcome.quantity;
  return fmt::format(
      "{{\"name\": {}, \"id\": {}, \"published\": {}, \"unit\": {}, \"origin\": {}, \"source\": {}, \"compare\": {}, "
      "\"computed\": {}, \"difference\": {}, \"acceptance\": {}, \"reason\": {}, \"numerical_error\": {}, "
      "\"verified_how\": {}, \"claim\": {}, \"why\": {}, \"verdict\": {}, \"resolution\": {}, \"accepted\": {}, "
      "\"message\": {}}}",
      quoted(quantity.name), quoted(quantity.published.id), json_number(quantity.published.value),
      quoted(quantity.published.unit), quoted(quantity.published.origin), quoted(quantity.published.source),
      quoted(quantity.compare), json_number(outcome.computed), json_number(outcome.difference),
      json_number(quantity.acceptance), quoted(quantity.reason), json_number(outcome.numerical_error),
      quoted(quantity.verified_how), quoted(std::string(to_string(quantity.claim))), quoted(quantity.why),
      quoted(std::string(to_string(outcome.verdict))), quoted(std::string(to_string(outcome.resolution))),
      is_accepted(outcome.verdict), quoted(outcome.message));
}

std::string json_cost(const CostComparison& comparison, const CaseOutcome& one) {
  const CostOutcome outcome = cost_outcome(comparison, one.runs);
  std::vector<std::string> runs;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const auto& known = comparison.published[i];
    const std::string verdict = known ? std::string(to_string(outcome.verdict(comparison, i))) : "";
    runs.push_back(
        fmt::format("{{\"run\": {}, \"processor_seconds\": {}, \"factor\": {}, \"id\": {}, \"published\": {}, "
                    "\"verdict\": {}, \"why\": {}}}",
                    quoted(comparison.runs[i]), json_number(outcome.costs[i]), json_number(outcome.factor(i)),
                    quoted(known ? known->id : ""), json_number(known ? known->value : QuantityOutcome::none),
                    quoted(verdict), quoted(comparison.why.empty() ? "" : comparison.why[i])));
  }
  return fmt::format("{{\"name\": {}, \"reference\": {}, \"processor_seconds\": {}, \"runs\": [{}]}}",
                     quoted(comparison.name), quoted(comparison.reference), json_number(outcome.reference),
                     join(runs, ", "));
}

std::vector<std::string> json_null_tests(const CaseOutcome& one) {
  std::vector<std::string> null_tests;
  for (const NullTest& test : one.source.null_tests) {
    const NullOutcome outcome = null_outcome(test, one.quantities);
    null_tests.push_back(fmt::format(
        "{{\"name\": {}, \"how\": {}, \"series\": {}, \"null_difference\": {}, \"computed_difference\": {}}}",
        quoted(test.name), quoted(test.how), quoted(test.series), json_number(outcome.null_difference),
        json_number(outcome.computed_difference)));
  }
  return null_tests;
}

std::string json_case(const CaseOutcome& one) {
  std::vector<std::string> quantities, runs, not_compared, costs;
  for (const CostComparison& comparison : one.source.costs) costs.push_back(json_cost(comparison, one));
  for (const QuantityOutcome& outcome : one.quantities) quantities.push_back(json_quantity(outcome));
  for (const RunOutcome& run : one.runs) {
    runs.push_back(fmt::format("{{\"name\": {}, \"study\": {}, \"complete\": {}, \"seconds\": {}, \"message\": {}}}",
                               quoted(run.run.name), quoted(run.run.study), run.complete, json_number(run.seconds),
                               quoted(run.message)));
  }
  for (const PublishedValue& value : one.source.not_compared) not_compared.push_back(value.id);
  const std::string indent = "     ";
  return fmt::format(
      "{{\"name\": {}, \"title\": {}, \"publication\": {}, \"accepted\": {}, \"seconds\": {},\n"
      "     \"assumptions\": {},\n     \"inconsistencies\": {},\n     \"quantities\": {},\n"
      "     \"null_tests\": {},\n     \"costs\": {},\n     \"runs\": {},\n     \"not_compared\": {}}}",
      quoted(one.source.name), quoted(one.source.title), quoted(one.source.publication), one.accepted(),
      json_number(one.seconds), json_texts(one.source.assumptions, indent),
      json_texts(one.source.inconsistencies, indent), json_list(quantities, indent),
      json_list(json_null_tests(one), indent), json_list(costs, indent), json_list(runs, indent),
      json_texts(not_compared, indent));
}

}  // namespace

std::string validation_json(const std::vector<CaseOutcome>& cases, const std::string& program_version) {
  std::vector<std::string> entries;
  for (const CaseOutcome& one : cases) entries.push_back(json_case(one));
  const bool accepted = std::all_of(cases.begin(), cases.end(), [](const CaseOutcome& one) { return one.accepted(); });
  return fmt::format("{{\n  \"program_version\": {},\n  \"accepted\": {},\n  \"cases\": {}\n}}\n",
                     quoted(program_version), accepted, json_list(entries, "  "));
}

}  // namespace masing
