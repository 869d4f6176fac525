// The figures of a validation case: [[figure]] of a case.toml.
#pragma once

#include "masing/io/detail/validation_values.hpp"

namespace masing::detail {

/// A figure that lacks its results says so instead. Of the outcome the quantities are drawn, and the null tests of their series.
CaseFigure case_figure(const OptionValues& figure, const CaseResults& results, const CaseOutcome& outcome);

}  // namespace masing::detail
