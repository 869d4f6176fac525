// What is read off the samples of a loop.
#pragma once

#include "masing/analysis/detail/loop_path.hpp"

namespace masing::detail {

/// An energy with the estimate of its error [J].
struct MeasuredWork {
  double value = 0.0;
  double error = 0.0;

  MeasuredWork& operator+=(const MeasuredWork& other);
};

/// ∫ f · du over the rows first … last, an even number of steps: trapezoidal with all of them and with every second one,
/// extrapolated.
MeasuredWork work_between(const Matrix& displacement, const Matrix& force, Index first, Index last);

/// Work since the first row, for every row.
Vector running_work(const Matrix& displacement, const Matrix& force);

/// Largest and smallest forces, and the secant stiffness.
void measure_forces(const Matrix& displacement, const Matrix& force, JointLoop& loop);
/// The same; and for a closed curve, with all samples that were computed and loop.energy known: tangents at the reversal
/// behind the largest displacement, mean force and loss factor;
void measure_closed(const Matrix& displacement, const Matrix& force, JointLoop& loop);
/// for a curve that goes one way: tangents at its ends.
void measure_ramp(const Matrix& displacement, const Matrix& force, JointLoop& loop);

/// Keeps every `refinement`-th row, the last one included.
Matrix thinned(const Matrix& rows);

}  // namespace masing::detail
