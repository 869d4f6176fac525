// Kept motions n and eliminated rest l: q = Q [y_n; y_l] with an orthogonal Q. Rows of touched coordinates hold
// [range complement] of the interface basis, all other coordinates are eliminated as they are.
#pragma once

#include "masing/structure/structure.hpp"

namespace masing::detail {

struct Partition {
  SparseMatrix transformation;  ///< Q, coordinates × coordinates, kept motions first
  Index kept = 0;

  Index rest() const { return transformation.cols() - kept; }
  void to_parts(const ComplexVector& coordinates, ComplexVector& parts) const;  ///< parts = Qᵀ coordinates
  void to_coordinates(const ComplexVector& parts, ComplexVector& coordinates) const;
};

Partition make_partition(Index size, const InterfaceBasis& basis);

/// Qᵀ A Q of a symmetric A, cut into blocks.
struct Blocks {
  Matrix nn;
  SparseMatrix ln;
  SparseMatrix ll;
};
/// Σ_i Q_ij² a_ii for the eliminated motions: the diagonal of Qᵀ A Q if nothing cancelled.
Vector uncancelled_diagonal(const SparseMatrix& matrix, const Partition& partition);
Blocks split(const SparseMatrix& matrix, const Partition& partition);

}  // namespace masing::detail
