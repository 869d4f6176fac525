#include "masing/analysis/detail/bent_variation.hpp"

#include <cmath>

namespace masing::detail {

BentVariation::BentVariation(std::span<const Joint> joints, const ModalForm& form)
    : JointVariation(joints), form_(form), further_(form.inputs() - JointVariation::inputs()) {
  for (std::size_t j = 0; j < joints.size(); ++j) {
    for (int i = 0; i < joints[j].element->inputs(); ++i) joint_of_input_.push_back(static_cast<Index>(j));
  }
}

void BentVariation::take(JointForces& forces, Index samples, DraggedSliders dragged, const HarmonicSet& set,
                         const Matrix& motion, double omega) {
  JointVariation::take(forces, samples, dragged);
  if (further_ == 0) return;
  set_ = set;
  omega_ = omega;
  motion_ = motion.bottomRows(further_);
  force_ = forces.force_samples();
}

BentVariation::Lift BentVariation::lift_at(double time) const {
  const Index own = JointVariation::inputs();
  Vector value = Vector::Zero(further_), rate = Vector::Zero(further_);
  for (Index i = 0; i < set_.count(); ++i) {
    const double k = set_[i], cosine = std::cos(k * time), sine = std::sin(k * time);
    value += cosine * motion_.col(set_.cosine(i));
    if (set_[i] == 0) continue;
    value += sine * motion_.col(set_.sine(i));
    rate += k * (cosine * motion_.col(set_.sine(i)) - sine * motion_.col(set_.cosine(i)));
  }
  Lift lift{Matrix::Zero(own, own + further_), Matrix::Zero(own, own + further_)};
  lift.value.leftCols(own).setIdentity();
  for (const Bend& bend : form_.bends) {
    lift.value(bend.input, bend.motion) = -bend.sign * value[bend.motion - own];
    lift.rate(bend.input, bend.motion) = -bend.sign * rate[bend.motion - own];
  }
  return lift;
}

/// From slopes between the inputs of the joints to those between all linear motions.
template <class Force>
void BentVariation::raise(double time, const Force& force_of, VariationSlopes& slopes) const {
  const Lift lift = lift_at(time);
  const Matrix by_velocity = slopes.by_velocity * lift.value;
  const Matrix by_displacement = slopes.by_displacement * lift.value + omega_ * slopes.by_velocity * lift.rate;
  slopes.by_displacement = lift.value.transpose() * by_displacement;
  slopes.by_velocity = lift.value.transpose() * by_velocity;
  slopes.remembered = (lift.value.transpose() * slopes.remembered).eval();
  for (const Bend& bend : form_.bends) {
    slopes.by_displacement(bend.motion, bend.motion) -= bend.sign * force_of(bend.input);
  }
}

void BentVariation::slopes_at(Index sample, const Matrix& memory, VariationSlopes& slopes) const {
  JointVariation::slopes_at(sample, memory, slopes);
  if (further_ > 0)
    raise(
        time_of(sample), [&](Index input) { return force_(sample, input); }, slopes);
}

void BentVariation::slopes_between(double begin, double end, double time, const Matrix& memory,
                                   VariationSlopes& slopes) const {
  JointVariation::slopes_between(begin, end, time, memory, slopes);
  if (further_ == 0) return;
  const auto force_of = [&](Index input) {
    return between(joint_of_input_[static_cast<std::size_t>(input)], force_.col(input), begin, end, time);
  };
  raise(time, force_of, slopes);
}

void BentVariation::set(Index source, const Matrix& displacement, const Matrix& rate, double omega,
                        Matrix& memory) const {
  if (further_ == 0) return JointVariation::set(source, displacement, rate, omega, memory);
  const Lift lift = lift_at(time_of_source(source));
  JointVariation::set(source, lift.value * displacement, lift.value * rate + lift.rate * displacement, omega, memory);
}

bool BentVariation::pulse(Index source, const Matrix& memory, Matrix& forces) const {
  if (!JointVariation::pulse(source, memory, forces)) return false;
  if (further_ == 0) return true;
  const Matrix own = forces.topRows(JointVariation::inputs());
  forces.noalias() = lift_at(time_of_source(source)).value.transpose() * own;
  return true;
}

}  // namespace masing::detail
