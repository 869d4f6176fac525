#include "masing/structure/structure.hpp"

#include <algorithm>

namespace masing {

Index Structure::find(std::string_view name) const {
  const std::vector<std::string>& names = coordinates();
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<Index>(found - names.begin());
}

Vector Structure::motion(std::string_view name) const {
  const Index coordinate = find(name);
  return coordinate < 0 ? Vector() : Vector::Unit(size(), coordinate);
}

}  // namespace masing
