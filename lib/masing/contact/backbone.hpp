// The backbone of an Iwan law: its force when it is loaded for the first time, in one direction.
//
//   F̂(u),  u >= 0,   F̂(0) = 0,   F̂' falls from the stick stiffness to 0 at macroslip, where F̂ is the slip force
//
// Seen as a population of Jenkins elements with common unit stiffness and density ρ(ϕ) of the displacement ϕ at which
// they slide [N/m²]:
//
//   F̂(u) = ∫₀ᵘ ϕ ρ(ϕ) dϕ + u ∫ᵤ^∞ ρ(ϕ) dϕ,    F̂'(u) = ∫ᵤ^∞ ρ(ϕ) dϕ,    ρ = −F̂''
//
// Density and backbone say the same; the backbone is what a computation needs. With Masing's rules (iwan.hpp) it gives
// every other branch of the law, so no slider has to be stored. The energy of a symmetric loop of amplitude A is
//
//   W = 8 ∫₀ᴬ F̂ du − 4 A F̂(A).
#pragma once

#include <memory>
#include <span>

namespace masing {

/// F̂ and its slope at one displacement.
struct BackboneValue {
  double force = 0.0;      ///< F̂(u) [N]
  double stiffness = 0.0;  ///< F̂'(u) [N/m]; where it jumps: the value to the right
};

class Backbone {
 public:
  virtual ~Backbone() = default;

  /// u >= 0 [m]. Called for every sample: no allocation, and as few powers and roots as possible.
  virtual BackboneValue at(double u) const = 0;
  /// The same for many displacements; overridden where a processor computes several powers at once.
  virtual void at_all(std::span<const double> u, std::span<BackboneValue> values) const;
  /// ∫₀ᵘ F̂ dv [J], in closed form or to rounding.
  virtual double work(double u) const = 0;
  /// Displacement from which on F̂ is constant [m]; infinite when it never is.
  virtual double macroslip() const = 0;
  /// Displacements below macroslip at which F̂' jumps, has a kink or begins with a root, ascending [m]: elsewhere F̂ is smooth.
  virtual std::span<const double> corners() const { return {}; }

  double stick_stiffness() const { return at(0.0).stiffness; }  ///< K_T = F̂'(0) [N/m]
  /// F̂ beyond macroslip [N]; infinite when there is none.
  double slip_force() const;
  /// W of a symmetric loop of this amplitude [J].
  double loop_energy(double amplitude) const;
};

using BackbonePointer = std::shared_ptr<const Backbone>;

}  // namespace masing
