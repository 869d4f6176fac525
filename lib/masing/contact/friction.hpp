// Elastic Coulomb friction with a normal load that varies, in one or two directions, with lift-off and re-contact.
//
// The last input is the normal approach w, the last force N − preload (normal_contact.hpp). The tangential part is a
// spring of stiffness k [N/m] between the surfaces' relative displacement u and a slider z that can carry at most μN:
//
//   friction-2d   t = clamp(k (u − z), −μN, μN)
//   friction-3d   t = T min(1, μN / |T|),   T = k (u − z) in the plane: a circular limit; while it slides, the slider
//                 follows the direction of t
//   slider        z = u − t/k: at rest in stick, dragged in slip
//   open          N <= 0: t = 0 and z = u; the next contact starts without tangential force, where u is when the surfaces
//                 touch (between two samples: detail/recontact.hpp)
//
// friction-3d from sample to sample. The slider goes by s along the mean of the directions before and after: with r = μN/k,
// the share m = (u − z)/r of the limit at the sample before, and n the new direction, |n| = 1,
//
//   z' = z + s (a m + (1 − a) n),  u − z' = r n,    a = 1/x − 1/(eˣ − 1),  x = |u − z|/r − 1
//
// whose s is the root of a quadratic equation. The weight a is ½ in small steps, so that forces along curved paths err by
// the square of the step (0.01 to 0.1 % with 256 samples a period, where radial return, a = 0, errs by 1 %), and goes to
// zero in large ones as it must for a straight path to be exact: there the direction decays as e^(−x) (a tractrix). m is
// remembered at every sample, also in stick, so that the forces stay continuous where slip begins.
//
// Memory: friction-2d the slider, friction-3d the slider and m, both the approach of the last open sample. In two directions what lies across the sliding direction
// fades instead of being forgotten at once: the consistent derivative of the discrete map is kept, and the periodic fixed
// point of the sensitivities is solved for (cycle.hpp).
//
// Periodic state: each sample brings the slider into the disc |u − z| <= μN/k. If the discs of a period have points in
// common, the contact sticks in the end; the slider is then the common point nearest to where it was when virgin, dragged
// only as far as needed (friction-2d: by marching, in the second period; friction-3d: detail/disc_projection.hpp). If not,
// the sliding cycle is unique; friction-3d closes geometrically, slowly where it barely slips, and Newton's method helps
// (detail/closing_aid.hpp). At the limit between the two, discs that touch have a lens in common whose corner moves with
// the square root of the overlap: the force of friction-3d is continuous there, but its derivative is not bounded.
//
// friction-2d has phases stick, slip+, slip−, open for time integration. It slips until the slider would move back,
// s u̇ − μ Ṅ / k < 0 with s = ±1, which includes the limit's own rate. friction-3d has none: time integration commits its
// state after every accepted step.
//
// With constant N friction-2d is the Jenkins element; friction-3d moved along a line is friction-2d.
//
// Limits: one coefficient of friction, isotropic; no coupling of normal and tangential elasticity; no micro-slip.
//
// References: C.-H. Menq, B.-D. Yang, Non-linear spring resistance and friction damping of frictional constraint having
// two-dimensional motion, Journal of Sound and Vibration 217 (1998) 127-143. E. P. Petrov, D. J. Ewins, Analytical
// formulation of friction interface elements for analysis of nonlinear multi-harmonic vibrations of bladed disks,
// Journal of Turbomachinery 125 (2003) 364-371. J. C. Simo, T. J. R. Hughes, Computational Inelasticity, Springer, 1998
// (consistent tangents of discrete maps).
#pragma once

#include "masing/contact/cycle.hpp"
#include "masing/contact/kinks.hpp"
#include "masing/contact/law.hpp"
#include "masing/contact/normal_contact.hpp"

namespace masing {

struct FrictionParameters {
  double stiffness = 0.0;  ///< k > 0 [N/m]
  double friction = 0.0;   ///< μ >= 0
  NormalContact normal;
};

class Friction2d {
 public:
  static constexpr int dimension = 2;
  static constexpr int memory = 2;
  static constexpr bool uses_velocity = false;
  static constexpr std::string_view name = "friction-2d";
  enum class Phase { stick, slip_forward, slip_backward, open };
  struct State {
    double slider = 0.0;    ///< z [m]
    double approach = 0.0;  ///< w where the contact was open last [m]
    Phase phase = Phase::stick;
  };

  explicit Friction2d(const FrictionParameters& parameters);

  int inputs() const { return 2; }
  State virgin() const { return {}; }
  SmallVector<2> memory_of(const State& state) const { return {state.slider, state.approach}; }
  Response<2, 2> advance(const Motion<2>& motion, State& state) const;

  /// In stick what is left of the elongation [m], in slip the velocity of the slider [m/s], in both cases or the
  /// distance to lift-off [m] if that is less; open: the gap that is left [m].
  double distance_to_switch(const Motion<2>& motion, const State& state) const;
  void switch_phase(const Motion<2>& motion, State& state) const;
  SmallVector<2> force_in_phase(const Motion<2>& motion, const State& state) const;
  std::string_view phase_name(const State& state) const;

  /// Where it touches and parts, begins and ceases to slide (detail/slider_kinks.hpp).
  void find_kinks(const PeriodicMotion& motion, CycleWorkspace& workspace, Kinks& kinks) const;

 private:
  double limit(double w) const { return friction_ * normal_.continued(w).load / stiffness_; }  // μN/k
  double limit_rate(const Motion<2>& motion) const;
  Response<2, 2> closed(const Motion<2>& motion, State& state) const;
  void close(const Motion<2>& motion, State& state) const;

  double stiffness_;
  double friction_;
  NormalContact normal_;
};

class Friction3d {
 public:
  static constexpr int dimension = 3;
  static constexpr int memory = 5;
  static constexpr int positions = 2;  ///< the first of them are displacements, and the rest follows from them
  static constexpr bool uses_velocity = false;
  static constexpr std::string_view name = "friction-3d";
  struct State {
    SmallVector<2> slider = SmallVector<2>::Zero();  ///< z [m]
    SmallVector<2> share = SmallVector<2>::Zero();   ///< m: of the friction limit, at the last sample
    double approach = 0.0;                           ///< w where the contact was open last [m]
    bool open = false;
  };

  explicit Friction3d(const FrictionParameters& parameters);

  int inputs() const { return 3; }
  State virgin() const { return {}; }
  SmallVector<5> memory_of(const State& state) const {
    SmallVector<5> scalars;
    scalars << state.slider, state.share, state.approach;
    return scalars;
  }
  State with_memory(const State& state, const SmallVector<5>& scalars) const {
    return {
        .slider = scalars.head<2>(), .share = scalars.segment<2>(2), .approach = state.approach, .open = state.open};
  }
  Response<3, 5> advance(const Motion<3>& motion, State& state) const;
  Response<3, 5> held(const Motion<3>& motion, const State& state) const;

  using Start = StuckStart<State, 3, 5>;
  Start stuck_start(const PeriodicMotion& motion, CycleWorkspace& workspace) const;

 private:
  Response<3, 5> with_normal_part(const Motion<3>& motion) const;
  Response<3, 5> closed(const Motion<3>& motion, State& state) const;

  double stiffness_;
  double friction_;
  NormalContact normal_;
};

}  // namespace masing
