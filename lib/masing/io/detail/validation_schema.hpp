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

/// The variants of [[figure]].
std::vector<OptionVariant> figure_kinds();

/// Keys that figures and extractions share: a number counted from 1, a name that may be left out, the place of a loop on a branch.
Option number_key(const std::string& name, const std::string& meaning);
Option name_key(const std::string& name, const std::string& meaning);
Option cycle_place();

/// What may be taken from results: the variants of `take`.
const Option& extraction_option();

}  // namespace masing::detail
