// Fourier coefficients of a force that is smooth between located instants, by Gauss quadrature from one to the next.
//
//   F = Σ_i w_i γ(τ_i) f(τ_i),     γ: 1, 2 cos kτ, 2 sin kτ
//
// Equidistant samples err by 1/N² where the force has a kink, and their derivatives jump by 1/N whenever a kink passes a
// sample: near a singular Jacobian that makes folds and branch points that are none. Here the kinks that the law tells
// (ContactElement::find_kinks) are the ends of panels, in which the rule converges faster than any power. Slopes may begin and
// end with roots there (Hertz's contact at full slip, microslip right after a reversal): a panel is the image of s in [0, 1] by
// s²(3 − 2s), which makes them smooth; where surfaces touch or part, by s³(10 − 15s + 6s²). A population of sliders has hundreds of small kinks and panels too short for that: they
// have a few nodes of Gauss's rule as it is. Nodes without a weight are visits, for laws that march from node to node.
//
// The nodes move with the motion, but where the force is continuous across panels the derivative of the sum is the sum of the
// derivatives up to the error of the rule; where it jumps, the shift of the jump is a pulse (add_pulse). A backbone of more kinks than `most_kinks` is sampled equidistantly.
#pragma once

#include "masing/contact/element.hpp"
#include "masing/fourier/multiplication.hpp"

#include <span>
#include <vector>

namespace masing::detail {

/// How the nodes of a panel crowd at its ends.
enum class Clustering { none, usual, strong };

class PanelSampling {
 public:
  /// `samples` a period ask for three quarters as many nodes, and a few more in each panel.
  PanelSampling(const HarmonicSet& set, Index samples);

  /// The steady cycle of the element at the nodes. Its motion is given by coefficients (P × D), and at equidistant samples that
  /// bracket its kinks, with signals of the same coefficients; Ω turns rates into velocities.
  void evaluate(const ContactElement& element, const CycleOptions& options, const MatrixView& coefficients,
                const PeriodicMotion& samples, double omega, CycleResult& result);

  // Of the last evaluate():
  /// P × nodes: what one node contributes to the coefficients.
  const Matrix& projection() const { return projection_; }
  /// τ of the nodes.
  const std::vector<double>& times() const { return times_; }
  /// Velocities at the nodes [m/s], nodes × D; of laws that use them.
  const Matrix& velocity() const { return velocity_; }
  /// Adds the coefficients (P) of a pulse: a force that acts for an instant, `area` its integral over τ.
  void add_pulse(double time, double area, Eigen::Ref<Vector> coefficients) const;
  /// ∂F/∂U (P × P) for the slopes at the nodes, memory apart.
  void derivative(const VectorView& slopes, Eigen::Ref<Matrix> block);

 private:
  void place_nodes();
  void place_equidistant();
  void add_panel(double begin, double end);
  void add_nodes(double begin, double length, Index parts, Index points, Clustering clustering);
  void add_visits();
  void pad_nodes();
  void fill_tables(const MatrixView& coefficients);
  void fill_velocity(const MatrixView& coefficients, double omega);

  HarmonicSet set_;
  Index samples_;
  Kinks kinks_;
  std::vector<double> times_, weights_;  // of the nodes; the weights' sum is 1
  std::vector<Index> order_;
  std::vector<double> scratch_;
  Matrix displacement_, velocity_;  // nodes × D
  Matrix projection_;
  Vector cosine_, sine_;  // moments, orders 0 … 2 k_max
  CycleResult room_;
};

}  // namespace masing::detail
