// Internal resonance: a harmonic of the motion that meets a natural frequency of another mode, and takes that mode with it.
//
// For a branch of periodic motions with frequency f, each harmonic k ≥ 2 without a load of its own and each linear mode m:
//
//   detuning        d = k f − f_m, f_m with the joints at their secant stiffness in the motion at hand
//   modal share     how much of the harmonic moves in this mode
//   harmonic share  how much of the velocity the harmonic holds
//
// All three are stored with every point (detail/motion_shares.hpp says what they are). An internal resonance is told where the
// modal coordinate |φ_mᵀ M Q_k| has its largest local maximum along the branch, if the detuning is small there, most of the
// harmonic is in that mode, and the harmonic is not negligible. What "small" means: InternalResonanceLimits.
//
// A meeting is told where d changes its sign along the branch, whether anything resonates or not: along a backbone the
// amplitude at which kω₁ = ω₂.
//
// For structures with matrices and spectral beams, of up to 1000 coordinates.
#pragma once

#include "masing/analysis/model.hpp"
#include "masing/analysis/results.hpp"

namespace masing {

struct InternalResonanceLimits {
  double detuning = 0.1;         ///< |k f/f_m − 1| at the maximum is below
  double modal_share = 0.5;      ///< is above
  double harmonic_share = 0.01;  ///< is above
};

/// Where something is between two values; empty where it does not vary along the branch.
struct ValueRange {
  double from = 0.0, to = 0.0;
};

struct InternalResonance {
  int harmonic = 2;              ///< of the motion: multiples of the frequency divided by `periods`
  int periods = 1;               ///< of the excitation in one of the motion
  int mode = 1;                  ///< number among the vibrating modes, from 1
  int driving_mode = 0;          ///< that the loaded harmonic moves in most; 0: not known
  double mode_frequency = 0.0;   ///< f_m [Hz] there, joints at their secant stiffness
  double stuck_frequency = 0.0;  ///< the same with the joints stuck
  Index point = 0;               ///< of the branch, where it is largest; of a meeting the point before it
  double frequency = 0.0;        ///< f there [Hz]; of a meeting where k f = f_m, between two points
  double modal_share = 0.0;
  double harmonic_share = 0.0;
  ValueRange frequencies;  ///< [Hz] over which the modal coordinate is above half its maximum; a meeting: 0
  ValueRange levels;       ///< the same of the level, where it is a quantity of the points; else 0
  std::string level_unit;
  bool meeting = false;  ///< only the frequencies meet
};

/// Of a branch of this model. Meetings are looked for only if `meetings`.
std::vector<InternalResonance> internal_resonances(const Model& model, const ResponseBranch& branch,
                                                   bool meetings = false, const InternalResonanceLimits& limits = {});

/// "harmonic 3 resonates with mode 2 at 0.1592 Hz …"
std::string to_text(const InternalResonance& found);

}  // namespace masing
