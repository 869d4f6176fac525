#include "masing/identification/identification.hpp"

#include <fmt/format.h>

#include <cmath>

namespace masing {

std::string direction_text(const UndecidedDirection& undecided, const std::vector<FitParameter>& parameters) {
  constexpr double negligible = 0.1;
  std::string text;
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    const double part = undecided.direction[static_cast<Index>(j)];
    if (std::abs(part) < negligible) continue;
    const std::string sign = part < 0.0 ? (text.empty() ? "−" : " − ") : (text.empty() ? "" : " + ");
    text += fmt::format("{}{:.2f} {}", sign, std::abs(part), parameters[j].name);
  }
  return text;
}

}  // namespace masing
