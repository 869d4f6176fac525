#include "masing/structure/detail/mode_groups.hpp"

#include "masing/structure/detail/rigid_motions.hpp"
#include "masing/structure/detail/spectral_model.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace masing::detail {
namespace {

// No piece resonates with its ends held below this multiple of the frequency: every mode moves some node.
constexpr double margin = 1.2;
// Motions beside those of the group in the space of the correction, so that a neighbour cannot be taken for a member.
constexpr Index neighbours = 3;
constexpr int most_corrections = 6;
constexpr double converged = 1e-14;
// Where the mass of a rigid motion is read from dZ/dω = −2ωM + O(ω³), relative to a natural frequency.
constexpr double almost_static = 1e-5;

bool resonates(const SpectralPiece& piece, bool bends, double omega) {
  return clamped_rod_frequencies_below(piece, omega) > 0 ||
         (bends && clamped_bending_frequencies_below(piece, omega) > 0);
}

Beam refined(const SpectralBeam& structure, double omega) {
  Beam beam = structure.beam();
  const std::vector<BeamNode>& nodes = structure.nodes();
  const SpectralModel& model = structure.model();
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    SpectralPiece part = model.pieces[i];
    int parts = 1;
    while (resonates(part, model.bends, margin * omega)) part.length = model.pieces[i].length / ++parts;
    for (int n = 1; n < parts; ++n) beam.points.push_back({"", nodes[i].at + n * part.length});
  }
  return beam;
}

/// Real Z and dZ/dω of an undamped beam.
struct Pencil {
  Matrix z, derivative;

  Pencil(const SpectralBeam& undamped, double omega) {
    ComplexMatrix z_complex, derivative_complex;
    undamped.dynamic_stiffness(omega, z_complex, derivative_complex);
    z = z_complex.real();
    derivative = derivative_complex.real();
  }
};

/// The motions that would resonate with the smallest changes of the frequency, to first order.
Matrix nearest_motions(const Pencil& pencil, Index count) {
  const Vector scale = equilibration(pencil.z);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(Matrix(scale.asDiagonal() * pencil.z * scale.asDiagonal()));
  const Matrix motions = scale.asDiagonal() * solver.eigenvectors();
  Vector distance(motions.cols());
  for (Index i = 0; i < motions.cols(); ++i) {
    distance[i] = std::abs(solver.eigenvalues()[i] / motions.col(i).dot(pencil.derivative * motions.col(i)));
  }
  std::vector<Index> order(static_cast<std::size_t>(motions.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return distance[a] < distance[b]; });
  order.resize(static_cast<std::size_t>(std::min(count, motions.cols())));
  return motions(Eigen::all, order);
}

struct Correction {
  Vector change;  // of ω, ascending
  Matrix shapes;
};

Correction correction(const SpectralBeam& undamped, double omega, Index count) {
  const Pencil pencil(undamped, omega);
  const Matrix space = nearest_motions(pencil, count + neighbours);
  const Matrix stiffness = space.transpose() * pencil.z * space;
  const Matrix inertia = -(space.transpose() * pencil.derivative * space);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(stiffness, inertia);
  const Vector& change = solver.eigenvalues();
  Index first = 0;  // `count` consecutive ones, those nearest to zero
  while (first + count < change.size() && std::abs(change[first + count]) < std::abs(change[first])) ++first;
  // xᵀ (−dZ/dω) x = 1 becomes a modal mass of 1: −dZ/dω = 2ωM.
  return {.change = change.segment(first, count),
          .shapes = std::sqrt(2.0 * omega) * (space * solver.eigenvectors().middleCols(first, count))};
}

}  // namespace

ModeGroup modes_of(const SpectralBeam& structure, const FrequencyGroup& group) {
  SpectralBeam undamped(without_damping(refined(structure, group.omega)));
  double omega = group.omega;
  Correction last;
  for (int i = 0; i < most_corrections; ++i) {
    last = correction(undamped, omega, group.count);
    const double step = last.change.mean();
    if (std::abs(step) <= converged * omega) break;
    omega += step;
    last.change.array() -= step;
  }
  return {
      .frequencies = last.change.array() + omega, .shapes = std::move(last.shapes), .undamped = std::move(undamped)};
}

Matrix rigid_shapes(const SpectralBeam& undamped, double reference) {
  const Matrix motions = rigid_motions(undamped.beam());
  const std::vector<BeamNode>& nodes = undamped.nodes();
  Matrix shapes(undamped.size(), motions.cols());
  for (Index i = 0; i < motions.cols(); ++i) {
    Matrix nodal(static_cast<Index>(nodes.size()), 3);
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      nodal.row(static_cast<Index>(node)) =
          rigid_motion_at(undamped.beam(), motions.col(i), nodes[node].at).transpose();
    }
    shapes.col(i) = undamped.to_coordinates(nodal);
  }
  const double omega = almost_static * reference;
  const Matrix mass = shapes.transpose() * Pencil(undamped, omega).derivative * shapes / (-2.0 * omega);
  const Matrix lower = mass.llt().matrixL();
  return lower.triangularView<Eigen::Lower>().solve(shapes.transpose()).transpose();
}

Beam without_damping(Beam beam) {
  for (BeamSection& section : beam.sections) section.loss_factor = 0.0;
  for (BeamSupport& support : beam.supports) support.damping = {};
  for (BeamSpring& spring : beam.springs) spring.damping = {};
  return beam;
}

Vector equilibration(const Matrix& z) { return z.cwiseAbs().rowwise().maxCoeff().cwiseSqrt().cwiseInverse(); }

}  // namespace masing::detail
