// What people read of a validation: table, page. Programs: validation_json.cpp.
#include "masing/core/text.hpp"
#include "masing/io/detail/report_loops.hpp"
#include "masing/io/detail/report_style.hpp"
#include "masing/io/detail/text_file.hpp"
#include "masing/io/detail/validation_reasons.hpp"
#include "masing/io/detail/wrapped_text.hpp"
#include "masing/io/validation.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace masing {
namespace {

using detail::row;
using detail::table;
using detail::width_of;
using svg::escape;

std::string number(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value + 0.0, digits) : "–";
}

/// "≤ 1 %" for bounds.
std::string published_text(const ValidationQuantity& quantity) {
  const std::string bound = quantity.compare == "at-most" ? "≤ " : quantity.compare == "at-least" ? "≥ " : "";
  const std::string unit = quantity.published.unit.empty() ? "" : " " + quantity.published.unit;
  return fmt::format("{}{}{}", bound, number(quantity.published.value, 9), unit);
}

/// "reproduced, within numerical error" where the difference is not known to a tenth.
std::string verdict_text(const QuantityOutcome& outcome) {
  const bool plain = outcome.resolution == Resolution::resolved || outcome.verdict == Verdict::not_computed;
  return plain ? std::string(to_string(outcome.verdict))
               : fmt::format("{}, {}", to_string(outcome.verdict), to_string(outcome.resolution));
}

/// "rounding" where the second computation says the same, as of a closed form: no independent check, and no error to speak of.
std::string error_text(const QuantityOutcome& outcome) {
  return outcome.is_rounding() ? "rounding" : number(outcome.numerical_error, 1);
}

/// The cells that the table for people and the page share.
std::vector<std::string> cells_of(const QuantityOutcome& outcome) {
  const ValidationQuantity& quantity = outcome.quantity;
  return {quantity.name,
          quantity.published.origin,
          published_text(quantity),
          number(outcome.computed, 7),
          number(outcome.difference, 2),
          number(quantity.acceptance, 2),
          error_text(outcome),
          verdict_text(outcome)};
}

/// A row for each published factor of a cost: the same columns, its acceptance is a factor, and there is no second computation.
std::vector<std::vector<std::string>> cost_cells(const CostComparison& comparison, const CaseOutcome& one) {
  const CostOutcome outcome = cost_outcome(comparison, one.runs);
  std::vector<std::vector<std::string>> all;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    if (!comparison.published[i]) continue;
    const PublishedValue& known = *comparison.published[i];
    const std::string name =
        fmt::format("cost of {}: {} over {}", comparison.name, comparison.reference, comparison.runs[i]);
    all.push_back({name, known.origin, number(known.value, 9), number(outcome.factor(i), 2),
                   number(outcome.factor(i) - known.value, 2), fmt::format("factor {}", number(comparison.within, 2)),
                   "–", std::string(to_string(outcome.verdict(comparison, i)))});
  }
  return all;
}

const std::vector<std::string>& headings() {
  static const std::vector<std::string> all = {"quantity",   "origin",     "published",  "computed",
                                               "difference", "acceptance", "num. error", "verdict"};
  return all;
}

std::string text_row(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string room(widths[i] - width_of(cells[i]), ' ');
    const bool to_the_left = i < 3 || i + 1 == cells.size();
    line += to_the_left ? cells[i] + room : room + cells[i];
    line += "  ";
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// Where a text is broken so that the first part fits: the byte of a blank; npos when it is short enough or has none.
std::size_t break_of(const std::string& text, std::size_t room) {
  if (width_of(text) <= room) return std::string::npos;
  std::size_t place = std::string::npos;
  const std::size_t first = text.find(' ', text.find_first_not_of(' '));
  for (std::size_t at = first; at != std::string::npos; at = text.find(' ', at + 1)) {
    if (width_of(text.substr(0, at)) > room) break;
    place = at;
  }
  return place;
}

/// The row of a quantity; the begin of a long name stands on a line of its own above it.
void add_rows(const std::string& name, std::vector<std::string> cells, std::vector<std::vector<std::string>>& rows) {
  constexpr std::size_t room = 60;
  std::string& quantity = cells.front();
  for (std::size_t at = break_of(quantity, room); at != std::string::npos; at = break_of(quantity, room)) {
    std::vector<std::string> above(cells.size() + 1);
    above[0] = name;
    above[1] = quantity.substr(0, at);
    rows.push_back(std::move(above));
    quantity = "  " + quantity.substr(at + 1);
  }
  cells.insert(cells.begin(), name);
  rows.push_back(std::move(cells));
}

std::string counts_text(const std::vector<CaseOutcome>& cases) {
  std::vector<std::pair<Verdict, int>> counts;
  for (const CaseOutcome& one : cases) {
    for (const QuantityOutcome& outcome : one.quantities) {
      const auto same =
          std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == outcome.verdict; });
      if (same == counts.end()) {
        counts.emplace_back(outcome.verdict, 1);
      } else {
        ++same->second;
      }
    }
  }
  std::sort(counts.begin(), counts.end());
  std::vector<std::string> words;
  for (const auto& [verdict, count] : counts) words.push_back(fmt::format("{} {}", count, to_string(verdict)));
  return join(words, ", ");
}

/// How many differences are the model's alone; empty when all are.
std::string resolution_text(const std::vector<CaseOutcome>& cases) {
  int all = 0, within = 0, unresolved = 0;
  for (const CaseOutcome& one : cases) {
    for (const QuantityOutcome& outcome : one.quantities) {
      ++all;
      within += outcome.resolution == Resolution::within_error ? 1 : 0;
      unresolved += outcome.resolution == Resolution::unresolved ? 1 : 0;
    }
  }
  if (within + unresolved == 0) return {};
  return fmt::format(
      "Of {} differences {} are within the numerical error and {} are less than ten times it: these may be the "
      "computation's as well as the model's.",
      all, within, unresolved);
}

/// How many numerical errors are rounding alone, and what that means; empty when none is.
std::string rounding_text(const std::vector<CaseOutcome>& cases) {
  int count = 0;
  for (const CaseOutcome& one : cases) {
    count += static_cast<int>(std::count_if(one.quantities.begin(), one.quantities.end(),
                                            [](const QuantityOutcome& outcome) { return outcome.is_rounding(); }));
  }
  if (count == 0) return {};
  return fmt::format(
      "Rows whose two computations are the same but for rounding, as closed forms are: {}; there the published value "
      "is the "
      "independent check.",
      count);
}

/// "Costs: 4 reproduced, 2 not reproduced; …"; empty when none is published.
std::string cost_counts_text(const std::vector<CaseOutcome>& cases) {
  std::map<Verdict, int> counts;
  for (const CaseOutcome& one : cases) {
    for (const CostComparison& comparison : one.source.costs) {
      const CostOutcome outcome = cost_outcome(comparison, one.runs);
      for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
        if (comparison.published[i]) ++counts[outcome.verdict(comparison, i)];
      }
    }
  }
  if (counts.empty()) return {};
  std::vector<std::string> words;
  for (const auto& [verdict, count] : counts) words.push_back(fmt::format("{} {}", count, to_string(verdict)));
  return fmt::format("Costs: {}; these do not count for the exit code, because times depend on the machine.",
                     join(words, ", "));
}

/// "null test 'parabola' on Table 2: largest difference 0.045 Hz; computed here 0.03 Hz"
std::string null_text(const NullTest& test, const CaseOutcome& one) {
  const NullOutcome outcome = null_outcome(test, one.quantities);
  const std::string unit = outcome.unit.empty() ? "" : " " + outcome.unit;
  return fmt::format("null test on {}, {}: largest difference {}{}; computed here {}{}", test.series, test.name,
                     number(outcome.null_difference, 2), unit, number(outcome.computed_difference, 2), unit);
}

/// "cost of 50 ms of an oscillator: sliders 0.61 s; exact 0.021 s, 29 times less (published 3)"
std::string cost_text(const CostComparison& comparison, const CaseOutcome& one) {
  const CostOutcome outcome = cost_outcome(comparison, one.runs);
  std::string text =
      fmt::format("cost of {}: {} {} s", comparison.name, comparison.reference, number(outcome.reference, 2));
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const auto& known = comparison.published[i];
    const std::string published = known ? fmt::format(" (published {})", number(known->value, 3)) : "";
    const double factor = outcome.factor(i);
    const std::string times =
        factor < 1.0 ? number(1.0 / factor, 2) + " times more" : number(factor, 2) + " times less";
    text += fmt::format("; {} {} s, {}{}", comparison.runs[i], number(outcome.costs[i], 2), times, published);
  }
  return text;
}

// --- the page --------------------------------------------------------------------------------------------------------

std::string list_html(const std::string& heading, const std::vector<std::string>& entries) {
  if (entries.empty()) return {};
  std::string out = fmt::format("<h3>{}</h3>\n<div class=\"card\"><ul>\n", heading);
  for (const std::string& entry : entries) out += fmt::format("<li>{}</li>\n", escape(entry));
  return out + "</ul></div>\n";
}

std::string quantities_html(const CaseOutcome& one) {
  std::string rows, details;
  for (const QuantityOutcome& outcome : one.quantities) {
    const ValidationQuantity& quantity = outcome.quantity;
    rows += row(cells_of(outcome));
    const std::string remark = outcome.message.empty() ? quantity.why : quantity.why + " " + outcome.message;
    details += row({quantity.name, quantity.published.source, quantity.reason, quantity.verified_how, remark});
  }
  for (const CostComparison& comparison : one.source.costs) {
    for (const auto& cells : cost_cells(comparison, one)) rows += row(cells);
  }
  return table("Published and computed", headings(), rows) +
         fmt::format(
             "<details><summary>Where each number comes from, and why it is judged as it is</summary>\n{}</details>\n",
             table("", {"quantity", "source", "reason of the acceptance", "verified by", "remark"}, details));
}

/// "masing loop sphere.toml --set a=b"
std::string command_line(const ValidationRun& run) {
  std::string line = fmt::format("masing {} {}", run.command, run.study);
  for (const std::string& text : run.overrides) line += fmt::format(" --set '{}'", text);
  return line;
}

std::string case_html(const CaseOutcome& one) {
  std::string out = fmt::format("<section id=\"{0}\">\n<h2>{0}: {1}</h2>\n<p class=\"meta\">{2}</p>\n",
                                escape(one.source.name), escape(one.source.title), escape(one.source.publication));
  for (const CaseFigure& figure : one.figures) {
    out += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", figure.svg, escape(figure.caption));
  }
  out += quantities_html(one);
  std::vector<std::string> nulls;
  for (const NullTest& test : one.source.null_tests) nulls.push_back(null_text(test, one) + ". " + test.how);
  out += list_html("Null tests", nulls);
  std::vector<std::string> costs;
  for (const CostComparison& comparison : one.source.costs) {
    costs.push_back(cost_text(comparison, one));
    if (!comparison.reason.empty()) {
      costs.push_back(fmt::format("{}: a factor is reproduced within {} times: {}", comparison.name,
                                  number(comparison.within, 2), comparison.reason));
    }
    for (std::size_t i = 0; i < comparison.why.size(); ++i) {
      if (!comparison.why[i].empty()) costs.push_back(fmt::format("{}: {}", comparison.runs[i], comparison.why[i]));
    }
  }
  out += list_html("Cost (processor time; it does not decide whether the case is accepted)", costs);
  out += list_html("Assumed", one.source.assumptions);
  out += list_html("Inconsistent in the publication", one.source.inconsistencies);
  std::string values;
  for (const PublishedValue& value : one.source.not_compared) {
    values +=
        row({value.id, fmt::format("{:.9g} {}", value.value, value.unit), value.origin, value.source, value.note});
  }
  out += table("Published and not compared", {"id", "value", "origin", "source", "note"}, values);
  std::string runs;
  for (const RunOutcome& run : one.runs) {
    runs += row({run.run.name, command_line(run.run), fmt::format("{:.2f} s", run.seconds),
                 run.complete ? "complete" : run.message});
  }
  return out + table("Runs", {"run", "command", "time", ""}, runs) + "</section>\n";
}

}  // namespace

std::string validation_table(const std::vector<CaseOutcome>& cases) {
  std::vector<std::vector<std::string>> rows(1, {"case"});
  rows.front().insert(rows.front().end(), headings().begin(), headings().end());
  std::string remarks;
  for (const CaseOutcome& one : cases) {
    for (const QuantityOutcome& outcome : one.quantities) {
      add_rows(one.source.name, cells_of(outcome), rows);
      if (outcome.message.empty()) continue;
      remarks += fmt::format("{}, {}: {}\n", one.source.name, outcome.quantity.name, outcome.message);
    }
    for (const CostComparison& comparison : one.source.costs) {
      for (const auto& cells : cost_cells(comparison, one)) add_rows(one.source.name, cells, rows);
    }
    for (const NullTest& test : one.source.null_tests) {
      remarks += fmt::format("{}, {}\n", one.source.name, null_text(test, one));
    }
    for (const CostComparison& comparison : one.source.costs) {
      remarks += fmt::format("{}, {}\n", one.source.name, cost_text(comparison, one));
    }
  }
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& cells : rows) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width_of(cells[i]));
  }
  std::string text;
  for (const auto& cells : rows) text += text_row(cells, widths);
  std::string closing;
  for (const std::string& line : {resolution_text(cases), rounding_text(cases), cost_counts_text(cases)}) {
    if (!line.empty()) closing += line + "\n";
  }
  const std::string reasons = detail::reasons_text(cases);
  return fmt::format("{}\n{}{}{}.\n{}", text, reasons.empty() ? "" : reasons + "\n",
                     remarks.empty() ? "" : remarks + "\n", counts_text(cases), closing);
}

std::string validation_html(const std::vector<CaseOutcome>& cases, const std::string& program_version) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>Validation</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n"
      "<h1>Validation</h1>\n<p class=\"meta\">Masing {}: {}. {} {} {}</p>\n",
      detail::report_style, escape(program_version), counts_text(cases), resolution_text(cases), rounding_text(cases),
      cost_counts_text(cases));
  for (const CaseOutcome& one : cases) out += case_html(one);
  return out + fmt::format("</main>\n<script>{}</script>\n</body>\n</html>\n", detail::report_script);
}

void write_validation(const std::vector<CaseOutcome>& cases, const std::string& program_version,
                      const std::string& json_path, const std::string& html_path) {
  if (!json_path.empty()) detail::write_text_file(json_path, validation_json(cases, program_version));
  if (!html_path.empty()) detail::write_text_file(html_path, validation_html(cases, program_version));
}

}  // namespace masing
