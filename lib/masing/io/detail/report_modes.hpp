// Modes in the report, and how tables write them.
#pragma once

#include "masing/analysis/linear_modes.hpp"

#include <string>
#include <vector>

namespace masing::detail {

inline constexpr std::string_view damping_note =
    "Frequencies are those without damping. Damping ratio: −Re λ/|λ| of the complex eigenvalue λ, also for strong "
    "damping.";

/// "12.3456", "rigid body", "unstable"
std::string frequency_text(const NaturalMode& mode);
/// "0.0123", "1.5, overdamped"; "–": has none, or was not found
std::string damping_text(const NaturalMode& mode);
/// "0.0641"; of a rotation "1.2e-05 kg m²"
std::string modal_mass_text(const LinearMode& found);
/// "joints stuck (the same: preload)"
std::string heading_of(const ModeSet& set);

/// One section for every state, with all shapes.
std::string mode_sections(const std::vector<ModeSet>& sets);

}  // namespace masing::detail
