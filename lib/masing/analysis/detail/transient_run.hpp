// One level of a transient analysis: integrates, samples, judges whether the end is steady.
#pragma once

#include "masing/analysis/transient_response.hpp"
#include "masing/transient/integrator.hpp"
#include "masing/transient/steady.hpp"

#include <chrono>

namespace masing::detail {

/// How the history is sampled: `intervals` equal steps.
struct Sampling {
  double step = 0.0;  ///< [s]
  Index intervals = 0;
  Index per_period = 0;  ///< 0 without a frequency
};
Sampling sampling_of(const TransientRequest& request);

class TransientRun {
 public:
  TransientRun(const SecondOrderStructure& structure, const Model& model, const TransientRequest& request,
               std::size_t level, const ProgressCallback& progress);
  TimeHistory run();

 private:
  void march_to_steady();
  void march_fixed();
  bool sample(double start, bool report);
  bool at_report(Index interval) const;
  void judge_last_period();
  void record(Index row);
  void finish(const std::string& message, bool complete);
  void keep_rows(Index rows);
  bool report(int points, double fraction, bool finished);
  double present_amplitude() const;

  const TransientRequest& request_;
  const ProgressCallback& progress_;
  TimeIntegrator integrator_;
  Sampling sampling_;
  TimeHistory history_;
  Index rows_ = 0;             // recorded so far
  double last_change_ = -1.0;  // over the last period, when it was compared
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace masing::detail
