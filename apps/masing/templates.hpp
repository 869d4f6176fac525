// The studies of models/ inside the program, for `masing new`. CMake writes their text into a source file; models/ is
// the only place where it is kept.
#pragma once

#include <string>
#include <vector>

namespace masing::app {

struct ModelFile {
  std::string path;  ///< relative to models/: "01_duffing.toml", "data/cantilever_mass.mtx"
  std::string text;
};

const std::vector<ModelFile>& model_files();

}  // namespace masing::app
