// Whole texts to files.
#pragma once

#include <string>

namespace masing::detail {

/// Throws ModelError if the file cannot be written.
void write_text_file(const std::string& path, const std::string& text);

}  // namespace masing::detail
