// Internal resonance: a harmonic of the motion that meets a natural frequency of another mode, and takes that mode with it.
//
// For a branch of periodic motions with frequency f, each harmonic k ≥ 2 without a load of its own and each linear mode m
// (joints stuck, frequency f_m, shape φ_m of unit modal mass):
//
//   detuning        d = k f − f_m
//   modal share     |φ_mᵀ M Q_k|² / (Q_kᴴ M Q_k): how much of the harmonic moves in this mode
//   harmonic share  √(k² Q_kᴴ M Q_k / Σ_j j² Q_jᴴ M Q_j): how much of the velocity the harmonic holds, mass-weighted
//
// An internal resonance is told where the modal coordinate |φ_mᵀ M Q_k| has its largest local maximum along the branch, if the
// detuning is small there, most of the harmonic is in that mode, and the harmonic is not negligible. What "small" means:
// InternalResonanceLimits. Modes are those of the linear model: where joints soften or harden much, k f differs from f_m by as
// much; the limit of the detuning allows for it.
//
// A meeting is told where d changes its sign along the branch, whether anything resonates or not: along a backbone the
// amplitude at which kω₁ = ω₂.
//
// For structures with a mass matrix and up to 1000 coordinates; for those without there are only meetings.
#pragma once

#include "masing/analysis/model.hpp"
#include "masing/analysis/results.hpp"
#include "masing/balance/options.hpp"

namespace masing {

struct InternalResonanceLimits {
  double detuning = 0.1;         ///< |k f/f_m − 1| at the maximum is below
  double modal_share = 0.5;      ///< is above
  double harmonic_share = 0.01;  ///< is above
};

struct InternalResonance {
  int harmonic = 2;
  int mode = 1;                 ///< number among the vibrating modes, from 1
  double mode_frequency = 0.0;  ///< f_m [Hz]
  Index point = 0;              ///< of the branch, where it is largest; of a meeting the point before it
  double frequency = 0.0;       ///< f there [Hz]; of a meeting f_m/k
  double modal_share = 0.0;
  double harmonic_share = 0.0;
  double from = 0.0,
         to = 0.0;       ///< [Hz] frequencies over which the modal coordinate is above half its maximum; a meeting: 0
  bool meeting = false;  ///< only the frequencies meet
};

/// Of a branch that was balanced with `options`. Meetings are looked for only if `meetings`.
std::vector<InternalResonance> internal_resonances(const Model& model, const BalanceOptions& options,
                                                   const ResponseBranch& branch, bool meetings = false,
                                                   const InternalResonanceLimits& limits = {});

/// "harmonic 3 resonates with mode 2 (0.4775 Hz) at 0.1592 Hz: …"
std::string to_text(const InternalResonance& found);

}  // namespace masing
