// Time integration of the same model: the independent check of the harmonic balance, and what a user asks for with
// kind = "transient".
//
//   until steady (neither periods nor duration)  marches period by period until the state repeats; the history holds
//                                                the two periods after that
//   periods or duration                          the history is the whole motion from the initial conditions
//
// Samples are samples_per_period a period, or 4096 over the duration when there is no frequency. When the last period
// repeats within steady_tolerance, the history has observations over it. A motion that did not become steady, a run
// that was stopped and one that could not go on are histories too: complete = false, with the reason in the message.
#pragma once

#include "masing/analysis/model.hpp"
#include "masing/analysis/results.hpp"
#include "masing/core/progress.hpp"

#include <string>
#include <vector>

namespace masing {

struct TransientRequest {
  std::string name = "transient";
  double frequency = 0.0;              ///< of the excitation [Hz]; 0 only with a duration and without oscillating loads
  std::vector<double> levels = {1.0};  ///< as in FrequencyResponseRequest
  std::vector<double> shown_levels;
  std::string level_unit;
  std::vector<Observable> observables;
  Vector initial_displacement;  ///< all coordinates; empty: zero
  Vector initial_velocity;
  double periods = 0.0;              ///< integrate so many periods; 0: until steady, unless there is a duration
  double duration = 0.0;             ///< [s] integrate so long, instead of periods; for a ringdown with frequency = 0
  int max_periods = 2000;            ///< until steady: give up after
  double steady_tolerance = 1e-6;    ///< change of the state from period to period, relative
  Index samples_per_period = 256;    ///< of the output
  double relative_tolerance = 1e-9;  ///< of the integrator
  double max_step = 0.0;             ///< [s] of the integrator; 0: a 32nd of a period
  std::vector<int> harmonics = {0, 1, 2, 3, 4, 5, 6, 7};  ///< reported for the steady period
};

/// One history a level. Throws ModelError before computing anything when the request or the model is wrong. The
/// progress is called after every period; `sink` gets each history when it is finished. Both may be empty.
std::vector<TimeHistory> transient_response(const Model& model, const TransientRequest& request,
                                            ResultSink* sink = nullptr, const ProgressCallback& progress = {});

}  // namespace masing
