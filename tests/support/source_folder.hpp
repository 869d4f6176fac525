// Where the sources of Masing are: for tests that read shipped models and stored curves.
//
// The path is compiled into one file only. As a definition for all tests it would be part of their precompiled header,
// and a compiler cache could share nothing between two checkouts.
#pragma once

#include <string>

namespace masing::test {

std::string source_folder();

}  // namespace masing::test
