// Two more ways to follow the periodic answer to the loads, both by harmonic balance and continuation:
//
//   force response     at a fixed frequency over the level of the loads, round every fold: the S-curve of a nonlinear
//                      resonance
//   response control   over frequency with the amplitude of a sensor held at a value, as a controlled shaker test does;
//                      the level that this needs is found. Jumps of the open loop disappear: most curves have no folds.
#pragma once

#include "masing/analysis/curve_request.hpp"

namespace masing {

struct ForceResponseRequest : CurveRequest {
  std::vector<double> frequencies;  ///< [Hz], one branch each
  double from_level = 0.0;          ///< > 0
  double to_level = 0.0;            ///< > 0; below from_level: downwards
  std::vector<double> marks = {};   ///< levels in the range: special points "level" there, with the loops of the joints
};

struct ResponseControlRequest : CurveRequest {
  double from = 0.0;               ///< [Hz]; from > to sweeps down
  double to = 0.0;                 ///< [Hz]
  Observable controlled;           ///< whose amplitude is held
  int harmonic = 1;                ///< … in this harmonic
  std::vector<double> amplitudes;  ///< [unit of the observable], one branch each
};

/// As frequency_response: `sink` gets every point as it is accepted and may be null; `restarts` holds what an interrupted
/// run left, one entry a branch, or is empty. Points have the quantity "level".
ResponseCurves force_response(const Model& model, const ForceResponseRequest& request, ResultSink* sink = nullptr,
                              const ProgressCallback& progress = {}, const std::vector<BranchRestart>& restarts = {});
ResponseCurves response_control(const Model& model, const ResponseControlRequest& request, ResultSink* sink = nullptr,
                                const ProgressCallback& progress = {}, const std::vector<BranchRestart>& restarts = {});

}  // namespace masing
