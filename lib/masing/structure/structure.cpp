#include "masing/structure/structure.hpp"

#include <algorithm>

namespace masing {

Index Structure::find(std::string_view name) const {
  const std::vector<std::string>& names = coordinates();
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<Index>(found - names.begin());
}

}  // namespace masing
