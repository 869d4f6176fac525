#include "masing/structure/spectral_field.hpp"

#include "masing/core/error.hpp"
#include "masing/core/gauss_legendre.hpp"
#include "masing/structure/detail/spectral_model.hpp"

#include <algorithm>
#include <cmath>

namespace masing {
namespace {

/// |k| of the shortest wave at ω. Both wavenumbers of bending solve k⁴ − p k² + q = 0: |k|² <= |p| + √|q|.
double largest_wavenumber(const SpectralPiece& piece, double omega, bool bends) {
  const double square = omega * omega;
  const double axial = square * piece.mass_per_length / piece.axial_stiffness;
  if (!bends) return std::sqrt(axial);
  const double p =
      square * (piece.mass_per_length * piece.shear_compliance + piece.rotary_per_length / piece.bending_stiffness);
  const double q = square * piece.mass_per_length / piece.bending_stiffness *
                   (square * piece.rotary_per_length * piece.shear_compliance - 1.0);
  return std::sqrt(std::max(axial, p + std::sqrt(std::abs(q))));
}

/// n points integrate exp(θx) over [−1, 1] with an error of about (eθ/4n)²ⁿ: below 1e-11 for all θ with six more than θ. The
/// product of two motions has waves as short as the sum of both wavenumbers.
int points_of(const SpectralPiece& piece, double omega, bool bends) {
  constexpr int more = 6;
  return more + static_cast<int>(std::ceil(largest_wavenumber(piece, omega, bends) * piece.length));
}

}  // namespace

SpectralField::SpectralField(const SpectralBeam& beam, double highest) : beam_(beam), highest_(highest) {
  require(std::isfinite(highest) && highest > 0.0, "a field up to {} rad/s: the limit must be > 0.", highest);
  const detail::SpectralModel& model = beam.model();
  const std::vector<BeamNode>& nodes = beam.nodes();
  std::vector<double> x;
  std::vector<std::array<double, 3>> weights;
  const auto add = [&](std::size_t piece, double at, const std::array<double, 3>& inertia) {
    piece_.push_back(static_cast<Index>(piece));
    x.push_back(at);
    weights.push_back(inertia);
  };
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    const SpectralPiece& piece = model.pieces[i];
    const double half = 0.5 * piece.length;
    for (const GaussNode& node : gauss_nodes(points_of(piece, highest, model.bends))) {
      const double mass = half * node.weight * piece.mass_per_length;
      add(i, nodes[i].at + half * (1.0 + node.at), {mass, mass, half * node.weight * piece.rotary_per_length});
    }
  }
  for (const BeamMass& mass : beam.beam().masses) {
    const std::size_t node = node_at(nodes, mass.at);
    add(std::min(node, model.pieces.size() - 1), nodes[node].at, {mass.mass, mass.mass, mass.rotary_inertia});
  }
  places_ = Eigen::Map<const Vector>(x.data(), std::ssize(x));
  weights_.resize(places_.size(), 3);
  for (Index i = 0; i < weights_.rows(); ++i) {
    for (Index motion = 0; motion < 3; ++motion) {
      weights_(i, motion) = weights[static_cast<std::size_t>(i)][static_cast<std::size_t>(motion)];
    }
  }
}

void SpectralField::at(double omega, const ComplexVector& all, ComplexMatrix& motions) const {
  const detail::SpectralModel& model = beam_.model();
  motions.setZero(places_.size(), 3);
  const auto value = [&](std::size_t node, std::size_t motion) {
    const Index at = model.coordinates[node][motion];
    return at < 0 ? Complex(0.0) : all[at];
  };
  for (Index i = 0; i < places_.size(); ++i) {
    const auto left = static_cast<std::size_t>(piece_[static_cast<std::size_t>(i)]), right = left + 1;
    const SpectralPiece& piece = model.pieces[left];
    const double inside = places_[i] - beam_.nodes()[left].at;
    motions(i, 0) = rod_motion(piece, omega, {value(left, 0), value(right, 0)}, inside);
    if (!model.bends) continue;
    motions.row(i).tail(2) =
        bending_motion(piece, omega, {value(left, 1), value(left, 2), value(right, 1), value(right, 2)}, inside)
            .transpose();
  }
}

}  // namespace masing
