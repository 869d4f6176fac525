// Time integration of a structure with joints:
//
//   M q̈ + C q̇ + K q + Σ_j B_j f_j(B_jᵀ q, B_jᵀ q̇; state_j) = p₀ + Σ level · shape · cos(kΩt + phase)
//
// Joints may feel a quadratic motion, such as the shortening of a bent beam (contact/joint.hpp).
//
// Runge-Kutta-Fehlberg 7(8) of Boost.Odeint with controlled steps. The joints are the same law code as in the
// harmonic balance, in its phase-wise smooth form: every change of phase (stick, slip, open, closed, …) is located,
// the step ends exactly there, and the next one starts in the new phase. So the order of the method is not lost at
// the joints, and the result is an independent check of a harmonic balance.
//
// Error control: the estimated error of a step is at most relative_tolerance times the largest value that the
// coordinate (its velocity) has had so far, coordinates that hardly move being measured by the largest of all. No
// absolute tolerance is needed, whether displacements are 1e-9 or 1.
//
// Limits: explicit, so the step is at most about 4/ω of the fastest natural frequency: meant for lumped, modal and
// reduced models, slow for fine finite-element meshes. M must be positive definite and the damping viscous. A joint
// that leaves its phase and returns within about 1/16 of a step (1/500 of a period) may be missed.
//
// Reference: E. Fehlberg, NASA TR R-287 (1968); E. Hairer, S. Norsett, G. Wanner, Solving Ordinary Differential
// Equations I, 2nd ed., Springer, 1993, sections II.5 and II.6.
//
//   TimeIntegrator integrator(structure, joints, loads, {.level = 0.5, .omega = 2 * pi * 50.0});
//   integrator.set_state(q0, v0);
//   integrator.advance_to(1.0);
//   double x = integrator.displacement()[0];
#pragma once

#include "masing/contact/joint.hpp"
#include "masing/structure/load.hpp"
#include "masing/structure/structure.hpp"

#include <memory>
#include <span>

namespace masing {

struct Drive {
  double level = 1.0;  ///< multiplies the loads of harmonic >= 1
  double omega = 0.0;  ///< Ω [rad/s]; 0: no oscillating load, a ringdown
};

struct IntegratorOptions {
  double relative_tolerance = 1e-9;    ///< of a step, see above; [1e-14, 1e-2]
  int steps_per_period = 32;           ///< at least so many steps a period; >= 4. More: finds shorter visits to a phase
  double max_step = 0.0;               ///< [s] in addition; 0: none
  int max_switches_per_period = 1000;  ///< of one joint; more is chattering and ends with a NumericalError; >= 2
};

struct IntegratorCounters {
  long steps = 0;        ///< accepted, the partial ones that end at a change of phase included
  long rejected = 0;     ///< by the error control
  long switches = 0;     ///< changes of phase
  long evaluations = 0;  ///< of the right-hand side
};

/// Smallest and largest values seen at the ends of steps since the last `restart_extent`.
struct MotionExtent {
  Vector lowest;   ///< [q; v; a]
  Vector highest;  ///< [q; v; a]
};

class TimeIntegrator {
 public:
  /// The structure must outlive the integrator. Starts at rest, at t = 0. Throws ModelError when the model cannot be
  /// integrated in time: hysteretic damping, massless coordinates, oscillating loads without a frequency, wrong sizes.
  TimeIntegrator(const SecondOrderStructure& structure, std::span<const Joint> joints, std::span<const Load> loads,
                 const Drive& drive, const IntegratorOptions& options = {});
  ~TimeIntegrator();
  TimeIntegrator(TimeIntegrator&&) noexcept;
  TimeIntegrator& operator=(TimeIntegrator&&) noexcept;

  /// Initial conditions; the joints are virgin until then and feel q, v at once.
  void set_state(const Vector& q, const Vector& v, double t = 0.0);

  /// Integrates to t >= time(). Throws NumericalError with time, joint and phases when it cannot go on.
  void advance_to(double t);

  double time() const;
  double period() const;  ///< 2π/Ω [s]; 0 without excitation
  Eigen::Map<const Vector> displacement() const;
  Eigen::Map<const Vector> velocity() const;
  Eigen::Map<const Vector> acceleration() const;

  Index joints() const;
  int joint_inputs(Index joint) const;
  SmallVector<Eigen::Dynamic> joint_force(Index joint) const;  ///< [N]
  Motion<Eigen::Dynamic> joint_motion(Index joint) const;
  std::string_view joint_phase(Index joint) const;  ///< "stick", …; a law without phases has its own word
  Vector joint_memory() const;                      ///< the remembered scalars of all joints

  void restart_extent();
  const MotionExtent& extent() const;
  const IntegratorCounters& counters() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace masing
