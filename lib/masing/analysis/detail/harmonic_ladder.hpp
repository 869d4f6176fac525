// The sets of harmonics that a branch may be balanced in, from small to large, each with all that depends on the set.
//
//   all harmonics    0 … H                    H = least, then two more at a time (more in large sets), up to the largest set
//   odd ones         1, 3, … H                for motions that repeat with the opposite sign after half a period
//
// Without adaptation there is one rung, the set as it was asked for. Rungs are made when they are first needed and kept.
//
// How many harmonics a motion needs is read from its tails: the share of the last two harmonics of the set in the joints'
// motion, and that of their forces in the forces that are balanced at the joints (the joints' own, or the structure's and
// the loads' where these are larger: the third harmonic of a weak cubic spring is a third of its force at any amplitude, and
// yet nothing beside them). A set is too small where a tail is above its tolerance. The next smaller one is enough
// where its own last two harmonics hold less than a quarter of that: in between nothing changes, so that sets do not flip.
#pragma once

#include "masing/analysis/detail/energy_balance.hpp"
#include "masing/analysis/detail/point_stability.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace masing::detail {

/// Shares of the last two harmonics.
struct Tail {
  double motion = 0.0;
  double force = 0.0;
};

/// One set of harmonics with everything that depends on it.
struct Rung {
  Rung(const Model& model, const BalanceOptions& chosen, const StabilityOptions& stability);

  const HarmonicSet& set() const { return balance.set(); }
  bool is_odd() const { return !set().has_zero(); }
  /// At the motion of the balance's last residual; of the last two harmonics of a smaller set if one is given.
  Tail tail() const { return tail_of(set()); }
  Tail tail_of(const HarmonicSet& smaller) const;

  BalanceOptions options;
  HarmonicBalance balance;
  EnergyBalance energy;
  std::optional<PointStability> stability;  ///< empty: not asked for
};

class HarmonicLadder {
 public:
  /// `needed` harmonics are in every set, as those of the loads. Keeps a reference to the model's structure.
  HarmonicLadder(const Model& model, const BalanceOptions& options, const StabilityOptions& stability = {},
                 const std::vector<int>& needed = {});

  bool is_adaptive() const { return options_.adaptive.has_value(); }
  const BalanceOptions& options() const { return options_; }
  /// The largest set: results are stored in it, harmonics that were not balanced as zeros.
  const HarmonicSet& full() const { return full_; }
  /// The smallest set of all harmonics, or the one asked for.
  Rung& first();
  Rung& at(const HarmonicSet& set);
  /// The set that a stored point was balanced in.
  Rung& of(int highest, int count);
  /// All harmonics up to the highest of both.
  Rung& common(const Rung& a, const Rung& b);

  /// Judgement of a motion x at Ω, at the level and artificial damping of the rung's balance. Null: the set may stay.
  Rung* larger_for(Rung& rung, const Vector& x, double omega);
  /// No tail is above its tolerance.
  bool is_short(const Tail& tail) const;
  Rung* smaller_for(Rung& rung, const Vector& x, double omega);
  /// The odd harmonics of the rung's set, if the even ones vanish in this motion and in the forces; else null.
  Rung* odd_for(Rung& rung, const Vector& x, double omega);

 private:
  HarmonicSet odd_up_to(int highest) const;
  int above(int highest) const;
  int below(int highest) const;
  bool asks_for_even(Rung& odd, const Vector& x, double omega);

  Model model_;
  BalanceOptions options_;
  StabilityOptions stability_;
  HarmonicSet full_;
  int least_ = 0;  // highest harmonic of the smallest set
  bool may_be_odd_ = false;
  std::vector<std::unique_ptr<Rung>> rungs_;
};

/// Of a branch whose points each have a set of their own: "highest_harmonic", "harmonic_count", "motion_tail", "force_tail",
/// "too_few_harmonics".
const std::vector<PointQuantity>& adaptive_quantities();

}  // namespace masing::detail
