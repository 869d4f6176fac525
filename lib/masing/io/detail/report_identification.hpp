// An identification in the report.
#pragma once

#include "masing/identification/identification.hpp"

#include <string>

namespace masing::detail {

/// A section: measured points over what was computed before and after, and the tables.
std::string identification_section(const Identification& result);

}  // namespace masing::detail
