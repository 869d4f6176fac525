#include "masing/analysis/detail/harmonic_ladder.hpp"

#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace masing::detail {

namespace {

constexpr double far_below = 0.25;  // of the tolerance
constexpr int fewest_samples = 16;  // for the highest harmonic
constexpr double vanishes = 1e-8;   // even harmonics, of all: rounding, and what Newton's method leaves

bool is_even(int k) { return k % 2 == 0; }

BalanceOptions options_for(const BalanceOptions& options, const HarmonicSet& set) {
  BalanceOptions chosen = options;
  chosen.harmonics = set.harmonics();
  if (!options.adaptive) return chosen;
  const auto wanted = std::bit_ceil(static_cast<unsigned long>(fewest_samples * set.highest()));
  chosen.samples = std::max(options.adaptive->samples, static_cast<Index>(wanted));
  return chosen;
}

/// Share of the even harmonics, the mean among them, in all of x (motions × positions).
double even_share(const HarmonicSet& set, const MatrixView& x) {
  double even = 0.0;
  for (Index i = 0; i < set.count(); ++i) {
    if (is_even(set[i])) even += x.middleCols(set.cosine(i), set[i] == 0 ? 1 : 2).squaredNorm();
  }
  const double all = x.squaredNorm();
  return all > 0.0 ? std::sqrt(even / all) : 0.0;
}

}  // namespace

const std::vector<PointQuantity>& adaptive_quantities() {
  static const std::vector<PointQuantity> list = {
      {"highest_harmonic", "1", "highest harmonic that this point was balanced in; those above are stored as zeros"},
      {"harmonic_count", "1", "number of harmonics: highest + 1 for 0 ... highest, half of that for the odd ones"},
      {"motion_tail", "1", "share of the last two harmonics in the joints' motion"},
      {"force_tail", "1", "share of the last two harmonics in the joints' forces"},
      {"too_few_harmonics", "1", "1: a tail is above its tolerance, and no larger set was allowed or found"}};
  return list;
}

Rung::Rung(const Model& model, const BalanceOptions& chosen, const StabilityOptions& asked)
    : options(chosen), balance(*model.structure, model.joints, model.loads, chosen), energy(model, chosen) {
  if (asked.method != StabilityMethod::none) stability.emplace(model, chosen, asked);
}

Tail Rung::tail_of(const HarmonicSet& smaller) const {
  const Matrix& force = balance.joint_force();
  const HarmonicSet& felt = balance.felt_set();
  const double oscillating = felt.has_zero() ? force.rightCols(force.cols() - 1).norm() : force.norm();
  const double total = std::max(oscillating, balance.force_scale().oscillating);
  return {.motion = masing::tail(felt, balance.relative_motion(), smaller),
          .force = total > 0.0 ? masing::tail(felt, force, smaller) * oscillating / total : 0.0};
}

HarmonicLadder::HarmonicLadder(const Model& model, const BalanceOptions& options, const StabilityOptions& stability,
                               const std::vector<int>& needed)
    : model_(model), options_(options), stability_(stability), full_(options.harmonics) {
  if (!is_adaptive()) return;
  const AdaptiveHarmonics& adaptive = *options.adaptive;
  require(full_ == HarmonicSet::up_to(full_.highest()),
          "Adaptive harmonics: the largest set must hold every harmonic from 0 to {}.", full_.highest());
  require(adaptive.least >= 3 && adaptive.least <= full_.highest(),
          "Adaptive harmonics: the least highest harmonic = {} must be between 3 and the most, {}.", adaptive.least,
          full_.highest());
  std::vector<int> all = needed;
  for (const Load& load : model.loads) all.push_back(load.harmonic);
  least_ = adaptive.least;
  for (const int k : all) least_ = std::max(least_, k);
  require(least_ <= full_.highest(), "Adaptive harmonics: harmonic {} is needed, the most is {}.", least_,
          full_.highest());
  may_be_odd_ =
      adaptive.leave_out_even && !any_quadratic(model.joints) && std::none_of(all.begin(), all.end(), is_even);
}

Rung& HarmonicLadder::first() { return at(is_adaptive() ? HarmonicSet::up_to(least_) : full_); }

Rung& HarmonicLadder::at(const HarmonicSet& set) {
  const auto known = std::find_if(rungs_.begin(), rungs_.end(), [&](const auto& rung) { return rung->set() == set; });
  if (known != rungs_.end()) return **known;
  rungs_.push_back(std::make_unique<Rung>(model_, options_for(options_, set), stability_));
  return *rungs_.back();
}

Rung& HarmonicLadder::of(int highest, int count) {
  return at(count == highest + 1 ? HarmonicSet::up_to(highest) : odd_up_to(highest));
}

Rung& HarmonicLadder::common(const Rung& a, const Rung& b) {
  if (a.set() == b.set()) return at(a.set());
  return at(HarmonicSet::up_to(std::max(a.set().highest(), b.set().highest())));
}

HarmonicSet HarmonicLadder::odd_up_to(int highest) const {
  std::vector<int> odd;
  for (int k = 1; k <= highest; k += 2) odd.push_back(k);
  return HarmonicSet(odd);
}

// Two more at a time, a quarter more from 16 on: the sets needed grow faster where forces fade slowly.
int HarmonicLadder::above(int highest) const {
  return std::min(highest + std::max(2, highest / 8 * 2), full_.highest());
}

int HarmonicLadder::below(int highest) const {
  int lower = least_;
  while (lower < highest && above(lower) < highest) lower = above(lower);
  return lower;
}

Rung* HarmonicLadder::larger_for(Rung& rung, const Vector& x, double omega) {
  if (!is_adaptive()) return nullptr;
  if (rung.is_odd() && asks_for_even(rung, x, omega)) return &at(HarmonicSet::up_to(rung.set().highest()));
  const int highest = rung.set().highest();
  if (highest == full_.highest() || (rung.is_odd() && highest + 2 > full_.highest())) return nullptr;
  Vector r;
  rung.balance.residual(x, omega, r);
  if (is_short(rung.tail())) return nullptr;
  return &at(rung.is_odd() ? odd_up_to(above(highest)) : HarmonicSet::up_to(above(highest)));
}

bool HarmonicLadder::is_short(const Tail& tail) const {
  return tail.motion <= options_.adaptive->tolerance && tail.force <= options_.adaptive->force_tolerance;
}

Rung* HarmonicLadder::smaller_for(Rung& rung, const Vector& x, double omega) {
  if (!is_adaptive()) return nullptr;
  const int lower = below(rung.set().highest());
  const HarmonicSet smaller = rung.is_odd() ? odd_up_to(lower) : HarmonicSet::up_to(lower);
  if (smaller.count() == rung.set().count()) return nullptr;
  Vector r;
  rung.balance.residual(x, omega, r);
  const Tail tail = rung.tail_of(smaller);
  const bool enough = tail.motion < far_below * options_.adaptive->tolerance &&
                      tail.force < far_below * options_.adaptive->force_tolerance;
  return enough ? &at(smaller) : nullptr;
}

Rung* HarmonicLadder::odd_for(Rung& rung, const Vector& x, double omega) {
  if (!may_be_odd_ || rung.is_odd()) return nullptr;
  Vector r;
  rung.balance.residual(x, omega, r);
  const Eigen::Map<const Matrix> y(x.data(), rung.balance.motions(), rung.set().positions());
  const bool symmetric = even_share(rung.set(), y) < vanishes &&
                         even_share(rung.balance.felt_set(), rung.balance.joint_force()) < vanishes;
  return symmetric ? &at(odd_up_to(rung.set().highest())) : nullptr;
}

// The joints' forces in all harmonics, for a motion of the odd ones.
bool HarmonicLadder::asks_for_even(Rung& odd, const Vector& x, double omega) {
  Rung& all = at(HarmonicSet::up_to(odd.set().highest()));
  Vector r;
  all.balance.residual(carried_over(x, odd.balance.motions(), odd.set(), all.set()), omega, r);
  return even_share(all.balance.felt_set(), all.balance.joint_force()) > vanishes;
}

}  // namespace masing::detail
