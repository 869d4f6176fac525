#include "masing/contact/loop.hpp"

#include "masing/core/error.hpp"

namespace masing {
namespace {

void check_sizes(const ContactElement& element, MatrixView displacement, MatrixView velocity) {
  require(displacement.rows() > 0 && displacement.cols() == element.inputs(),
          "The displacement history has {} samples of {} inputs; the law needs at least one sample of {}.",
          displacement.rows(), displacement.cols(), element.inputs());
  const bool same = velocity.rows() == displacement.rows() && velocity.cols() == displacement.cols();
  require(same || (velocity.size() == 0 && !element.uses_velocity()),
          "The velocity history is {} x {}, the displacement history {} x {}; they must have the same size (a "
          "law that does not use the velocity also takes none at all).",
          velocity.rows(), velocity.cols(), displacement.rows(), displacement.cols());
}

}  // namespace

History march_history(const ContactElement& element, MatrixView displacement, MatrixView velocity) {
  check_sizes(element, displacement, velocity);
  const Index samples = displacement.rows();
  History history{.force = Matrix(samples, displacement.cols()), .work = Vector::Zero(samples)};
  const std::unique_ptr<ContactPoint> point = element.at_rest();
  Motion<Eigen::Dynamic> motion;
  motion.velocity.setZero(displacement.cols());
  for (Index i = 0; i < samples; ++i) {
    motion.displacement = displacement.row(i).transpose();
    if (velocity.size() > 0) motion.velocity = velocity.row(i).transpose();
    history.force.row(i) = point->advance(motion).force.transpose();
    if (i == 0) continue;
    const auto step = displacement.row(i) - displacement.row(i - 1);
    history.work[i] = history.work[i - 1] + 0.5 * (history.force.row(i) + history.force.row(i - 1)).dot(step);
  }
  return history;
}

double loop_area(MatrixView displacement, MatrixView force) {
  require(displacement.rows() == force.rows() && displacement.cols() == force.cols(),
          "A loop needs as many displacements ({} x {}) as forces ({} x {}).", displacement.rows(), displacement.cols(),
          force.rows(), force.cols());
  const Index samples = displacement.rows();
  double area = 0.0;
  for (Index i = 0; i < samples; ++i) {
    const Index next = i + 1 < samples ? i + 1 : 0;
    area += 0.5 * (force.row(i) + force.row(next)).dot(displacement.row(next) - displacement.row(i));
  }
  return area;
}

}  // namespace masing
