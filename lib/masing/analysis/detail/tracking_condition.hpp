// Equations that keep a motion at a special place of its response curve R(x, Ω) = 0 while the level changes.
//
//   peak   [J R_Ω; cᵀ d][v; w] = [0; 1]     (v, w) is the tangent of the curve, also at a fold
//          ψ = (g_x·v + g_Ω w)/g            g = Σ_k |A_k|² of an observable over some harmonics: d ln g along the curve
//   fold   [J b; cᵀ 0][v; σ] = [0; 1]       minimally augmented: σ vanishes with det J, and is as smooth as J
//          ψ = σ
//
// The border (c, d) is the tangent, (b, c) the singular vectors, of the point accepted last: ψ is well conditioned nearby,
// and its zeros do not depend on the border. With the left solution p of the same matrix and α any of x, Ω and level,
//
//   ∂ψ/∂α = d/dε (g_α − pᵀ R_α) at (x + εv, Ω + εw)       (w = 0 and g = 0 for the fold, −ψ g_α/g besides for the peak)
//
// so that one directional derivative gives all of them. It is taken by a central difference of the exact Jacobian, the one
// derivative in an equation of Masing that is not exact: Newton's method may need an iteration more, but ψ itself is exact.
//
// Reference: W. Govaerts, Numerical Methods for Bifurcations of Dynamical Equilibria, SIAM 2000, chapters 3 and 4.
#pragma once

#include "masing/analysis/detail/condition.hpp"

#include <Eigen/LU>

namespace masing::detail {

class TrackingCondition : public Condition {
 public:
  /// Puts the border where the curve is now; needed before the first evaluate(), wanted at every accepted point.
  void follow(HarmonicBalance& balance, const Vector& x, double omega);
  void evaluate(const ConditionPoint& point, ConditionValue& result) final;
  void differentiate(const ConditionPoint& point, ConditionValue& result) final;

 protected:
  // Of g: its value and gradient.
  struct Measure {
    double value = 1.0;
    Vector by_x;
    double by_omega = 0.0, by_level = 0.0;
  };

  /// New border from scaled_, on the side of the old one if there is any.
  virtual void renew_border() = 0;
  /// The bordered matrix from scaled_ and the border.
  virtual void fill_matrix(Matrix& matrix) const = 0;
  virtual bool turns_frequency() const = 0;  ///< whether the frequency changes along the direction
  virtual bool has_measure() const = 0;
  virtual void measure(const ConditionPoint& point, Measure& g) = 0;

  Matrix scaled_;  // [J R_Ω] with rows in units of the forces, columns in units of the unknowns

 private:
  void scale_derivatives(HarmonicBalance& balance, const Vector& x, double omega);
  void solve_left(const ConditionPoint& point);
  void slope_at(const ConditionPoint& point, double step, ConditionValue& slope);

  Vector unit_, row_unit_;  // n + 1 with Ω last; n
  Matrix jacobian_, matrix_;
  Vector by_omega_, by_level_;
  Eigen::PartialPivLU<Matrix> lu_;
  Vector right_, solution_, left_;  // in scaled unknowns; p in physical ones
  Measure here_, shifted_;
  Vector shifted_x_;
  ConditionValue ahead_, behind_;
};

class PeakCondition final : public TrackingCondition {
 public:
  /// Of Σ |A_k|² over these harmonics.
  PeakCondition(const Observable& observable, Index coordinates, const std::vector<int>& harmonics);

 private:
  void renew_border() override;
  void fill_matrix(Matrix& matrix) const override;
  bool turns_frequency() const override { return true; }
  bool has_measure() const override { return true; }
  void measure(const ConditionPoint& point, Measure& g) override;

  std::vector<AmplitudeCondition> squares_;
  ConditionValue square_;
  Vector border_;
};

class FoldCondition final : public TrackingCondition {
 private:
  void renew_border() override;
  void fill_matrix(Matrix& matrix) const override;
  bool turns_frequency() const override { return false; }
  bool has_measure() const override { return false; }
  void measure(const ConditionPoint&, Measure&) override {}

  Vector row_, column_;
};

}  // namespace masing::detail
