#include "masing/io/detail/report_loops.hpp"

#include "masing/core/error.hpp"
#include "masing/core/text.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace masing::detail {
namespace {

using svg::escape;

/// A loop with a smaller loss factor has no energy to show, but rounding.
constexpr double no_dissipation = 1e-9;

/// The loops of one name and joint.
using LoopSet = std::vector<const JointLoop*>;

std::vector<LoopSet> sets_of(const std::vector<JointLoop>& loops) {
  std::vector<LoopSet> sets;
  for (const JointLoop& loop : loops) {
    const auto same = std::find_if(sets.begin(), sets.end(), [&](const LoopSet& set) {
      return set.front()->loop == loop.loop && set.front()->joint == loop.joint;
    });
    if (same == sets.end()) {
      sets.push_back({&loop});
    } else {
      same->push_back(&loop);
    }
  }
  return sets;
}

std::string label_of(const JointLoop& loop) {
  if (!std::isfinite(loop.amplitude)) return "";
  return fmt::format("{:.3g} m", loop.amplitude);
}

std::vector<double> column(const Matrix& rows, Index column) {
  const Vector values = rows.col(column);
  return {values.begin(), values.end()};
}

svg::Plot plot_of(const LoopSet& set, Index input) {
  const JointLoop& first = *set.front();
  const std::string& name = first.inputs[static_cast<std::size_t>(input)];
  svg::Plot plot{.title = fmt::format("{} – {}{}", first.loop, first.joint, first.inputs.size() > 1 ? ", " + name : ""),
                 .x_label = name == "normal" ? "approach" : "displacement",
                 .x_unit = "m",
                 .y_label = name == "normal" ? "normal force" : "force",
                 .y_unit = "N",
                 .width = 660,
                 .height = 460,
                 .curves = {},
                 .marks = {}};
  for (const JointLoop* loop : set) {
    if (loop->displacement.cols() <= input) continue;
    plot.curves.push_back({.label = set.size() > 1 ? label_of(*loop) : "",
                           .x = column(loop->displacement, input),
                           .y = column(loop->force, input),
                           .colour = loop->index});
  }
  return plot;
}

/// A number over the amplitude; the theory, where there is one, dashed.
svg::Plot over_amplitude(const LoopSet& set, const std::string& y_label, const std::string& y_unit,
                         double JointLoop::*value, double JointLoop::*theory) {
  svg::Plot plot{.title = fmt::format("{} – {}: {}", set.front()->loop, set.front()->joint, y_label),
                 .x_label = "amplitude",
                 .x_unit = "m",
                 .y_label = y_label,
                 .y_unit = y_unit,
                 .logarithmic_x = true,
                 .width = 660,
                 .height = 360,
                 .curves = {{.label = theory == nullptr ? "" : "loop area", .x = {}, .y = {}}},
                 .marks = {}};
  svg::Curve other{.label = "backbone", .x = {}, .y = {}, .colour = 1, .dashed = true};
  for (const JointLoop* loop : set) {
    plot.curves.front().x.push_back(loop->amplitude);
    plot.curves.front().y.push_back(loop->*value);
    plot.marks.push_back({.x = loop->amplitude,
                          .y = loop->*value,
                          .label = fmt::format("{:.4g} m: {:.6g} {}", loop->amplitude, loop->*value, y_unit)});
    if (theory == nullptr || !std::isfinite(loop->*theory)) continue;
    other.x.push_back(loop->amplitude);
    other.y.push_back(loop->*theory);
  }
  if (!other.x.empty()) {
    plot.curves.push_back(std::move(other));
  } else {
    plot.curves.front().label.clear();
  }
  return plot;
}

std::string number(double value, const char* missing = "–") {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : missing;
}

std::string measure_table(const LoopSet& set) {
  std::string rows;
  for (const JointLoop* loop : set) {
    rows += row({number(loop->amplitude), loop->motion, number(loop->peak_force()), number(loop->secant_stiffness),
                 number(loop->stick_stiffness), number(loop->end_stiffness), number(loop->energy),
                 number(loop->energy_of_backbone), number(loop->loss_factor), number(loop->slope),
                 loop->message.empty() ? (loop->closed ? "closed" : "") : loop->message});
  }
  return table("Loops",
               {"amplitude (m)", "motion", "peak force (N)", "secant (N/m)", "stick (N/m)", "end (N/m)", "energy (J)",
                "by Masing's rules (J)", "loss factor", "slope", ""},
               rows);
}

std::string energy_figure(const LoopSet& set) {
  svg::Plot energy = over_amplitude(set, "energy a cycle", "J", &JointLoop::energy, &JointLoop::energy_of_backbone);
  energy.logarithmic = true;
  return figure(energy, "Its slope in microslip is what the exponent of the density says.");
}

std::string section(const LoopSet& set) {
  const JointLoop& first = *set.front();
  std::string out = fmt::format("<section>\n<h2>{} – {}</h2>\n", escape(first.loop), escape(first.joint));
  for (std::size_t input = 0; input < first.inputs.size(); ++input) {
    out += figure(plot_of(set, static_cast<Index>(input)), "The area of a closed loop is the energy lost in a cycle.");
  }
  if (first.motion == "cycles" && set.size() > 1) {
    LoopSet losing;
    std::copy_if(set.begin(), set.end(), std::back_inserter(losing),
                 [](const JointLoop* loop) { return loop->loss_factor > no_dissipation; });
    if (losing.size() > 1) out += energy_figure(losing);
    out += figure(over_amplitude(set, "secant stiffness", "N/m", &JointLoop::secant_stiffness, nullptr), "");
  }
  return out + measure_table(set) + "</section>\n";
}

}  // namespace

std::string row(const std::vector<std::string>& cells, const char* tag) {
  std::string out = "<tr>";
  for (const std::string& cell : cells) out += fmt::format("<{0}>{1}</{0}>", tag, escape(cell));
  return out + "</tr>\n";
}

std::string table(const std::string& heading, const std::vector<std::string>& columns, const std::string& rows) {
  if (rows.empty()) return {};
  return fmt::format("<h3>{}</h3>\n<div class=\"card\"><table>\n{}{}</table></div>\n", heading, row(columns, "th"),
                     rows);
}

std::string figure(const svg::Plot& plot, const std::string& caption) {
  return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", svg::draw(plot), escape(caption));
}

std::string loop_sections(const std::vector<JointLoop>& loops) {
  std::string out;
  for (const LoopSet& set : sets_of(loops)) out += section(set);
  return out;
}

bool shows_loops(const Results& results, const std::string& name) {
  if (name.empty()) return results.analyses.empty() && !results.loops.empty();
  return std::any_of(results.loops.begin(), results.loops.end(),
                     [&](const JointLoop& loop) { return loop.loop == name; });
}

svg::Plot loops_plot(const std::vector<JointLoop>& loops, const std::string& name, const std::string& joint) {
  std::vector<std::string> known;
  for (const LoopSet& set : sets_of(loops)) {
    if (!name.empty() && set.front()->loop != name) continue;
    if (joint.empty() || set.front()->joint == joint) return plot_of(set, 0);
    known.push_back(set.front()->joint);
  }
  throw ModelError(fmt::format("there are no loops of a joint '{}'.{}", joint, suggestion(joint, known)));
}

}  // namespace masing::detail
