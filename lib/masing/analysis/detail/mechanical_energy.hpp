// Kinetic and potential energy of a motion at one instant, for structures with matrices and joints without memory.
#pragma once

#include "masing/analysis/model.hpp"
#include "masing/fourier/harmonic_set.hpp"

namespace masing::detail {

/// At t = 0 of the coefficients `all` (coordinates × positions), static loads included:
///   ½ q̇ᵀMq̇ + ½ qᵀKq + Σ ∫₀ᵘ f·du − p₀ᵀq   [J]
double mechanical_energy(const Model& model, const HarmonicSet& set, const Matrix& all, double omega);

/// Whether a joint neither remembers nor feels velocities: its force is that of a spring.
bool is_elastic(const Joint& joint);

}  // namespace masing::detail
