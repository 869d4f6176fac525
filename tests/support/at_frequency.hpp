// A harmonic balance at one frequency, as a system for the Newton solver.
#pragma once

#include "masing/balance/harmonic_balance.hpp"
#include "masing/solve/newton.hpp"

namespace masing::test {

class AtFrequency final : public NonlinearSystem {
 public:
  AtFrequency(HarmonicBalance& balance, double omega) : balance_(balance), omega_(omega) {}
  Index size() const override { return balance_.size(); }
  void residual(const Vector& x, Vector& r) override { balance_.residual(x, omega_, r); }
  void jacobian(const Vector& x, Matrix& j) override { balance_.derivatives(x, omega_, j, scratch_); }

 private:
  HarmonicBalance& balance_;
  double omega_;
  Vector scratch_;
};

}  // namespace masing::test
