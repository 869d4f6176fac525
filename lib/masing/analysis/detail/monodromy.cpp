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

}  // namespace

// Of the structure alone, r at middle and end and r' at middle and end (rows), to r and r' at the beginning and to
// r''-like loads at beginning, middle and end (columns).
struct Monodromy::Answers {
  static constexpr std::size_t rows = 4, columns = 5;
  std::array<std::array<Matrix, columns>, rows> table;
};

void Monodromy::begin(const JointVariation& variation, double omega) {
  omega_ = omega;
  damping_ = form_.damping_at(omega) / omega;
  stiffness_ = form_.stiffness / (omega * omega);
  constexpr double dust = 1e-11;  // modes of a beam with 200 elements leave 2e-13 of coupling
  Matrix coupling = damping_;
  coupling.diagonal().setZero();
  uncoupled_ = coupling.cwiseAbs().maxCoeff() <= dust * damping_.cwiseAbs().maxCoeff();
  const Index n = form_.size(), m = variation.inputs();
  const auto carried = static_cast<Index>(variation.carried().size());
  const Index columns = 2 * n + carried;
  state_.setIdentity(2 * n, columns);
  next_.resize(2 * n, columns);
  memory_.setZero(variation.sources(), columns);
  for (Index i = 0; i < carried; ++i) memory_(variation.carried()[static_cast<std::size_t>(i)], 2 * n + i) = 1.0;
  for (VariationSlopes& slopes : slopes_) slopes.set_zero(m, columns);
  relative_ = form_.directions.transpose() * state_.topRows(n);
  relative_rate_ = form_.directions.transpose() * state_.bottomRows(n);
  forces_.setZero(3 * m, columns);
  felt_.setZero(4 * m, columns);
  known_.setZero(2 * m, columns);
  gain_.setZero(2 * m, 2 * m);
  event_ = 0;
}

// Each mode by itself: with r''_a = −C r'_a − K r_a + g_a,
//   (1 + h C by + h² K twice) r'' = −C r'₀ − K r₀ + g,   r'₀ and r₀ being what the beginning alone would lead to.
Monodromy::Answers Monodromy::uncoupled_answers(double h) const {
  Answers result;
  const Index n = form_.size();
  for (auto& row : result.table) {
    for (Matrix& answer : row) answer.resize(n, 1);
  }
  const Eigen::Vector2d ones = Eigen::Vector2d::Ones();
  for (Index i = 0; i < n; ++i) {
    const double c = damping_(i, i), k = stiffness_[i];
    const Eigen::RowVector<double, 5> start{-k, -c, 1.0, 0.0, 0.0};  // r''_a by the five
    Eigen::Matrix<double, 2, 5> rate = h * first * start, motion = h * h * first_twice * start;
    rate.col(1) += ones;
    motion.col(0) += ones;
    motion.col(1) += h * place;
    Eigen::Matrix<double, 2, 5> load = -c * rate - k * motion;
    load.rightCols<2>() += Eigen::Matrix2d::Identity();
    const Eigen::Matrix2d system = Eigen::Matrix2d::Identity() + h * c * by + h * h * k * twice;
    const Eigen::Matrix<double, 2, 5> acceleration = system.inverse() * load;
    motion += h * h * twice * acceleration;
    rate += h * by * acceleration;
    for (std::size_t column = 0; column < Answers::columns; ++column) {
      const auto j = static_cast<Index>(column);
      result.table[0][column](i) = motion(0, j);
      result.table[1][column](i) = motion(1, j);
      result.table[2][column](i) = rate(0, j);
      result.table[3][column](i) = rate(1, j);
    }
  }
  return result;
}

// The same with matrices in place of c and k, middle above end.
Monodromy::Answers Monodromy::coupled_answers(double h) const {
  const Index n = form_.size();
  const Matrix one = Matrix::Identity(n, n), k = stiffness_.asDiagonal();
  Matrix start = Matrix::Zero(n, 5 * n);
  start << -k, -damping_, one, Matrix::Zero(n, 2 * n);
  Matrix rate(2 * n, 5 * n), motion(2 * n, 5 * n), load(2 * n, 5 * n), system = Matrix::Identity(2 * n, 2 * n);
  for (Index j = 0; j < 2; ++j) {
    const auto rows = Eigen::seqN(j * n, n);
    rate(rows, Eigen::all) = h * first[j] * start;
    motion(rows, Eigen::all) = h * h * first_twice[j] * start;
    rate.block(j * n, n, n, n) += one;
    motion.block(j * n, 0, n, n) += one;
    motion.block(j * n, n, n, n) += h * place[j] * one;
    load(rows, Eigen::all) = -damping_ * rate(rows, Eigen::all) - k * motion(rows, Eigen::all);
    load.block(j * n, (3 + j) * n, n, n) += one;
    for (Index i = 0; i < 2; ++i) system.block(j * n, i * n, n, n) += h * by(j, i) * damping_ + h * h * twice(j, i) * k;
  }
  const Matrix acceleration = system.partialPivLu().solve(load);
  Answers result;
  for (Index j = 0; j < 2; ++j) {
    const auto rows = Eigen::seqN(j * n, n);
    const auto mixed = [&](const Eigen::Matrix2d& weights) -> Matrix {
      return weights(j, 0) * acceleration.topRows(n) + weights(j, 1) * acceleration.bottomRows(n);
    };
    motion(rows, Eigen::all) += h * h * mixed(twice);
    rate(rows, Eigen::all) += h * mixed(by);
    for (std::size_t column = 0; column < Answers::columns; ++column) {
      const auto place_of = static_cast<Index>(column) * n;
      result.table[static_cast<std::size_t>(j)][column] = motion.block(j * n, place_of, n, n);
      result.table[static_cast<std::size_t>(2 + j)][column] = rate.block(j * n, place_of, n, n);
    }
  }
  return result;
}

// To a force on the joints [N] instead of a load on the modes.
Matrix Monodromy::spread(const Matrix& answer) const {
  const double scale = -1.0 / (omega_ * omega_);
  if (uncoupled_) return scale * (answer.col(0).asDiagonal() * form_.directions);
  return scale * (answer * form_.directions);
}

// As the joints feel it.
Matrix Monodromy::felt(const Matrix& answer) const {
  if (uncoupled_) return form_.directions.transpose() * answer.col(0).asDiagonal();
  return form_.directions.transpose() * answer;
}

Monodromy::StepOperator Monodromy::make_operator(double length) const {
  const Answers answers = uncoupled_ ? uncoupled_answers(length) : coupled_answers(length);
  const Index n = form_.size(), m = form_.directions.cols();
  StepOperator result;
  constexpr std::size_t end_motion = 1, end_rate = 3;
  result.by_state.resize(uncoupled_ ? n : 2 * n, uncoupled_ ? 4 : 2 * n);
  result.by_state << answers.table[end_motion][0], answers.table[end_motion][1], answers.table[end_rate][0],
      answers.table[end_rate][1];
  result.by_force.resize(2 * n, 3 * m);
  result.felt_by_state.resize(4 * m, 2 * n);
  result.felt_by_force.resize(4 * m, 3 * m);
  for (std::size_t node = 0; node < 3; ++node) {
    const auto columns = static_cast<Index>(node) * m;
    result.by_force.block(0, columns, n, m) = spread(answers.table[end_motion][2 + node]);
    result.by_force.block(n, columns, n, m) = spread(answers.table[end_rate][2 + node]);
    for (std::size_t row = 0; row < Answers::rows; ++row) {
      result.felt_by_force.block(static_cast<Index>(row) * m, columns, m, m).noalias() =
          form_.directions.transpose() * spread(answers.table[row][2 + node]);
    }
  }
  for (std::size_t row = 0; row < Answers::rows; ++row) {
    result.felt_by_state.block(static_cast<Index>(row) * m, 0, m, n) = felt(answers.table[row][0]);
    result.felt_by_state.block(static_cast<Index>(row) * m, n, m, n) = felt(answers.table[row][1]);
  }
  return result;
}

// Forces at the beginning of a step, from the motion there.
void Monodromy::load(const VariationSlopes& slopes) {
  auto force = forces_.topRows(relative_.rows());
  force = slopes.remembered;
  force.noalias() += slopes.by_displacement * relative_;
  force.noalias() += omega_ * slopes.by_velocity * relative_rate_;
}

// Forces at middle and end depend on the motion that they act on.
void Monodromy::close_joints(const StepOperator& step) {
  const Index m = relative_.rows();
  felt_.noalias() = step.felt_by_state * state_;
  felt_.noalias() += step.felt_by_force.leftCols(m) * forces_.topRows(m);
  for (Index j = 0; j < 2; ++j) {
    const VariationSlopes& slopes = slopes_[static_cast<std::size_t>(1 + j)];
    const Matrix by_velocity = omega_ * slopes.by_velocity;
    auto known = known_.middleRows(j * m, m);
    known = slopes.remembered;
    known.noalias() += slopes.by_displacement * felt_.middleRows(j * m, m);
    known.noalias() += by_velocity * felt_.middleRows((2 + j) * m, m);
    auto gain = gain_.middleRows(j * m, m);
    gain.noalias() = -slopes.by_displacement * step.felt_by_force.block(j * m, m, m, 2 * m);
    gain.noalias() -= by_velocity * step.felt_by_force.block((2 + j) * m, m, m, 2 * m);
  }
  gain_.diagonal().array() += 1.0;
  forces_.bottomRows(2 * m) = gain_.partialPivLu().solve(known_);
  felt_.noalias() += step.felt_by_force.rightCols(2 * m) * forces_.bottomRows(2 * m);
}

// What the motion at the beginning alone leads to.
void Monodromy::carry(const StepOperator& step) {
  if (!uncoupled_) {
    next_.noalias() = step.by_state * state_;
    return;
  }
  const Index n = form_.size();
  const auto& factors = step.by_state;  // n × 4
  for (Index j = 0; j < state_.cols(); ++j) {
    const auto motion = state_.col(j).head(n), rate = state_.col(j).tail(n);
    next_.col(j).head(n) = factors.col(0).cwiseProduct(motion) + factors.col(1).cwiseProduct(rate);
    next_.col(j).tail(n) = factors.col(2).cwiseProduct(motion) + factors.col(3).cwiseProduct(rate);
  }
}

void Monodromy::step(const StepOperator& step) {
  const Index m = relative_.rows();
  carry(step);
  if (m > 0) {
    close_joints(step);
    next_.noalias() += step.by_force * forces_;
    relative_ = felt_.middleRows(m, m);
    relative_rate_ = felt_.middleRows(3 * m, m);
  }
  state_.swap(next_);
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
    const Index source = events[event_].source;
    if (source < 0) continue;
    variation.set(source, relative_, relative_rate_, omega_, memory_);
    if (variation.pulse(source, memory_, pulse_)) push();
  }
}

// A pulse on the joints makes r' jump.
void Monodromy::push() {
  auto rate = state_.bottomRows(form_.size());
  rate.noalias() -= form_.directions * pulse_ / (omega_ * omega_);
  relative_rate_.noalias() = form_.directions.transpose() * rate;
}

void Monodromy::cross_piece(const JointVariation& variation, double begin, double end) {
  const std::array<double, 3> times = {begin, 0.5 * (begin + end), end};
  for (std::size_t i = 0; i < times.size(); ++i) variation.slopes_between(begin, end, times[i], memory_, slopes_[i]);
  load(slopes_[0]);
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
  const Index m = variation.inputs();
  bool known = false;  // forces at the beginning of the step, from the end of the one before
  for (Index i = 0; i < samples; i += 2) {
    if (!variation.is_smooth(i)) {
      cross_events(variation, time_of(i), time_of(i + 2));
      known = false;
      continue;
    }
    if (known) {
      forces_.topRows(m) = forces_.bottomRows(m).eval();
    } else {
      variation.slopes_at(i, memory_, slopes_[0]);
      load(slopes_[0]);
    }
    variation.slopes_at(i + 1, memory_, slopes_[1]);
    variation.slopes_at((i + 2) % samples, memory_, slopes_[2]);
    step(regular);
    known = true;
  }
  set_sources(variation, time_of(samples));
  const auto& carried = variation.carried();
  Matrix result(state_.cols(), state_.cols());
  result.topRows(state_.rows()) = state_;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    result.row(state_.rows() + static_cast<Index>(i)) = memory_.row(carried[i]);
  }
  return result;
}

}  // namespace masing::detail
