// Stability of a periodic motion: what becomes of a small disturbance in one period.
//
// A disturbance of the state (coordinates, velocities, and what the joints remember) is multiplied by the Floquet
// multipliers μ from one period to the next. The motion is stable when all |μ| < 1. Two methods:
//
//   Hill          for smooth laws without memory. The disturbance is e^{λt} s(t) with s periodic,
//                 (λ²Δ₂ + λΔ₁ + J) s = 0 in the harmonics up to the highest one balanced; μ = e^{2πλ/Ω}. Of its 2n(2H + 1)
//                 eigenvalues those are taken whose eigenvectors are centred in harmonic index, one of each family; the sum
//                 of the 2n exponents is known beforehand (Liouville), and the difference is the method's error.
//   monodromy     for any law. The linearised equation of motion is integrated over a period along the motion, for every
//                 coordinate, velocity and remembered scalar: a slider that is set when slip ends, the reversal that a
//                 branch hangs on, … (contact/cycle.hpp, CycleOptions::open). Collocation of fourth order; instants at which
//                 memory is set or a law changes its slope are located and stepped on (detail/monodromy.hpp). Order: 4 with
//                 located events, 1 where a law's phases are known at samples only (friction in two directions).
//
// Structural multipliers are those that a joint has whatever the structure does, and they are left out: 1 of a scalar that
// is held throughout (a stuck slider may rest anywhere), 0 of one that is set anew in each period (slip forgets).
//
// A slider that rests all through the period at its limit, dragged there by a static load or an asymmetry, is a ratchet: held, but for
// a multiplier γ of its own that tells whether it is dragged farther and farther (stability.cpp, of_ratchets).
//
// What is approximate: the motion is the balanced one, with its truncation; at the outermost reversal of an Iwan law that
// slips partially the memory follows the backbone (exact for symmetric loops, one of two slopes for others); hysteretic
// damping H is taken as the viscous H/Ω.
//
// References: A. Lazarus, O. Thomas, Comptes Rendus Mécanique 338 (2010) 510-517. L. Guillot, A. Lazarus, O. Thomas,
// C. Vergez, B. Cochelin, Journal of Computational Physics 416 (2020) 109477 (selection by symmetry).
//
//   Stability stability(model, balance.set().harmonics(), {.method = StabilityMethod::automatic});
//   FloquetMultipliers floquet = stability.evaluate(balance.recover(x, omega), omega);
#pragma once

#include "masing/analysis/model.hpp"
#include "masing/contact/cycle.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace masing {

enum class StabilityMethod {
  none,
  automatic,  ///< Hill where it applies and its check holds, else monodromy
  hill,
  monodromy
};
std::string_view to_string(StabilityMethod method);

struct StabilityOptions {
  StabilityMethod method = StabilityMethod::none;
  Index steps =
      1024;  ///< samples of a period at least, for the monodromy; 32 in a period of the highest harmonic if that is more
};

struct FloquetMultipliers {
  std::vector<Complex> values;                     ///< largest modulus first, without the structural ones
  Index held = 0;                                  ///< structural multipliers 1
  Index forgotten = 0;                             ///< structural multipliers 0
  StabilityMethod method = StabilityMethod::none;  ///< that was used
  double trace_error = 0.0;                        ///< Hill: |Σ ln μ − what it must be|

  double largest() const { return values.empty() ? 0.0 : std::abs(values.front()); }
  /// Moduli above one by more than the methods' error.
  Index unstable() const;
  bool stable() const { return unstable() == 0; }
};

class Stability {
 public:
  /// Throws ModelError, naming the remedy, when the structure has no matrices, a singular mass matrix or too many
  /// coordinates, or when Hill's method is asked for and a law is not smooth or feels a quadratic motion.
  Stability(const Model& model, const std::vector<int>& harmonics, const StabilityOptions& options,
            const CycleOptions& cycle = {});
  ~Stability();
  Stability(Stability&&) noexcept;
  Stability& operator=(Stability&&) noexcept;

  /// What stands for an exact beam, in words with the frequency up to which it does; empty: the structure itself.
  const std::string& basis() const;

  /// For the motion of all coordinates (coordinates × positions of the harmonics) at Ω [rad/s]. The last few answers are
  /// kept: asking again costs nothing. Throws NumericalError when a law does not close its cycle.
  FloquetMultipliers evaluate(const Matrix& all, double omega);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace masing
