// Four Iwan parameters from a few numbers of a modal test, by formulas: Brake 2017, (40) to (46), in a form that does not
// contradict itself.
//
//   K_T    = 4π² m (f_low² − f_high²)         the joint is stuck at f_low, and lost at f_high           (40)
//   χ      = slope of ln D over ln u, less 3                                                            (41)
//   1 + β  = 4 K_T (χ+1) u^(χ+3) / (ϕ_max^(χ+1) D (χ+2)(χ+3))          energy in microslip              (45)
//   F_S    = K_T ϕ_max (β + (χ+1)/(χ+2)) / (1 + β)                     macroslip displacement           (10)
//
// D and u are the energy a cycle and the amplitude; both are taken from the straight line through all given points in
// logarithms. No iteration is needed. Where the slip force is known, it gives β instead of the energies:
//
//   β      = (q − (χ+1)/(χ+2)) / (1 − q),   q = F_S/(K_T ϕ_max)                                         (44)
//
// Results that no four-parameter joint can have are refused with the reason: a slope outside of (2, 3], β < 0, macroslip
// below the data, a slip force that the stiffness never reaches.
//
// The formulas see the ends of the curves only. A least-squares fit of frequency and damping over the amplitude
// (io/identify.hpp) sees all of them and says how exact it is; these numbers are a good start for it.
#pragma once

#include "masing/contact/backbones.hpp"
#include "masing/core/types.hpp"

#include <string>

namespace masing {

struct ModalMeasurement {
  double modal_mass = 0.0;      ///< > 0 [kg]
  double low_frequency = 0.0;   ///< at small amplitude [Hz]
  double high_frequency = 0.0;  ///< at large amplitude, > 0 and below the other [Hz]
  double stiffness = 0.0;       ///< K_T, if it is known: mass and frequencies are not used then [N/m]
  double slip_force = 0.0;      ///< F_S, if it is known: the energies give χ only [N]
  double macroslip = 0.0;       ///< ϕ_max: amplitude from which on all slides [m]
  Vector amplitude;             ///< of the joint, > 0, at least 2 different ones, below ϕ_max [m]
  Vector energy;                ///< dissipated per cycle, > 0 [J]
};

struct FourParameterEstimate {
  FourParameters parameters;
  double slope = 0.0;    ///< of ln D over ln u
  double scatter = 0.0;  ///< standard deviation of ln D about the line; 0 for two points
  std::string refusal;   ///< why no joint can have this β; empty when one can
};

/// Throws ModelError with the reason for impossible input or an impossible result.
FourParameterEstimate estimate_four_parameters(const ModalMeasurement& measured);

/// The same for those who want to see an impossible β: it is returned, with the refusal.
FourParameterEstimate unchecked_four_parameters(const ModalMeasurement& measured);

}  // namespace masing
