#include "support/source_folder.hpp"

namespace masing::test {

std::string source_folder() { return MASING_SOURCE_DIR; }

}  // namespace masing::test
