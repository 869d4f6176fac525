// Harmonic balance at the joints: R(x, Ω) = 0 with its exact Jacobian.
//
//   R_k = S_k(kΩ) y_k + Aᵀ F_k(A y) − p_k = 0     for every harmonic k of the set
//
// y are the motions that the joints feel (an orthonormal basis of all joint directions), S_k and p_k the structure and the
// loads condensed on them exactly, A y the relative motions, F the joint forces. Joints that feel a quadratic motion, the
// shortening of a bent beam, add −½ yᵀGy to A y and −G y to A: joint_coupling.hpp. Everything else of the structure is
// linear and recovered afterwards. A structure may put shapes of its own, which depend on harmonic and frequency, in place of
// y: shaped_coupling.hpp. The unknown vector x holds y's coefficients by harmonic, cos before sin, then motion.
//
//   HarmonicBalance balance(*structure, joints, loads, {.harmonics = {0, 1, 2, 3}, .samples = 128});
//   balance.set_level(0.5);                       // multiplies every oscillating load
//   balance.residual(x, omega, r);                // omega in rad/s
//   balance.derivatives(x, omega, jacobian, r_omega);
//   Matrix q = balance.recover(x, omega);         // all coordinates × positions
//
// Owns all workspaces: one object a thread, nothing allocated in an evaluation (for dense structures).
#pragma once

#include "masing/balance/joint_coupling.hpp"
#include "masing/balance/joint_forces.hpp"
#include "masing/balance/shaped_coupling.hpp"
#include "masing/structure/load.hpp"
#include "masing/structure/structure.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace masing {

class HarmonicBalance {
 public:
  /// Keeps no reference to its arguments but the structure, which must outlive it. Throws ModelError when a load has a
  /// harmonic outside the set, when a joint feels a quadratic motion and harmonic 0 or 2 is not in the set, or when a mean
  /// motion floats that no joint holds. A mean motion that only friction holds is
  /// undetermined once the friction slips to and fro: it gets a spring of 1e-6 of the joints' stiffness at rest, so that
  /// of all mean positions the one at which the mean joint force vanishes is found.
  HarmonicBalance(const Structure& structure, std::span<const Joint> joints, std::span<const Load> loads,
                  const BalanceOptions& options);

  Index size() const { return motions_ * set_.positions(); }
  Index motions() const { return motions_; }
  const HarmonicSet& set() const { return set_; }
  /// Names of the kept motions: coordinates, or "joint motion 1" … where joints feel fewer motions than coordinates.
  const std::vector<std::string>& motion_names() const { return motion_names_; }

  /// Factor on every oscillating load; static loads stay.
  void set_level(double level);
  double level() const { return level_; }

  void residual(const Vector& x, double omega, Vector& r);
  /// ∂R/∂x and ∂R/∂Ω. Reuses what residual() left when called at the same point.
  void derivatives(const Vector& x, double omega, Matrix& jacobian, Vector& by_omega);
  /// ∂R/∂level at the Ω of the last call.
  void derivative_by_level(Vector& by_level) const;

  /// Artificial damping cM [1/s] beside the structure's own: c < 0 feeds energy in. Throws ModelError when the structure has
  /// no mass matrix and c is not zero.
  void set_mass_damping(double c);
  double mass_damping() const { return mass_damping_; }
  /// ∂R/∂c at the Ω of the last call, for a balance without oscillating loads.
  void derivative_by_mass_damping(const Vector& x, Vector& by_mass_damping);

  /// Sizes of the forces that the last residual balanced, static and oscillating: what "one" means for R.
  struct ForceScale {
    double mean = 0.0;
    double oscillating = 0.0;
  };
  const ForceScale& force_scale() const { return force_scale_; }
  /// What the structure's oscillating forces of the last residual change by when ω does by its own rounding error: where ω is an
  /// unknown no residual can be asked to be smaller.
  double frequency_rounding();

  /// Relative motions of the joints and their forces at the last residual, inputs × positions of felt_set().
  const Matrix& relative_motion() const { return relative_; }
  const Matrix& joint_force() const { return joint_forces_.coefficients(); }
  /// The harmonics of both: those of the set, and more where a joint feels a quadratic motion.
  const HarmonicSet& felt_set() const { return felt_set_; }

  /// Coefficients (coordinates × positions) of all coordinates for a solution.
  Matrix recover(const Vector& x, double omega);
  /// Complex amplitude of one coordinate in the i-th harmonic of the set, and its rate of change along a path with
  /// dx/ds and dΩ/ds.
  struct Amplitude {
    Complex value, rate;
  };
  Amplitude recover_amplitude(const Vector& x, double omega, Index i, Index coordinate, const Vector& x_rate,
                              double omega_rate);
  /// The same of a combination of coordinates: one coefficient each.
  Amplitude recover_amplitude(const Vector& x, double omega, Index i, const Vector& motion, const Vector& x_rate,
                              double omega_rate);

  /// A linear functional w · q (no conjugate) of the complex amplitudes q of all coordinates in the i-th harmonic of the
  /// set, with its derivatives to the complex amplitudes of the kept motions in that harmonic, to Ω, level and c.
  struct Functional {
    Complex value;
    ComplexVector by_motion;
    Complex by_omega, by_level, by_mass_damping;
  };
  void functional(const Vector& x, double omega, Index i, const ComplexVector& weights, Functional& result);
  /// Complex amplitudes of all coordinates in the i-th harmonic.
  const ComplexVector& recover_amplitudes(const Vector& x, double omega, Index i);
  /// The load of the i-th harmonic on all coordinates, at level 1.
  const ComplexVector& load(Index i) const { return parts_[static_cast<std::size_t>(i)].full_load; }
  const InterfaceBasis& basis() const { return basis_; }

 private:
  // What the structure contributes to one harmonic at the present Ω.
  struct HarmonicPart {
    int k = 0;
    std::unique_ptr<CondensedStructure> structure;
    MassDamped* mass_damped = nullptr;  // the same, if it can be
    ComplexVector constant_load;        // at level 1
    struct Varying {
      Complex factor;
      std::shared_ptr<const FrequencyLoad> load;
    };
    std::vector<Varying> varying;
    ComplexVector full_load, full_load_by_omega;  // their sum at the present frequency; by ω = kΩ
    ComplexVector load, load_by_omega;
  };

  void build_basis(std::span<const Joint> joints, std::span<const Load> loads);
  void build_loads(std::span<const Load> loads);
  void name_motions(std::span<const Joint> joints);
  void add_joint_forces(const Matrix& forces, Eigen::Ref<Matrix> equations);
  void settle_floating_motions(std::span<const Joint> joints);
  void go_to(double omega);
  void go_to(HarmonicPart& part, double omega);
  double level_of(const HarmonicPart& part) const { return part.k == 0 ? 1.0 : level_; }
  void add_structure_residual(Vector& r);
  void add_structure_jacobian(Matrix& jacobian) const;
  void add_structure_by_omega(const Vector& x, Vector& by_omega);
  void recover_harmonic(const MatrixView& y, Index i);
  void recover_with_rate(const Vector& x, double omega, Index i, const Vector& x_rate, double omega_rate);
  void add_load_rate(const HarmonicPart& part, double frequency_rate);

  const Structure& structure_;
  HarmonicSet set_;
  HarmonicSet felt_set_;  // of the relative motions: larger where they are quadratic
  InterfaceBasis basis_;
  Index motions_ = 0;
  std::vector<std::string> motion_names_;
  JointForces joint_forces_;
  std::unique_ptr<JointCoupling> coupling_;
  std::unique_ptr<ShapedCoupling> shaped_coupling_;  // takes its place where the structure has shapes
  std::vector<HarmonicPart> parts_;
  Matrix weak_springs_;  // on mean motions that only friction holds; harmonic 0
  double level_ = 1.0;
  double mass_damping_ = 0.0;

  double omega_ = -1.0;  // where parts_ are
  Vector evaluated_x_;   // where joint_forces_ are
  double evaluated_omega_ = -1.0;
  ForceScale force_scale_;

  Matrix relative_;  // m × P of felt_set_
  ComplexVector motion_, product_;
  ComplexVector recovered_, recovered_rate_, scaled_load_;
  ComplexMatrix stiffness_rate_;
  ComplexVector varying_, varying_by_omega_, no_motion_, load_rate_;
};

}  // namespace masing
