#include "masing/analysis/detail/joint_tangents.hpp"

#include "masing/contact/small_motion.hpp"

#include <set>

namespace masing::detail {
namespace {

Matrix symmetric_part(const Matrix& matrix) { return 0.5 * (matrix + matrix.transpose()); }

/// −f G between the coordinates that enter it.
LinearAttachment geometric_stiffness(const QuadraticMotion& motion, double force) {
  std::set<Index> entering;
  for (Index d = 0; d < motion.matrix.outerSize(); ++d) {
    for (SparseMatrix::InnerIterator it(motion.matrix, d); it; ++it) entering.insert(it.row());
  }
  const auto count = static_cast<Index>(entering.size());
  SparseMatrix directions(motion.matrix.rows(), count);
  Index column = 0;
  for (const Index coordinate : entering) directions.insert(coordinate, column++) = 1.0;
  return {.directions = directions,
          .stiffness = -force * Matrix(directions.transpose() * motion.matrix * directions),
          .damping = Matrix::Zero(count, count)};
}

}  // namespace

JointTangent joint_tangent(const Joint& joint, const Vector& q) {
  const SmallMotion linear = small_motion(*joint.element, relative_motion(joint, q));
  JointTangent tangent;
  tangent.finite = linear.stiffness.allFinite() && linear.damping.allFinite();
  if (!tangent.finite) return tangent;
  const double size = linear.stiffness.cwiseAbs().maxCoeff() + linear.damping.cwiseAbs().maxCoeff();
  const double skew = (linear.stiffness - linear.stiffness.transpose()).cwiseAbs().maxCoeff() +
                      (linear.damping - linear.damping.transpose()).cwiseAbs().maxCoeff();
  tangent.asymmetry = size > 0.0 ? skew / size : 0.0;
  tangent.attachments.push_back({.directions = directions_about(joint, q),
                                 .stiffness = symmetric_part(linear.stiffness),
                                 .damping = symmetric_part(linear.damping)});
  for (const QuadraticMotion& motion : joint.quadratic) {
    const double force = linear.force[motion.input];
    if (force != 0.0) tangent.attachments.push_back(geometric_stiffness(motion, force));
  }
  return tangent;
}

}  // namespace masing::detail
