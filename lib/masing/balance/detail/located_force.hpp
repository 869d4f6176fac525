// Fourier coefficients of a piecewise linear joint force with located events, and their derivatives: no sampling error.
//
//   F = M U + c,   M = matrix of the gain β(τ) from its exact moments (1/2π)∫ β cos nτ dτ, …,   c: integrals of the offsets
//   ∂F/∂U = M + Σ_pieces w (∫ piece) ⊗ Γ(τ_source)
#pragma once

#include "masing/contact/element.hpp"
#include "masing/fourier/multiplication.hpp"

#include <vector>

namespace masing::detail {

/// A row of coefficients as a function of τ.
class CoefficientSignal final : public PeriodicSignal {
 public:
  /// Both must outlive the signal; the coefficients may change in between.
  CoefficientSignal(const HarmonicSet& set, Eigen::Ref<const Vector> row) : set_(set), row_(row) {}
  Jet at(double tau) const override;

 private:
  const HarmonicSet& set_;
  Eigen::Ref<const Vector> row_;
};

class LocatedForce {
 public:
  explicit LocatedForce(const HarmonicSet& set);

  /// `motion`: coefficients of all relative motions, of which `row` is this joint's; `samples`: the same motion sampled, to
  /// bracket its turning points. Writes row `row` of `force`.
  void evaluate(const ContactElement& element, const Multiplication& multiplication, const MatrixView& motion,
                Index row, const VectorView& samples, Matrix& force);
  /// ∂F/∂U (P × P) at the motion of the last evaluate().
  void derivative(Eigen::Ref<Matrix> block) const;
  /// Of the last evaluate().
  const std::vector<LinearPiece>& pieces() const { return pieces_; }

 private:
  void integrate_pieces();
  void integrate_exponentials(double begin, double end);
  Index source_at(double time);

  HarmonicSet set_;
  Vector motion_;
  std::vector<TurningPoint> turns_;
  std::vector<LinearPiece> pieces_;
  Vector cosine_integral_, sine_integral_;  // of one piece, orders 0 … 2 k_max, divided by 2π
  Vector gain_cosine_, gain_sine_;
  Vector offset_;         // c, then F
  Matrix gain_;           // M
  Vector piece_weights_;  // P: how the offset of one piece enters F
  std::vector<double> source_times_;
  Matrix source_weights_;  // P × sources: ∂F/∂x there
};

}  // namespace masing::detail
