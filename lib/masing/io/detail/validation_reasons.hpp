// Why rows of a validation are judged as they are, for the terminal.
#pragma once

#include "masing/io/validation.hpp"

#include <string>
#include <vector>

namespace masing::detail {

/// For each case its reasons, each once, with the verdict and the rows it is given for: on which data what is calibrated was chosen, why
/// a number is not reproduced, or undecided. Costs with a published factor too. Empty when there is no reason at all:
///
///   ripp
///     not reproduced: the printed stiffnesses give 0.75
///         beam: slip force, (10) with the printed β; (45) with the energies of Table 2
///
/// A name of several parts, "a, b, c", leaves out the parts that it has in common with the name before it.
std::string reasons_text(const std::vector<CaseOutcome>& cases);

}  // namespace masing::detail
