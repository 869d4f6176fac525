// Modes in the result file: /modes/<state>.
#pragma once

#include "masing/analysis/linear_modes.hpp"
#include "masing/io/hdf5.hpp"

namespace masing::detail {

void write_modes(h5::Group& modes, const ModeSet& set, std::int64_t order);

/// Everything below /modes, in the order it was written.
std::vector<ModeSet> read_modes(const h5::Group& modes);

/// "vibrating", "rigid", "unstable"
std::string_view to_string(ModeKind kind);

}  // namespace masing::detail
