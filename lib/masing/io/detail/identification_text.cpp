#include "masing/io/detail/identification_text.hpp"

#include "masing/core/text.hpp"
#include "masing/io/identify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace masing {
namespace {

std::string number(double value) {
  if (std::isnan(value)) return "–";
  return std::isinf(value) ? "undecided" : fmt::format("{:.6g}", value + 0.0);
}

std::string prior_text(const FitParameter& parameter) {
  return parameter.prior ? fmt::format("{:.6g} ± {:.3g}", parameter.prior->mean, parameter.prior->deviation) : "–";
}

std::string bounds_text(const FitParameter& parameter) {
  return fmt::format("{:.6g} … {:.6g}", parameter.lower, parameter.upper);
}

detail::TextTable parameter_table(const Identification& result) {
  detail::TextTable table{
      "Parameters", {"parameter", "identified", "standard error", "start", "bounds", "prior", ""}, {}};
  for (std::size_t j = 0; j < result.parameters.size(); ++j) {
    const FitParameter& parameter = result.parameters[j];
    const auto i = static_cast<Index>(j);
    const bool known = result.fit.usable();
    table.rows.push_back({parameter.name, known ? fmt::format("{:.8g}", result.fit.values[i]) : "–",
                          known ? number(result.fit.standard_errors[i]) : "–", number(parameter.start),
                          bounds_text(parameter), prior_text(parameter),
                          known && result.fit.at_bound[j] ? "on its bound" : ""});
  }
  return table;
}

detail::TextTable correlation_table(const Identification& result) {
  detail::TextTable table{"Correlations", {"parameter"}, {}};
  for (std::size_t j = 0; j < result.parameters.size(); ++j) {
    table.columns.push_back(result.parameters[j].name);
    std::vector<std::string> cells = {result.parameters[j].name};
    for (Index k = 0; k < static_cast<Index>(result.parameters.size()); ++k) {
      const double value = result.fit.correlation(static_cast<Index>(j), k);
      cells.push_back(std::isnan(value) ? "–" : fmt::format("{:.3f}", value));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string with_unit(const std::string& label, const std::string& unit) {
  return unit.empty() ? label : fmt::format("{} [{}]", label, unit);
}

/// The points of one set of data.
detail::TextTable point_table(const Identification& result, const MeasuredSet& set) {
  detail::TextTable table{
      fmt::format("Measured and computed: {}, {}", set.name, with_unit(set.value_label, set.value_unit)),
      {with_unit(set.at_label, set.at_unit), "measured", "deviation", "at the start", "identified", "difference",
       "in deviations"},
      {}};
  for (const MeasuredPoint& point : result.points) {
    if (point.data != set.name) continue;
    table.rows.push_back({number(point.at), number(point.measured), number(point.deviation), number(point.at_start),
                          number(point.computed), number(point.computed - point.measured),
                          std::isnan(point.computed) ? "–" : fmt::format("{:.3f}", point.residual())});
  }
  return table;
}

detail::TextTable start_table(const Identification& result) {
  detail::TextTable table{"Starts", {"start", "sum of squares at first", "at last", "iterations", "why it ended"}, {}};
  for (std::size_t i = 0; i < result.fit.starts.size(); ++i) {
    const FitStart& start = result.fit.starts[i];
    const bool best = static_cast<Index>(i) == result.fit.best;
    const auto squares = [](double cost) { return std::isfinite(cost) ? fmt::format("{:.6g}", 2.0 * cost) : "–"; };
    table.rows.push_back({fmt::format("{}{}", i + 1, best ? " (best)" : ""), squares(start.begin_cost),
                          squares(start.cost), std::to_string(start.iterations), start.message});
  }
  return table;
}

/// Letters, not bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string table_text(const detail::TextTable& table) {
  std::vector<std::size_t> widths(table.columns.size());
  const auto widen = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width_of(cells[i]));
  };
  widen(table.columns);
  for (const auto& cells : table.rows) widen(cells);
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text = "   ";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t room = widths[i] - width_of(cells[i]);
      const bool to_the_left = i == 0 || i + 1 == cells.size();
      text += fmt::format(" {:{}}{}{:{}} ", "", to_the_left ? 0 : room, cells[i], "", to_the_left ? room : 0);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = table.title + "\n" + line(table.columns);
  for (const auto& cells : table.rows) text += line(cells);
  return text + "\n";
}

}  // namespace

std::vector<detail::TextTable> detail::identification_tables(const Identification& result) {
  std::vector<TextTable> tables = {parameter_table(result)};
  if (result.fit.usable() && result.parameters.size() > 1) tables.push_back(correlation_table(result));
  for (const MeasuredSet& set : result.sets) tables.push_back(point_table(result, set));
  tables.push_back(start_table(result));
  return tables;
}

std::vector<std::string> detail::identification_remarks(const Identification& result) {
  const FitResult& fit = result.fit;
  if (!fit.usable()) return {fmt::format("No start could be evaluated. The first one: {}", fit.message)};
  std::vector<std::string> remarks = {
      fmt::format("Best of {} starts: number {}. {}{}", fit.starts.size(), fit.best + 1,
                  fit.converged ? "" : "NOT CONVERGED: ", fit.message),
      fmt::format("{} measured numbers, {} degrees of freedom, sum of squares {:.6g}{}.", result.points.size(),
                  fit.degrees_of_freedom, fit.chi_squared,
                  fit.degrees_of_freedom > 0
                      ? fmt::format(" ({:.3g} for each)", fit.chi_squared / static_cast<double>(fit.degrees_of_freedom))
                      : ""),
  };
  if (fit.failed_evaluations > 0) {
    remarks.push_back(
        fmt::format("{} of {} evaluations could not be computed: steps were shortened, or starts given up.",
                    fit.failed_evaluations, fit.evaluations));
  }
  for (std::size_t j = 0; j < result.parameters.size(); ++j) {
    if (!fit.at_bound[j]) continue;
    remarks.push_back(fmt::format("{} ended on its bound {:.6g}: the data want it beyond, or do not feel it.",
                                  result.parameters[j].name, fit.values[static_cast<Index>(j)]));
  }
  for (const UndecidedDirection& one : fit.undecided) {
    remarks.push_back(fmt::format(
        "The data leave this combination open over the whole range: {}{}.", direction_text(one, result.parameters),
        std::isinf(one.deviation) ? "" : fmt::format(" (standard deviation {:.2g} times the range)", one.deviation)));
  }
  return remarks;
}

std::string detail::identification_text(const Identification& result, const std::string& command) {
  std::string text;
  for (const TextTable& table : identification_tables(result)) text += table_text(table);
  for (const std::string& remark : identification_remarks(result)) text += remark + "\n";
  if (!result.fit.usable()) return text + "\n";
  text += fmt::format("\nThe study with these parameters:\n    {}", command);
  for (const std::string& one : result.overrides) text += fmt::format(" --set '{}'", one);
  return text + "\n\n";
}

std::string identification_overview(const IdentificationTask& task) {
  std::string text = task.study.title.empty() ? "" : task.study.title + "\n";
  std::vector<std::string> names;
  for (const FitParameter& parameter : task.parameters) {
    names.push_back(fmt::format("{} in {}", parameter.name, bounds_text(parameter)));
  }
  text += fmt::format("parameters  {}\n", join(names, "\n            "));
  for (std::size_t i = 0; i < task.data.size(); ++i) {
    const IdentificationData& data = task.data[i];
    text += fmt::format("{:<10}  {}: {} of {} points over {}\n", i == 0 ? "data" : "", data.set.name,
                        with_unit(data.set.value_label, data.set.value_unit), data.measured.size(),
                        with_unit(data.set.at_label, data.set.at_unit));
  }
  return text + fmt::format("starts      {}, seed {}; at most {} iterations each, differences over {:g} of the range\n",
                            task.options.starts, task.options.seed, task.options.max_iterations, task.options.step);
}

}  // namespace masing
