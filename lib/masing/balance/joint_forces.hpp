// Alternating frequency-time: from the coefficients of the joints' relative motion to those of their forces, with exact
// derivatives.
//
//   U --Γ--> u(t), v(t) --steady cycle of each law--> f(t) --Γ⁺--> F,
//   ∂F/∂U = Γ⁺ G Γ + Ω Γ⁺ G_v Γ D,     G = ∂f/∂u and G_v = ∂f/∂v, sparse in time (see contact/cycle.hpp).
//
// With Events::located, laws that are linear piece by piece are not sampled at all (detail/located_force.hpp), and those that
// are smooth from one located instant to the next are sampled at nodes of their own (detail/panel_sampling.hpp).
// For the others no N × N matrix is formed. The present-sample part of G is diagonal in time: one short transform a block
// (fourier/multiplication.hpp). The memory part is a sum of a few rank-one terms, one for each instant at which a law set
// its memory, collected by a backward sweep over those instants.
//
// All relative motions stand in one m × P coefficient matrix, joint after joint, input after input. Workspaces are
// allocated once; one object a thread.
#pragma once

#include "masing/balance/detail/cell_cycle.hpp"
#include "masing/balance/detail/located_force.hpp"
#include "masing/balance/detail/panel_sampling.hpp"
#include "masing/balance/detail/visited_cycle.hpp"
#include "masing/balance/options.hpp"
#include "masing/contact/joint.hpp"
#include "masing/fourier/multiplication.hpp"
#include "masing/fourier/transform.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace masing {

class JointForces {
 public:
  JointForces(std::span<const Joint> joints, const HarmonicSet& set, const BalanceOptions& options);
  JointForces(const JointForces&) = delete;  // its signals look at its own coefficients
  JointForces& operator=(const JointForces&) = delete;

  Index inputs() const { return inputs_; }  ///< m, over all joints
  Index joints() const { return static_cast<Index>(elements_.size()); }
  /// First row of joint j in the coefficient matrices, and its number of rows.
  Index first_input(Index j) const { return first_[static_cast<std::size_t>(j)]; }
  Index inputs_of(Index j) const { return elements_[static_cast<std::size_t>(j)]->inputs(); }

  /// Forces for the relative motion U (m × P) at Ω [rad/s]. Throws NumericalError when a law does not close its cycle.
  void evaluate(const MatrixView& motion, double omega);
  const Matrix& coefficients() const { return coefficients_; }  ///< F, m × P

  /// Derivatives at the motion of the last evaluate().
  /// ∂F_a/∂U_b (P × P) for force a and motion b of joint j, added to nothing: the block is overwritten.
  void derivative_block(Index j, int a, int b, Eigen::Ref<Matrix> block);
  /// Prepares joint j for derivative_block: resolves its memory.
  void prepare_derivatives(Index j);
  /// ∂F/∂Ω at fixed U (m × P): from velocity-dependent laws only.
  const Matrix& derivative_by_omega();

  /// What the last evaluate() found in the time domain: linear pieces of a joint whose events are located, else samples.
  bool is_located(Index j) const { return located_[static_cast<std::size_t>(j)] != nullptr; }
  const CycleResult& cycle(Index j) const { return cycles_[static_cast<std::size_t>(j)]; }
  const std::vector<LinearPiece>& pieces(Index j) const { return located_[static_cast<std::size_t>(j)]->pieces(); }
  /// With CycleOptions::open, of laws that know their kinks: what they do where the samples are too few to tell, in rows of
  /// their own. None for the others.
  std::span<const detail::Cell> cells(Index j) const;
  const CycleResult& cell_rows(Index j) const;
  /// The motion and the forces of the last evaluate() at N equidistant instants of the period, N × m; located forces from
  /// their pieces.
  const Matrix& motion_samples() const { return displacement_; }
  Matrix force_samples() const;

 private:
  PeriodicMotion history(Index j) const;
  std::span<const PeriodicSignal* const> signals_of(Index j) const;
  void check_closed(Index j) const;
  void evaluate_sampled(Index j);
  void evaluate_panels(Index j);
  void resolve_kinks(Index j);
  void evaluate_located(Index j, const MatrixView& motion);
  void derive_samples_by_omega(Index j);
  void fill_instant(Index j, const MemorySource& source);

  std::vector<std::shared_ptr<const ContactElement>> elements_;
  std::vector<std::string> names_;
  std::vector<Index> first_;
  Index inputs_ = 0;
  bool any_velocity_ = false;
  bool locates_events_ = false;
  HarmonicSet set_;
  CycleOptions options_;
  Transform transform_;
  Multiplication multiplication_;
  Matrix basis_;       // Γᵀ, P × N
  Matrix rate_basis_;  // (ΓD)ᵀ: derivative with respect to τ, P × N
  Matrix projection_;  // Γ⁺, P × N
  double omega_ = 0.0;

  Matrix rate_coefficients_;
  Matrix displacement_, velocity_, force_;  // N × m
  Matrix coefficients_;
  Matrix motion_;                                    // P × m: the motion of the last evaluate, for the signals
  std::vector<detail::CoefficientSignal> signals_;   // one an input
  std::vector<const PeriodicSignal*> signal_views_;  // of signals_
  std::vector<CycleResult> cycles_;                  // of sampled joints, at samples or at their own nodes
  std::vector<std::unique_ptr<detail::LocatedForce>> located_;  // of located joints, null for the others
  std::vector<std::unique_ptr<detail::PanelSampling>>
      panels_;  // of joints with nodes of their own, null for the others
  std::vector<std::unique_ptr<detail::VisitedCycle>> visited_;  // of sampled joints that march over visits
  std::vector<std::unique_ptr<detail::CellCycle>> cells_;       // of sampled joints of one input that know their kinks

  CycleResult room_;               // of find_kinks
  Vector instant_, rate_instant_;  // columns of Γᵀ and (ΓD)ᵀ at the instant of a source
  Matrix carried_;                 // P × (D · sources): what each source of the prepared joint passes on to F
  Matrix scratch_;                 // P × P
  Matrix samples_by_omega_;        // N × D, of one joint
  Vector source_by_omega_;
  Matrix by_omega_;
};

}  // namespace masing
