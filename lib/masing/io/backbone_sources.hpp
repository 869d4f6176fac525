// All sources of backbones: what `from = "…"` in a joint may say.
#pragma once

#include "masing/contact/backbone_source.hpp"

#include <string_view>
#include <vector>

namespace masing {

/// density (room contact), then pressure and roughness (room joint).
const std::vector<const BackboneSource*>& backbone_sources();
const BackboneSource* find_backbone_source(std::string_view name);  ///< null: none of that name

}  // namespace masing
