#include "masing/contact/detail/catalogue_parts.hpp"

namespace masing::detail {

std::vector<LawEntry> friction_laws() { return {}; }

}  // namespace masing::detail
