// The catalogue of structures: what `kind = "…"` in [structure] may say, with parameters, references and limits.
#pragma once

#include "masing/core/options.hpp"
#include "masing/structure/structure.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace masing {

/// A matrix from a file. Files of finite-element programs say which node and degree of freedom each row belongs to, and
/// leave out rows without entries; such matrices are brought to a common order by their labels.
struct LabelledMatrix {
  SparseMatrix matrix;
  std::vector<std::string> labels = {};  ///< "12.3": degree of freedom 3 of node 12; empty: the file has none
  std::vector<std::string> fixed = {};   ///< labels of rows that a boundary condition fixes; not in the matrix

  LabelledMatrix(SparseMatrix entries) : matrix(std::move(entries)) {}
  LabelledMatrix(SparseMatrix entries, std::vector<std::string> rows, std::vector<std::string> held = {})
      : matrix(std::move(entries)), labels(std::move(rows)), fixed(std::move(held)) {}
};

/// Gets the matrix that a text such as "mass.mtx" refers to. Throws ModelError.
using MatrixLoader = std::function<LabelledMatrix(const std::string& reference)>;

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
