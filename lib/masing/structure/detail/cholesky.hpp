// Sparse Cholesky factors A = L Lᵀ of a large symmetric positive definite matrix: CHOLMOD's supernodal method with nested
// dissection, the one that stays small for three-dimensional meshes.
//
// Reference: Chen, Davis, Hager & Rajamanickam, ACM Trans. Math. Softw. 35 (2008) 22.
#pragma once

#include "masing/core/types.hpp"

#include <memory>

namespace masing::detail {

class Cholesky {
 public:
  Cholesky();
  ~Cholesky();
  Cholesky(Cholesky&&) noexcept;
  Cholesky& operator=(Cholesky&&) noexcept;

  /// False when the matrix is not positive definite. Throws NumericalError when memory does not suffice.
  bool factorise(const SparseMatrix& matrix);

  /// A⁻¹ right, a few columns at a time so that the workspace stays small.
  void solve(const Eigen::Ref<const Matrix>& right, Eigen::Ref<Matrix> solution) const;

  struct Pivot {
    double value = 0.0;  ///< l_ii², not a number where the factorisation broke down
    Index row = 0;       ///< of the matrix
  };
  /// The smallest pivot; where the factorisation failed, the one at which it did.
  Pivot smallest_pivot() const;

 private:
  class Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace masing::detail
