#include "masing/contact/cycle.hpp"

#include "masing/contact/steady_cycle.hpp"
#include "masing/core/error.hpp"

#include <string>

namespace masing {

void CycleResult::resize(Index samples, int inputs, bool uses_velocity) {
  force.setZero(samples, inputs);
  by_displacement.resize(samples, inputs * inputs);
  by_velocity.resize(samples, uses_velocity ? inputs * inputs : 0);
}

namespace detail {
namespace {

std::string values(const MatrixView& matrix, Index row) {
  std::string text;
  for (Index column = 0; column < matrix.cols() && row < matrix.rows(); ++column) {
    if (column > 0) text += ", ";
    text += fmt::format("{}", matrix(row, column));
  }
  return text;
}

std::string motion_text(const PeriodicMotion& motion, Index sample) {
  return fmt::format("displacement [{}] m, velocity [{}] m/s", values(motion.displacement, sample),
                     values(motion.velocity, sample));
}

}  // namespace

void throw_not_finite(std::string_view law, const PeriodicMotion& motion, const CycleResult& result) {
  Index sample = 0;
  while (sample + 1 < result.force.rows() && result.force.row(sample).allFinite()) ++sample;
  throw NumericalError(fmt::format(
      "Contact law '{}' returned the force [{}] N at sample {} of {} ({}). Check its parameters, or whether the motion "
      "has grown beyond all bounds.",
      law, values(result.force, sample), sample, result.force.rows(), motion_text(motion, sample)));
}

void check_motion(std::string_view law, int inputs, bool uses_velocity, const PeriodicMotion& motion) {
  const Index samples = motion.displacement.rows();
  const bool sized = (samples > 0 || !motion.turns.empty()) && motion.displacement.cols() == inputs &&
                     (!uses_velocity || (motion.velocity.rows() == samples && motion.velocity.cols() == inputs));
  if (!sized) {
    throw NumericalError(fmt::format(
        "Contact law '{}' with {} inputs cannot be marched over {} x {} displacements and {} x {} velocities.", law,
        inputs, samples, motion.displacement.cols(), motion.velocity.rows(), motion.velocity.cols()));
  }
  if (motion.displacement.allFinite() && (!uses_velocity || motion.velocity.allFinite())) return;
  Index sample = 0;
  while (motion.displacement.row(sample).allFinite() && (!uses_velocity || motion.velocity.row(sample).allFinite()))
    ++sample;
  throw NumericalError(fmt::format("The motion handed to contact law '{}' is not finite at sample {} of {}: {}.", law,
                                   sample, samples, motion_text(motion, sample)));
}

}  // namespace detail
}  // namespace masing
