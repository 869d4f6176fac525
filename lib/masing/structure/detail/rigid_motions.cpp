#include "masing/structure/detail/rigid_motions.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace masing::detail {
namespace {

/// Row i: how motion i at x follows from the rigid motion.
Eigen::Matrix3d at(const Beam& beam, double x) {
  const double length = beam.end() - beam.begin();
  Eigen::Matrix3d map = Eigen::Matrix3d::Identity();
  map(1, 2) = (x - 0.5 * (beam.begin() + beam.end())) / length;
  map(2, 2) = 1.0 / length;
  return map;
}

}  // namespace

Matrix rigid_motions(const Beam& beam) {
  // Of Gᵀ G, with a row of G for each restrained motion: an eigenvalue is 0 or at least of the order of the square of
  // the distance between two supports over the length.
  constexpr double unrestrained = 1e-14;
  const double length = beam.end() - beam.begin();
  Eigen::Matrix3d gram = Eigen::Matrix3d::Zero();
  const auto restrain = [&](Eigen::RowVector3d row, std::size_t motion) {
    if (motion == 2) row *= length;
    gram += row.transpose() * row;
  };
  for (std::size_t motion = 0; motion < 3; ++motion) {
    const auto row = static_cast<Index>(motion);
    for (const BeamSupport& support : beam.supports) {
      if (support.fixed[motion] || support.stiffness[motion] > 0.0) restrain(at(beam, support.at).row(row), motion);
    }
    for (const BeamSpring& spring : beam.springs) {
      if (spring.stiffness[motion] > 0.0) {
        restrain(at(beam, spring.to).row(row) - at(beam, spring.from).row(row), motion);
      }
    }
  }
  for (const BeamCoupling& coupling : beam.couplings) {
    if (coupling.stiffness == 0.0) continue;
    Eigen::RowVector3d row = Eigen::RowVector3d::Zero();
    double largest = 0.0;
    for (const BeamCoupling::Term& term : coupling.terms) {
      const Eigen::RowVector3d felt = term.weight * at(beam, term.at).row(static_cast<Index>(term.motion));
      row += felt;
      largest = std::max(largest, felt.norm());
    }
    if (largest > 0.0) gram += row.transpose() * row / (largest * largest);
  }
  const Index motions = motions_per_node(beam.theory);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(gram.topLeftCorner(motions, motions));
  const Index free = (solver.eigenvalues().array() < unrestrained).count();
  Matrix result = Matrix::Zero(3, free);
  result.topRows(motions) = solver.eigenvectors().leftCols(free);
  return result;
}

Eigen::Vector3d rigid_motion_at(const Beam& beam, const Eigen::Vector3d& motion, double x) {
  return at(beam, x) * motion;
}

}  // namespace masing::detail
