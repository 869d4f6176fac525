// The steady state by marching: period after period until the motion repeats.
//
// After each period the state at its end (displacements, velocities, memory of the joints) is compared with the one a
// period before. `change` is the largest difference, of displacements relative to the largest swing (half of highest
// minus lowest) of any displacement in the last period, of velocities likewise, of a joint's memory relative to its
// largest value so far. Nothing is accelerated or extrapolated: with light damping many periods are needed. A swing
// below 1e-6 of the largest one of the run counts as that much, so that a motion which dies out becomes steady.
//
// A small change is not the distance from the steady state: when changes shrink by the factor ρ per period (averaged
// over the last 12), about change · ρ/(1 − ρ) is still to come. The summary says how much.
#pragma once

#include "masing/transient/integrator.hpp"

#include <functional>
#include <string>

namespace masing {

struct SteadyOptions {
  double tolerance = 1e-6;  ///< on `change`; > 0
  int max_periods = 2000;   ///< give up after; >= 1
};

enum class SteadyStop { not_run, steady, max_periods, stopped };
std::string_view to_string(SteadyStop stop);

struct SteadySummary {
  SteadyStop stop = SteadyStop::not_run;
  std::string message = "The steady state was not looked for.";
  int periods = 0;          ///< marched
  double change = -1.0;     ///< over the last period
  double remaining = -1.0;  ///< estimate of what is still to come; negative: changes do not shrink

  bool steady() const { return stop == SteadyStop::steady; }
};

/// Compares the state at the end of a period with the one at its beginning.
class PeriodComparison {
 public:
  explicit PeriodComparison(TimeIntegrator& integrator);
  /// A period begins with the present state; restarts the extent of the integrator.
  void begin_period();
  /// The period ends with the present state: `change`, see above.
  double change_over_period();

 private:
  TimeIntegrator& integrator_;
  Vector displacement_, velocity_, memory_;
  Vector largest_memory_;
  double largest_swing_[2] = {0.0, 0.0};
};

/// Called after every period; false stops with what is there.
using PeriodCallback = std::function<bool(int periods, double change)>;

/// Marches from the present state until it repeats. Needs an excitation frequency (ModelError).
SteadySummary run_to_steady(TimeIntegrator& integrator, const SteadyOptions& options,
                            const PeriodCallback& callback = {});

}  // namespace masing
