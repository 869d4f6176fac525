#include "masing/io/detail/validation_reasons.hpp"

#include "masing/core/text.hpp"
#include "masing/io/detail/wrapped_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace masing::detail {
namespace {

/// Rows that are judged alike for the same reason.
struct Reason {
  Verdict verdict;
  std::string why;
  std::vector<std::string> rows;
};

void add(std::vector<Reason>& reasons, Verdict verdict, const std::string& why, const std::string& row) {
  if (why.empty()) return;
  auto same = std::find_if(reasons.begin(), reasons.end(),
                           [&](const Reason& one) { return one.verdict == verdict && one.why == why; });
  if (same == reasons.end()) same = reasons.insert(reasons.end(), {verdict, why, {}});
  same->rows.push_back(row);
}

std::vector<Reason> reasons_of(const CaseOutcome& one) {
  std::vector<Reason> reasons;
  for (const QuantityOutcome& outcome : one.quantities) {
    add(reasons, outcome.verdict, outcome.quantity.why, outcome.quantity.name);
  }
  for (const CostComparison& comparison : one.source.costs) {
    const CostOutcome outcome = cost_outcome(comparison, one.runs);
    for (std::size_t i = 0; i < comparison.why.size(); ++i) {
      if (!comparison.published[i]) continue;
      add(reasons, outcome.verdict(comparison, i), comparison.why[i],
          fmt::format("cost of {}, {}", comparison.name, comparison.runs[i]));
    }
  }
  return reasons;
}

/// Where the part of a name begins that the name before does not have: behind the last ", " up to which both are the same.
std::size_t own_part(const std::string& name, const std::string& before) {
  const auto both = std::mismatch(name.begin(), name.end(), before.begin(), before.end()).first;
  const std::string common(name.begin(), both);
  const std::size_t comma = common.rfind(", ");
  return comma == std::string::npos ? 0 : comma + 2;
}

/// "area, 3 × 7, small; large; 7 × 3, small"
std::string rows_text(const std::vector<std::string>& rows) {
  std::vector<std::string> words = {rows.front()};
  for (std::size_t i = 1; i < rows.size(); ++i) words.push_back(rows[i].substr(own_part(rows[i], rows[i - 1])));
  return join(words, "; ");
}

}  // namespace

std::string reasons_text(const std::vector<CaseOutcome>& cases) {
  std::string text;
  for (const CaseOutcome& one : cases) {
    const std::vector<Reason> reasons = reasons_of(one);
    if (reasons.empty()) continue;
    text += one.source.name + "\n";
    for (const Reason& reason : reasons) {
      text += wrapped(fmt::format("{}: {}", to_string(reason.verdict), reason.why), 2);
      text += wrapped(rows_text(reason.rows), 6);
    }
  }
  return text.empty() ? text : "Why, and on which data what is calibrated was chosen:\n\n" + text;
}

}  // namespace masing::detail
