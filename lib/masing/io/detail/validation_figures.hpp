// The figures of a validation case: [[figure]] of a case.toml.
#pragma once

#include "masing/io/detail/validation_values.hpp"

namespace masing::detail {

/// A figure that lacks its results says so instead.
CaseFigure case_figure(const OptionValues& figure, const CaseResults& results,
                       const std::vector<QuantityOutcome>& quantities);

}  // namespace masing::detail
