// The lowest modes of K x = ω² M x for symmetric K and M >= 0; both may be singular, and K indefinite.
//
// Solved as M x = μ (K + σM) x, μ = 1/(ω² + σ), with a shift σ of the size of the lowest elastic ω²: rigid motions and
// massless coordinates are no special cases, and the lowest modes are accurate to rounding however stiff the highest are.
// Small models are solved completely. Of larger ones the lowest modes are found by subspace iteration (Bathe & Wilson),
// with a count of all eigenvalues below the last one from the signs of the pivots of K − ω²M (Sylvester), so that none is
// missed. Models of thousands of coordinates are left to Lanczos iteration with the factors of CHOLMOD
// (detail/elastic_problem.hpp), without that count, unless K is indefinite.
//
// Reference: K.-J. Bathe, Finite Element Procedures, 2nd ed., 2014, sections 11.2 and 11.6.
#pragma once

#include "masing/core/types.hpp"
#include "masing/structure/natural_modes.hpp"

namespace masing::detail {

struct SymmetricModes {
  Vector squares;  ///< ω², ascending; negative: unstable
  Matrix shapes;   ///< unit modal mass
};

/// At least the modes of the range; all there are when the model is small.
SymmetricModes symmetric_modes(const SparseMatrix& stiffness, const SparseMatrix& mass, const ModeRange& range);

/// xᵀ A x of a symmetric matrix, summed with extended precision: nothing is lost where its parts cancel, as in fine meshes.
double quadratic_form(const SparseMatrix& matrix, const Eigen::Ref<const Vector>& x);

/// Whether ω² = xᵀKx is nothing but rounding of the entries of K.
bool is_rigid(const SparseMatrix& stiffness, const Vector& shape);

}  // namespace masing::detail
