// A structure given by its matrices:
//
//   M q̈ + C q̇ + K q = p,      Z(ω) = K + iH − ω²M + iωC  for ω > 0,   Z(0) = K
//
// What the caller supplies: symmetric M (positive semi-definite) and K (positive semi-definite: rigid-body motions are
// legal), damping (damping.hpp) and names. Everything is checked when the object is made; the matrices are then made
// exactly symmetric. Massless coordinates are allowed in a harmonic balance; time integration refuses them.
//
// The object is constant and may be shared between threads. `condense` makes a workspace for one thread: small or
// full matrices are evaluated densely, without allocation from the second frequency on, large and sparse ones by a
// sparse factorisation a frequency whose symbolic part is done once.
//
// Smallest use:
//   MatrixStructure structure({.mass = m, .stiffness = k, .damping = {.loss_factor = 0.01}});
//   auto condensed = structure.condense(interface_basis(directions));
//   condensed->set_frequency(100.0);
#pragma once

#include "masing/structure/damping.hpp"
#include "masing/structure/structure.hpp"

namespace masing {

/// How Z(ω) of the eliminated part is factorised. `automatic` decides by size and fill.
enum class Evaluation { automatic, dense, sparse };

struct MatrixStructureOptions {
  SparseMatrix mass = {};       ///< [kg], or kg m², … for rotations
  SparseMatrix stiffness = {};  ///< [N/m], …
  DampingOptions damping = {};
  std::vector<std::string> coordinates = {};  ///< one name an unknown, distinct; empty: q1, q2, …
  Evaluation evaluation = Evaluation::automatic;
  /// Named motions beside the coordinates: one column a motion, coefficients of the coordinates.
  SparseMatrix motions = {};
  std::vector<std::string> motion_names = {};
  /// It will be reduced (reduction.hpp): modal damping then waits for the modes of the reduced structure, so that there is
  /// no limit to the size of this one.
  bool to_be_reduced = false;
};

class MatrixStructure : public SecondOrderStructure {
 public:
  /// Throws ModelError when sizes, symmetry, definiteness, numbers or names are wrong.
  explicit MatrixStructure(MatrixStructureOptions options);

  const std::vector<std::string>& coordinates() const override { return coordinates_; }
  Vector motion(std::string_view name) const override;
  std::vector<std::string> motion_names() const override;
  std::unique_ptr<CondensedStructure> condense(const InterfaceBasis& basis) const override;
  Vector base_acceleration_load(const Vector& direction) const override;

  const SparseMatrix& mass() const override { return mass_; }
  const SparseMatrix& damping() const override { return damping_; }
  const SparseMatrix& stiffness() const override { return stiffness_; }
  const SparseMatrix& hysteretic() const override { return hysteretic_; }
  double loss_factor() const override { return loss_factor_; }
  /// Modal ratios that wait for the reduction; none unless it is to be reduced.
  const DampingOptions& damping_for_reduction() const { return damping_for_reduction_; }
  bool has_massless_motion() const { return massless_; }  ///< M is singular: no time integration

 private:
  SparseMatrix mass_;
  SparseMatrix damping_;
  SparseMatrix stiffness_;
  SparseMatrix hysteretic_;
  double loss_factor_ = 0.0;
  DampingOptions damping_for_reduction_;
  bool massless_ = false;
  Evaluation evaluation_ = Evaluation::automatic;
  std::vector<std::string> coordinates_;
  SparseMatrix motions_;
  std::vector<std::string> motion_names_;
};

}  // namespace masing
