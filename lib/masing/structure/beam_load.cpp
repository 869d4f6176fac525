#include "masing/structure/beam_load.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/spectral_element.hpp"

#include <algorithm>
#include <cmath>

namespace masing {
namespace {

/// Static shapes of the six end motions (u, w, phi left; right), as the motion of the load sees them, at x.
Eigen::Matrix<double, 6, 1> shapes_at(const SpectralPiece& piece, BeamMotion motion, double x) {
  Eigen::Matrix<double, 6, 1> shapes = Eigen::Matrix<double, 6, 1>::Zero();
  if (motion == BeamMotion::u) {
    shapes[3] = x / piece.length;
    shapes[0] = 1.0 - shapes[3];
    return shapes;
  }
  for (Index end = 0; end < 4; ++end) {
    const Eigen::Vector2cd here = bending_motion(piece, 0.0, Eigen::Vector4cd::Unit(end), x);
    shapes[end < 2 ? end + 1 : end + 2] = here[motion == BeamMotion::w ? 0 : 1].real();
  }
  return shapes;
}

/// ∫ N dx over a part of the piece: two Gauss points are exact for cubics.
Eigen::Matrix<double, 6, 1> integrated_shapes(const SpectralPiece& piece, BeamMotion motion, double from, double to) {
  const double middle = 0.5 * (from + to);
  const double half = 0.5 * (to - from);
  const double offset = half / std::sqrt(3.0);
  return half * (shapes_at(piece, motion, middle - offset) + shapes_at(piece, motion, middle + offset));
}

}  // namespace

Matrix line_load(const Beam& beam, const std::vector<BeamNode>& nodes, BeamMotion motion, double begin, double end,
                 double intensity) {
  require(begin < end, "line load from {} to {} m: its end must lie behind its beginning.", begin, end);
  require(begin >= beam.begin() && end <= beam.end(),
          "line load from {} to {} m is not on the beam, which reaches from {} to {} m.", begin, end, beam.begin(),
          beam.end());
  require(motion == BeamMotion::u || beam.theory != BeamTheory::rod, "line load on {}: a rod only has the motion u.",
          beam_motion_names[static_cast<std::size_t>(motion)]);
  Matrix loads = Matrix::Zero(static_cast<Index>(nodes.size()), 3);
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const double left = nodes[i].at;
    const double right = nodes[i + 1].at;
    const double from = std::max(begin, left);
    const double to = std::min(end, right);
    if (from >= to) continue;
    const SpectralPiece piece = spectral_piece(section_between(beam, left, right), beam.theory, right - left);
    const auto share = integrated_shapes(piece, motion, from - left, to - left);
    loads.row(static_cast<Index>(i)) += intensity * share.head<3>().transpose();
    loads.row(static_cast<Index>(i) + 1) += intensity * share.tail<3>().transpose();
  }
  return loads;
}

Matrix self_weight(const Beam& beam, const std::vector<BeamNode>& nodes, double along_u, double along_w) {
  Matrix loads = Matrix::Zero(static_cast<Index>(nodes.size()), 3);
  for (const BeamSection& section : beam.sections) {
    const double mass = section.density * section.area;
    loads += line_load(beam, nodes, BeamMotion::u, section.begin, section.end, mass * along_u);
    if (beam.theory == BeamTheory::rod) continue;
    loads += line_load(beam, nodes, BeamMotion::w, section.begin, section.end, mass * along_w);
  }
  for (const BeamMass& mass : beam.masses) {
    const auto node = static_cast<Index>(node_at(nodes, mass.at));
    loads(node, 0) += mass.mass * along_u;
    if (beam.theory != BeamTheory::rod) loads(node, 1) += mass.mass * along_w;
  }
  return loads;
}

}  // namespace masing
