// The keys of the springs beside a law: `residual_share` and `pinning`, the same for every law of the Iwan family.
#pragma once

#include "masing/contact/backbone.hpp"
#include "masing/contact/parallel_springs.hpp"
#include "masing/core/options.hpp"

namespace masing::detail {

/// pinning = { gap, stiffness } or { gap, E, nu, length, hole_E, hole_nu }
Option pinning_option();
/// residual_share = α: the joint keeps α times its stick stiffness after gross slip.
Option residual_option();

/// The springs as written, for a law whose stick stiffness, residual spring included, is `stick_stiffness` [N/m].
ParallelSprings read_springs(const OptionValues& values, double stick_stiffness);

/// The backbone of what slides when the share α of the stiffness belongs to the residual spring: F̂((1 − α) u), which
/// has the slip force of the whole and 1 − α of its stiffness.
BackbonePointer sliding_part(BackbonePointer whole, double residual_share);

}  // namespace masing::detail
