// A large structure with matrices as a small one: q ≈ T r with a few shapes T, and
//
//   Tᵀ M T r̈ + Tᵀ C T ṙ + (Tᵀ K T + i Tᵀ H T) r = Tᵀ p
//
// Craig-Bampton: the kept coordinates b stay, the rest moves with them statically and in its lowest modes with b held,
//
//   q_b = r_b,   q_l = −K_ll⁻¹ K_lb r_b + Φ η + residual shapes,    K_ll Φ = M_ll Φ Λ.
//
// Modal: the lowest modes of the structure as it is (rigid ones included), and a residual shape for every load that
// is to be represented, so that nothing of its static deflection is missing (MacNeal, Rubin).
//
// In both, forces on the kept coordinates and along `patterns` deflect the reduced structure statically as the full one, at
// every coordinate (of a free body: residual shapes are its deflection in free flight, inertia relief); natural frequencies are never too low (Rayleigh-Ritz). Damping goes through T as well, except modal
// ratios of a structure that is `to_be_reduced`: they apply to the modes of the reduced structure.
//
// How many modes: a number, all up to a frequency, or as many as an error needs. The error indicator, at the highest
// frequency of interest ω, with λ the square of the first frequency left out,
//
//   boundary:  largest e with  det( ω⁴ (Cᵀ K_ll⁻¹ C − Σ c_j c_jᵀ / λ_j) / (1 − ω²/λ) − e (K_b + ω² M_b) ) = 0
//   pattern p: ω² (xᵀ M x) / (1 − ω²/λ) / (pᵀ K⁻¹ p),   x: residual static deflection that the modes do not contain
//
// (C = M_lb − M_ll K_ll⁻¹ K_lb, c_j = Cᵀ φ_j, K_b and M_b the statically condensed matrices; for patterns without residual
// shapes pᵀx instead of ω² xᵀMx) bounds the dynamic stiffness that the modes left out would contribute, relative to
// the elastic and kinetic energy of the kept motions, undamped. It is infinite from the first frequency left out on.
//
// References: Craig & Bampton, AIAA J. 6 (1968) 1313; MacNeal, Comput. Struct. 1 (1971) 581; Rubin, AIAA J. 13 (1975)
// 995; the bound from the modal series of the condensed stiffness, Géradin & Rixen, Mechanical Vibrations, 2015, 5.5.
#pragma once

#include "masing/structure/matrix_structure.hpp"

#include <limits>

namespace masing {

enum class ReductionKind { craig_bampton, modal };

struct ReductionOptions {
  ReductionKind kind = ReductionKind::craig_bampton;
  /// Coordinates that stay (Craig-Bampton).
  std::vector<Index> boundary = {};
  /// Loads and joint directions that touch other coordinates, one column each: they get residual shapes.
  SparseMatrix patterns = {};
  // One of three:
  Index modes = -1;    ///< that many, >= 0, beside the rigid ones
  double up_to = 0.0;  ///< [Hz], all below, > 0
  double error = 0.0;  ///< as many as the indicator needs, > 0

  double highest_frequency = 0.0;  ///< [Hz], at which the indicator is evaluated; 0: it is not
  bool residual = true;            ///< residual shapes for the patterns
};

/// What came out of it.
struct ReductionSummary {
  Index full = 0;                                                   ///< unknowns before
  Index kept = 0;                                                   ///< coordinates that stayed
  Index rigid = 0;                                                  ///< rigid modes
  Index modes = 0;                                                  ///< vibrating modes
  Index residuals = 0;                                              ///< residual shapes
  double highest_mode = 0.0;                                        ///< [Hz]; 0: none
  double first_left_out = std::numeric_limits<double>::infinity();  ///< [Hz]
  double error = std::numeric_limits<double>::quiet_NaN();          ///< indicator; NaN: not evaluated
  double highest_frequency = 0.0;                                   ///< [Hz], where it was

  std::vector<std::string> lines() const;  ///< for people
};

/// Coordinates: the kept ones under their names, then mode1, mode2, …, then residual1, …
class ReducedStructure final : public MatrixStructure {
 public:
  ReducedStructure(std::shared_ptr<const MatrixStructure> full, Matrix shapes, MatrixStructureOptions matrices,
                   ReductionSummary summary);

  /// Also everything that the full structure has a name for.
  Vector motion(std::string_view name) const override;
  std::vector<std::string> motion_names() const override;

  const Matrix& shapes() const { return shapes_; }  ///< T, coordinates of the full structure × of this one
  const MatrixStructure& full() const { return *full_; }
  const ReductionSummary& summary() const { return summary_; }

  /// Tᵀ a of a load or a direction; the r with Tr nearest to a motion in the sense of the mass.
  Vector reduced_load(const Vector& load) const { return shapes_.transpose() * load; }
  Vector nearest(const Vector& motion) const;

 private:
  std::shared_ptr<const MatrixStructure> full_;
  Matrix shapes_;
  ReductionSummary summary_;
};

/// Throws ModelError for options that do not fit, NumericalError where a motion has neither stiffness nor mass.
std::shared_ptr<const ReducedStructure> reduce(std::shared_ptr<const MatrixStructure> structure,
                                               const ReductionOptions& options);

}  // namespace masing
