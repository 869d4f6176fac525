// The reference of every key, printed from the tables that also read the study file.
#pragma once

#include <string>
#include <vector>

namespace masing {

/// No words: everything there is, one line each. {"law"}: all laws. {"law", "jenkins"} or {"jenkins"}: that law with its
/// parameters. {"continuation"}: the keys of that section. Throws ModelError with the nearest names for unknown ones.
std::string describe(const std::vector<std::string>& words);

}  // namespace masing
