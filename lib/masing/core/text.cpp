#include "masing/core/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace masing {
namespace {

/// Number of insertions, deletions, replacements and swaps of neighbours that turn a into b (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> distance((a.size() + 1) * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return distance[i * columns + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return distance.back();
}

/// Upper case, '_' and ' ' for '-' are not what makes two names different.
std::string normalised(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (c == '_' || c == ' ') c = '-';
  }
  return result;
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t most = 3;
  const std::string wanted = normalised(word);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : candidates) {
    const std::string name = normalised(candidate);
    // Up to a third of the letters may be wrong; a beginning or an end left out counts as one mistake.
    const std::size_t allowed = std::max<std::size_t>(1, std::max(wanted.size(), name.size()) / 3);
    const bool part = wanted.size() >= 3 && (name.starts_with(wanted) || name.ends_with(wanted));
    const std::size_t mistakes =
        part ? std::min<std::size_t>(1, edit_distance(wanted, name)) : edit_distance(wanted, name);
    if (mistakes <= allowed && mistakes < std::max(wanted.size(), name.size())) near.emplace_back(mistakes, candidate);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [mistakes, name] : near) {
    if (names.size() == most || mistakes > near.front().first + 1) break;
    names.push_back(name);
  }
  return names;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t most_listed = 20;
  if (candidates.empty()) return "";
  const std::vector<std::string> near = nearest_names(word, candidates);
  if (!near.empty()) return fmt::format(" Did you mean '{}'?", join(near, "' or '"));
  if (candidates.size() <= most_listed) return fmt::format(" Known: {}.", join(candidates, ", "));
  const std::vector<std::string> first(candidates.begin(), candidates.begin() + most_listed);
  return fmt::format(" Known: {}, … ({} in all).", join(first, ", "), candidates.size());
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) result += separator;
    result += words[i];
  }
  return result;
}

}  // namespace masing
