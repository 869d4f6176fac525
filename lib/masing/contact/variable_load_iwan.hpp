// Iwan population under a normal load that varies: slip forces and stiffness follow N(t).
//
// Inputs: tangential displacement u and normal approach w (normal_contact.hpp says how N follows from w and what the
// preload means). With the factors κ, β of load_scaling.hpp, and stiffness K_j and slip displacement x̄_j of element j
// at the reference load:
//
//   slider     z_j = clamp(z_j before, u − β x̄_j, u + β x̄_j)
//   force      F = κ Σ K_j (u − z_j)
//   lift-off   N <= 0: F = 0 and z_j = u; the next contact starts from where u is when the surfaces touch
//
// The memory is the *elongation* of each spring, not its force: a spring that stiffens while it is stretched gains
// force, dF = k du + (F/k) dk. Slip forces grow with N, so sliding elements follow the load; where the load falls,
// stuck elements begin to slide without any motion.
//
// Sensitivities are exact and sparse. With S = Σ over stuck elements of K_j (elongation − u):
//
//   F = κ (u Σ_stuck K_j + S + β Σ_sliding ± K_j x̄_j)
//
// S is a remembered scalar that changes only when elements start or stop to slide: by the elongations ± β_r x̄_j − u_r
// that they took with them from the last sample r at which they slid. One use a sample, whatever the number of
// elements.
//
// Periodic state: a period maps each slider to clamp(z, a, b) with bounds of that motion, so the second period repeats
// exactly. Elements that never slide in it keep what an earlier period left them.
//
// A march over samples alone is of second order in 1/N (between them the motion is taken as straight where the contact closes,
// detail/recontact.hpp); one that visits the kinks of every slider is exact (find_kinks).
//
// Limits: one direction of sliding; time integration commits the state after every accepted step.
//
// Reference: M. Rajaei, H. Ahmadian, Applied Mathematical Modelling 38 (2014) 4006-4018.
#pragma once

#include "masing/contact/element.hpp"
#include "masing/contact/load_scaling.hpp"
#include "masing/contact/normal_contact.hpp"
#include "masing/contact/slip_element.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace masing {

class VariableLoadIwan {
 public:
  static constexpr std::string_view name = "variable-load-iwan";

  /// `elements` hold at the reference load of `scaling`.
  VariableLoadIwan(const std::vector<SlipElement>& elements, LoadScaling scaling, NormalContact normal);

  struct State {
    Eigen::ArrayXd sliders;  ///< z_j [m]
    Eigen::ArrayXd sliding;  ///< +1, −1 while it slides forward, backward; 0 in stick
    bool open = false;
    double approach = 0.0;  ///< w where the contact was open last [m]
  };
  /// Of the first closed sample behind an open one: how u_c follows u and w of the two.
  struct Touch {
    bool now = false;
    double share = 0.0;      ///< θ = ∂u_c/∂u of the closed sample
    double by_open = 0.0;    ///< ∂u_c/∂w of the open sample
    double by_closed = 0.0;  ///< ∂u_c/∂w of the closed one
  };
  struct Answer {
    double tangential = 0.0;         ///< F [N]
    double normal = 0.0;             ///< N − preload [N]
    double by_displacement = 0.0;    ///< ∂F/∂u [N/m]
    double by_approach = 0.0;        ///< ∂F/∂w at fixed memory [N/m]
    double normal_stiffness = 0.0;   ///< ∂N/∂w [N/m]
    double by_memory = 0.0;          ///< ∂F/∂S = κ
    double reach_by_approach = 0.0;  ///< dβ/dw [1/m]
    Touch touch;
  };

  Index size() const { return stiffness_.size(); }
  double stiffness(Index j) const { return stiffness_[j]; }
  double slip_force(Index j) const { return slip_force_[j]; }
  double total_stiffness() const { return stiffness_.cwiseAbs().sum(); }

  State virgin() const;
  Answer advance(double u, double w, State& state) const;

  /// Where it touches and parts, and where each slider begins and ceases to slide (detail/slider_kinks.hpp). Not under a
  /// tabulated stiffness: a slider that comes to rest at a corner of the table depends on the instant at which that is passed.
  bool locates_kinks() const { return !scaling_.is_tabulated(); }
  void find_kinks(const PeriodicMotion& motion, CycleWorkspace& workspace, Kinks& kinks) const;

 private:
  Touch close(double u, double w, State& state) const;
  void move_sliders(double u, double reach, State& state) const;

  Eigen::ArrayXd stiffness_;   // K_j
  Eigen::ArrayXd limit_;       // x̄_j
  Eigen::ArrayXd slip_force_;  // K_j x̄_j
  LoadScaling scaling_;
  NormalContact normal_;
};

std::shared_ptr<const ContactElement> make_element(VariableLoadIwan law);

}  // namespace masing
