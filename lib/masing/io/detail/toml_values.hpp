// A TOML document as OptionValues, every value with its place.
//
//   table           -> one OptionValues          [1, 2]            -> list of integers
//   [[table]]       -> list of OptionValues      [1.0, 2]          -> list of numbers
//   [[1, 0], [0, 1]] (rows of equal length)      -> matrix
//
// Overrides ("joint.0.slip_force=0.3", "joint.support.slip_force=0.3") replace or add values before that; the entry of a
// [[table]] is chosen by its number, counted from 0, or by its `name`.
#pragma once

#include "masing/core/options.hpp"

#include <string>
#include <vector>

namespace masing::detail {

/// `name` is the file as it shall appear in messages. Throws ModelError "name:line: …" or "--set …: …".
OptionValues toml_values(const std::string& text, const std::string& name, const std::vector<std::string>& overrides);

}  // namespace masing::detail
