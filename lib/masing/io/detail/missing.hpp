// What a validation asks for and the results do not have.
#pragma once

#include "masing/core/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace masing::detail {

/// Throws NumericalError with the reason.
template <class... Args>
[[noreturn]] void missing(fmt::format_string<Args...> text, Args&&... args) {
  throw NumericalError(fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace masing::detail
