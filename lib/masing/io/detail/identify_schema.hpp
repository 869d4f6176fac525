// The keys of [identify], as data.
#pragma once

#include "masing/core/options.hpp"

#include <string>

namespace masing::detail {

OptionTable identify_table();

/// The key of `take` that the abscissa of a measured point goes to, by kind: "at", "amplitude", "level", …
const std::string& abscissa_key(const std::string& kind);

}  // namespace masing::detail
