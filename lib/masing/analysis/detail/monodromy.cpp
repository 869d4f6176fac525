#include "masing/analysis/detail/monodromy.hpp"

#include <Eigen/LU>
#include <utility>

namespace masing::detail {

void Monodromy::begin(const JointVariation& variation, double omega) {
  omega_ = omega;
  damping_ = form_.damping_at(omega) / omega;
  stiffness_ = form_.stiffness / (omega * omega);
  constexpr double dust = 1e-13;
  Matrix coupling = damping_;
  coupling.diagonal().setZero();
  uncoupled_ = coupling.cwiseAbs().maxCoeff() <= dust * damping_.cwiseAbs().maxCoeff();
  const Index n = form_.size(), m = variation.inputs();
  const auto carried = static_cast<Index>(variation.carried().size());
  const Index columns = 2 * n + carried;
  motion_.setZero(n, columns);
  rate_.setZero(n, columns);
  motion_.leftCols(n).setIdentity();
  rate_.middleCols(n, n).setIdentity();
  memory_.setZero(variation.sources(), columns);
  for (Index i = 0; i < carried; ++i) memory_(variation.carried()[static_cast<std::size_t>(i)], 2 * n + i) = 1.0;
  force_.setZero(m, columns);
  for (Slopes* slopes : {&begin_, &end_}) {
    slopes->by_displacement.setZero(m, m);
    slopes->by_velocity.setZero(m, m);
    slopes->remembered.setZero(m, columns);
  }
  relative_ = form_.directions.transpose() * motion_;
  relative_rate_ = form_.directions.transpose() * rate_;
  event_ = 0;
}

// (1 + h/2 C + h²/4 K) r'_b = (1 − h/2 C − h²/4 K) r'_a − h K r_a − h/2 B (f_a + f_b)/Ω²
Monodromy::StepOperator Monodromy::make_operator(double length) const {
  const double half = 0.5 * length;
  const Matrix force = form_.directions / (omega_ * omega_);
  StepOperator result{.length = length};
  if (uncoupled_) {
    const Eigen::ArrayXd part = half * damping_.diagonal().array() + half * half * stiffness_.array();
    const Eigen::ArrayXd inverse = (1.0 + part).inverse();
    result.by_rate = (inverse * (1.0 - part)).matrix();
    result.by_motion = (-length * inverse * stiffness_.array()).matrix();
    result.response = inverse.matrix().asDiagonal() * force;
  } else {
    const Index n = form_.size();
    Matrix part = half * damping_;
    part.diagonal() += half * half * stiffness_;
    const Eigen::PartialPivLU<Matrix> factor(Matrix::Identity(n, n) + part);
    result.by_rate = factor.solve(Matrix::Identity(n, n) - part);
    result.by_motion = factor.solve(Matrix((-length * stiffness_).asDiagonal()));
    result.response = factor.solve(force);
  }
  result.interface_response = form_.directions.transpose() * result.response;
  return result;
}

void Monodromy::load(const JointVariation& variation, Index sample, Slopes& slopes) {
  variation.tangents(sample, slopes.by_displacement, slopes.by_velocity);
  variation.remembered(sample, memory_, slopes.remembered);
}

void Monodromy::force(const Slopes& slopes) {
  force_ = slopes.remembered;
  force_.noalias() += slopes.by_displacement * relative_;
  force_.noalias() += omega_ * slopes.by_velocity * relative_rate_;
}

void Monodromy::step(const StepOperator& step, const Slopes& end) {
  const double half = 0.5 * step.length;
  const Index m = force_.rows();
  Matrix next(rate_.rows(), rate_.cols());
  if (uncoupled_) {
    next = step.by_rate.col(0).asDiagonal() * rate_;
    next += step.by_motion.col(0).asDiagonal() * motion_;
  } else {
    next.noalias() = step.by_rate * rate_;
    next.noalias() += step.by_motion * motion_;
  }
  if (m > 0) {
    const Matrix coasting = relative_ + half * relative_rate_;
    const Matrix known = force_ + end.remembered + end.by_displacement * coasting;
    next.noalias() -= half * step.response * known;
    const Matrix gain = half * half * end.by_displacement + (half * omega_) * end.by_velocity;
    const Matrix closing = Matrix::Identity(m, m) + step.interface_response * gain;
    const Matrix rate = closing.partialPivLu().solve(form_.directions.transpose() * next);
    next.noalias() -= step.response * (gain * rate);
  }
  motion_ += half * (rate_ + next);
  rate_.swap(next);
  relative_.noalias() = form_.directions.transpose() * motion_;
  relative_rate_.noalias() = form_.directions.transpose() * rate_;
  force(end);
}

// Sources before the period take the values that their parents had at the end of the one before, all at once.
void Monodromy::take_over(const JointVariation& variation) {
  const Matrix before = memory_;
  Matrix after = memory_;
  const auto& events = variation.events();
  for (; event_ < events.size() && events[event_].time < 0.0; ++event_) {
    memory_ = before;
    variation.set(events[event_].source, relative_, relative_rate_, omega_, memory_);
    after.row(events[event_].source) = memory_.row(events[event_].source);
  }
  memory_ = after;
}

void Monodromy::set_sources(const JointVariation& variation, double until) {
  const auto& events = variation.events();
  for (; event_ < events.size() && events[event_].time <= until; ++event_) {
    if (events[event_].source >= 0) variation.set(events[event_].source, relative_, relative_rate_, omega_, memory_);
  }
}

// With the slopes of the beginning up to each instant; from it on with those of the end.
void Monodromy::cross_events(const JointVariation& variation, Index next, double begin, double end) {
  const auto& events = variation.events();
  double at = begin;
  bool first = true;
  while (event_ < events.size() && events[event_].time < end) {
    const double time = events[event_].time;
    if (time > at) step(make_operator(time - at), first ? begin_ : end_);
    set_sources(variation, time);
    load(variation, next, end_);
    force(end_);
    at = time;
    first = false;
  }
  if (end > at) step(make_operator(end - at), end_);
}

Matrix Monodromy::matrix(const JointVariation& variation, double omega, Index stride) {
  begin(variation, omega);
  take_over(variation);
  const auto samples = static_cast<double>(variation.samples());
  const StepOperator regular = make_operator(2.0 * pi * static_cast<double>(stride) / samples);
  const auto& events = variation.events();
  load(variation, 0, begin_);
  force(begin_);
  for (Index i = 0; i < variation.samples(); i += stride) {
    const double from = 2.0 * pi * static_cast<double>(i) / samples;
    const double to = 2.0 * pi * static_cast<double>(i + stride) / samples;
    const Index next = (i + stride) % variation.samples();
    set_sources(variation, from);
    if (event_ < events.size() && events[event_].time < to) {
      cross_events(variation, next, from, to);
    } else {
      load(variation, next, end_);
      step(regular, end_);
    }
    std::swap(begin_, end_);
  }
  const Index n = form_.size();
  const auto& carried = variation.carried();
  Matrix result(motion_.cols(), motion_.cols());
  result.topRows(n) = motion_;
  result.middleRows(n, n) = rate_;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    result.row(2 * n + static_cast<Index>(i)) = memory_.row(carried[i]);
  }
  return result;
}

}  // namespace masing::detail
