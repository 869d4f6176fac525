// Keys of the analyses that follow an augmented balance: backbone, force-response, response-control.
#pragma once

#include "masing/io/study_schema.hpp"

namespace masing::detail {

/// The kinds with their keys, for the catalogue of analyses.
std::vector<SectionEntry> curve_analyses();

/// The key `stability`, of all analyses of forced motions.
Option stability_option();
/// The key `follow`: at which bifurcations branches are followed.
Option follow_option(const std::string& meaning);

}  // namespace masing::detail
