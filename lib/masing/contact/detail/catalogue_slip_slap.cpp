#include "masing/contact/detail/catalogue_parts.hpp"

namespace masing::detail {

std::vector<LawEntry> slip_slap_laws() { return {}; }

}  // namespace masing::detail
