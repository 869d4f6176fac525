#include "masing/structure/line_load.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/beam_shapes.hpp"

#include <algorithm>

namespace masing {
namespace {

/// Adds the load of one piece between two neighbouring nodes.
void add_piece(const Beam& beam, const std::vector<double>& nodes, std::size_t left, const LineLoad& load,
               Vector& result) {
  const double begin = nodes[left];
  const double length = nodes[left + 1] - begin;
  const double from = std::clamp((load.from - begin) / length, 0.0, 1.0);
  const double to = std::clamp((load.to - begin) / length, 0.0, 1.0);
  if (to <= from) return;
  const detail::BeamShapes shapes(section_between(beam, begin, begin + length), beam.theory, length);
  const detail::ElementVector p = shapes.load(from, to, load.intensity);
  const int motions = motions_per_node(beam.theory);
  for (int end = 0; end < 2; ++end) {
    for (int i = 0; i < motions; ++i) result[(static_cast<Index>(left) + end) * motions + i] += p[3 * end + i];
  }
}

Vector zero_loads(const Beam& beam, const std::vector<double>& nodes) {
  return Vector::Zero(static_cast<Index>(nodes.size()) * motions_per_node(beam.theory));
}

}  // namespace

Vector nodal_line_load(const Beam& beam, const std::vector<double>& nodes, const LineLoad& load) {
  require(load.to > load.from && load.from >= beam.begin() && load.to <= beam.end(),
          "a line load from {} to {} m must lie on the beam, which reaches from {} to {} m.", load.from, load.to,
          beam.begin(), beam.end());
  Vector result = zero_loads(beam, nodes);
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) add_piece(beam, nodes, i, load, result);
  return result;
}

Vector nodal_weight(const Beam& beam, const std::vector<double>& nodes, BeamMotion direction) {
  const auto motion = static_cast<std::size_t>(direction);
  Vector result = zero_loads(beam, nodes);
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const BeamSection& section = section_between(beam, nodes[i], nodes[i + 1]);
    LineLoad load{.from = nodes[i], .to = nodes[i + 1]};
    load.intensity[motion] = section.density * section.area;
    add_piece(beam, nodes, i, load, result);
  }
  for (const BeamMass& mass : beam.masses) {
    const auto nearest = std::min_element(
        nodes.begin(), nodes.end(), [&](double a, double b) { return std::abs(a - mass.at) < std::abs(b - mass.at); });
    result[(nearest - nodes.begin()) * motions_per_node(beam.theory) + static_cast<Index>(motion)] += mass.mass;
  }
  return result;
}

}  // namespace masing
