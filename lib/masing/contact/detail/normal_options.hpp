// The key `normal` of every law with a normal input.
#pragma once

#include "masing/contact/normal_contact.hpp"
#include "masing/core/options.hpp"

namespace masing::detail {

/// normal = { kind = "linear", stiffness, preload | gap } or { kind = "hertz", stiffness, exponent, preload | gap }
Option normal_option();
NormalContact read_normal(const OptionValues& values);
/// LawEntry::approach_for_load of these laws.
double approach_for_load(const OptionValues& values, double load);

}  // namespace masing::detail
