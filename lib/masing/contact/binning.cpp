#include "masing/contact/binning.hpp"

#include "masing/core/error.hpp"
#include "masing/core/types.hpp"

#include <algorithm>
#include <cmath>

namespace masing {
namespace {

/// Cells a bin on which the density is measured, and cells at least.
constexpr int cells_per_bin = 16;
constexpr int fewest_cells = 2000;
/// Jump of the stiffness at the end, over the stick stiffness, that is more than rounding of a root that vanishes there.
constexpr double smallest_jump = 1e-6;
/// Stiffness of a bin, over the stick stiffness, from which its slip displacement is more than rounding.
constexpr double smallest_bin = 1e-9;

struct Edge {
  double position = 0.0;
  double stiffness = 0.0;   ///< Q'
  double slip_force = 0.0;  ///< Q − x Q': the force of what slides already
};

Edge edge_at(const Backbone& backbone, double x) {
  const BackboneValue value = backbone.at(x);
  return {x, value.stiffness, value.force - x * value.stiffness};
}

/// Cells that shrink quadratically towards both ends, where densities are singular.
std::vector<double> graded_grid(double end, int cells) {
  std::vector<double> grid;
  for (int i = 0; i <= cells; ++i) {
    const double sine = std::sin(0.5 * pi * i / cells);
    grid.push_back(end * sine * sine);
  }
  return grid;
}

/// Positions that divide the integral of (ρ/x)^(1/3) from 0 to `end` into `bins` equal parts, with both ends.
std::vector<double> edge_positions(const Backbone& backbone, double end, int bins) {
  const std::vector<double> grid = graded_grid(end, std::max(fewest_cells, cells_per_bin * bins));
  std::vector<double> measure = {0.0};
  double stiffness = backbone.at(0.0).stiffness;
  for (std::size_t i = 1; i < grid.size(); ++i) {
    const double next = backbone.at(grid[i]).stiffness;
    const double length = grid[i] - grid[i - 1];
    const double middle = 0.5 * (grid[i] + grid[i - 1]);
    measure.push_back(measure.back() + std::cbrt(std::abs(stiffness - next) * length * length / middle));
    stiffness = next;
  }
  std::vector<double> positions = {0.0};
  std::size_t cell = 1;
  for (int j = 1; j < bins; ++j) {
    const double wanted = measure.back() * j / bins;
    while (measure[cell] < wanted) ++cell;
    const double fraction = (wanted - measure[cell - 1]) / (measure[cell] - measure[cell - 1]);
    positions.push_back(grid[cell - 1] + fraction * (grid[cell] - grid[cell - 1]));
  }
  positions.push_back(end);
  return positions;
}

}  // namespace

std::vector<SlipElement> bin_backbone(const Backbone& backbone, int count, double largest) {
  require(count >= 1, "binning: {} elements asked for, but at least 1 is needed.", count);
  require(largest > 0.0, "binning: the largest displacement = {} m must be > 0.", largest);
  const double end = std::min(backbone.macroslip(), largest);
  require(std::isfinite(end),
          "binning: this backbone never reaches macroslip, so it has no finite number of sliders. Give the largest "
          "displacement of interest.");

  const double stick = backbone.stick_stiffness();
  const Edge last = edge_at(backbone, std::nextafter(end, 0.0));
  const bool jumps = std::abs(last.stiffness) > smallest_jump * stick;
  const int bins = jumps ? count - 1 : count;
  std::vector<SlipElement> elements;
  Edge left{.stiffness = stick};
  const auto close_bin = [&](const Edge& right) {
    elements.push_back({left.stiffness - right.stiffness, right.slip_force - left.slip_force});
    left = right;
  };
  if (bins > 0) {
    const std::vector<double> positions = edge_positions(backbone, last.position, bins);
    for (std::size_t j = 1; j + 1 < positions.size(); ++j) {
      const Edge right = edge_at(backbone, positions[j]);
      const double rest = right.stiffness - (jumps ? last.stiffness : 0.0);
      if (left.stiffness - right.stiffness > smallest_bin * stick && rest > smallest_bin * stick) close_bin(right);
    }
    if (jumps && left.stiffness - last.stiffness > smallest_bin * stick) close_bin(last);
  }
  close_bin({.position = end, .slip_force = backbone.at(end).force});
  return elements;
}

std::vector<SlipElement> bin_backbone(const Backbone& backbone, const std::vector<double>& edges) {
  require(edges.size() >= 2 && edges.front() == 0.0, "binning: edges must start at 0 and be at least two.");
  std::vector<SlipElement> elements;
  Edge left = edge_at(backbone, 0.0);
  for (std::size_t j = 1; j < edges.size(); ++j) {
    require(edges[j] > edges[j - 1], "binning: edges must rise, but {} m follows {} m.", edges[j], edges[j - 1]);
    Edge right = edge_at(backbone, edges[j]);
    if (j + 1 == edges.size()) right = {edges[j], 0.0, backbone.at(edges[j]).force};
    elements.push_back({left.stiffness - right.stiffness, right.slip_force - left.slip_force});
    left = right;
  }
  return elements;
}

}  // namespace masing
