// The problem in scaled parameters z in [0, 1], with priors as further residuals and derivatives by differences.
#pragma once

#include "masing/identification/least_squares.hpp"

#include <atomic>

namespace masing::detail {

class ScaledProblem {
 public:
  ScaledProblem(const FitProblem& problem, const FitOptions& options, int threads)
      : problem_(problem), options_(options), threads_(threads) {}

  Index parameters() const { return static_cast<Index>(problem_.parameters.size()); }
  Index priors() const;

  Vector scaled(const Vector& values) const;
  Vector values(const Vector& z) const;
  /// d value / d z at z.
  Vector slopes(const Vector& z) const;

  /// Residuals of the data, then of the priors. Throws what the caller's function throws; also an Error for residuals that
  /// are not finite or not as many as before.
  Vector residuals(const Vector& z) const;
  /// Their derivatives; `at` are the residuals at z.
  Matrix jacobian(const Vector& z, const Vector& at) const;
  /// Only the columns of some parameters.
  Matrix jacobian(const Vector& z, const Vector& at, const std::vector<Index>& of) const;

  int evaluations() const { return evaluations_; }
  int failed_evaluations() const { return evaluations_ - succeeded_; }

 private:
  Vector slope_along(const Vector& z, const Vector& at, Index j) const;

  const FitProblem& problem_;
  const FitOptions& options_;
  int threads_;
  mutable std::atomic<int> evaluations_ = 0;
  mutable std::atomic<int> succeeded_ = 0;
  mutable std::atomic<Index> count_ = -1;  // of data residuals
};

}  // namespace masing::detail
