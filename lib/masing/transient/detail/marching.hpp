// The step loop of the time integration: trial step, error control, location of the first change of phase, acceptance.
#pragma once

#include "masing/transient/detail/equation_of_motion.hpp"
#include "masing/transient/detail/switch_watch.hpp"
#include "masing/transient/integrator.hpp"

#include <memory>
#include <vector>

namespace masing::detail {

class Marching {
 public:
  Marching(const SecondOrderStructure& structure, std::span<const Joint> joints, std::span<const Load> loads,
           const Drive& drive, const IntegratorOptions& options);
  ~Marching();

  void set_state(const Vector& q, const Vector& v, double t);
  void advance_to(double t);
  void restart_extent();

  const EquationOfMotion& equation() const { return equation_; }
  double time() const { return time_; }
  const StateVector& state() const { return x_; }
  const StateVector& derivative() const { return dxdt_; }
  const MotionExtent& extent() const { return extent_; }
  const IntegratorCounters& counters() const { return counters_; }

 private:
  struct Stepper;

  void try_step(double h, double target);
  void stage_step(double h);
  double error_of_trial() const;
  void reject(double h, double error);
  void accept(double h);
  void locate(const Crossing& crossing, double h);
  double correct(const Crossing& crossing, double tau, double slope, double& before, double& after);
  void switch_joint(Index joint, const JointMotion& beyond);
  void switch_others(Index joint);
  void guard_switching(Index joint, std::string_view left);
  void evaluate_derivative();
  void update_extent();
  double time_resolution() const;

  EquationOfMotion equation_;
  IntegratorOptions options_;
  SwitchWatch watch_;
  std::unique_ptr<Stepper> stepper_;
  IntegratorCounters counters_;
  MotionExtent extent_;

  double reference_period_ = 0.0;  // 2π/Ω, or of the fastest natural frequency; infinite when there is none
  double max_step_ = 0.0;
  double time_ = 0.0;
  double step_ = 0.0;  // proposed for the next step
  StateVector x_, dxdt_;
  StateVector trial_, trial_derivative_, error_;
  StateVector largest_;  // |x_i| so far, the scale of the error control

  double window_start_ = 0.0;            // for max_switches_per_period
  std::vector<int> switches_in_window_;  // per joint
  double last_switch_time_ = 0.0;
  int switches_at_instant_ = 0;
};

}  // namespace masing::detail
