#include "masing/analysis/detail/loop_measures.hpp"

#include <cmath>

namespace masing::detail {
namespace {

/// Trapezoidal rule over every `stride`-th row.
double trapezoidal(const Matrix& displacement, const Matrix& force, Index first, Index last, Index stride) {
  double work = 0.0;
  for (Index i = first; i < last; i += stride) {
    const Index next = i + stride;
    work += 0.5 * (force.row(i) + force.row(next)).dot(displacement.row(next) - displacement.row(i));
  }
  return work;
}

/// Slope of the force of the first input between two rows; NaN when they have the same displacement, or when another
/// input has moved as well, because the force then has not changed by the displacement alone.
double slope_between(const Matrix& displacement, const Matrix& force, Index from, Index to) {
  const double step = displacement(to, 0) - displacement(from, 0);
  const Index others = displacement.cols() - 1;
  const bool alone = displacement.row(to).tail(others) == displacement.row(from).tail(others);
  return step == 0.0 || !alone ? JointLoop::none : (force(to, 0) - force(from, 0)) / step;
}

}  // namespace

MeasuredWork& MeasuredWork::operator+=(const MeasuredWork& other) {
  value += other.value;
  error += other.error;
  return *this;
}

MeasuredWork work_between(const Matrix& displacement, const Matrix& force, Index first, Index last) {
  const double fine = trapezoidal(displacement, force, first, last, 1);
  const double step = (fine - trapezoidal(displacement, force, first, last, 2)) / 3.0;
  return {fine + step, std::abs(step)};
}

Vector running_work(const Matrix& displacement, const Matrix& force) {
  Vector work = Vector::Zero(displacement.rows());
  for (Index i = 1; i < work.size(); ++i) work[i] = work[i - 1] + trapezoidal(displacement, force, i - 1, i, 1);
  return work;
}

void measure_forces(const Matrix& displacement, const Matrix& force, JointLoop& loop) {
  loop.largest_force = force.col(0).maxCoeff();
  loop.smallest_force = force.col(0).minCoeff();
  const double range = displacement.col(0).maxCoeff() - displacement.col(0).minCoeff();
  if (range > 0.0) loop.secant_stiffness = (loop.largest_force - loop.smallest_force) / range;
  if (loop.inputs.back() != "normal") return;
  loop.largest_normal_force = force.rightCols(1).maxCoeff();
  loop.smallest_normal_force = force.rightCols(1).minCoeff();
}

void measure_closed(const Matrix& displacement, const Matrix& force, JointLoop& loop) {
  measure_forces(displacement, force, loop);
  const Index steps = displacement.rows() - 1;
  Index top = 0;
  displacement.col(0).head(steps).maxCoeff(&top);
  loop.end_stiffness = slope_between(displacement, force, top == 0 ? steps - 1 : top - 1, top == 0 ? steps : top);
  loop.stick_stiffness = slope_between(displacement, force, top, top + 1);
  loop.mean_force = force.col(0).head(steps).mean();
  const double half_range = 0.5 * (displacement.col(0).maxCoeff() - displacement.col(0).minCoeff());
  const double elastic = pi * loop.secant_stiffness * half_range * half_range;
  if (elastic > 0.0) loop.loss_factor = loop.energy / elastic;
}

void measure_ramp(const Matrix& displacement, const Matrix& force, JointLoop& loop) {
  measure_forces(displacement, force, loop);
  const Index steps = displacement.rows() - 1;
  loop.stick_stiffness = slope_between(displacement, force, 0, 1);
  loop.end_stiffness = slope_between(displacement, force, steps - 1, steps);
}

Matrix thinned(const Matrix& rows) {
  Matrix kept((rows.rows() - 1) / refinement + 1, rows.cols());
  for (Index i = 0; i < kept.rows(); ++i) kept.row(i) = rows.row(i * refinement);
  return kept;
}

}  // namespace masing::detail
