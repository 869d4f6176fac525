// Parameters of a joint by formulas, as a number that a validation takes: no run is needed, only a table of energies.
#pragma once

#include "masing/core/options.hpp"

namespace masing::detail {

/// The variant "estimate" of `take`.
OptionVariant estimate_variant();

/// In SI units; a β that no joint can have is returned all the same. Throws NumericalError where there is no estimate.
double estimated_value(const OptionValues& values);

}  // namespace masing::detail
