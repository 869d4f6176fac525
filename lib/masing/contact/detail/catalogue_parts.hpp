// The catalogue in parts: one file a family of laws.
#pragma once

#include "masing/contact/catalogue.hpp"

namespace masing::detail {

using Element = std::shared_ptr<const ContactElement>;

/// A required number.
Option number(std::string name, std::string unit, Range range, std::string meaning);
/// The same with a default.
Option with_default(Option option, double value);

std::vector<LawEntry> elementary_laws();     ///< springs, dashpot, stop, coulomb, jenkins
std::vector<LawEntry> iwan_laws();           ///< iwan, iwan-population, ripp, iwan-stribeck
LawEntry iwan_population();                  ///< among the iwan laws, in a file of its own
Option elements_option();                    ///< elements: number of sliders of a discretised backbone
std::vector<LawEntry> variable_load_laws();  ///< Iwan laws under a normal load that varies
std::vector<LawEntry> friction_laws();       ///< elastic Coulomb friction with normal contact; power-law normal spring
std::vector<LawEntry> slip_slap_laws();      ///< distributed slip/slap contact

}  // namespace masing::detail
