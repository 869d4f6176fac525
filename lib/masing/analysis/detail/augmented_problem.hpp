// A harmonic balance with unknowns and equations beside it, as something that continuation can follow.
//
//   unknowns     ψ = x/s (the mean motion is not divided), then the controls that are unknown: frequency, level, damping
//   equations    R(x, Ω, level, c)/s = 0 (the mean equations are not divided), then one condition for each such control
//   parameter λ  frequency: Ω = 2πλ, s = 1
//                level:     level = s = 10^λ
//                amplitude: s = 10^λ, the amplitude a that a condition prescribes; an unknown level is measured in s too
//
// Dividing by s makes a system that is nearly linear look the same over decades: steps are as long as the nonlinearity
// lets them, not a fraction of the amplitude. c = −2ζΩ is the artificial damping cM of the extended periodic motion concept.
//
//   force response       λ = level,     no unknown control
//   response control     λ = frequency, unknown level; |A| = a
//   phase resonance      λ = level,     unknown frequency; quadrature; or λ = amplitude, unknown frequency and level
//   EPMC                 λ = amplitude, unknown frequency and damping; modal mass, phase
#pragma once

#include "masing/analysis/detail/balance_problem.hpp"
#include "masing/analysis/detail/condition.hpp"

#include <vector>

namespace masing::detail {

enum class Control { frequency, level, damping };
enum class Parameter { frequency, level, amplitude };

/// Ω/2π [Hz], factor on the loads, ζ.
struct Controls {
  double frequency = 1.0;
  double level = 1.0;
  double damping = 0.0;
};

class AugmentedProblem final : public ContinuationProblem {
 public:
  /// Controls that are neither unknown nor the parameter keep the values of `fixed`. As many conditions as unknown controls.
  AugmentedProblem(HarmonicBalance& balance, Parameter parameter, std::vector<Control> unknown, const Controls& fixed,
                   std::vector<std::unique_ptr<Condition>> conditions);

  /// Goes over to a balance of the same model in another set of harmonics.
  void use(HarmonicBalance& balance);
  Index size() const override { return balance_->size() + static_cast<Index>(unknown_.size()); }
  void residual(const Vector& z, double lambda, Vector& r) override;
  void derivatives(const Vector& z, double lambda, Matrix& j, Vector& r_lambda) override;
  Scaling scaling(const Vector& z, double lambda) const override;

  /// The physical state behind unknowns and parameter; also sets level and artificial damping of the balance.
  struct State {
    Vector x;
    Controls controls;
    double scale = 1.0;
    double omega() const { return 2.0 * pi * controls.frequency; }
  };
  const State& state(const Vector& z, double lambda) const;
  /// The unknowns for a physical state.
  Vector unknowns(const Vector& x, const Controls& controls, double lambda) const;
  HarmonicBalance& balance() { return *balance_; }
  /// To be called when a condition has changed.
  void forget();

 private:
  // How the controls and ln s change with one variable.
  struct Rates {
    double omega = 0.0, level = 0.0, mass_damping = 0.0, log_scale = 0.0;
  };
  Rates rates_of(Control control) const;
  Rates rates_of_parameter() const;
  void fill_column(const Rates& rates, Vector& column) const;
  void to_scaled_equations(Eigen::Ref<Vector> balance_part) const;
  bool scaled() const { return parameter_ != Parameter::frequency; }
  Scaling compute_scaling(const Vector& z, double lambda) const;
  double size_of(std::size_t condition) const;

  HarmonicBalance* balance_;
  Parameter parameter_;
  std::vector<Control> unknown_;
  Controls fixed_;
  std::vector<std::unique_ptr<Condition>> conditions_;
  Index oscillating_;  // first coefficient behind the mean
  mutable State state_;
  mutable Vector evaluated_;  // unknowns and parameter of r_ and values_; empty: none
  mutable std::vector<ConditionValue> values_;
  mutable ScalingMemory memory_;
  mutable Vector r_;
  Vector by_omega_, by_level_, by_mass_damping_, by_log_scale_, column_;
  Matrix jacobian_;
};

}  // namespace masing::detail
