#include "masing/balance/detail/located_force.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

Jet CoefficientSignal::at(double tau) const {
  const Complex turn = std::polar(1.0, tau);
  Complex power = 1.0;  // e^{ikτ}
  int k = 0;
  Jet jet;
  for (Index i = 0; i < set_.count(); ++i) {
    for (; k < set_[i]; ++k) power *= turn;
    const double a = row_[set_.cosine(i)];
    const double b = k == 0 ? 0.0 : row_[set_.sine(i)];
    const double value = a * power.real() + b * power.imag();
    const double slope = k * (b * power.real() - a * power.imag());
    jet.value += value;
    jet.slope += slope;
    jet.curvature -= k * k * value;
    jet.third -= k * k * slope;
  }
  return jet;
}

LocatedForce::LocatedForce(const HarmonicSet& set) : set_(set) {
  const Index orders = 2 * set.highest() + 1;
  motion_.setZero(set.positions());
  cosine_integral_.setZero(orders);
  sine_integral_.setZero(orders);
  gain_cosine_.setZero(orders);
  gain_sine_.setZero(orders);
  offset_.setZero(set.positions());
  piece_weights_.setZero(set.positions());
  gain_.setZero(set.positions(), set.positions());
}

void LocatedForce::evaluate(const ContactElement& element, const Multiplication& multiplication,
                            const MatrixView& motion, Index row, const VectorView& samples, Matrix& force) {
  motion_ = motion.row(row).transpose();
  const CoefficientSignal signal(set_, motion_);
  find_turning_points(signal, samples, turns_);
  element.linear_pieces(signal, turns_, pieces_);
  integrate_pieces();
  multiplication.matrix_from_moments(gain_cosine_, gain_sine_, gain_);
  offset_.noalias() += gain_ * motion_;
  force.row(row) = offset_.transpose();
}

void LocatedForce::integrate_pieces() {
  gain_cosine_.setZero();
  gain_sine_.setZero();
  offset_.setZero();
  source_times_.clear();
  for (const LinearPiece& piece : pieces_) {
    integrate_exponentials(piece.begin, piece.end);
    gain_cosine_ += piece.stiffness * cosine_integral_;
    gain_sine_ += piece.stiffness * sine_integral_;
    for (Index i = 0; i < set_.count(); ++i) {
      const double weight = set_[i] == 0 ? 1.0 : 2.0;
      piece_weights_[set_.cosine(i)] = weight * cosine_integral_[set_[i]];
      if (set_[i] != 0) piece_weights_[set_.sine(i)] = weight * sine_integral_[set_[i]];
    }
    offset_ += piece.offset * piece_weights_;
    if (piece.source_weight == 0.0) continue;
    source_weights_.col(source_at(piece.source_time)) += piece.source_weight * piece_weights_;
  }
}

// Many sliders are set at the same instant, where the motion turns round.
Index LocatedForce::source_at(double time) {
  const auto found = std::find(source_times_.begin(), source_times_.end(), time);
  const Index number = found - source_times_.begin();
  if (found != source_times_.end()) return number;
  source_times_.push_back(time);
  if (number == source_weights_.cols()) source_weights_.conservativeResize(set_.positions(), 2 * number + 4);
  source_weights_.col(number).setZero();
  return number;
}

// (1/2π) ∫ cos nτ dτ and (1/2π) ∫ sin nτ dτ over a piece, all orders n.
void LocatedForce::integrate_exponentials(double begin, double end) {
  constexpr double per_period = 1.0 / (2.0 * pi);
  const Complex at_begin = std::polar(1.0, begin);
  const Complex at_end = std::polar(1.0, end);
  cosine_integral_[0] = per_period * (end - begin);
  sine_integral_[0] = 0.0;
  Complex first = 1.0;
  Complex last = 1.0;
  for (Index n = 1; n < cosine_integral_.size(); ++n) {
    first *= at_begin;
    last *= at_end;
    const double factor = per_period / static_cast<double>(n);
    cosine_integral_[n] = factor * (last.imag() - first.imag());
    sine_integral_[n] = factor * (first.real() - last.real());
  }
}

void LocatedForce::derivative(Eigen::Ref<Matrix> block) const {
  block = gain_;
  for (std::size_t s = 0; s < source_times_.size(); ++s) {
    const auto weights = source_weights_.col(static_cast<Index>(s));
    const Complex turn = std::polar(1.0, source_times_[s]);
    Complex power = 1.0;
    int k = 0;
    for (Index i = 0; i < set_.count(); ++i) {
      for (; k < set_[i]; ++k) power *= turn;
      block.col(set_.cosine(i)) += power.real() * weights;
      if (k != 0) block.col(set_.sine(i)) += power.imag() * weights;
    }
  }
}

}  // namespace masing::detail
