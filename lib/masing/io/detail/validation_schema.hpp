// The keys of a case.toml, as data: its reader and `masing describe` share these tables.
#pragma once

#include "masing/io/study_schema.hpp"

#include <string>
#include <vector>

namespace masing::detail {

/// The keys outside of all sections.
const OptionTable& case_root_table();

/// run, quantity, null_test, cost, figure.
const std::vector<SectionEntry>& case_sections();

/// What may be taken from results: the variants of `take`.
const Option& extraction_option();

}  // namespace masing::detail
