// Backbones from surface physics: what `from = "…"` in a joint may say besides "density".
//
//   from = "pressure"     a pressure field, a friction coefficient and a stiffness
//   from = "roughness"    two rough surfaces under a load
#pragma once

#include "masing/contact/backbone_source.hpp"

#include <vector>

namespace masing {

const std::vector<BackboneSource>& surface_sources();

}  // namespace masing
