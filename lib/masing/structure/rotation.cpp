#include "masing/structure/rotation.hpp"

#include <algorithm>
#include <cctype>

namespace masing {

bool is_rotation(std::string_view coordinate) {
  const std::size_t dot = coordinate.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  const std::string_view place = coordinate.substr(0, dot), motion = coordinate.substr(dot + 1);
  if (motion == "phi") return true;
  const bool is_node =
      std::all_of(place.begin(), place.end(), [](unsigned char letter) { return std::isdigit(letter) != 0; });
  return is_node && (motion == "4" || motion == "5" || motion == "6");
}

bool is_rotation(const Structure& structure, const Vector& motion) {
  bool any = false;
  for (Index i = 0; i < motion.size(); ++i) {
    if (motion[i] == 0.0) continue;
    if (!is_rotation(structure.coordinates()[static_cast<std::size_t>(i)])) return false;
    any = true;
  }
  return any;
}

}  // namespace masing
