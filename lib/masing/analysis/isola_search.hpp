// Isolas from the energy balance on backbones: the second way to find closed branches of the frequency response, which asks for
// no folds (the first way is fold_tracking).
//
// Along the backbone of a mode (extended periodic motion concept) the energy that a period dissipates tells the level at which the
// loads would keep that motion up at resonance: D = π level |pᵀQ₁|. Where this level is as large as the one of interest, the
// response at that level has a resonance nearby; where it is so more often than the main branch has resonances, some of them lie
// on isolas. Each such motion is turned in time until it lags the load by 90°, corrected there by Newton's method (level given,
// frequency unknown, displacement along the load in quadrature), and the response is followed through it: a branch that closes is
// an isola.
//
// Backbones are those of the chosen linear modes, and one more that no linear mode need lead to: it begins at the largest amplitude
// with the mode, joints at their secant stiffness, in which the loaded coordinates move most, and is followed downwards. With a
// nonlinear absorber this is the motion that has outgrown it: the absorber hangs behind, little energy is lost, and the isola lies
// about it. It ends in a fold and is connected neither to a linear mode nor, in phase resonance, to a linear resonance.
//
// References: T. L. Hill, A. Cammarano, S. A. Neild, D. J. Wagg, Interpreting the forced responses of a two-degree-of-freedom
// nonlinear oscillator using backbone curves, 2015; R. J. Kuether et al., Nonlinear normal modes, modal interactions and isolated
// resonance curves, arXiv:1604.05567.
#pragma once

#include "masing/analysis/tracking.hpp"

namespace masing {

/// `from` … `to` [Hz] is where responses are followed; `levels`, or five between from_level and to_level, are looked at.
struct IsolaSearchRequest : TrackingRequest {
  std::vector<int> modes = {1};  ///< whose backbones are followed
  double from_amplitude = 0.0;   ///< modal amplitude [m √kg] where they begin, > 0
  double to_amplitude = 0.0;     ///< … and end
};

/// A branch for each backbone (kind "backbone"), then one for each isola (kind "frequency-response", closed). The notes tell for
/// every level what was met and what became of it; what is met outside the range is told, not followed. The model needs a mass matrix and loads in harmonic 1. `restarts` as in
/// frequency_response: a branch that was recorded is not recorded again.
ResponseCurves isola_search(const Model& model, const IsolaSearchRequest& request, ResultSink* sink = nullptr,
                            const ProgressCallback& progress = {}, const std::vector<BranchRestart>& restarts = {});

/// Only its checks.
void check_isola_search(const Model& model, const IsolaSearchRequest& request);

}  // namespace masing
