// The catalogue of surface physics in parts: one file a source.
#pragma once

#include "masing/contact/backbone_source.hpp"
#include "masing/contact/material.hpp"

namespace masing::detail {

/// A required number.
Option real_key(std::string name, std::string unit, Range range, std::string meaning);
Option optional_key(Option option);
/// A table whose `kind` decides its keys.
Option kind_key(std::string name, std::vector<OptionVariant> variants, std::string meaning);
/// An optional table { E, nu }.
Option material_key(std::string name, std::string meaning);
ElasticMaterial elastic(const OptionValues& values);

BackboneSource pressure_source();
BackboneSource roughness_source();

}  // namespace masing::detail
