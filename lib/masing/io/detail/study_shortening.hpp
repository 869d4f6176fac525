// shortening = … of a [[joint]]: the quadratic part of its relative motion.
#pragma once

#include "masing/contact/joint.hpp"
#include "masing/core/options.hpp"
#include "masing/structure/structure.hpp"

#include <string>
#include <vector>

namespace masing::detail {

/// The key and its own table.
Option shortening_option();

struct StudyShortening {
  std::vector<QuadraticMotion> quadratic;  ///< empty without shortening
  std::vector<std::string> notes;          ///< what was found, for the overview
};
/// For the joint written in `values` with the directions B. Rejects what does not fit with the place in the file.
StudyShortening read_shortening(const OptionValues& values, const Structure& structure, const SparseMatrix& directions);

}  // namespace masing::detail
