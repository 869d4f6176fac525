// Iwan law under a varying normal load in closed form: the branch formula of Rajaei and Ahmadian.
//
// Inputs, normal contact, κ and β as in variable_load_iwan.hpp. With Q the backbone at the reference load and y = F/κ:
//
//   virgin                        y = ± β Q(|u − c| / β)                  c: where the contact closed last; 0 at first
//   after a reversal (u₀, y₀, β₀)  y = y₀ ± (β + β₀) Q(|u − u₀| / (β + β₀))    + for u rising, − for u falling
//   open                          F = 0; the next contact starts on the virgin curve with c = u where the surfaces touch
//
// It passes the largest excursion from c, on the side where that was, back on the virgin curve.
//
// Limits. The formula is exact where β = α/κ is constant: under constant load, or when the stiffness is proportional to
// the load. Otherwise the returning branch is only approximate, because stuck springs keep offsets and slide backward
// when the load falls (k = 1, α = 1 + ½ cos: it dissipates 3.3164 where the population dissipates 4.0779). Such a law
// is refused unless `accept_approximation` says that this is known; reach_variation() tells how far a given motion is
// from exact. Only one reversal is remembered: in periods with more than two reversals the inner branches do not return
// to the outer ones exactly. Reversals are taken at samples.
//
// Memory (M = 8): c, u₀, y₀, β₀, the sample before: u, y, β, which becomes the reversal when the motion turns, and the
// approach of the last open sample (detail/recontact.hpp).
//
// Reference: M. Rajaei, H. Ahmadian, Applied Mathematical Modelling 38 (2014) 4006-4018, eqs. (7)-(26) with signs and
// limits corrected.
#pragma once

#include "masing/contact/backbone.hpp"
#include "masing/contact/law.hpp"
#include "masing/contact/load_scaling.hpp"
#include "masing/contact/normal_contact.hpp"

namespace masing {

class VariableLoadClosed {
 public:
  static constexpr int dimension = 2;
  static constexpr int memory = 8;
  static constexpr bool uses_velocity = false;
  static constexpr std::string_view name = "variable-load-iwan-closed";

  /// Where a branch begins.
  struct Reversal {
    double position = 0.0;  ///< u₀ [m]
    double force = 0.0;     ///< y₀ [N]
    double reach = 0.0;     ///< β₀
  };
  struct State {
    double centre = 0.0;     ///< c [m]
    double extreme = 0.0;    ///< largest excursion from c, with its sign [m]
    double direction = 0.0;  ///< sign of the last move
    bool virgin = true;
    bool open = false;
    Reversal reversal;
    Reversal last;          ///< the sample before
    double approach = 0.0;  ///< w where the contact was open last [m]
  };
  struct Parameters {
    BackbonePointer backbone;  ///< at the reference load
    LoadScaling scaling;
    NormalContact normal;
    bool accept_approximation = false;
  };

  explicit VariableLoadClosed(Parameters parameters);

  int inputs() const { return 2; }
  State virgin() const { return {}; }
  SmallVector<8> memory_of(const State& state) const;
  Response<2, 8> advance(const Motion<2>& motion, State& state) const;

  /// 1 − min β / max β over the closed samples of a history of approaches [m]: 0 where the law is exact.
  double reach_variation(const VectorView& approach) const;

 private:
  struct Branch;
  Response<2, 8> closed(const Motion<2>& motion, State& state) const;
  Branch branch(double u, double beta, const State& state, bool reverses) const;

  BackbonePointer backbone_;
  LoadScaling scaling_;
  NormalContact normal_;
};

}  // namespace masing
