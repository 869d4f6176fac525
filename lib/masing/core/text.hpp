// Words for people: nearest names for a typo, lists, counts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace masing {

/// The candidates that `word` was probably meant to be, best first (Damerau-Levenshtein distance, at most three).
std::vector<std::string> nearest_names(std::string_view word, const std::vector<std::string>& candidates);

/// " Did you mean 'stiffness'?" when a near name exists, else " Known: a, b, c." – to append to an error message.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

/// join({"a","b"}, ", ")
std::string join(const std::vector<std::string>& words, std::string_view separator);

}  // namespace masing
