#include "masing/io/detail/report_identification.hpp"

#include "masing/io/detail/identification_text.hpp"
#include "masing/io/detail/report_loops.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace masing::detail {
namespace {

svg::Plot set_plot(const Identification& result, const MeasuredSet& set) {
  svg::Plot plot;
  plot.title = set.name;
  plot.x_label = set.at_label;
  plot.x_unit = set.at_unit;
  plot.y_label = set.value_label;
  plot.y_unit = set.value_unit;
  std::vector<MeasuredPoint> points;
  std::copy_if(result.points.begin(), result.points.end(), std::back_inserter(points),
               [&](const MeasuredPoint& point) { return point.data == set.name; });
  std::stable_sort(points.begin(), points.end(),
                   [](const MeasuredPoint& a, const MeasuredPoint& b) { return a.at < b.at; });
  svg::Curve before{.label = "at the start", .x = {}, .y = {}, .colour = 1, .dashed = true};
  svg::Curve after{.label = "identified", .x = {}, .y = {}, .colour = 0};
  for (const MeasuredPoint& point : points) {
    before.x.push_back(point.at);
    before.y.push_back(point.at_start);
    after.x.push_back(point.at);
    after.y.push_back(point.computed);
    plot.marks.push_back({.x = point.at,
                          .y = point.measured,
                          .shape = svg::Mark::Shape::diamond,
                          .colour = 0,
                          .label = fmt::format("measured {:.6g} ± {:.2g}", point.measured, point.deviation)});
  }
  plot.curves = {std::move(before), std::move(after)};
  return plot;
}

}  // namespace

std::string identification_section(const Identification& result) {
  std::string out = "<section>\n<h2>Identification</h2>\n";
  for (const std::string& remark : identification_remarks(result)) {
    out += fmt::format("<p class=\"meta\">{}</p>\n", svg::escape(remark));
  }
  for (const MeasuredSet& set : result.sets) out += figure(set_plot(result, set), "◇ measured");
  for (const TextTable& one : identification_tables(result)) {
    std::string rows;
    for (const std::vector<std::string>& cells : one.rows) rows += row(cells);
    out += table(one.title, one.columns, rows);
  }
  return out + "</section>\n";
}

}  // namespace masing::detail
