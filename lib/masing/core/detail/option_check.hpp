// How one written value is held against its option.
#pragma once

#include "masing/core/options.hpp"

#include <optional>
#include <string>

namespace masing::detail {

/// The value as the option's kinds ask for it (an integer as a number where only numbers are asked for, an empty list as
/// a list of the right kind); nothing when its kind does not fit.
std::optional<OptionValue> fit_to_kinds(const OptionValue& value, const std::vector<OptionKind>& kinds);

/// The numbers of a table by name, { tip = { u = 1 } } as "tip.u"; nothing when there is something else than numbers.
std::optional<std::map<std::string, double>> flat_weights(const OptionValues& values);

/// "a number or a list of numbers"
std::string kinds_text(const std::vector<OptionKind>& kinds);

/// The rule that a value of a fitting kind breaks ("must be > 0."), empty when there is none.
std::string broken_rule(const OptionValue& value, const Option& option);

}  // namespace masing::detail
