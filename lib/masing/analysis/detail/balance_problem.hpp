// A harmonic balance as something that continuation can follow: in frequency, or in the level of the loads.
#pragma once

#include "masing/balance/harmonic_balance.hpp"
#include "masing/continuation/problem.hpp"

#include <array>
#include <functional>

namespace masing::detail {

/// Sizes near a solution. Every harmonic is measured by itself, so that a resonance of one of them is a long way to go even
/// where a static deflection or another harmonic is far larger; and the oscillating equations are balanced to a fraction
/// of the oscillating forces, not of a preload. Both depend on the point alone: a resumed run scales as the interrupted
/// one did.
Scaling balance_scaling(HarmonicBalance& balance, const Vector& x, double omega);

/// The scalings of the last few points: continuation asks for them again and again.
class ScalingMemory {
 public:
  Scaling at(const Vector& x, double lambda, const std::function<Scaling()>& compute);

 private:
  struct Known {
    Vector x;
    double lambda = 0.0;
    Scaling scaling;
  };
  std::array<Known, 4> known_;
  std::size_t oldest_ = 0;
};

/// R(x, 2πλ) = 0 with λ the frequency [Hz], at the level of the balance.
class FrequencyProblem final : public ContinuationProblem {
 public:
  explicit FrequencyProblem(HarmonicBalance& balance) : balance_(balance) {}
  Index size() const override { return balance_.size(); }
  void residual(const Vector& x, double lambda, Vector& r) override;
  void derivatives(const Vector& x, double lambda, Matrix& j, Vector& r_lambda) override;
  Scaling scaling(const Vector& x, double lambda) const override;

 private:
  HarmonicBalance& balance_;
  mutable ScalingMemory memory_;
};

/// R(x; level) = 0 with λ = level at a fixed Ω: raises the loads from nothing to find a first point.
class LevelProblem final : public ContinuationProblem {
 public:
  LevelProblem(HarmonicBalance& balance, double omega) : balance_(balance), omega_(omega) {}
  Index size() const override { return balance_.size(); }
  void residual(const Vector& x, double lambda, Vector& r) override;
  void derivatives(const Vector& x, double lambda, Matrix& j, Vector& r_lambda) override;
  Scaling scaling(const Vector& x, double lambda) const override;

 private:
  HarmonicBalance& balance_;
  double omega_;
};

}  // namespace masing::detail
