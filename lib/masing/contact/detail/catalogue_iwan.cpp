#include "masing/contact/detail/catalogue_parts.hpp"

namespace masing::detail {

std::vector<LawEntry> iwan_laws() { return {}; }

}  // namespace masing::detail
