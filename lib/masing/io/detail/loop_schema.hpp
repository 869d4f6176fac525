// The keys of [[loop]].
#pragma once

#include "masing/core/options.hpp"

namespace masing::detail {

/// Amplitudes of cycles when none are given, in units of the macroslip displacement.
const std::vector<double>& default_of_macroslip();

OptionTable loop_table();

}  // namespace masing::detail
