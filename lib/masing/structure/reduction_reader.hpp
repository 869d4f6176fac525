// What a study says under `reduction`, as options; the kept coordinates and patterns are for the caller to fill in, who
// knows what joints, loads and sensors touch.
#pragma once

#include "masing/core/options.hpp"
#include "masing/structure/galerkin_beam.hpp"
#include "masing/structure/reduction.hpp"

namespace masing {

/// When a study does not say how many modes.
inline constexpr double default_reduction_error = 1e-4;

/// `highest_frequency` [Hz] of the analyses counts where none is written; 0: there is none. Throws ModelError.
ReductionOptions read_reduction(const OptionValues& values, double highest_frequency);

/// kind = "galerkin", likewise; `driving_frequency` counts where no frequency of reference is written.
GalerkinOptions read_galerkin(const OptionValues& values, double driving_frequency, double highest_frequency);

}  // namespace masing
