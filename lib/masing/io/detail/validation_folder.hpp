// What lies in the folder of a validation case beside its case.toml: studies.
#pragma once

#include "masing/io/validation.hpp"

#include <string>

namespace masing::detail {

/// Reads the study of a run with its replaced values, so that nothing is computed while one of them is wrong. `values` is the [[run]].
/// Throws ModelError with the place in case.toml, the run and the key, `study` or `set`, before what is wrong:
///
///   slider/case.toml:9: run 'fine': set: loop.swep.samples=8000: there is no 'swep'.
void check_study(const OptionValues& values, const ValidationRun& run, const std::string& folder);

}  // namespace masing::detail
