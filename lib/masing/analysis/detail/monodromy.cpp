#include "masing/analysis/detail/monodromy.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <utility>

namespace masing::detail {

namespace {

// Lobatto IIIA with three nodes. r' and r at middle and end, by r'' at the beginning and by r'' at middle and end:
//   r'_j = r'_a + h (first_j r''_a + Σ by_j r''),   r_j = r_a + h place_j r'_a + h² (first_twice_j r''_a + Σ twice_j r'')
const Eigen::Vector2d place(0.5, 1.0);
const Eigen::Vector2d first(5.0 / 24.0, 1.0 / 6.0);
const Eigen::Matrix2d by{{1.0 / 3.0, -1.0 / 24.0}, {2.0 / 3.0, 1.0 / 6.0}};
const Eigen::Vector2d first_twice = by * first;
const Eigen::Matrix2d twice = by * by;

// weights ⊗ 1, applied to rows of middle above rows of end.
Matrix mixed(const Eigen::Matrix2d& weights, const Matrix& stacked) {
  const Index half = stacked.rows() / 2;
  Matrix result(stacked.rows(), stacked.cols());
  for (Index j = 0; j < 2; ++j) {
    result.middleRows(j * half, half) =
        weights(j, 0) * stacked.topRows(half) + weights(j, 1) * stacked.bottomRows(half);
  }
  return result;
}

}  // namespace

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
  for (VariationSlopes& slopes : slopes_) slopes.set_zero(m, columns);
  relative_ = form_.directions.transpose() * motion_;
  relative_rate_ = form_.directions.transpose() * rate_;
  for (Matrix* room : {&coasting_, &coasting_rate_, &accelerations_, &load_}) room->setZero(nodes * n, columns);
  for (Matrix* room : {&felt_, &felt_rate_, &known_, &forces_}) room->setZero(nodes * m, columns);
  gain_.setZero(nodes * m, nodes * m);
  rate_gain_.setZero(nodes * m, nodes * m);
  event_ = 0;
}

Monodromy::StepOperator Monodromy::make_operator(double length) const {
  StepOperator result{.length = length};
  if (uncoupled_) {
    answer_uncoupled(result);
  } else {
    answer_coupled(result);
  }
  const Index n = form_.size(), m = form_.directions.cols();
  Matrix felt(nodes * m, nodes * m);
  felt.topRows(m).noalias() = form_.directions.transpose() * result.response.topRows(n);
  felt.bottomRows(m).noalias() = form_.directions.transpose() * result.response.bottomRows(n);
  result.displacement = mixed(length * length * twice, felt);
  result.rate = mixed(length * by, felt);
  return result;
}

// (1 + h C by + h² K twice)⁻¹ of each mode.
void Monodromy::answer_uncoupled(StepOperator& step) const {
  const Index n = form_.size(), m = form_.directions.cols();
  const double h = step.length;
  step.answer.resize(n, nodes * nodes);
  step.response.resize(nodes * n, nodes * m);
  for (Index i = 0; i < n; ++i) {
    const Eigen::Matrix2d inverse =
        (Eigen::Matrix2d::Identity() + h * damping_(i, i) * by + h * h * stiffness_[i] * twice).inverse();
    for (Index j = 0; j < nodes; ++j) {
      for (Index k = 0; k < nodes; ++k) {
        step.answer(i, nodes * j + k) = inverse(j, k);
        step.response.block(j * n + i, k * m, 1, m) = (inverse(j, k) / (omega_ * omega_)) * form_.directions.row(i);
      }
    }
  }
}

void Monodromy::answer_coupled(StepOperator& step) const {
  const Index n = form_.size(), m = form_.directions.cols();
  const double h = step.length;
  Matrix system = Matrix::Identity(nodes * n, nodes * n);
  Matrix load = Matrix::Zero(nodes * n, nodes * m);
  for (Index j = 0; j < nodes; ++j) {
    for (Index k = 0; k < nodes; ++k) {
      auto block = system.block(j * n, k * n, n, n);
      block += h * by(j, k) * damping_;
      block.diagonal() += h * h * twice(j, k) * stiffness_;
    }
    load.block(j * n, j * m, n, m) = form_.directions / (omega_ * omega_);
  }
  step.answer = system.partialPivLu().inverse();
  step.response.noalias() = step.answer * load;
}

// r'' at the beginning of a step, from the motion there.
void Monodromy::accelerate(const VariationSlopes& slopes) {
  acceleration_ = -(stiffness_.asDiagonal() * motion_);
  if (uncoupled_) {
    acceleration_ -= damping_.diagonal().asDiagonal() * rate_;
  } else {
    acceleration_.noalias() -= damping_ * rate_;
  }
  if (relative_.rows() == 0) return;
  Matrix force = slopes.remembered;
  force.noalias() += slopes.by_displacement * relative_;
  force.noalias() += omega_ * slopes.by_velocity * relative_rate_;
  acceleration_.noalias() -= form_.directions * (force / (omega_ * omega_));
}

// What the beginning alone would lead to at middle and end.
void Monodromy::coast(double h) {
  const Index n = form_.size(), m = relative_.rows();
  for (Index j = 0; j < nodes; ++j) {
    auto motion = coasting_.middleRows(j * n, n);
    auto rate = coasting_rate_.middleRows(j * n, n);
    motion = motion_ + h * place[j] * rate_ + h * h * first_twice[j] * acceleration_;
    rate = rate_ + h * first[j] * acceleration_;
    auto load = load_.middleRows(j * n, n);
    load = -(stiffness_.asDiagonal() * motion);
    if (uncoupled_) {
      load -= damping_.diagonal().asDiagonal() * rate;
    } else {
      load.noalias() -= damping_ * rate;
    }
    felt_.middleRows(j * m, m).noalias() = form_.directions.transpose() * motion;
    felt_rate_.middleRows(j * m, m).noalias() = form_.directions.transpose() * rate;
  }
}

// r'' at middle and end without the joints.
void Monodromy::apply(const StepOperator& step) {
  if (!uncoupled_) {
    accelerations_.noalias() = step.answer * load_;
    return;
  }
  const Index n = form_.size();
  for (Index j = 0; j < nodes; ++j) {
    accelerations_.middleRows(j * n, n) = step.answer.col(nodes * j).asDiagonal() * load_.topRows(n);
    accelerations_.middleRows(j * n, n) += step.answer.col(nodes * j + 1).asDiagonal() * load_.bottomRows(n);
  }
}

// The joints' forces at middle and end act on the motion that they depend on.
void Monodromy::close_joints(const StepOperator& step) {
  const Index n = form_.size(), m = relative_.rows();
  const double h = step.length;
  Matrix answered(nodes * m, accelerations_.cols());
  for (Index j = 0; j < nodes; ++j) {
    answered.middleRows(j * m, m).noalias() = form_.directions.transpose() * accelerations_.middleRows(j * n, n);
  }
  felt_ += mixed(h * h * twice, answered);
  felt_rate_ += mixed(h * by, answered);
  for (Index j = 0; j < nodes; ++j) {
    const VariationSlopes& slopes = slopes_[static_cast<std::size_t>(1 + j)];
    const auto rows = Eigen::seqN(j * m, m);
    known_(rows, Eigen::all) = slopes.remembered;
    known_(rows, Eigen::all) += slopes.by_displacement * felt_(rows, Eigen::all);
    known_(rows, Eigen::all) += omega_ * slopes.by_velocity * felt_rate_(rows, Eigen::all);
    gain_(rows, Eigen::all) = slopes.by_displacement * step.displacement(rows, Eigen::all);
    gain_(rows, Eigen::all) += omega_ * slopes.by_velocity * step.rate(rows, Eigen::all);
  }
  gain_.diagonal().array() += 1.0;
  forces_ = gain_.partialPivLu().solve(known_);
  accelerations_.noalias() -= step.response * forces_;
}

void Monodromy::step(const StepOperator& step) {
  coast(step.length);
  apply(step);
  if (relative_.rows() > 0) close_joints(step);
  const Index n = form_.size();
  const double h = step.length;
  const auto middle = accelerations_.topRows(n);
  const auto end = accelerations_.bottomRows(n);
  motion_ = coasting_.bottomRows(n) + h * h * (twice(1, 0) * middle + twice(1, 1) * end);
  rate_ = coasting_rate_.bottomRows(n) + h * (by(1, 0) * middle + by(1, 1) * end);
  acceleration_ = end;
  relative_.noalias() = form_.directions.transpose() * motion_;
  relative_rate_.noalias() = form_.directions.transpose() * rate_;
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

void Monodromy::cross_piece(const JointVariation& variation, double begin, double end) {
  const std::array<double, 3> times = {begin, 0.5 * (begin + end), end};
  for (std::size_t i = 0; i < times.size(); ++i) variation.slopes_between(begin, end, times[i], memory_, slopes_[i]);
  accelerate(slopes_[0]);
  step(make_operator(end - begin));
}

void Monodromy::cross_events(const JointVariation& variation, double begin, double end) {
  const auto& events = variation.events();
  for (double at = begin; at < end;) {
    set_sources(variation, at);
    const double next = event_ < events.size() ? std::min(events[event_].time, end) : end;
    cross_piece(variation, at, next);
    at = next;
  }
}

Matrix Monodromy::matrix(const JointVariation& variation, double omega) {
  begin(variation, omega);
  take_over(variation);
  const Index samples = variation.samples();
  const auto time_of = [&](Index sample) {
    return 2.0 * pi * static_cast<double>(sample) / static_cast<double>(samples);
  };
  const StepOperator regular = make_operator(time_of(2));
  bool known = false;  // slopes and accelerations at the beginning of the step, from the end of the one before
  for (Index i = 0; i < samples; i += 2) {
    if (!variation.is_smooth(i)) {
      cross_events(variation, time_of(i), time_of(i + 2));
      known = false;
      continue;
    }
    if (!known) {
      variation.slopes_at(i, memory_, slopes_[0]);
      accelerate(slopes_[0]);
    }
    variation.slopes_at(i + 1, memory_, slopes_[1]);
    variation.slopes_at((i + 2) % samples, memory_, slopes_[2]);
    step(regular);
    known = true;
  }
  set_sources(variation, time_of(samples));
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
