// Fourier coefficients of a force that is smooth between located instants, by Gauss quadrature from one to the next.
//
//   F = Σ_i w_i γ(τ_i) f(τ_i),     γ: 1, 2 cos kτ, 2 sin kτ
//
// Equidistant samples err by 1/N² where the force has a kink, and their derivatives jump by 1/N whenever a kink passes a
// sample: near a singular Jacobian that makes folds and branch points that are none. Here the turning points of the motion and
// the corners that the law tells (ContactElement::follows_any_instants) are the ends of panels, in which the rule converges
// faster than any power. Slopes may begin and end with roots there (Hertz's contact at full slip, microslip right after a
// reversal): a panel is the image of s in [0, 1] by s²(3 − 2s), which makes them smooth. The nodes move with the motion, but
// the force is continuous across panels: the derivative of the sum is the sum of the derivatives up to the error of the rule.
// A backbone of hundreds of pieces has hundreds of small corners: it is sampled equidistantly.
#pragma once

#include "masing/contact/element.hpp"
#include "masing/fourier/multiplication.hpp"

#include <span>
#include <vector>

namespace masing::detail {

class PanelSampling {
 public:
  /// `samples` a period ask for three quarters as many nodes, and a few more in each panel.
  PanelSampling(const HarmonicSet& set, Index samples);

  /// The steady cycle of the element at the nodes. Its motion is given by coefficients, as a signal of them, and at
  /// equidistant samples that bracket its turning points.
  void evaluate(const ContactElement& element, const CycleOptions& options, const VectorView& coefficients,
                const PeriodicSignal& signal, const VectorView& samples, CycleResult& result);

  // Of the last evaluate():
  /// P × nodes: what one node contributes to the coefficients.
  const Matrix& projection() const { return projection_; }
  /// ∂F/∂U (P × P) for the slopes at the nodes, memory apart.
  void derivative(const VectorView& slopes, Eigen::Ref<Matrix> block);

 private:
  bool find_ends(const ContactElement& element, const CycleOptions& options, const PeriodicSignal& signal,
                 const VectorView& samples);
  void place_nodes();
  void place_equidistant();
  void add_panel(double begin, double end);
  void pad_nodes();
  void fill_tables(const VectorView& coefficients);

  HarmonicSet set_;
  Index samples_;
  std::vector<TurningPoint> turns_;
  std::vector<double> ends_;
  std::vector<double> times_, weights_;  // of the nodes; the weights' sum is 1
  Matrix displacement_;                  // nodes × 1
  Matrix projection_;
  Vector cosine_, sine_;  // moments, orders 0 … 2 k_max
  CycleResult corners_;
  Matrix none_ = Matrix(0, 1);
};

}  // namespace masing::detail
