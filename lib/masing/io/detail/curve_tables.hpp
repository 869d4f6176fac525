// What the summary tells of curves over a level or an amplitude: tables of the points that were asked for.
#pragma once

#include "masing/analysis/results.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace masing::detail {

/// The unit of the quantity "level"; empty for a factor.
std::string level_unit(const BranchHeader& header);

/// Whether its branches are followed over the level of the loads, which then tells where a point is.
bool is_over_level(const BranchHeader& header);

/// Of the quantity "stable".
std::string stable_word(double stable);

/// Levels are located to 1e-10.
inline bool same_level(double a, double b) { return std::abs(a - b) < 1e-9 * std::abs(b); }

/// Of a backbone or a tracked resonance: the first point, those at levels told exactly, and the last. A point at an end is told
/// once; of a tracked resonance the minima that its curve passes through are not.
template <class Branch>
std::vector<const ResponsePoint*> told_points(const Branch& branch) {
  constexpr double same_frequency = 1e-6;
  const Index level = branch.header.find_quantity("level"), peak = branch.header.find_quantity("is_peak");
  std::vector<const ResponsePoint*> points;
  const auto add = [&](const ResponsePoint& point) {
    const auto at = [&](const ResponsePoint& of) { return of.quantities[level]; };
    const bool told = level >= 0 && !points.empty() && same_level(at(*points.back()), at(point)) &&
                      std::abs(points.back()->frequency - point.frequency) < same_frequency * point.frequency;
    const bool minimum = peak >= 0 && point.quantities[peak] == 0.0;
    if (!told && !minimum) points.push_back(&point);
  };
  if (branch.points.empty()) return points;
  add(branch.points.front());
  for (const SpecialPoint& special : branch.special_points) {
    if (special.kind == "level") add(special.point);
  }
  add(branch.points.back());
  return points;
}

/// Of a backbone: frequency, damping ratio, amplitude of the first sensor.
std::vector<std::string> backbone_lines(const ResponseBranch& branch);
/// Of a tracked resonance, with a heading: level, frequency, amplitude.
std::vector<std::string> resonance_lines(const ResponseBranch& branch);
/// Of a force response: the amplitude of the first sensor at the levels that were marked, as often as the curve passes them.
std::vector<std::string> mark_lines(const ResponseBranch& branch);

/// The folds of all tracked curves at a level.
struct FoldsAtLevel {
  double level = 0.0;
  std::vector<double> frequencies;  // [Hz], ascending
};

/// At the first level, at levels told exactly and, of curves that got there, at the last one; by level.
template <class Branch>
std::vector<FoldsAtLevel> folds_by_level(const std::vector<Branch>& branches) {
  std::vector<FoldsAtLevel> rows;
  const auto add = [&](double level, double frequency) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return same_level(r.level, level); });
    if (row == rows.end()) row = rows.insert(rows.end(), {level, {}});
    row->frequencies.push_back(frequency);
  };
  for (const Branch& branch : branches) {
    if (branch.header.kind != "fold-tracking") continue;  // an isola
    std::vector<const ResponsePoint*> told = told_points(branch);
    if (!told.empty() && !branch.end.complete) told.pop_back();
    for (const ResponsePoint* point : told) {
      add(point->quantities[branch.header.find_quantity("level")], point->frequency);
    }
  }
  for (FoldsAtLevel& row : rows) std::sort(row.frequencies.begin(), row.frequencies.end());
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.level < b.level; });
  return rows;
}

/// The region of two stable motions, with a heading. `asked`: levels that are told even where no curve passes them.
std::vector<std::string> fold_lines(const ResponseCurves& curves, const std::vector<double>& asked);

}  // namespace masing::detail
