// The linear mode where a backbone begins: joints do what they do in a small motion about a static equilibrium, friction
// sticks, closed contacts stay closed (contact/small_motion.hpp).
#pragma once

#include "masing/analysis/model.hpp"
#include "masing/balance/options.hpp"
#include "masing/structure/natural_modes.hpp"

namespace masing::detail {

/// Mode `number` (from 1; rigid-body motions do not count). `mean` is the static motion of all coordinates. Tangents that
/// are not symmetric are taken as their symmetric part: the mode is a guess to start from. Throws ModelError when there are
/// not so many modes.
NaturalMode starting_mode(const Model& model, const Vector& mean, int number);

/// How many modes vibrate about `mean`, of the lowest `wanted` and a few.
Index vibrating_modes(const Model& model, const Vector& mean, Index wanted);

/// The mode with the joints at the secant stiffness <f u>/<u²> of its own motion, found by repetition from the motion
/// q cos Ωt: of the modes the one most like the last, scaled to the modal mass of q. Joints have no static motion here.
NaturalMode secant_mode(const Model& model, const BalanceOptions& options, Vector q);

}  // namespace masing::detail
