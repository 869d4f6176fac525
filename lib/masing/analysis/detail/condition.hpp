// Equations that stand beside the balance: they decide about a frequency, a level or a damping ratio that is unknown too.
//
//   quadrature     Re(pᴴ Q) = 0: the displacement along the load, in one harmonic, lags or leads it by 90°
//   amplitude      |A|²/a² = 1, A the displacement, velocity or acceleration along given weights in one harmonic
//   modal mass     Qᴴ M Q/a² = 1 in one harmonic: a is the modal amplitude
//   phase          Im(e^{−iφ} y) = 0 for one kept motion y in one harmonic: of all shifts in time one is taken
//
// A harmonic is told by its number k, not by its place in the set: the set may change along a branch. Q are the amplitudes of
// all coordinates. All derivatives are exact; eliminated coordinates are differentiated through
// their elimination (HarmonicBalance::functional).
#pragma once

#include "masing/analysis/observable.hpp"
#include "masing/balance/harmonic_balance.hpp"

#include <memory>

namespace masing::detail {

/// Where a condition is evaluated: the balance has the level and artificial damping that belong to it.
struct ConditionPoint {
  HarmonicBalance& balance;
  const Vector& x;
  double omega = 0.0;
  double scale = 1.0;  ///< s: what motions are measured in; the amplitude a where a is not fixed
};

struct ConditionValue {
  double value = 0.0;
  double size = 1.0;  ///< what "one" means for it
  Vector by_x;        ///< physical coefficients
  double by_omega = 0.0, by_level = 0.0, by_mass_damping = 0.0;
  double by_log_scale = 0.0;  ///< s ∂/∂s at fixed x
};

class Condition {
 public:
  virtual ~Condition() = default;
  virtual void evaluate(const ConditionPoint& point, ConditionValue& result) = 0;
  /// Derivatives that evaluate() leaves out because they are costly; called at the point of the last evaluate().
  virtual void differentiate(const ConditionPoint& /*point*/, ConditionValue& /*result*/) {}
};

/// Along the load of harmonic k.
class QuadratureCondition final : public Condition {
 public:
  explicit QuadratureCondition(int k) : k_(k) {}
  void evaluate(const ConditionPoint& point, ConditionValue& result) override;

 private:
  int k_;
  HarmonicBalance::Functional functional_;
};

class AmplitudeCondition final : public Condition {
 public:
  /// `amplitude` <= 0: the scale of the point is the amplitude.
  AmplitudeCondition(int k, const Vector& weights, Quantity quantity, double amplitude)
      : k_(k), weights_(weights.cast<Complex>()), quantity_(quantity), amplitude_(amplitude) {}
  void evaluate(const ConditionPoint& point, ConditionValue& result) override;
  /// The amplitude itself.
  double amplitude(const ConditionPoint& point);
  double ratio() const { return ratio_; }  ///< |A|²/a² of the last evaluate()

 private:
  int k_;
  ComplexVector weights_;
  Quantity quantity_;
  double amplitude_;
  double ratio_ = 0.0;
  HarmonicBalance::Functional functional_;
};

class ModalMassCondition final : public Condition {
 public:
  ModalMassCondition(int k, const SparseMatrix& mass) : k_(k), mass_(mass.cast<Complex>()) {}
  void evaluate(const ConditionPoint& point, ConditionValue& result) override;

 private:
  int k_;
  Eigen::SparseMatrix<Complex> mass_;
  ComplexVector weights_;
  HarmonicBalance::Functional functional_;
};

class PhaseCondition final : public Condition {
 public:
  PhaseCondition(int k, Index motion) : k_(k), motion_(motion) {}
  void evaluate(const ConditionPoint& point, ConditionValue& result) override;
  /// Takes the kept motion that is largest now when the present one has faded, and says so; the motion at hand stays a solution.
  bool follow_shape(const HarmonicBalance& balance, const Vector& x);
  /// Adds to a change of the motion (coefficients first, in any unit) the shift in time by which the condition goes on to hold.
  void turn(const HarmonicBalance& balance, const Vector& x, Vector& change) const;
  Index motion() const { return motion_; }

 private:
  int k_;
  Index motion_;
  double angle_ = 0.0;
};

}  // namespace masing::detail
