#include "masing/io/detail/validation_figures.hpp"

#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/missing.hpp"
#include "masing/io/detail/report_cycles.hpp"
#include "masing/io/detail/report_plots.hpp"
#include "masing/io/detail/svg.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {
namespace {

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
std::string unit_of_point(const std::string& what, const Observable& observable) {
  if (what == "frequency") return "Hz";
  if (what == "joint-energy") return "J";
  if (what == "joint-amplitude") return "m";
  const bool seen = what == "amplitude" || what == "rms" || what == "peak";
  return seen ? std::string(unit_of(observable)) : std::string();
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

/// What tells a loop from the others of a figure.
struct LoopName {
  std::string run, loop, joint, amplitude;
};

LoopName name_of(const std::string& run, const JointLoop& loop) {
  return {run, loop.loop, loop.joint, std::isfinite(loop.amplitude) ? fmt::format("{:.3g} m", loop.amplitude) : ""};
}

/// The parts of each name in which not all are the same: "sphere, 1e-06 m".
std::vector<std::string> labels_of(const std::vector<LoopName>& names) {
  std::vector<std::vector<std::string>> parts(names.size());
  for (std::string LoopName::*part : {&LoopName::run, &LoopName::loop, &LoopName::joint, &LoopName::amplitude}) {
    const bool differs = std::any_of(names.begin(), names.end(),
                                     [&](const LoopName& name) { return name.*part != names.front().*part; });
    for (std::size_t i = 0; differs && i < names.size(); ++i) parts[i].push_back(names[i].*part);
  }
  std::vector<std::string> labels;
  for (const auto& words : parts) labels.push_back(join(words, ", "));
  return labels;
}

/// Whether a list of numbers, counted from 1, lets this index through; no list lets all through.
bool is_wanted(const OptionValues& values, const char* key, int index) {
  if (!values.has(key)) return true;
  const auto numbers = values.integers(key);
  return std::count(numbers.begin(), numbers.end(), index + 1) > 0;
}

void draw_loops(const OptionValues& figure, const CaseResults& results, svg::Plot& plot) {
  const Index input = figure.integer("input") - 1;
  const bool plain = figure.boolean("dimensionless");
  name_axes(plot, {input == 0 ? "displacement" : "approach", plain ? "" : "m"},
            {input == 0 ? "force" : "normal force", plain ? "" : "N"});
  std::vector<LoopName> names;
  for (const auto& [name, run] : runs_of(figure, results)) {
    for (const JointLoop& loop : run->loops) {
      if (!is_wanted(figure, "loops", loop.loop) || !is_wanted(figure, "joints", loop.joint)) continue;
      if (!is_wanted(figure, "numbers", loop.index) || loop.displacement.cols() <= input) continue;
      names.push_back(name_of(name, loop));
      plot.curves.push_back({.label = "",
                             .x = column_of(loop.displacement, input),
                             .y = column_of(loop.force, input),
                             .colour = static_cast<int>(plot.curves.size())});
    }
  }
  const std::vector<std::string> labels = labels_of(names);
  for (std::size_t i = 0; i < labels.size(); ++i) plot.curves[i].label = labels[i];
}

/// What a published value is called beside a computed one: measured, computed, …
std::string name_of_origin(const std::string& origin) {
  return origin == "evaluated" ? "evaluated from printed equations" : origin;
}

bool has_mark(const svg::Plot& plot, double x, double y) {
  return std::any_of(plot.marks.begin(), plot.marks.end(),
                     [&](const svg::Mark& mark) { return mark.x == x && mark.y == y; });
}

/// Published values of the quantities of a series; those that are marked already, as another series has the same, are left out.
void mark_series(const std::string& series, const std::vector<QuantityOutcome>& quantities, int colour,
                 svg::Plot& plot) {
  for (const QuantityOutcome& outcome : quantities) {
    const ValidationQuantity& quantity = outcome.quantity;
    const PublishedValue& known = quantity.published;
    if (quantity.series != series || !quantity.at || has_mark(plot, *quantity.at, known.value)) continue;
    plot.marks.push_back({.x = *quantity.at,
                          .y = known.value,
                          .shape = svg::Mark::Shape::diamond,
                          .colour = colour,
                          .label = fmt::format("{}: {} {:.6g} {}", quantity.name, name_of_origin(known.origin),
                                               known.value, known.unit)});
  }
}

void draw_curves(const OptionValues& figure, const CaseResults& results, const std::vector<QuantityOutcome>& quantities,
                 svg::Plot& plot) {
  const std::string x = figure.text("x"), y = figure.text("y");
  const int harmonic = static_cast<int>(figure.integer("harmonic"));
  for (const auto& [name, run] : runs_of(figure, results)) {
    const StoredAnalysis& analysis = branches_of(*run, optional_text(figure, "analysis"));
    for (const StoredBranch& branch : analysis.branches) {
      const std::size_t sensor = sensor_of(branch.header.observables, optional_text(figure, "sensor"));
      svg::Curve curve{.label = analysis.branches.size() > 1 ? level_text(branch.header) : name,
                       .x = {},
                       .y = {},
                       .colour = static_cast<int>(plot.curves.size())};
      for (const ResponsePoint& point : branch.points) {
        curve.x.push_back(point_value(branch.header, point, x, {.sensor = sensor}));
        curve.y.push_back(point_value(branch.header, point, y, {.sensor = sensor, .harmonic = harmonic}));
      }
      const Observable& seen = branch.header.observables[sensor];
      name_axes(plot, {x, unit_of_point(x, seen)}, {y, unit_of_point(y, seen)});
      plot.curves.push_back(std::move(curve));
    }
  }
  if (figure.has("series")) mark_series(figure.text("series"), quantities, 0, plot);
}

/// About the middle of its range.
void centre(std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double middle = 0.5 * (*low + *high);
  for (double& value : values) value -= middle;
}

/// What the case calls the curves, in their order; the others keep their names.
void relabel(const OptionValues& figure, svg::Plot& plot) {
  if (!figure.has("labels")) return;
  const std::vector<std::string> labels = figure.texts("labels");
  for (std::size_t i = 0; i < std::min(labels.size(), plot.curves.size()); ++i) plot.curves[i].label = labels[i];
}

void draw_cycles(const OptionValues& figure, const CaseResults& results, svg::Plot& plot) {
  name_axes(plot, {"relative motion", "m"}, {"joint force", "N"});
  const auto runs = runs_of(figure, results);
  for (const auto& [name, run] : runs) {
    const StoredBranch branch = branch_with_cycles(*run, figure);
    const Index input = cycle_input(branch.header, optional_text(figure, "joint"), figure.integer("input"));
    const auto found = cycles_at(branch, figure.text("at"));
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!is_wanted(figure, "numbers", static_cast<int>(i))) continue;
      const std::string place = cycles_text(branch, *found[i]);
      const std::string label = runs.size() == 1    ? place
                                : found.size() == 1 ? name
                                                    : fmt::format("{}: {}", name, place);
      plot.curves.push_back(cycle_curve(*found[i], input, label, static_cast<int>(plot.curves.size())));
      if (figure.boolean("centred")) centre(plot.curves.back().x);
    }
  }
  relabel(figure, plot);
}

void draw_histories(const OptionValues& figure, const CaseResults& results, svg::Plot& plot) {
  for (const auto& [name, run] : runs_of(figure, results)) {
    const TimeHistory& history = histories_of(*run, "").histories.front();
    const std::size_t sensor = sensor_of(history.observables, optional_text(figure, "sensor"));
    const Observable& seen = history.observables[sensor];
    name_axes(plot, {"time", "s"}, {seen.name, std::string(unit_of(seen))});
    plot.curves.push_back({.label = name,
                           .x = {history.time.begin(), history.time.end()},
                           .y = column_of(history.values, static_cast<Index>(sensor)),
                           .colour = static_cast<int>(plot.curves.size())});
  }
}

/// Force over motion of a joint through a whole transient.
void draw_history_loops(const OptionValues& figure, const CaseResults& results, svg::Plot& plot) {
  name_axes(plot, {"relative motion", "m"}, {"joint force", "N"});
  for (const auto& [name, run] : runs_of(figure, results)) {
    const TimeHistory& history = histories_of(*run, "").histories.front();
    const InputColumns columns = columns_of_joint(history.joint_forces, figure.text("joint"));
    if (columns.count == 0) missing("run '{}' stores no joint '{}'.", name, figure.text("joint"));
    plot.curves.push_back({.label = name,
                           .x = column_of(history.joint_motion, columns.first),
                           .y = column_of(history.joint_force, columns.first),
                           .colour = static_cast<int>(plot.curves.size())});
  }
}

/// The quantities of a series as two curves.
struct SeriesCurves {
  svg::Curve computed, published;
  std::string unit;
};

SeriesCurves series_curves(const std::string& name, const std::vector<QuantityOutcome>& quantities, int colour) {
  SeriesCurves curves{{.label = fmt::format("{}, computed", name), .x = {}, .y = {}, .colour = colour},
                      {.label = "", .x = {}, .y = {}, .colour = colour, .dashed = true},
                      {}};
  for (const QuantityOutcome& outcome : quantities) {
    const ValidationQuantity& quantity = outcome.quantity;
    if (quantity.series != name || !quantity.at) continue;
    const PublishedValue& known = quantity.published;
    const std::string origin = name_of_origin(known.origin);
    std::string& label = curves.published.label;
    label = label.empty() || label == origin ? origin : "published";
    curves.unit = known.unit;
    curves.computed.x.push_back(*quantity.at);
    curves.computed.y.push_back(outcome.computed);
    curves.published.x.push_back(*quantity.at);
    curves.published.y.push_back(known.value);
  }
  return curves;
}

bool has_curve(const svg::Plot& plot, const svg::Curve& curve) {
  return std::any_of(plot.curves.begin(), plot.curves.end(),
                     [&](const svg::Curve& other) { return other.x == curve.x && other.y == curve.y; });
}

/// What a null test gives for a series, as a dashed line in a colour of its own; the same for two series is drawn once.
void draw_null_test(const NullTest& test, const std::vector<QuantityOutcome>& quantities, int colour, svg::Plot& plot) {
  svg::Curve curve = series_curves(test.series, quantities, colour).published;
  if (curve.x.size() != test.values.size()) return;
  curve.label = fmt::format("null test: {}", test.name);
  curve.y = test.values;
  if (!has_curve(plot, curve)) plot.curves.push_back(std::move(curve));
}

void draw_series(const OptionValues& figure, const CaseOutcome& outcome, svg::Plot& plot) {
  const std::vector<std::string> names = figure.texts("series");
  std::string unit;
  int colour = 0;
  for (const std::string& name : names) {
    SeriesCurves curves = series_curves(name, outcome.quantities, colour);
    unit = curves.unit;
    mark_series(name, outcome.quantities, colour++, plot);
    plot.curves.push_back(std::move(curves.computed));
    if (!has_curve(plot, curves.published)) plot.curves.push_back(std::move(curves.published));
  }
  for (const NullTest& test : outcome.source.null_tests) {
    const bool drawn = std::count(names.begin(), names.end(), test.series) > 0;
    if (drawn) draw_null_test(test, outcome.quantities, colour, plot);
  }
  name_axes(plot, {figure.text("x_label"), figure.text("x_unit")}, {figure.text("y_label"), unit});
}

}  // namespace

CaseFigure case_figure(const OptionValues& figure, const CaseResults& results, const CaseOutcome& outcome) {
  svg::Plot plot;
  plot.title = figure.text("title");
  const bool logarithmic = figure.has("logarithmic") && figure.boolean("logarithmic");
  plot.logarithmic = plot.logarithmic_x = logarithmic;
  const std::string& kind = figure.text("kind");
  try {
    if (kind == "loops") draw_loops(figure, results, plot);
    if (kind == "curves") draw_curves(figure, results, outcome.quantities, plot);
    if (kind == "cycles") draw_cycles(figure, results, plot);
    if (kind == "histories") draw_histories(figure, results, plot);
    if (kind == "history-loops") draw_history_loops(figure, results, plot);
    if (kind == "series") draw_series(figure, outcome, plot);
  } catch (const NumericalError& error) {
    return {.svg = {}, .caption = fmt::format("{}: not drawn, {}", plot.title, error.what())};
  }
  return {.svg = svg::draw(plot), .caption = figure.text("caption")};
}

}  // namespace masing::detail
