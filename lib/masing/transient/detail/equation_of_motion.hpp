// The equation of motion in first-order form, for a stepper:
//
//   x = [q; v],   q̇ = v,   v̇ = M⁻¹ (p(t) − C v − K q − Σ_j B_j f_j(B_jᵀ q, B_jᵀ v; state_j))
//
// A quadratic motion of a joint (contact/joint.hpp) adds −½ qᵀGq to its displacement, −qᵀGv to its velocity,
// −qᵀGv̇ − vᵀGv to its acceleration and −f G q to its force on the coordinates.
//
// It owns the state of every joint. Joint forces are those of the present phase, so the right-hand side is smooth until
// somebody calls `point(j).switch_phase`.
#pragma once

#include "masing/contact/joint.hpp"
#include "masing/structure/load.hpp"
#include "masing/structure/structure.hpp"

#include <Eigen/SparseCholesky>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace masing::detail {

using StateVector = std::vector<double>;  ///< [q; v], as the stepper wants it
using JointMotion = Motion<Eigen::Dynamic>;
using JointVector = SmallVector<Eigen::Dynamic>;

class EquationOfMotion {
 public:
  /// The structure must outlive the equation. Throws ModelError when the model cannot be integrated in time.
  EquationOfMotion(const SecondOrderStructure& structure, std::span<const Joint> joints, std::span<const Load> loads,
                   double level, double omega);

  Index size() const { return mass_.rows(); }  ///< coordinates
  double omega() const { return omega_; }

  /// dx/dt at (x, t); the stepper calls it.
  void operator()(const StateVector& x, StateVector& dxdt, double t);

  Index joints() const { return static_cast<Index>(joints_.size()); }
  const std::string& joint_name(Index j) const { return joints_[j].name; }
  int joint_inputs(Index j) const { return joints_[j].inputs; }
  ContactPoint& point(Index j) { return *joints_[j].point; }
  const ContactPoint& point(Index j) const { return *joints_[j].point; }
  bool any_switches() const;

  /// Relative displacement and velocity of a joint, and its relative acceleration for dx/dt = `derivative`.
  JointMotion motion(Index j, const StateVector& x) const;
  JointVector acceleration(Index j, const StateVector& x, const StateVector& derivative) const;

  /// Virgin joints, then brought to the motion of x.
  void reset_joints(const StateVector& x);

  /// Largest natural frequency [rad/s] with the joints as they are at rest, an estimate from below; 0 without
  /// stiffness.
  double fastest_frequency() const;

 private:
  struct Entry {
    Index coordinate;
    int input;
    double weight;
  };
  struct AttachedJoint {
    std::string name;
    std::shared_ptr<const ContactElement> element;
    std::unique_ptr<ContactPoint> point;
    std::vector<Entry> entries;
    std::vector<QuadraticMotion> quadratic;
    int inputs = 0;
  };
  struct Oscillation {
    Vector amplitude;
    double frequency;  // k Ω
    double phase;
  };

  void factorise_mass(const SecondOrderStructure& structure);
  void attach(const Joint& joint);
  void add_load(const Load& load, double level);
  /// Bᵀ times the coordinates that begin at `coordinates`.
  JointVector relative(Index j, const double* coordinates) const;
  void subtract_joint_force(Index j, const StateVector& x);

  const SparseMatrix& mass_;
  const SparseMatrix& damping_;
  const SparseMatrix& stiffness_;
  Eigen::SimplicialLDLT<SparseMatrix> mass_factor_;
  std::vector<AttachedJoint> joints_;
  Vector static_load_;
  std::vector<Oscillation> oscillations_;
  double omega_;
  Vector force_;  // workspace: right-hand side of M v̇ = force
};

}  // namespace masing::detail
