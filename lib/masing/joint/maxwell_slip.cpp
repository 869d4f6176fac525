#include "masing/joint/maxwell_slip.hpp"

#include "masing/contact/binning.hpp"
#include "masing/core/error.hpp"

#include <cmath>

namespace masing {
namespace {

/// Share of the slip force inside the radius s, growing from 0 at the centre to 1 at the edge.
double force_share(AnnulusAssignment assignment, double s) {
  if (assignment == AnnulusAssignment::printed) return 1.0 - std::pow(1.0 - s * s, 1.5);
  return 1.5 * s - 0.5 * s * s * s;
}

}  // namespace

std::vector<SlipElement> maxwell_slip_elements(const RoughInterface& interface, double load, const AnnulusGrid& grid) {
  require(grid.regions >= 1 && grid.annuli >= 1, "Maxwell slip: regions = {} and annuli = {} must be >= 1.",
          grid.regions, grid.annuli);
  const RoughSurfaces& surfaces = interface.surfaces();
  const double y = interface.separation(load);
  const double height = (interface.highest() - y) / grid.regions;
  std::vector<SlipElement> elements;
  for (int n = 0; n < grid.regions; ++n) {
    const double from = n * height;
    const double to = (n + 1) * height;
    const double radii = std::sqrt(surfaces.summits.radius) * interface.summit_sum(y, from, to, 2);
    const double stiffness = interface.shear_stiffness() * radii;
    const double slip_force = surfaces.friction * interface.summit_stiffness() * interface.summit_sum(y, from, to, 4);
    for (int m = 0; m < grid.annuli; ++m) {
      const double inner = force_share(grid.assignment, static_cast<double>(m) / grid.annuli);
      const double outer = force_share(grid.assignment, static_cast<double>(m + 1) / grid.annuli);
      elements.push_back({.stiffness = stiffness / grid.annuli, .slip_force = slip_force * (outer - inner)});
    }
  }
  return elements;
}

std::vector<SlipElement> binned_elements(const Backbone& rough, int count) {
  require(count >= 1, "Maxwell slip: count = {} must be >= 1.", count);
  std::vector<double> edges;
  for (int j = 0; j <= count; ++j) edges.push_back(rough.macroslip() * j / count);
  return bin_backbone(rough, edges);
}

}  // namespace masing
