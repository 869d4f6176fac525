// The shapes T of a reduction (reduction.hpp). A modal reduction is one that keeps no coordinate.
#pragma once

#include "masing/structure/detail/elastic_problem.hpp"
#include "masing/structure/reduction.hpp"

namespace masing::detail {

struct ReductionBasis {
  Matrix shapes;   ///< T: kept coordinates, modes (rigid ones first), residual shapes
  Vector squares;  ///< λ of the modes and residual shapes
  ReductionSummary summary;
};

class BasisBuilder {
 public:
  BasisBuilder(const MatrixStructure& structure, const ReductionOptions& options);
  ReductionBasis build();

 private:
  void split_matrices();
  void find_static_shapes();
  void find_patterns();
  Index choose_modes();
  Index choose_below(double square);
  Index choose_by_error();
  double indicator(Index modes);
  double boundary_indicator(Index modes, double square, double amplification);
  double pattern_indicator(Index modes, double square, double amplification);
  double first_left_out(Index modes);  ///< λ, infinite when there is none
  Matrix residual_shapes(Index modes, Vector& squares);

  const MatrixStructure& structure_;
  const ReductionOptions& options_;
  std::vector<Index> rest_;
  std::unique_ptr<ElasticProblem> problem_;  // of the rest
  Matrix kept_stiffness_, kept_mass_;        // K_bb, M_bb; statically condensed from find_static_shapes() on
  SparseMatrix coupling_stiffness_, coupling_mass_;
  Matrix static_shapes_;                          // Ψ, rest × kept
  Matrix coupling_;                               // C, rest × kept
  Matrix coupling_flexibility_;                   // Cᵀ K_ll⁻¹ C
  Matrix patterns_;                               // on the rest
  Matrix deflections_;                            // K_ll⁻¹ patterns
  Vector pattern_flexibility_, pattern_inertia_;  // pᵀ x, xᵀ M x
};

}  // namespace masing::detail
