// The keys of [harmonic_balance], [newton] and [continuation].
#pragma once

#include "masing/core/options.hpp"

namespace masing::detail {

/// Of harmonics = { … }.
OptionTable adaptive_harmonics();
OptionTable harmonic_balance_table();
OptionTable newton_table();
OptionTable continuation_table();

}  // namespace masing::detail
