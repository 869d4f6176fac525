#include "masing/io/detail/report_plots.hpp"

#include "masing/io/detail/curve_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace masing::detail {

namespace {

constexpr double degrees = 180.0 / pi;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

using ValueOf = std::function<double(const Observation&)>;

double quantity_at(const BranchHeader& header, const ResponsePoint& point, const std::string& name) {
  const Index i = header.find_quantity(name);
  return i >= 0 && i < point.quantities.size() ? point.quantities[i] : not_a_number;
}

std::string unit_of_quantity(const BranchHeader& header, const std::string& name) {
  const Index i = header.find_quantity(name);
  const std::string unit = i < 0 ? "1" : header.quantities[static_cast<std::size_t>(i)].unit;
  return unit == "1" ? "" : unit;
}

double value_at(const ResponsePoint& point, std::size_t observable, const ValueOf& value) {
  return observable < point.observations.size() ? value(point.observations[observable]) : not_a_number;
}

/// A force response is drawn over the level, everything else over frequency.
double abscissa(const BranchHeader& header, const ResponsePoint& point) {
  return header.kind == "force-response" ? quantity_at(header, point, "level") : point.frequency;
}

svg::Curve curve_of(const StoredBranch& branch, std::size_t observable, const ValueOf& value) {
  svg::Curve curve{.label = level_text(branch.header), .x = {}, .y = {}, .colour = branch.header.index};
  for (const ResponsePoint& point : branch.points) {
    curve.x.push_back(abscissa(branch.header, point));
    curve.y.push_back(value_at(point, observable, value));
  }
  return curve;
}

/// Of a harmonic of the excitation.
ValueOf amplitude_of(const BranchHeader& header, int harmonic) {
  const auto place = std::find(header.harmonics.begin(), header.harmonics.end(), harmonic * header.periods);
  const Index column = place == header.harmonics.end() ? -1 : place - header.harmonics.begin();
  return [column](const Observation& seen) {
    return column >= 0 && column < seen.amplitude.size() ? seen.amplitude[column] : not_a_number;
  };
}

svg::Plot frequency_plot(const StoredAnalysis& analysis, std::size_t observable, const std::string& y_label,
                         const std::string& y_unit) {
  const BranchHeader& header = analysis.branches.front().header;
  const bool over_level = header.kind == "force-response";
  return {.title = fmt::format("{} – {}", analysis.name, header.observables[observable].name),
          .x_label = over_level ? "level" : "frequency",
          .x_unit = over_level ? unit_of_quantity(header, "level") : "Hz",
          .y_label = y_label,
          .y_unit = y_unit,
          .curves = {},
          .marks = {}};
}

void add_marks(const StoredBranch& branch, std::size_t observable, int harmonic, svg::Plot& plot) {
  const std::string& name = branch.header.observables[observable].name;
  for (const SpecialPoint& special : branch.special_points) {
    const bool peak =
        special.kind == "peak" && special.observable == name && special.harmonic == harmonic * branch.header.periods;
    if (!peak && !is_bifurcation(special.kind)) continue;
    const auto shape = special.kind == "fold" ? svg::Mark::Shape::diamond : svg::Mark::Shape::square;
    const double value = value_at(special.point, observable, amplitude_of(branch.header, harmonic));
    plot.marks.push_back({.x = abscissa(branch.header, special.point),
                          .y = value,
                          .shape = peak ? svg::Mark::Shape::circle : shape,
                          .colour = branch.header.index,
                          .label = fmt::format("{}, {}: {:.6g} Hz, {:.4g} {}", special.kind, level_text(branch.header),
                                               special.point.frequency, value, plot.y_unit)});
  }
}

/// A curve as one drawn through and one dashed where the motion is unstable: each has gaps where the other is. Unchanged
/// where nothing is known of stability.
void add_by_stability(const StoredBranch& branch, svg::Curve curve, svg::Plot& plot) {
  if (branch.header.find_quantity("stable") < 0) {
    plot.curves.push_back(std::move(curve));
    return;
  }
  svg::Curve stable = curve, unstable = std::move(curve);
  unstable.label.clear();
  unstable.dashed = true;
  const auto is_unstable = [&](std::size_t i) {
    return i < branch.points.size() && quantity_at(branch.header, branch.points[i], "stable") == 0.0;
  };
  for (std::size_t i = 0; i < branch.points.size(); ++i) {
    if (is_unstable(i)) stable.y[i] = not_a_number;
    const bool beside = (i > 0 && is_unstable(i - 1)) || is_unstable(i + 1);
    if (!is_unstable(i) && !beside) unstable.y[i] = not_a_number;
  }
  plot.curves.push_back(std::move(stable));
  plot.curves.push_back(std::move(unstable));
}

std::string unit_text(const Observable& observable) {
  const std::string unit(unit_of(observable));
  return unit.ends_with("/s^2") ? unit.substr(0, unit.size() - 2) + "²" : unit;
}

}  // namespace

Abscissa quantity_abscissa(const BranchHeader& header) {
  if (header.kind == "backbone") {
    const Observable& first = header.observables.front();
    return {"amplitude of " + first.name, unit_text(first), true,
            [](const BranchHeader& of, const ResponsePoint& point) {
              return value_at(point, 0, amplitude_of(of, main_harmonic_of(of)));
            }};
  }
  if (is_over_level(header)) {
    return {"level", unit_of_quantity(header, "level"), true,
            [](const BranchHeader& of, const ResponsePoint& point) { return quantity_at(of, point, "level"); }};
  }
  return {"frequency", "Hz", false, [](const BranchHeader&, const ResponsePoint& point) { return point.frequency; }};
}

std::string level_text(const BranchHeader& header) {
  if (!header.label.empty()) return header.label;
  if (header.level_unit.empty()) return fmt::format("×{:g}", header.level);
  return fmt::format("{:g} {}", header.level, header.level_unit == "m/s^2" ? "m/s²" : header.level_unit);
}

Index main_harmonic(const BranchHeader& header) {
  const auto first = std::find(header.harmonics.begin(), header.harmonics.end(), header.periods);
  if (first != header.harmonics.end()) return first - header.harmonics.begin();
  const auto any = std::find_if(header.harmonics.begin(), header.harmonics.end(), [](int k) { return k > 0; });
  return any == header.harmonics.end() ? -1 : any - header.harmonics.begin();
}

int main_harmonic_of(const BranchHeader& header) {
  const Index column = main_harmonic(header);
  return column < 0 ? 0 : header.harmonics[static_cast<std::size_t>(column)];
}

std::vector<int> shown_harmonics(const StoredAnalysis& analysis) {
  std::vector<int> harmonics = {main_harmonic_of(analysis.branches.front().header)};
  for (const Resonance& found : analysis.branches.front().end.resonances) {
    if (std::find(harmonics.begin(), harmonics.end(), found.harmonic) == harmonics.end()) {
      harmonics.push_back(found.harmonic);
    }
  }
  return harmonics;
}

bool spans_decades(const svg::Plot& plot) {
  constexpr double visible = 30.0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0.0;
  for (const svg::Curve& curve : plot.curves) {
    double top = 0.0;
    for (const double y : curve.y) top = std::max(top, std::isfinite(y) ? y : 0.0);
    smallest = std::min(smallest, top);
    largest = std::max(largest, top);
  }
  return smallest > 0.0 && largest > visible * smallest;
}

std::string amplitude_name(int harmonic) {
  return harmonic == 1 ? "first-harmonic amplitude" : fmt::format("amplitude of harmonic {}", harmonic);
}

svg::Plot amplitude_plot(const StoredAnalysis& analysis, std::size_t observable, int harmonic, bool logarithmic) {
  const BranchHeader& header = analysis.branches.front().header;
  svg::Plot plot =
      frequency_plot(analysis, observable, amplitude_name(harmonic), unit_text(header.observables[observable]));
  plot.logarithmic = logarithmic;
  for (const StoredBranch& branch : analysis.branches) {
    if (observable >= branch.header.observables.size()) continue;
    add_by_stability(branch, curve_of(branch, observable, amplitude_of(branch.header, harmonic)), plot);
    add_marks(branch, observable, harmonic, plot);
  }
  return plot;
}

svg::Plot phase_plot(const StoredAnalysis& analysis, std::size_t observable) {
  svg::Plot plot = frequency_plot(analysis, observable, "phase", "°");
  for (const StoredBranch& branch : analysis.branches) {
    const Index column = main_harmonic(branch.header);
    svg::Curve all = curve_of(branch, observable, [column](const Observation& seen) {
      return column >= 0 && column < seen.phase.size() ? std::remainder(seen.phase[column] * degrees, 360.0)
                                                       : not_a_number;
    });
    svg::Curve broken{.label = all.label, .x = {}, .y = {}, .colour = all.colour};
    for (std::size_t i = 0; i < all.x.size(); ++i) {
      if (i > 0 && std::abs(all.y[i] - all.y[i - 1]) > 180.0) {  // from −180° to 180° or back: the pen is lifted
        broken.x.push_back(all.x[i]);
        broken.y.push_back(not_a_number);
      }
      broken.x.push_back(all.x[i]);
      broken.y.push_back(all.y[i]);
    }
    plot.curves.push_back(std::move(broken));
  }
  return plot;
}

bool varies(const svg::Plot& plot, double least) {
  double smallest = std::numeric_limits<double>::infinity(), largest = -smallest;
  for (const svg::Curve& curve : plot.curves) {
    for (const double y : curve.y) {
      if (!std::isfinite(y)) continue;
      smallest = std::min(smallest, y);
      largest = std::max(largest, y);
    }
  }
  return largest - smallest > least;
}

svg::Plot rms_peak_plot(const StoredAnalysis& analysis, std::size_t observable, bool logarithmic) {
  const BranchHeader& header = analysis.branches.front().header;
  svg::Plot plot =
      frequency_plot(analysis, observable, "peak (dashed) and rms", unit_text(header.observables[observable]));
  plot.logarithmic = logarithmic;
  for (const StoredBranch& branch : analysis.branches) {
    plot.curves.push_back(curve_of(branch, observable, [](const Observation& seen) { return seen.rms; }));
    svg::Curve peak = curve_of(branch, observable, [](const Observation& seen) { return seen.peak; });
    peak.label.clear();
    peak.dashed = true;
    plot.curves.push_back(std::move(peak));
  }
  return plot;
}

svg::Plot quantity_plot(const StoredAnalysis& analysis, const std::string& quantity) {
  const BranchHeader& header = analysis.branches.front().header;
  const Abscissa over = quantity_abscissa(header);
  std::string name = quantity;
  std::replace(name.begin(), name.end(), '_', ' ');
  svg::Plot plot{.title = fmt::format("{} – {}", analysis.name, name),
                 .x_label = over.label,
                 .x_unit = over.unit,
                 .y_label = name,
                 .y_unit = quantity == "frequency" ? "Hz" : unit_of_quantity(header, quantity),
                 .logarithmic = header.kind == "fold-tracking" || (over.logarithmic && quantity != "frequency"),
                 .logarithmic_x = over.logarithmic,
                 .curves = {},
                 .marks = {}};
  const auto value = [&](const StoredBranch& branch, const ResponsePoint& point) {
    return quantity == "frequency" ? point.frequency : quantity_at(branch.header, point, quantity);
  };
  for (const StoredBranch& branch : analysis.branches) {
    if (quantity != "frequency" && branch.header.find_quantity(quantity) < 0) continue;
    svg::Curve curve{.label = level_text(branch.header), .x = {}, .y = {}, .colour = branch.header.index};
    for (const ResponsePoint& point : branch.points) {
      curve.x.push_back(over.value(branch.header, point));
      curve.y.push_back(value(branch, point));
    }
    add_by_stability(branch, std::move(curve), plot);
    for (const SpecialPoint& special : branch.special_points) {
      if (!is_level_extremum(special.kind)) continue;
      plot.marks.push_back({.x = over.value(branch.header, special.point),
                            .y = value(branch, special.point),
                            .shape = special.kind == "cusp" ? svg::Mark::Shape::diamond : svg::Mark::Shape::circle,
                            .colour = branch.header.index,
                            .label = fmt::format("{}: {:.6g} Hz, {:.6g} {}", special.kind, special.point.frequency,
                                                 value(branch, special.point), plot.y_unit)});
    }
  }
  return plot;
}

svg::Plot history_plot(const TimeHistory& history, std::size_t observable) {
  const Observable& seen = history.observables[observable];
  const auto column = history.values.col(static_cast<Index>(observable));
  svg::Plot plot{.title = fmt::format("{} – {} at level {:g}", history.analysis, seen.name, history.level),
                 .x_label = "time",
                 .x_unit = "s",
                 .y_label = std::string(to_string(seen.quantity)),
                 .y_unit = unit_text(seen),
                 .height = 320,
                 .curves = {},
                 .marks = {}};
  plot.curves.push_back(
      {.label = "", .x = {history.time.begin(), history.time.end()}, .y = {column.begin(), column.end()}, .colour = 0});
  return plot;
}

svg::Plot loop_plot(const TimeHistory& history, std::size_t joint) {
  svg::Plot plot{.title = "joint " + history.joint_forces[joint],
                 .x_label = "relative motion",
                 .x_unit = "m",
                 .y_label = "joint force",
                 .y_unit = "N",
                 .width = 560,
                 .height = 420,
                 .curves = {},
                 .marks = {}};
  svg::Curve before{.label = "before", .x = {}, .y = {}, .colour = 5}, last{.label = "last period", .x = {}, .y = {}};
  const Index samples = history.time.size();
  const double start =
      samples > 0 && history.frequency > 0.0 ? history.time[samples - 1] - 1.0 / history.frequency : 0.0;
  for (Index i = 0; i < samples; ++i) {
    svg::Curve& target = history.time[i] < start ? before : last;
    target.x.push_back(history.joint_motion(i, static_cast<Index>(joint)));
    target.y.push_back(history.joint_force(i, static_cast<Index>(joint)));
  }
  if (!before.x.empty()) plot.curves.push_back(std::move(before));
  plot.curves.push_back(std::move(last));
  return plot;
}

}  // namespace masing::detail
