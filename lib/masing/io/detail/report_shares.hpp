// Who takes part in the motion, drawn along the branches on which more than one harmonic does.
#pragma once

#include "masing/io/results.hpp"

#include <string>

namespace masing::detail {

/// Two figures for each of the first few branches on which a harmonic besides the main one holds at least 1 % of the velocity:
/// the shares of the harmonics, and those of the modes in them. Empty where there is no such branch.
std::string share_figures(const StoredAnalysis& analysis);

}  // namespace masing::detail
