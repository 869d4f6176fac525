#include "masing/contact/joint.hpp"

#include "masing/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace masing {

void check_quadratic_motions(const Joint& joint, Index coordinates) {
  std::set<int> inputs;
  for (const QuadraticMotion& motion : joint.quadratic) {
    const SparseMatrix& g = motion.matrix;
    require(motion.input >= 0 && motion.input < joint.element->inputs() && inputs.insert(motion.input).second,
            "joint '{}': a quadratic motion is for input {}; the law has {} inputs, and each takes one at most.",
            joint.name, motion.input, joint.element->inputs());
    require(g.rows() == coordinates && g.cols() == coordinates,
            "joint '{}': the matrix of its quadratic motion is {} x {}; it must be {} x {}, a row for each coordinate.",
            joint.name, g.rows(), g.cols(), coordinates, coordinates);
    const SparseMatrix transposed = g.transpose();
    constexpr double rounding = 1e-12;
    require((g - transposed).norm() <= rounding * g.norm(),
            "joint '{}': the matrix of its quadratic motion must be symmetric.", joint.name);
  }
}

Vector relative_motion(const Joint& joint, const Vector& q) {
  Vector u = joint.directions.transpose() * q;
  for (const QuadraticMotion& motion : joint.quadratic) u[motion.input] -= 0.5 * q.dot(motion.matrix * q);
  return u;
}

SparseMatrix directions_about(const Joint& joint, const Vector& q) {
  if (joint.quadratic.empty()) return joint.directions;
  Matrix directions = joint.directions;
  for (const QuadraticMotion& motion : joint.quadratic) directions.col(motion.input) -= motion.matrix * q;
  return directions.sparseView();
}

std::vector<std::string> input_names(std::span<const Joint> joints) {
  std::vector<std::string> names;
  for (const Joint& joint : joints) {
    const int inputs = joint.element->inputs();
    for (int i = 1; i <= inputs; ++i) {
      names.push_back(inputs == 1 ? joint.name : fmt::format("{}.{}", joint.name, i));
    }
  }
  return names;
}

bool any_quadratic(std::span<const Joint> joints) {
  return std::any_of(joints.begin(), joints.end(), [](const Joint& joint) { return !joint.quadratic.empty(); });
}

SparseMatrix felt_directions(std::span<const Joint> joints, Index coordinates) {
  std::vector<Eigen::Triplet<double>> entries;
  std::set<Index> bent;
  Index column = 0;
  for (const Joint& joint : joints) {
    for (Index d = 0; d < joint.directions.cols(); ++d, ++column) {
      for (SparseMatrix::InnerIterator it(joint.directions, d); it; ++it) {
        entries.emplace_back(it.row(), column, it.value());
      }
    }
    check_quadratic_motions(joint, coordinates);
    for (const QuadraticMotion& motion : joint.quadratic) {
      for (Index d = 0; d < motion.matrix.outerSize(); ++d) {
        for (SparseMatrix::InnerIterator it(motion.matrix, d); it; ++it) bent.insert(it.row());
      }
    }
  }
  for (const Index coordinate : bent) entries.emplace_back(coordinate, column++, 1.0);
  SparseMatrix directions(coordinates, column);
  directions.setFromTriplets(entries.begin(), entries.end());
  return directions;
}

}  // namespace masing
