// What the summary says of one branch, line by line.
#pragma once

#include "masing/analysis/results.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace masing::detail {

/// "levels, 0.2 N: 143 points, 2 folds, 0.1 s. Reached …", then indented lines: warnings, resonances, folds, what a backbone
/// covers, the energy balance.
std::vector<std::string> branch_summary(const ResponseBranch& branch);

/// "harmonics odd … 3 at 41 points, odd … 5 at 12 points; …" of a branch with adaptive harmonics; else empty.
std::string harmonics_used(const BranchHeader& header, const std::vector<ResponsePoint>& points);

/// Of a backbone or a tracked resonance: the first point, those at levels told exactly, and the last. A point at an end is told
/// once; of a tracked resonance the minima that its curve passes through are not.
template <class Branch>
std::vector<const ResponsePoint*> told_points(const Branch& branch) {
  constexpr double same = 1e-9, same_frequency = 1e-6;  // levels are located to 1e-10
  const Index level = branch.header.find_quantity("level"), peak = branch.header.find_quantity("is_peak");
  std::vector<const ResponsePoint*> points;
  const auto add = [&](const ResponsePoint& point) {
    const auto at = [&](const ResponsePoint& of) { return of.quantities[level]; };
    const bool told = level >= 0 && !points.empty() && std::abs(at(*points.back()) - at(point)) < same * at(point) &&
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

}  // namespace masing::detail
