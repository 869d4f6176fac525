// Linear damping of a structure with matrices. All contributions add up:
//
//   C = viscous + α M + β K + Σ_j 2 ζ_j ω_j (M φ_j)(M φ_j)ᵀ     (φ_jᵀ M φ_j = 1, undamped modes of M, K)
//
// and hysteretic damping K(1 + iη) for ω > 0, which is no part of C and has no time-domain form.
//
// Reference: M. Géradin, D. J. Rixen, Mechanical Vibrations, 3rd ed., 2015, sections 3.1 and 3.2.
#pragma once

#include "masing/core/types.hpp"

#include <vector>

namespace masing {

struct DampingOptions {
  SparseMatrix viscous = {};    ///< [N s/m], symmetric; empty: none
  double rayleigh_alpha = 0.0;  ///< [1/s], factor of the mass matrix, >= 0
  double rayleigh_beta = 0.0;   ///< [s], factor of the stiffness matrix, >= 0
  /// Damping ratios ζ >= 0 of the elastic modes, lowest first. One value: for all of them. A list: mode by mode, modes
  /// beyond its end get none. Rigid-body modes are not counted and stay undamped. Makes C a full matrix.
  std::vector<double> modal_ratios = {};
  double loss_factor = 0.0;  ///< η >= 0
};

/// Largest number of unknowns for modal ratios: they need all modes and a full damping matrix.
inline constexpr Index max_modal_damping_size = 3000;

/// C of the formula above. M and K must be symmetric; modal ratios need a positive definite M. Throws ModelError.
SparseMatrix damping_matrix(const SparseMatrix& mass, const SparseMatrix& stiffness, const DampingOptions& options);

}  // namespace masing
