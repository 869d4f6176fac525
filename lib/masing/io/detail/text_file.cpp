#include "masing/io/detail/text_file.hpp"

#include "masing/core/error.hpp"

#include <fstream>

namespace masing::detail {

void write_text_file(const std::string& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  require(!stream.fail(), "cannot write '{}'. Check that the folder exists and may be written to.", path);
}

}  // namespace masing::detail
