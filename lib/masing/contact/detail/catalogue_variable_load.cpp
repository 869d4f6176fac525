#include "masing/contact/detail/catalogue_parts.hpp"

namespace masing::detail {

std::vector<LawEntry> variable_load_laws() { return {}; }

}  // namespace masing::detail
