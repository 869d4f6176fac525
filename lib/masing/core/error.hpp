// What can go wrong, in three kinds.
//
//   ModelError      the user's input is wrong: says where (file:line), what, the rule and what to do     -> exit code 1
//   NumericalError  a computation cannot go on (NaN from a law, singular structure)                       -> exit code 2
//   Error           base of both
//
// A solver that does not converge is *not* an exception: it returns a summary that says why it stopped.
// Faults of our own are `assert`s.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace masing {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ModelError : public Error {
 public:
  using Error::Error;
};

class NumericalError : public Error {
 public:
  using Error::Error;
};

/// Throws a ModelError with the formatted message unless `condition` holds. Always on.
template <class... Args>
void require(bool condition, fmt::format_string<Args...> message, Args&&... args) {
  if (!condition) throw ModelError(fmt::format(message, std::forward<Args>(args)...));
}

}  // namespace masing
