// Elastic springs beside a law: a residual spring, and pinning.
//
//   f = f_law + k_r u + K_P [ max(u − δ_P, 0) + min(u + δ_P, 0) ]        (u: the first input)
//
// The residual stiffness k_r [N/m] is what a joint keeps after gross slip. Pinning is the shank of a bolt that meets the
// edge of its hole after the clearance δ_P [m]; from Hertz's contact of two cylinders over the length L,
//
//   K_P = (π/4) E* L,     1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂.
//
// Both are elastic and without memory: they take no part in hysteresis and dissipate nothing.
//
// References: M. R. W. Brake, A reduced Iwan model that includes pinning for bolted joint mechanics, Nonlinear Dynamics
// 87 (2017) 1335-1349, eqs. (1)-(5). D. Li, D. Botto, C. Xu, M. Gola, A new approach for the determination of the Iwan
// density function in modeling friction contact, International Journal of Mechanical Sciences 180 (2020) 105671
// (residual stiffness).
#pragma once

#include "masing/contact/element.hpp"
#include "masing/contact/material.hpp"

namespace masing {

struct ParallelSprings {
  double residual_stiffness = 0.0;  ///< k_r >= 0 [N/m]
  double pinning_gap = 0.0;         ///< δ_P >= 0 [m]
  double pinning_stiffness = 0.0;   ///< K_P >= 0 [N/m]; 0: no pinning

  bool any() const { return residual_stiffness > 0.0 || pinning_stiffness > 0.0; }
  double force(double u) const;
  double stiffness(double u) const;
};

/// K_P of a shank in its hole, which touch over `length` [m].
double pinning_stiffness(const ElasticMaterial& shank, const ElasticMaterial& hole, double length);

/// The law with the springs beside it; the law itself when there are none.
std::shared_ptr<const ContactElement> with_springs(std::shared_ptr<const ContactElement> law,
                                                   const ParallelSprings& springs);

}  // namespace masing
