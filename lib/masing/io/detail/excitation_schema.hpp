// The keys of [[excitation]].
#pragma once

#include "masing/core/options.hpp"

namespace masing::detail {

OptionTable excitation_table();

}  // namespace masing::detail
