// The catalogue of structures: what `kind = "…"` in [structure] may say, with parameters, references and limits.
#pragma once

#include "masing/core/options.hpp"
#include "masing/structure/structure.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace masing {

/// Gets the matrix that a text such as "mass.mtx" refers to. Throws ModelError.
using MatrixLoader = std::function<SparseMatrix(const std::string& reference)>;

struct StructureEntry {
  std::string name;       ///< "chain"
  std::string summary;    ///< one sentence
  std::string equation;   ///< in one or two lines of plain text
  std::string reference;  ///< publication
  std::string limits;     ///< what it does not describe; empty if there is nothing to say
  OptionTable parameters;
  std::function<std::shared_ptr<const Structure>(const OptionValues&, const MatrixLoader&)> make;
};

const std::vector<StructureEntry>& structure_catalogue();
/// Null when there is none of that name.
const StructureEntry* find_structure(std::string_view name);

}  // namespace masing
