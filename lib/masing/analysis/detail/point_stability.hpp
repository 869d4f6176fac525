// Stability of the points of one branch: what is reported of each, and the functions whose zeros are bifurcations.
//
//   branch point       Π (1 − μ) / (dλ/ds), which stays finite and keeps its sign at a fold, where both vanish. Truncation moves the
//                      fold of the balance and the multiplier's passage apart: then the quotient changes its sign at both, and
//                      neither is a branch point. At a true one J has a null direction that neither frequency nor level push
//   jump               Π (1 − μ) where a controller finds level or frequency: without it a sweep would jump here, as at a fold
//   period doubling    Π (1 + μ)
//   Neimark-Sacker     Π_{i<j} (1 − μ_i μ_j): a pair of conjugates passes the unit circle. Two real multipliers with the
//                      product one (a neutral saddle) make it vanish, too; such points are not reported.
//   double …           two multipliers that coincide, as in a ring of equal bodies, pass at once: none of the above changes its
//                      sign. The mean of the two takes their place
//
// Rounding of very large multipliers changes signs, too: beside them a point is told only if the multipliers that its name says
// are there.
//
// Reference: Y. A. Kuznetsov, Elements of Applied Bifurcation Theory, 3rd ed., Springer, 2004, section 10.2.
#pragma once

#include "masing/analysis/results.hpp"
#include "masing/analysis/stability.hpp"
#include "masing/balance/harmonic_balance.hpp"
#include "masing/continuation/continuation.hpp"

#include <functional>
#include <optional>

namespace masing::detail {

/// The test functions above for given multipliers, each factor 1 − μ divided by √(1 + |μ|²).
double period_doubling_test(const std::vector<Complex>& multipliers);
double neimark_sacker_test(const std::vector<Complex>& multipliers);

class PointStability {
 public:
  PointStability(const Model& model, const BalanceOptions& balance, const StabilityOptions& options)
      : model_(model), options_(balance), stability_(model, balance.harmonics, options, balance.cycle) {}

  const std::string& basis() const { return stability_.basis(); }
  static const std::vector<PointQuantity>& quantities();
  /// Their values for a motion of all coordinates; NaN where a law does not close its cycle.
  Vector describe(const Matrix& all, double omega);

  /// What a branch point stands for: the coefficients of the kept motions and Ω [rad/s].
  struct State {
    Vector x;
    double omega = 0.0;
  };
  using StateOf = std::function<State(const BranchPoint& point)>;
  /// Bifurcations as events, looked for inside steps too. `folds_in_parameter`: the unknowns are those of the balance alone, so
  /// that a multiplier one means a fold or a branch point. Else, where a controller finds level or frequency, it is a "jump" or
  /// a branch point: kind_of tells.
  void add_events(HarmonicBalance& balance, const StateOf& state_of, bool folds_in_parameter, ContinuationHooks& hooks);
  /// Whether a located event is what its name says; true for events of other names.
  bool is_genuine(HarmonicBalance& balance, const BranchEvent& event, const State& state);

  /// The argument of the multipliers that are on the unit circle at a Neimark-Sacker point, whatever the others are [°].
  double modulation_angle(const Matrix& all, double omega);

  /// The name of a genuine event: of a jump that is none the branch point that it is.
  static std::string kind_of(HarmonicBalance& balance, const BranchEvent& event, const State& state);

  FloquetMultipliers evaluate(HarmonicBalance& balance, const State& state) {
    return stability_.evaluate(balance.recover(state.x, state.omega), state.omega);
  }

 private:
  static bool is_symmetric_break(HarmonicBalance& balance, const State& state);
  bool is_branch_point(HarmonicBalance& balance, const State& state);

  Model model_;
  BalanceOptions options_;
  std::optional<HarmonicBalance> complete_;  // in all harmonics, made when a branch point is to be judged
  Stability stability_;
};

}  // namespace masing::detail
