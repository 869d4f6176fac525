// The keys of a study file, as data: the reader, `masing describe` and the documentation share these tables.
#pragma once

#include "masing/core/options.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace masing {

/// A table of the study file that has the same keys in every study.
struct SectionEntry {
  std::string name;       ///< "continuation"; for an analysis its kind
  std::string summary;    ///< one or two sentences
  bool repeated = false;  ///< written [[name]]
  OptionTable table;
};

/// structure, joint, excitation, harmonic_balance, newton, continuation, sensor, analysis, loop, identify: the keys they have in every
/// study. A structure, a joint and an analysis have further ones that depend on kind and law.
const std::vector<SectionEntry>& study_sections();
const SectionEntry* find_section(std::string_view name);  ///< null: none of that name
/// What harmonics = { … } may hold.
const OptionTable& adaptive_harmonics_table();

/// The kinds of [[analysis]], with all keys.
const std::vector<SectionEntry>& analysis_catalogue();
const SectionEntry* find_analysis(std::string_view kind);

/// The keys outside of all sections.
const OptionTable& study_root_table();

}  // namespace masing
