// Results replace earlier results, never anything else.
#pragma once

#include "masing/io/run.hpp"

namespace masing::detail {

/// Throws a ModelError if the result file would replace a study, a file of matrices or the page.
void refuse_to_overwrite(const RunOptions& options);

}  // namespace masing::detail
