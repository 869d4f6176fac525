// Backbones: how frequency and damping of a resonance change with its amplitude.
//
//   EPMC                extended periodic motion concept: the structure's own periodic motion, kept going by artificial
//                       damping that exactly makes up for what is dissipated,
//                         M q̈ + (C − 2ζωM) q̇ + K q + f = static loads,   q = mean + a Re Σ Ψ_k e^{ikωt},  Ψ₁ᴴ M Ψ₁ = 1
//                       Followed over log₁₀ a; ζ is the modal damping ratio. Needs a structure with a mass matrix.
//   conservative        the same without any damping, for joints that dissipate nothing: ζ comes out as zero
//   phase resonance     the forced motion whose displacement along the load lags it by 90°, over the level of the load or
//                       over the amplitude at the drive point; for any structure. ζ = D/(4πE) from the energy balance.
//
// Conservative is EPMC without damping; phase resonance tends to EPMC for light damping and well separated modes.
//
// References: Krack, Computers & Structures 154 (2015) 59-71; Peeters et al., J. Sound Vib. 330 (2011) 486-509.
#pragma once

#include "masing/analysis/curve_request.hpp"

#include <optional>

namespace masing {

enum class BackboneMethod { epmc, conservative, phase_resonance };
std::string_view to_string(BackboneMethod method);  ///< "epmc", "conservative", "phase-resonance"

struct BackboneRequest : CurveRequest {
  BackboneMethod method = BackboneMethod::epmc;
  int mode = 1;       ///< linear mode with joints at rest where it begins; rigid-body motions do not count
  double near = 0.0;  ///< [Hz] phase resonance only, > 0: begin at the resonance nearest to this instead
  /// The range, > 0: modal amplitude a [m √kg] (EPMC, conservative), level, or amplitude at the drive point.
  double from = 0.0;
  double to = 0.0;
  std::vector<double> marks = {};  ///< inside the range: special points "level" there, with the loops of the joints
  /// Phase resonance: what of the drive point has the amplitudes of the range; empty: the range is one of levels.
  std::optional<Quantity> controlled = {};
  Vector drive = {};  ///< displacement of the drive point = drive · coordinates; needed with `controlled`
};

/// One branch. Points have the quantities "damping_ratio", and "modal_amplitude" or "level"; conservative ones also
/// "mechanical_energy" [J], above the static equilibrium. Throws ModelError when the method does not fit the model.
ResponseCurves backbone(const Model& model, const BackboneRequest& request, ResultSink* sink = nullptr,
                        const ProgressCallback& progress = {}, const std::vector<BranchRestart>& restarts = {});

/// Only the checks of `backbone` that need no modes.
void check_backbone(const Model& model, const BackboneRequest& request);

/// How many modes vibrate about the static equilibrium, where they are fewer than `wanted`; empty: there are so many, or it
/// shows in a run only (no equilibrium was found). Modes are computed only where it is not plain that there are enough.
std::optional<Index> modes_if_fewer(const Model& model, const BalanceOptions& balance, Index wanted);

}  // namespace masing
