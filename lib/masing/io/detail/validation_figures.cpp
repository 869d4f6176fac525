#include "masing/io/detail/validation_figures.hpp"

#include "masing/core/error.hpp"
#include "masing/io/detail/report_plots.hpp"
#include "masing/io/detail/svg.hpp"

#include <algorithm>

namespace masing::detail {
namespace {

std::string optional_text(const OptionValues& values, const char* key) {
  return values.has(key) ? values.text(key) : "";
}

/// Whether a list of names lets this one through; no list lets all through.
bool is_wanted(const OptionValues& values, const char* key, const std::string& name) {
  if (!values.has(key)) return true;
  const auto names = values.texts(key);
  return std::count(names.begin(), names.end(), name) > 0;
}

struct Axis {
  std::string label, unit;
};

void name_axes(svg::Plot& plot, Axis x, Axis y) {
  plot.x_label = std::move(x.label);
  plot.x_unit = std::move(x.unit);
  plot.y_label = std::move(y.label);
  plot.y_unit = std::move(y.unit);
}

/// Of what point_value gives; empty where it has none or the quantity's own is not known here.
std::string unit_of_point(const std::string& what, Quantity quantity) {
  if (what == "frequency") return "Hz";
  const bool seen = what == "amplitude" || what == "rms" || what == "peak";
  return seen ? std::string(unit_of(quantity)) : std::string();
}

std::vector<double> column_of(const Matrix& rows, Index column) {
  const Vector values = rows.col(column);
  return {values.begin(), values.end()};
}

/// The results of the runs that a figure names, and that finished.
std::vector<std::pair<std::string, const Results*>> runs_of(const OptionValues& figure, const CaseResults& results) {
  std::vector<std::pair<std::string, const Results*>> found;
  for (const std::string& name : figure.texts("runs")) {
    const auto run = results.find(name);
    if (run != results.end()) found.emplace_back(name, &run->second);
  }
  return found;
}

/// "sphere, 1e-06 m"; the run's name only where several are drawn.
std::string loop_label(const std::string& run, const JointLoop& loop, bool many_runs) {
  const std::string joint = many_runs ? fmt::format("{}: {}", run, loop.joint) : loop.joint;
  return std::isfinite(loop.amplitude) ? fmt::format("{}, {:.3g} m", joint, loop.amplitude) : joint;
}

void draw_loops(const OptionValues& figure, const CaseResults& results, svg::Plot& plot) {
  name_axes(plot, {"displacement", "m"}, {"force", "N"});
  const auto runs = runs_of(figure, results);
  for (const auto& [name, run] : runs) {
    for (const JointLoop& loop : run->loops) {
      if (!is_wanted(figure, "loops", loop.loop) || !is_wanted(figure, "joints", loop.joint)) continue;
      plot.curves.push_back({.label = loop_label(name, loop, runs.size() > 1),
                             .x = column_of(loop.displacement, 0),
                             .y = column_of(loop.force, 0),
                             .colour = static_cast<int>(plot.curves.size())});
    }
  }
}

void draw_curves(const OptionValues& figure, const CaseResults& results, svg::Plot& plot) {
  const std::string x = figure.text("x"), y = figure.text("y");
  for (const auto& [name, run] : runs_of(figure, results)) {
    const StoredAnalysis& analysis = branches_of(*run, optional_text(figure, "analysis"));
    for (const StoredBranch& branch : analysis.branches) {
      const std::size_t sensor = sensor_of(branch.header.observables, optional_text(figure, "sensor"));
      svg::Curve curve{.label = analysis.branches.size() > 1 ? level_text(branch.header) : name,
                       .x = {},
                       .y = {},
                       .colour = static_cast<int>(plot.curves.size())};
      for (const ResponsePoint& point : branch.points) {
        curve.x.push_back(point_value(branch.header, point, x, sensor, 1));
        curve.y.push_back(point_value(branch.header, point, y, sensor, 1));
      }
      const Quantity quantity = branch.header.observables[sensor].quantity;
      name_axes(plot, {x, unit_of_point(x, quantity)}, {y, unit_of_point(y, quantity)});
      plot.curves.push_back(std::move(curve));
    }
  }
}

void draw_histories(const OptionValues& figure, const CaseResults& results, svg::Plot& plot) {
  for (const auto& [name, run] : runs_of(figure, results)) {
    const TimeHistory& history = histories_of(*run, "").histories.front();
    const std::size_t sensor = sensor_of(history.observables, optional_text(figure, "sensor"));
    const Observable& seen = history.observables[sensor];
    name_axes(plot, {"time", "s"}, {seen.name, std::string(unit_of(seen.quantity))});
    plot.curves.push_back({.label = name,
                           .x = {history.time.begin(), history.time.end()},
                           .y = column_of(history.values, static_cast<Index>(sensor)),
                           .colour = static_cast<int>(plot.curves.size())});
  }
}

void draw_series(const OptionValues& figure, const std::vector<QuantityOutcome>& quantities, svg::Plot& plot) {
  std::string unit;
  int colour = 0;
  for (const std::string& name : figure.texts("series")) {
    svg::Curve computed{.label = fmt::format("{}, computed", name), .x = {}, .y = {}, .colour = colour};
    svg::Curve published{.label = "published", .x = {}, .y = {}, .colour = colour, .dashed = true};
    for (const QuantityOutcome& outcome : quantities) {
      const ValidationQuantity& quantity = outcome.quantity;
      if (quantity.series != name || !quantity.at) continue;
      unit = quantity.published.unit;
      computed.x.push_back(*quantity.at);
      computed.y.push_back(outcome.computed);
      published.x.push_back(*quantity.at);
      published.y.push_back(quantity.published.value);
      plot.marks.push_back({.x = *quantity.at,
                            .y = quantity.published.value,
                            .shape = svg::Mark::Shape::diamond,
                            .colour = colour,
                            .label = fmt::format("{}: published {:.6g} {}", quantity.name, quantity.published.value,
                                                 quantity.published.unit)});
    }
    plot.curves.push_back(std::move(computed));
    plot.curves.push_back(std::move(published));
    ++colour;
  }
  name_axes(plot, {figure.text("x_label"), figure.text("x_unit")}, {figure.text("y_label"), unit});
}

}  // namespace

CaseFigure case_figure(const OptionValues& figure, const CaseResults& results,
                       const std::vector<QuantityOutcome>& quantities) {
  svg::Plot plot;
  plot.title = figure.text("title");
  const bool logarithmic = figure.has("logarithmic") && figure.boolean("logarithmic");
  plot.logarithmic = plot.logarithmic_x = logarithmic;
  const std::string& kind = figure.text("kind");
  try {
    if (kind == "loops") draw_loops(figure, results, plot);
    if (kind == "curves") draw_curves(figure, results, plot);
    if (kind == "histories") draw_histories(figure, results, plot);
    if (kind == "series") draw_series(figure, quantities, plot);
  } catch (const NumericalError& error) {
    return {.svg = {}, .caption = fmt::format("{}: not drawn, {}", plot.title, error.what())};
  }
  return {.svg = svg::draw(plot), .caption = figure.text("caption")};
}

}  // namespace masing::detail
