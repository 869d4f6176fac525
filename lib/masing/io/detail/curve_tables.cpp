#include "masing/io/detail/curve_tables.hpp"

#include "masing/analysis/observable.hpp"
#include "masing/core/text.hpp"
#include "masing/io/study_overview.hpp"

#include <fmt/format.h>

#include <utility>

namespace masing::detail {
namespace {

double first_amplitude(const BranchHeader& header, const ResponsePoint& point) {
  const auto first = std::find(header.harmonics.begin(), header.harmonics.end(), header.periods);
  const Observation& seen = point.observations.front();
  return first == header.harmonics.end() ? seen.rms : seen.amplitude[first - header.harmonics.begin()];
}

/// ", x 0.0123 m", where there is a sensor.
std::string first_sensor(const BranchHeader& header, const ResponsePoint& point) {
  if (point.observations.empty()) return "";
  const Observable& seen = header.observables.front();
  return fmt::format(", {} {:.6g} {}", seen.name, first_amplitude(header, point), unit_of(seen));
}

std::string level_heading(const std::string& unit) { return unit.empty() ? "level" : fmt::format("level ({})", unit); }

}  // namespace

bool is_over_level(const BranchHeader& header) {
  return header.kind == "force-response" || header.kind == "resonance-tracking" ||
         header.kind == "superharmonic-tracking";
}

std::string stable_word(double stable) {
  if (std::isnan(stable)) return "unknown";
  return stable == 1.0 ? "yes" : "no";
}

std::string level_unit(const BranchHeader& header) {
  const std::string& unit = header.quantities[static_cast<std::size_t>(header.find_quantity("level"))].unit;
  return unit == "1" ? "" : unit;
}

std::vector<std::string> backbone_lines(const ResponseBranch& branch) {
  const BranchHeader& header = branch.header;
  const Index damping = header.find_quantity("damping_ratio");
  std::vector<std::string> lines;
  for (const ResponsePoint* point : told_points(branch)) {
    lines.push_back(fmt::format(
        "{} {:.6g} Hz, damping ratio {:.4g}, {} {:.4g} {}{}",
        lines.empty()                    ? "from"
        : point == &branch.points.back() ? "to  "
                                         : "at  ",
        point->frequency, point->quantities[damping], header.quantities.front().name, point->quantities[0],
        header.quantities.front().unit == "1" ? "" : header.quantities.front().unit, first_sensor(header, *point)));
  }
  return lines;
}

std::vector<std::string> resonance_lines(const ResponseBranch& branch) {
  const BranchHeader& header = branch.header;
  const Index level = header.find_quantity("level"), amplitude = header.find_quantity("peak_amplitude");
  const Index dissipation = header.find_quantity("dissipation_ratio"), stable = header.find_quantity("stable");
  const std::string unit = level_unit(header);
  std::vector<std::string> lines = {fmt::format(
      "{:>12}  {:>14}  {:>13}  {:>17}", level_heading(unit), "resonance (Hz)",
      fmt::format("peak ({})", header.quantities[static_cast<std::size_t>(amplitude)].unit), "dissipation ratio")};
  if (stable >= 0) lines.front() += "  stable";
  for (const ResponsePoint* point : told_points(branch)) {
    lines.push_back(fmt::format("{:12.6g}  {:14.9g}  {:13.6g}  {:17.4g}", point->quantities[level], point->frequency,
                                point->quantities[amplitude], point->quantities[dissipation]));
    if (stable >= 0) lines.back() += "  " + stable_word(point->quantities[stable]);
  }
  return lines;
}

std::vector<std::string> mark_lines(const ResponseBranch& branch) {
  const BranchHeader& header = branch.header;
  const Index level = header.find_quantity("level"), stable = header.find_quantity("stable");
  std::vector<std::string> lines;
  for (const SpecialPoint& special : branch.special_points) {
    if (special.kind != "level") continue;
    const ResponsePoint& point = special.point;
    lines.push_back(fmt::format("at {}{}{}", levels_text({point.quantities[level]}, level_unit(header)),
                                first_sensor(header, point),
                                stable >= 0 && point.quantities[stable] == 0.0 ? ", not stable" : ""));
  }
  return lines;
}

std::vector<std::string> fold_lines(const ResponseCurves& curves, const std::vector<double>& asked) {
  std::vector<FoldsAtLevel> rows = folds_by_level(curves.branches);
  if (rows.empty()) return {};
  for (const double level : asked) {
    const bool told =
        std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return same_level(row.level, level); });
    if (!told) rows.push_back({level, {}});
  }
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.level < b.level; });
  std::vector<std::string> lines = {
      fmt::format("{:>12}  folds (Hz): between those of a pair there are two stable motions",
                  level_heading(level_unit(curves.branches.front().header)))};
  for (const FoldsAtLevel& row : rows) {
    std::string line = fmt::format("{:12.6g}", row.level);
    for (const double frequency : row.frequencies) line += fmt::format("  {:12.9g}", frequency);
    lines.push_back(line + (row.frequencies.empty() ? "  none on these curves" : ""));
  }
  return lines;
}

}  // namespace masing::detail
