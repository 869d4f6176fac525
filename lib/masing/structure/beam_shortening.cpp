#include "masing/structure/beam_shortening.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/beam_shapes.hpp"

#include <algorithm>
#include <cmath>

namespace masing {
namespace {

constexpr double same_place = 1e-6;  // of the length

std::size_t node_of(const BeamStructure& beam, double at) {
  const std::size_t node = node_at(beam.nodes(), at);
  require(
      std::abs(beam.nodes()[node].at - at) <= same_place * (beam.beam().end() - beam.beam().begin()),
      "the shortening begins or ends at {} m, where the beam has no node; the nearest is '{}' at {} m. Name a point "
      "there.",
      at, beam.nodes()[node].name, beam.nodes()[node].at);
  return node;
}

/// The nodes between which the static shapes are taken.
std::vector<BeamNode> shape_nodes(const BeamStructure& beam, double begin, double end, Index pieces) {
  const std::size_t first = node_of(beam, begin);
  const std::size_t last = node_of(beam, end);
  const std::vector<BeamNode> places = beam_nodes(beam.beam());
  const double spacing = pieces > 0 ? (1.0 - same_place) * (end - begin) / static_cast<double>(pieces) : 0.0;
  std::vector<BeamNode> nodes;
  for (std::size_t i = first; i <= last; ++i) {
    const BeamNode& node = beam.nodes()[i];
    const bool described = places[node_at(places, node.at)].name == node.name;
    if (i == first || i == last || described || node.at - nodes.back().at >= spacing) nodes.push_back(node);
  }
  return nodes;
}

/// Coordinates of the end motions of a piece; −1 for fixed ones.
std::array<Index, 6> piece_coordinates(const Structure& structure, const BeamNode& left, const BeamNode& right) {
  std::array<Index, 6> result = {};
  for (std::size_t i = 0; i < 6; ++i) {
    result[i] = structure.find(fmt::format("{}.{}", (i < 3 ? left : right).name, beam_motion_names[i % 3]));
  }
  return result;
}

}  // namespace

Shortening shortening(const Structure& structure, double begin, double end, Index pieces) {
  const auto* beam = dynamic_cast<const BeamStructure*>(&structure);
  require(beam != nullptr && beam->beam().theory != BeamTheory::rod,
          "only a beam that bends gets shorter: the structure must be of kind \"beam\".");
  require(begin < end, "the shortening from {} to {} m: its two places must differ.", begin, end);
  const std::vector<BeamNode> nodes = shape_nodes(*beam, begin, end, pieces);
  std::vector<Eigen::Triplet<double>> entries;
  Shortening result;
  result.pieces = static_cast<Index>(nodes.size()) - 1;
  result.resolved_frequency = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const double length = nodes[i + 1].at - nodes[i].at;
    const BeamSection& section = section_between(beam->beam(), nodes[i].at, nodes[i + 1].at);
    const detail::ElementMatrix g = detail::BeamShapes(section, beam->beam().theory, length).shortening();
    const std::array<Index, 6> coordinates = piece_coordinates(structure, nodes[i], nodes[i + 1]);
    for (int row = 0; row < 6; ++row) {
      for (int column = 0; column < 6; ++column) {
        const Index at_row = coordinates[static_cast<std::size_t>(row)];
        const Index at_column = coordinates[static_cast<std::size_t>(column)];
        if (at_row < 0 || at_column < 0 || g(row, column) == 0.0) continue;
        entries.emplace_back(at_row, at_column, g(row, column));
      }
    }
    const double stiffness = section.youngs_modulus * section.inertia / (section.density * section.area);
    const double resolved = std::sqrt(360.0 * stiffness) / (2.0 * pi * length * length);
    result.resolved_frequency = std::min(result.resolved_frequency, resolved);
  }
  result.matrix.resize(structure.size(), structure.size());
  result.matrix.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace masing
