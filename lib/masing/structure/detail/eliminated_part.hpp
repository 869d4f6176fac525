// The eliminated block Z_ll(ω) = K_ll + iH_ll − ω²M_ll + iω(C_ll + cM_ll), factorised one frequency at a time; and K_ll for the
// static case, factorised once. Two implementations: dense and sparse.
#pragma once

#include "masing/core/types.hpp"
#include "masing/structure/matrix_structure.hpp"

#include <memory>

namespace masing::detail {

struct Pencil {
  SparseMatrix mass;
  SparseMatrix damping;
  SparseMatrix stiffness;
  SparseMatrix hysteretic;
  /// Makes the static stiffness comparable, 1/√(stiffness that each motion would feel alone, before cancellation).
  Vector scaling = {};

  Index size() const { return mass.rows(); }
};

class EliminatedPart {
 public:
  using Input = Eigen::Ref<const ComplexMatrix>;
  using Output = Eigen::Ref<ComplexMatrix>;

  virtual ~EliminatedPart() = default;

  /// Goes to ω > 0 with artificial damping cM. False when the block is exactly singular there.
  virtual bool factorise(double omega, double mass_damping) = 0;
  virtual void solve(const Input& right, Output solution) const = 0;  ///< Z_ll⁻¹ right, at the last factorise()
  /// (−2ωM_ll + i(C_ll + cM_ll)) x at the last factorise().
  virtual void apply_derivative(const Input& x, Output product) const = 0;
  virtual void apply_mass(const Input& x, Output product) const = 0;  ///< M_ll x

  /// Factorises K_ll. False when it is singular: some motion floats.
  virtual bool factorise_static() = 0;
  virtual void solve_static(const Input& right, Output solution) const = 0;
};

std::unique_ptr<EliminatedPart> make_eliminated_part(Pencil pencil, Evaluation evaluation);

/// The motion (one column, largest entry 1) that a singular positive semi-definite stiffness does not resist.
Vector floating_motion(const SparseMatrix& stiffness, const Vector& scaling);

/// True when pivots of a factorised positive semi-definite matrix, scaled to entries of order one, show that it is singular.
bool pivots_vanish(const Vector& pivots);

std::unique_ptr<EliminatedPart> make_dense_part(const Pencil& pencil);
std::unique_ptr<EliminatedPart> make_sparse_part(Pencil pencil);

}  // namespace masing::detail
