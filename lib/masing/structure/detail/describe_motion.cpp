#include "masing/structure/detail/describe_motion.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace masing::detail {

std::string describe_motion(const Vector& motion, const std::vector<std::string>& coordinates) {
  constexpr std::size_t most = 4;
  constexpr double relevant = 0.1;
  std::vector<Index> order(coordinates.size());
  std::iota(order.begin(), order.end(), Index{0});
  const double scale = 1e6 / motion.cwiseAbs().maxCoeff();  // six digits: equal shares stay in their order
  const auto rank = [&](Index i) { return std::lround(scale * std::abs(motion[i])); };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return rank(a) > rank(b); });
  const double largest = motion[order.front()];
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), most); ++i) {
    const double share = motion[order[i]] / largest;
    if (std::abs(share) < relevant) break;
    text += fmt::format("{}{} ({:.2g})", i == 0 ? "" : ", ", coordinates[static_cast<std::size_t>(order[i])], share);
  }
  return text;
}

}  // namespace masing::detail
