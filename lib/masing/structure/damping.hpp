// Linear damping of a structure with matrices. All contributions add up:
//
//   C = viscous + α M + β K + Σ_j 2 ζ_j ω_j (M φ_j)(M φ_j)ᵀ     (φ_jᵀ M φ_j = 1, undamped modes of M, K)
//
// and hysteretic damping K + iH for ω > 0, which is no part of C and has no time-domain form:
//
//   H = hysteretic + η K
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
  /// Damping ratio ζ >= 0 of every elastic mode. Rigid-body modes stay undamped. Makes C a full matrix.
  double modal_ratio = 0.0;
  /// Further ratios mode by mode, lowest elastic mode first; modes beyond the end of the list get none of these.
  std::vector<double> modal_ratios = {};
  /// [rad²/s²] Modes with a smaller ω² count as rigid, beside those that rounding cannot tell from it.
  double rigid_below = 0.0;
  double loss_factor = 0.0;  ///< η >= 0
  /// [N/m], symmetric, positive semi-definite; empty: none. Parts with loss factors of their own: Σ η_i K_i.
  SparseMatrix hysteretic = {};
};

/// Largest number of unknowns for modal ratios: they need all modes and a full damping matrix.
inline constexpr Index max_modal_damping_size = 3000;

/// C of the formula above. M and K must be symmetric; modal ratios need a positive definite M. Throws ModelError.
SparseMatrix damping_matrix(const SparseMatrix& mass, const SparseMatrix& stiffness, const DampingOptions& options);

/// H of the formula above, without entries when there is no hysteretic damping.
SparseMatrix hysteretic_matrix(const SparseMatrix& stiffness, const DampingOptions& options);

}  // namespace masing
