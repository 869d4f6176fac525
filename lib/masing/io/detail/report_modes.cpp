#include "masing/io/detail/report_modes.hpp"

#include "masing/core/text.hpp"
#include "masing/io/detail/report_loops.hpp"
#include "masing/structure/beam.hpp"

#include <cmath>
#include <limits>

namespace masing::detail {
namespace {

using svg::escape;

constexpr double none = std::numeric_limits<double>::quiet_NaN();
// With more coordinates bars would run into each other.
constexpr std::size_t most_bars = 100;
// A motion below this share of the largest is not drawn.
constexpr double invisible = 1e-6;

svg::Plot empty_plot(std::size_t number, const LinearMode& found, const std::string& x_label,
                     const std::string& x_unit) {
  return {.title = fmt::format(
              "Mode {}: {}", number,
              found.mode.kind == ModeKind::vibrating ? frequency_text(found.mode) + " Hz" : frequency_text(found.mode)),
          .x_label = x_label,
          .x_unit = x_unit,
          .y_label = "motion",
          .y_unit = found.largest + " = 1",
          .width = 660,
          .height = 260,
          .curves = {},
          .marks = {}};
}

/// u(x) and w(x); phi(x) of a mode that turns the sections.
svg::Plot beam_plot(std::size_t number, const LinearMode& found) {
  svg::Plot plot = empty_plot(number, found, "x", "m");
  const NaturalMode& mode = found.mode;
  const std::vector<int> motions = found.turns() ? std::vector<int>{2} : std::vector<int>{1, 0};
  const double largest = mode.drawn.middleCols(found.turns() ? 2 : 0, std::ssize(motions)).cwiseAbs().maxCoeff();
  for (const int motion : motions) {
    const Vector values = mode.drawn.col(motion) / found.largest_motion;
    if (mode.drawn.col(motion).cwiseAbs().maxCoeff() <= invisible * largest) continue;
    plot.curves.push_back({.label = beam_motion_names[static_cast<std::size_t>(motion)],
                           .x = {mode.x.begin(), mode.x.end()},
                           .y = {values.begin(), values.end()},
                           .colour = motion == 0 ? 1 : 0});
  }
  return plot;
}

/// A bar for each coordinate, or a line when there are too many.
svg::Plot coordinate_plot(std::size_t number, const LinearMode& found, const std::vector<std::string>& coordinates) {
  constexpr std::size_t most_named = 12;
  const std::string names = coordinates.size() <= most_named ? fmt::format(": {}", join(coordinates, ", ")) : "";
  svg::Plot plot = empty_plot(number, found, "coordinate" + names, "");
  svg::Curve curve{.label = "", .x = {}, .y = {}};
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const double place = static_cast<double>(i + 1);
    const double value = found.mode.shape[static_cast<Index>(i)] / found.largest_motion;
    if (coordinates.size() <= most_bars) {
      curve.x.insert(curve.x.end(), {place, place, place});
      curve.y.insert(curve.y.end(), {0.0, value, none});
      plot.marks.push_back({.x = place, .y = value, .label = fmt::format("{}: {:.6g}", coordinates[i], value)});
    } else {
      curve.x.push_back(place);
      curve.y.push_back(value);
    }
  }
  plot.curves = {{.label = "", .x = {0.5, static_cast<double>(coordinates.size()) + 0.5}, .y = {0.0, 0.0}, .colour = 6},
                 std::move(curve)};
  return plot;
}

std::string mode_table(const ModeSet& set) {
  std::string rows;
  for (std::size_t i = 0; i < set.modes.size(); ++i) {
    const LinearMode& found = set.modes[i];
    rows += row({std::to_string(i + 1), frequency_text(found.mode), damping_text(found.mode), modal_mass_text(found),
                 found.largest});
  }
  return table("Modes", {"mode", "frequency (Hz)", "damping ratio", "modal mass (kg)", "moves most"}, rows);
}

std::string section(const ModeSet& set) {
  std::string out = fmt::format("<section>\n<h2>Modes: {}</h2>\n", escape(heading_of(set)));
  if (!set.complete) out += fmt::format("<div class=\"card warn\">{}</div>\n", escape(set.message));
  if (!set.modes.empty()) out += mode_table(set) + fmt::format("<p class=\"meta\">{}</p>\n", damping_note);
  for (std::size_t i = 0; i < set.modes.size(); ++i) {
    const bool beam = set.modes[i].mode.x.size() > 0;
    out += figure(beam ? beam_plot(i + 1, set.modes[i]) : coordinate_plot(i + 1, set.modes[i], set.coordinates), "");
  }
  return out + "</section>\n";
}

}  // namespace

std::string frequency_text(const NaturalMode& mode) {
  if (mode.kind == ModeKind::rigid) return "rigid body";
  if (mode.kind == ModeKind::unstable) return "unstable";
  return fmt::format("{:.6g}", mode.omega / (2.0 * pi));
}

std::string damping_text(const NaturalMode& mode) {
  if (!std::isfinite(mode.damping_ratio)) return mode.kind == ModeKind::vibrating ? "not found" : "–";
  if (mode.damping_ratio < 1e-14) return "0";
  return fmt::format("{:.4g}{}", mode.damping_ratio, mode.damped_omega > 0.0 ? "" : ", overdamped");
}

std::string modal_mass_text(const LinearMode& found) {
  return fmt::format("{:.6g}{}", found.modal_mass, found.turns() ? " kg m²" : "");
}

std::string heading_of(const ModeSet& set) {
  std::vector<std::string> same;
  for (const JointState state : set.same) same.emplace_back(to_string(state));
  const std::string text = set.state == JointState::free      ? "without the joints"
                           : set.state == JointState::preload ? "joints as preloaded"
                                                              : "joints stuck";
  return same.empty() ? text : fmt::format("{} (the same: {})", text, join(same, ", "));
}

std::string mode_sections(const std::vector<ModeSet>& sets) {
  std::string out;
  for (const ModeSet& set : sets) out += section(set);
  return out;
}

}  // namespace masing::detail
