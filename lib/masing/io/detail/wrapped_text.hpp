// Long sentences on a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace masing::detail {

/// Characters on the terminal: bytes that do not go on with one that has begun.
std::size_t width_of(const std::string& text);

/// Breaks a text into lines of at most 100 characters, each after `indent` spaces and with its end of line. Only blanks are broken at;
/// an end of line in the text stays one.
std::string wrapped(const std::string& text, std::size_t indent);

}  // namespace masing::detail
