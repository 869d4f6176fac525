#include "masing/io/report.hpp"

#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/branch_summary.hpp"
#include "masing/io/detail/curve_tables.hpp"
#include "masing/io/detail/report_cycles.hpp"
#include "masing/io/detail/report_identification.hpp"
#include "masing/io/detail/report_loops.hpp"
#include "masing/io/detail/report_modes.hpp"
#include "masing/io/detail/report_plots.hpp"
#include "masing/io/detail/report_shares.hpp"
#include "masing/io/detail/report_style.hpp"
#include "masing/io/detail/text_file.hpp"

#include <algorithm>

namespace masing {

namespace {

using detail::figure;
using detail::level_text;
using detail::row;
using detail::table;
using svg::escape;

// Both scales are drawn; a button shows one or the other.
template <class MakePlot>
std::string switched_figure(const MakePlot& make_plot, const std::string& caption) {
  const svg::Plot linear = make_plot(false);
  const bool log_first = detail::spans_decades(linear);
  return fmt::format(
      "<figure data-scale=\"{}\"><button type=\"button\">{} scale</button><div class=\"lin\">{}</div>"
      "<div class=\"log\">{}</div><figcaption>{}</figcaption></figure>\n",
      log_first ? "log" : "lin", log_first ? "linear" : "log", svg::draw(linear), svg::draw(make_plot(true)),
      escape(caption));
}

std::string unit_of_observable(const BranchHeader& header, const std::string& name) {
  for (const Observable& observable : header.observables)
    if (observable.name == name) return std::string(unit_of(observable));
  return {};
}

std::string resonance_table(const StoredAnalysis& analysis) {
  std::string rows;
  for (const StoredBranch& branch : analysis.branches)
    for (const Resonance& found : branch.end.resonances) {
      const std::string damping =
          found.damping_ratio < 0.0 ? "–" : fmt::format("{:.4g} %", 100.0 * found.damping_ratio);
      rows += row({level_text(branch.header), found.observable, std::to_string(found.harmonic),
                   fmt::format("{:.7g}", found.frequency),
                   fmt::format("{:.6g} {}", found.amplitude, unit_of_observable(branch.header, found.observable)),
                   damping, found.note});
    }
  return table("Resonances",
               {"level", "observable", "harmonic", "frequency (Hz)", "amplitude", "damping ratio", "note"}, rows);
}

std::string bifurcation_table(const StoredAnalysis& analysis) {
  std::string rows;
  const bool has_level = analysis.branches.front().header.find_quantity("level") >= 0;
  std::vector<std::string> columns = {has_level ? "branch" : "level", "kind", "frequency (Hz)"};
  if (has_level) columns.push_back("level");
  for (const Observable& seen : analysis.branches.front().header.observables)
    columns.push_back(fmt::format("{} ({})", seen.name, unit_of(seen)));
  for (const StoredBranch& branch : analysis.branches) {
    const Index column = detail::main_harmonic(branch.header);
    const Index level = branch.header.find_quantity("level");  // an isola has one for all its points
    for (const SpecialPoint& special : branch.special_points) {
      if (!is_bifurcation(special.kind)) continue;
      std::vector<std::string> cells = {level_text(branch.header), special.kind,
                                        fmt::format("{:.9g}", special.point.frequency)};
      if (has_level) {
        cells.push_back(fmt::format("{:.6g}", level < 0 ? branch.header.level : special.point.quantities[level]));
      }
      for (const Observation& seen : special.point.observations)
        cells.push_back(column < 0 || column >= seen.amplitude.size() ? "–"
                                                                      : fmt::format("{:.6g}", seen.amplitude[column]));
      rows += row(cells);
    }
  }
  return table("Folds and bifurcations", columns, rows);
}

std::string tracking_table(const StoredAnalysis& analysis) {
  const BranchHeader& header = analysis.branches.front().header;
  const Index level = header.find_quantity("level"), peak = header.find_quantity("peak_amplitude");
  const Index dissipation = header.find_quantity("dissipation_ratio"), stable = header.find_quantity("stable");
  const auto column = [&](const std::string& name, Index i) {
    const std::string& unit = header.quantities[static_cast<std::size_t>(i)].unit;
    return unit == "1" ? name : fmt::format("{} ({})", name, unit);
  };
  std::vector<std::string> columns = {column("level", level), "frequency (Hz)", column("amplitude", peak),
                                      "dissipation ratio"};
  if (stable >= 0) columns.push_back("stable");
  std::string rows;
  for (const ResponsePoint* point : detail::told_points(analysis.branches.front())) {
    std::vector<std::string> cells = {fmt::format("{:.6g}", point->quantities[level]),
                                      fmt::format("{:.9g}", point->frequency),
                                      fmt::format("{:.6g}", point->quantities[peak]),
                                      dissipation < 0 ? "–" : fmt::format("{:.4g}", point->quantities[dissipation])};
    if (stable >= 0) cells.push_back(detail::stable_word(point->quantities[stable]));
    rows += row(cells);
  }
  return table("Resonance against level", columns, rows);
}

std::string turning_point_table(const StoredAnalysis& analysis) {
  std::string rows;
  for (const StoredBranch& branch : analysis.branches) {
    const Index level = branch.header.find_quantity("level");
    for (const SpecialPoint& special : branch.special_points) {
      if (!is_level_extremum(special.kind)) continue;
      rows += row({level_text(branch.header), special.kind, fmt::format("{:.9g}", special.point.frequency),
                   fmt::format("{:.9g}", special.point.quantities[level])});
    }
  }
  return table("Cusps and isolas", {"curve", "", "frequency (Hz)", "level"}, rows);
}

std::string fold_table(const StoredAnalysis& analysis) {
  std::string rows;
  for (const detail::FoldsAtLevel& found : detail::folds_by_level(analysis.branches)) {
    std::vector<std::string> frequencies;
    for (const double frequency : found.frequencies) frequencies.push_back(fmt::format("{:.9g}", frequency));
    rows += row({fmt::format("{:.6g}", found.level), join(frequencies, ", ")});
  }
  const std::string unit = detail::level_unit(analysis.branches.front().header);
  return table("Folds against level", {unit.empty() ? "level" : fmt::format("level ({})", unit), "folds (Hz)"}, rows);
}

/// What is drawn and listed of a curve over levels before its motions are.
std::string tracking_section(const StoredAnalysis& analysis) {
  const std::string& kind = analysis.branches.front().header.kind;
  if (kind == "resonance-tracking" || kind == "superharmonic-tracking") {
    return figure(detail::quantity_plot(analysis, "frequency"), "Resonance frequency over level.") +
           figure(detail::quantity_plot(analysis, "peak_amplitude"), "Amplitude at the peak over level.") +
           tracking_table(analysis);
  }
  if (kind != "fold-tracking") return "";
  return figure(
             detail::quantity_plot(analysis, "level"),
             "Folds in the plane of frequency and level: between the two arms of a curve the response has two stable "
             "motions. ◇ cusp   ● birth or merging of an isola.") +
         fold_table(analysis) + turning_point_table(analysis);
}

double largest_truncation(const StoredBranch& branch) {
  double largest = 0.0;
  for (const ResponsePoint& point : branch.points) largest = std::max(largest, point.truncation);
  return largest;
}

std::string energy_residual(const StoredBranch& branch) {
  const Index column = branch.header.find_quantity("energy_residual");
  double largest = 0.0;
  for (const ResponsePoint& point : branch.points) {
    if (column >= 0) largest = std::max(largest, point.quantities[column]);
  }
  return column < 0 ? "–" : fmt::format("{:.1e}", largest);
}

std::string branch_table(const StoredAnalysis& analysis) {
  std::string rows;
  for (const StoredBranch& branch : analysis.branches)
    rows += row({level_text(branch.header), std::to_string(branch.points.size()),
                 fmt::format("{:.1e}", largest_truncation(branch)), energy_residual(branch), branch.end.stop,
                 branch.end.message, fmt::format("{:.2f} s", branch.end.seconds)});
  return table("Branches", {"level", "points", "truncation", "energy balance", "stopped because", "", "time"}, rows);
}

std::string truncation_warnings(const StoredAnalysis& analysis) {
  std::string out;
  for (const StoredBranch& branch : analysis.branches) {
    const double worst = largest_truncation(branch);
    if (worst <= truncation_warning) continue;
    out += fmt::format(
        "<div class=\"card warn\">At level {} the last two harmonics hold up to {:.2g} of the amplitude (a good "
        "set leaves less than {:g}). Add harmonics and compare.</div>\n",
        escape(level_text(branch.header)), worst, truncation_warning);
  }
  return out;
}

std::string observable_figures(const StoredAnalysis& analysis, std::size_t observable) {
  std::string out;
  for (const int harmonic : detail::shown_harmonics(analysis)) {
    out +=
        switched_figure([&](bool log) { return detail::amplitude_plot(analysis, observable, harmonic, log); },
                        "● peak   ◇ fold   □ branch point, period doubling or Neimark-Sacker point. Dashed: unstable, "
                        "where stability was asked for. Move the pointer over a curve to read its points.");
  }
  constexpr double noise = 1e-6;  // degrees: of a free motion the phase is a convention
  const svg::Plot phase = detail::phase_plot(analysis, observable);
  if (detail::varies(phase, noise)) out += figure(phase, "value = amplitude · cos(2π f t + phase)");
  return out + switched_figure([&](bool log) { return detail::rms_peak_plot(analysis, observable, log); },
                               "Root mean square and largest absolute value over a period, all harmonics.");
}

std::string branches_section(const StoredAnalysis& analysis) {
  const BranchHeader& header = analysis.branches.front().header;
  std::vector<std::string> harmonics;
  for (const int k : header.harmonics) harmonics.push_back(std::to_string(k));
  std::string out = fmt::format("<p class=\"meta\">Harmonics {}; {} samples a period; kept motions: {}.</p>\n",
                                join(harmonics, ", "), header.samples, escape(join(header.kept_motions, ", ")));
  for (const StoredBranch& branch : analysis.branches) {
    const std::string used = detail::harmonics_used(branch.header, branch.points);
    if (!used.empty()) {
      out += fmt::format("<p class=\"meta\">{}: {}.</p>\n", escape(level_text(branch.header)), escape(used));
    }
  }
  out += truncation_warnings(analysis);
  if (header.kind == "backbone") {
    out += figure(detail::quantity_plot(analysis, "frequency"), "Frequency over amplitude.");
    out += figure(detail::quantity_plot(analysis, "damping_ratio"), "Damping ratio over amplitude.");
    if (header.find_quantity("resonance_level") >= 0) {
      out += figure(
          detail::quantity_plot(analysis, "resonance_level"),
          "Level of the loads that would make up for the dissipated energy: where a line of constant level meets "
          "the curve more than once, the response may have an isola.");
    }
  }
  out += tracking_section(analysis);
  if (header.kind == "bifurcation-tracking") {
    out += figure(detail::quantity_plot(analysis, "level"), "Frequencies and levels at which the motion bifurcates.");
  }
  if (header.kind == "response-control") {
    out += figure(detail::quantity_plot(analysis, "level"), "The level of the loads that holds the amplitude.");
  }
  for (std::size_t i = 0; i < header.observables.size(); ++i) {
    const std::string figures = observable_figures(analysis, i);
    out += i == 0 ? figures
                  : fmt::format("<details><summary>{}</summary>\n{}</details>\n", escape(header.observables[i].name),
                                figures);
  }
  out += detail::cycle_figures(analysis);
  out += detail::share_figures(analysis);
  return out + resonance_table(analysis) + bifurcation_table(analysis) + branch_table(analysis);
}

std::string history_section(const TimeHistory& history) {
  std::string out = fmt::format("<h3>Level {:g}, {:.6g} Hz</h3>\n<p class=\"meta\">{}</p>\n", history.level,
                                history.frequency, escape(history.message));
  for (std::size_t i = 0; i < history.observables.size(); ++i) out += figure(detail::history_plot(history, i), "");
  for (std::size_t i = 0; i < history.joint_forces.size(); ++i)
    out += figure(detail::loop_plot(history, i), "The area of the loop is the energy lost in a period.");
  std::string rows;
  for (std::size_t i = 0; i < history.steady.size() && i < history.observables.size(); ++i) {
    const Observable& seen = history.observables[i];
    rows += row({seen.name, fmt::format("{:.6g} {}", history.steady[i].rms, unit_of(seen)),
                 fmt::format("{:.6g} {}", history.steady[i].peak, unit_of(seen))});
  }
  return out + table(history.is_steady ? "Steady period" : "Last period", {"observable", "rms", "peak"}, rows);
}

std::string analysis_section(const StoredAnalysis& analysis) {
  std::string out = fmt::format("<section>\n<h2>{}</h2>\n", escape(analysis.name));
  const bool has_curves = !analysis.branches.empty() && !analysis.branches.front().header.observables.empty();
  if (has_curves) out += branches_section(analysis);
  if (!has_curves && !analysis.branches.empty()) out += branch_table(analysis);
  for (const TimeHistory& history : analysis.histories) out += history_section(history);
  return out + "</section>\n";
}

std::string study_section(const Results& results) {
  std::string out =
      fmt::format("<details class=\"card\"><summary>Study</summary><pre>{}</pre>", escape(results.metadata.study_text));
  if (!results.metadata.overrides.empty())
    out +=
        fmt::format("<p>Changed on the command line:</p><pre>{}</pre>", escape(join(results.metadata.overrides, "\n")));
  out += "</details>\n";
  if (!results.summary.empty())
    out += fmt::format("<div class=\"card\"><pre>{}</pre></div>\n", escape(results.summary));
  return out;
}

const StoredAnalysis& analysis_for(const Results& results, const std::string& name) {
  std::vector<std::string> known;
  for (const StoredAnalysis& analysis : results.analyses) {
    const bool drawable = !analysis.branches.empty() && !analysis.branches.front().header.observables.empty();
    if (drawable && (name.empty() || analysis.name == name)) return analysis;
    if (drawable) known.push_back(analysis.name);
  }
  require(!known.empty(), "there is no response curve to draw.");
  throw ModelError(fmt::format("there is no response curve of an analysis '{}'.{}", name, suggestion(name, known)));
}

std::size_t observable_for(const StoredAnalysis& analysis, const std::string& name) {
  std::vector<std::string> known;
  for (const Observable& observable : analysis.branches.front().header.observables) {
    if (name.empty() || observable.name == name) return known.size();
    known.push_back(observable.name);
  }
  throw ModelError(
      fmt::format("analysis '{}' has no observable '{}'.{}", analysis.name, name, suggestion(name, known)));
}

}  // namespace

std::string report_html(const Results& results) {
  const std::string title = results.metadata.title.empty() ? "Masing results" : results.metadata.title;
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n"
      "<p class=\"meta\">Masing {2} · {3}</p>\n",
      escape(title), detail::report_style, escape(results.metadata.program_version), escape(results.created));
  out += study_section(results);
  if (results.identification) out += detail::identification_section(*results.identification);
  for (const StoredAnalysis& analysis : results.analyses) out += analysis_section(analysis);
  out += detail::loop_sections(results.loops);
  out += detail::mode_sections(results.modes);
  if (results.analyses.empty() && results.loops.empty() && results.modes.empty() && !results.identification)
    out += "<p>There are no results yet.</p>\n";
  return out + fmt::format("</main>\n<script>{}</script>\n</body>\n</html>\n", detail::report_script);
}

void write_report(const Results& results, const std::string& html_path) {
  detail::write_text_file(html_path, report_html(results));
}

void write_report(const std::string& results_path, const std::string& html_path) {
  require(results_path != html_path, "The page would replace the result file {}. Give it another name with -o.",
          results_path);
  write_report(read_results(results_path), html_path);
}

std::string response_svg(const Results& results, const PictureRequest& request) {
  if (detail::shows_loops(results, request.analysis)) {
    return svg::draw(detail::loops_plot(results.loops, request.analysis, request.observable));
  }
  const StoredAnalysis& analysis = analysis_for(results, request.analysis);
  const int harmonic = detail::main_harmonic_of(analysis.branches.front().header);
  return svg::draw(
      detail::amplitude_plot(analysis, observable_for(analysis, request.observable), harmonic, request.logarithmic));
}

void write_svg(const Results& results, const std::string& svg_path, const PictureRequest& request) {
  detail::write_text_file(svg_path, response_svg(results, request));
}

}  // namespace masing
