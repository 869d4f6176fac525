// Pieces from which the entries of the catalogue of structures are written; one function an entry that has a file of its
// own.
#pragma once

#include "masing/structure/catalogue.hpp"
#include "masing/structure/damping.hpp"

namespace masing::detail {

Option optional(std::string name, std::vector<OptionKind> kinds, std::string unit, Range range, std::string meaning);
Option with_default(Option option, OptionValue value);

/// The keys `rayleigh` and `modal_damping`.
OptionTable viscous_damping_table();
/// Adds those and `loss_factor`.
OptionTable with_shared_damping(OptionTable table);

/// The key `reduction`, for structures with matrices.
Option reduction_option();
/// Its kind for spectral beams.
OptionVariant galerkin_variant();

/// What is written under rayleigh and modal_damping.
DampingOptions viscous_damping(const OptionValues& values);
/// That and loss_factor.
DampingOptions shared_damping(const OptionValues& values);

StructureEntry matrices_entry();
StructureEntry rod_entry();
StructureEntry beam_entry();

}  // namespace masing::detail
